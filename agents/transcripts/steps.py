"""What the sessions of all coding agents consist of: the steps that a reader of one format gives, in their order.

Parts are in the JSON form of `google.genai.types.Part`. A step's `lane` is "" for the session's own agent; for a sub-agent
it is the id of the tool call that it works for.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.history.branches import TOOL_MARK
from agents.records import Tokens

_MARK_LENGTH = 6

Part = dict[str, Any]


@dataclass(slots=True)
class Said:
    """The user said something, or in a lane: the sub-agent was given its task.

    Attributes:
        at: Seconds since the epoch; None where the file has no time.
    """

    at: float | None
    parts: list[Part]
    lane: str = ""


@dataclass(slots=True)
class Answered:
    """A model answered: with texts, thoughts and tool calls.

    Attributes:
        usage: Its tokens; empty where the file does not tell, or has told before.
        cost: US dollars; None where the file does not tell.
        error: The error that came in place of an answer.
    """

    at: float | None
    parts: list[Part]
    model: str = ""
    usage: Tokens = field(default_factory=Tokens)
    cost: float | None = None
    error: str = ""
    lane: str = ""


@dataclass(slots=True)
class Returned:
    """A tool returned.

    Attributes:
        text: Its result.
        error: Whether the result is an error.
        more: Pictures that came with it.
    """

    at: float | None
    call_id: str
    text: str
    error: bool = False
    more: list[Part] = field(default_factory=list[Part])
    lane: str = ""


@dataclass(slots=True)
class Noted:
    """What a file says beside that: see `agents.records.TranscriptNote`."""

    at: float | None
    note: str
    text: str
    lane: str = ""


@dataclass(slots=True)
class Stopped:
    """The user interrupted the agent."""

    at: float | None


Step = Said | Answered | Returned | Noted | Stopped


def branch_of_call(above: str | None, tool: str, call_id: str) -> str:
    """The branch of the sub-agent that works for a tool call, below the branch that the call is made in."""
    mark = hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:_MARK_LENGTH]
    return f"{above}." * bool(above) + f"{tool}{TOOL_MARK}{mark}"


@dataclass(slots=True)
class About:
    """What a file says of its session as a whole.

    Attributes:
        session: The session's id there.
        title: Its title; "" to name it after its first message.
    """

    session: str = ""
    title: str = ""


class Reader(Protocol):
    """Reads one session of a format, line by line.

    Attributes:
        about: What was read of the session as a whole.
        left_out: Lines that say nothing of the conversation, by their kind.
    """

    about: About
    left_out: Counter[str]

    def take(self, value: dict[str, Any]) -> Iterable[Step] | None:
        """The steps that are known after a line; None if the line is of no kind that is known here."""
        ...

    def finish(self) -> Iterable[Step]:
        """The steps that are left at the end."""
        ...
