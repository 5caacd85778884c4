"""The shapes of the lines in the file of a session; see `session_file`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.records import Count, Time
from agents.sharing.references import SCOPES

_Printable = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Line(BaseModel):
    """Any line after the header."""

    type: Literal["entry", "text", "artifact", "playbook", "delta"]


class Includes(_Line):
    """How many lines of each type there are."""

    entry: Count
    text: Count
    artifact: Count
    playbook: Count
    delta: Count


class Header(_Line):
    """The first line."""

    type: Literal["header"]
    format: str
    version: Annotated[int, Field(ge=1)]
    session: _Printable
    pipeline: _Printable
    title: Annotated[str, Field(max_length=300)]
    scopes: Annotated[list[Literal["session", "user", "app"]], Field(max_length=len(SCOPES))]
    includes: Includes


class Text(_Line):
    """A text that entries refer to."""

    type: Literal["text"]
    hash: str
    text: str


class Artifact(_Line):
    """A version of a file."""

    type: Literal["artifact"]
    name: str
    version: Count
    part: dict[str, Any]


class Base(_Line):
    """A playbook at the first revision that the session read."""

    type: Literal["playbook"]
    name: str
    base: dict[str, Any]


class Delta(_Line):
    """A commit of a playbook."""

    type: Literal["delta"]
    playbook: str
    revision: Count
    at: Time
    by: str
    undoes: Count | None
    reasoning: str
    applied: list[dict[str, Any]]
    rejected: list[dict[str, Any]]
    cited: list[str] | None
    invocation_id: str = ""
    entry: Count = 0
