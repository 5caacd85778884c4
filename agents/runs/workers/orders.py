"""What a server and its worker processes say to each other.

Orders are pickled: the worker trusts the server. A worker runs users' code, so its news are lines of JSON that are checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from agents.models.connections import Connection
from agents.plugins.client_request import ClientRequest
from agents.runs.values import ModelChoice, SessionKey
from agents.runtime.fault import Fault
from agents.session import Leases
from agents.storage.address import Database

MEMORY = 2 * 1024**3
"""Bytes of memory that a worker process may use."""


@dataclass(frozen=True, slots=True)
class WorkPlace:
    """Where workers work, and for whom.

    Attributes:
        database: Where the sessions are.
        agents_dir: The folder with the users' packages, or None.
        teams: The folder of teams, or None.
        for_owner: Whether the owner's runs are workers', too; else only those that others start.
        memory: Bytes of memory that a worker may use.
        leases: How long claims hold; None for the usual time.
    """

    database: Database
    agents_dir: Path | None = None
    teams: Path | None = None
    for_owner: bool = False
    memory: int = MEMORY
    leases: Leases | None = None

    def has(self, package: Path) -> bool:
        """Whether workers find a package: it is in one of the folders, which may also be named by a file in it."""
        homes = [one if one.is_dir() else one.parent for one in (self.agents_dir, self.teams) if one is not None]
        return any(package.resolve().is_relative_to(home.resolve()) for home in homes)


@dataclass(frozen=True, slots=True)
class RunOrder:
    """A run to do. Its rights were checked.

    Attributes:
        pipeline: The pipeline's name.
        message: The user's message; None for the rest of a run whose log was cut.
        user_id: Whose session it is.
        session_id: The session; None for a new one.
        models: The models chosen.
        state: Values to set, by key.
        faults: Faults to inject.
        invocation_id: The run's id, if it has one already.
        needs_approval: Whether what it would teach a playbook waits for the owner.
        owns_playbook: Whether the session's settings decide how its playbook is refined.
        connections: The servers and keys of the providers that its models belong to, by provider.
        all_packages: Whether a package registers one of the models.
        client: What the program that sent the message asks of the agent that answers; None for nothing.
        is_limited: Whether the limits of its user hold: somebody else than the owner has started it.
    """

    pipeline: str
    message: types.Content | None
    user_id: str
    session_id: str | None
    models: ModelChoice
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    faults: tuple[Fault, ...] = ()
    invocation_id: str | None = None
    needs_approval: bool = False
    owns_playbook: bool = False
    connections: Mapping[str, Connection] = field(default_factory=dict[str, Connection])
    all_packages: bool = False
    client: ClientRequest | None = None
    is_limited: bool = False

    @property
    def key(self) -> SessionKey | None:
        """The session's key; None for a new one."""
        return None if self.session_id is None else SessionKey(self.pipeline, self.session_id, self.user_id)


@dataclass(frozen=True, slots=True)
class StopOrder:
    """Stop the run of a session."""

    pipeline: str
    session_id: str


class _News(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Alive(_News):
    """The worker responds. Said all the time."""

    kind: Literal["alive"] = "alive"


class Stored(_News):
    """The session's log grew to `seq`; `streamed` are the ids of streamed events that are stored now."""

    kind: Literal["stored"] = "stored"
    seq: int
    streamed: tuple[str, ...] = ()


class Piece(_News):
    """A streamed piece of an event, see `Partial`."""

    kind: Literal["piece"] = "piece"
    id: str
    author: str
    branch: str | None
    text: str
    thought: bool


class Notice(_News):
    """What the run waits for; "" when the wait is over."""

    kind: Literal["notice"] = "notice"
    text: str


class Ended(_News):
    """The run has ended.

    Attributes:
        problem: Why it could not begin, or be followed to its end; "" if it could.
        is_last: Whether the worker takes no more orders: it holds too much memory, or could not store the end of a run.
    """

    kind: Literal["ended"] = "ended"
    problem: str = ""
    is_last: bool = False


News = Alive | Stored | Piece | Notice | Ended
NEWS: TypeAdapter[News] = TypeAdapter(Annotated[News, Field(discriminator="kind")])
