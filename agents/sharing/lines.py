"""The shapes of the lines in the file of a session; see `session_file`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.ace.formats.reader import LAST_TIME
from agents.sharing.references import SCOPES

_Printable = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
_Time = Annotated[float, Field(ge=0, le=LAST_TIME)]
_Count = Annotated[int, Field(ge=0, le=10_000_000)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Line(BaseModel):
    """Any line after the header."""

    type: Literal["entry", "text", "artifact", "playbook", "delta"]


class Includes(_Line):
    """How many lines of each type there are."""

    entry: _Count
    text: _Count
    artifact: _Count
    playbook: _Count
    delta: _Count


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
    version: _Count
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
    revision: _Count
    at: _Time
    by: str
    undoes: _Count | None
    reasoning: str
    applied: list[dict[str, Any]]
    rejected: list[dict[str, Any]]
    cited: list[str] | None
    invocation_id: str = ""
    entry: _Count = 0


class Record(BaseModel):
    """What every trace record may have."""

    model_config = ConfigDict(extra="allow", frozen=True)

    invocation_id: str = ""
    agent: str = ""
    branch: str | None = None
    call: int | str | None = None
    timestamp: _Time


class SessionCreated(Record):
    """The first entry."""

    state: dict[str, Any]


class RunStarted(Record):
    """The start of a run."""

    model: str | None = None
    simulated: bool = False
    shared: dict[str, Any] = Field(default_factory=dict)


class RunFinished(Record):
    """The end of a run."""

    status: Literal["completed", "stopped", "failed", "interrupted", "paused"]
    calls: _Count = 0
    tokens: dict[str, _Count] = Field(default_factory=dict)
    duration: float = 0.0


class Contents(BaseModel):
    """The messages of a model call: those of events up to a number, or a text."""

    model_config = ConfigDict(extra="allow", frozen=True)

    until: _Count = 0
    select: Literal["default", "none"] | None = None
    text: str | None = None


class ModelStarted(Record):
    """A model is called."""

    model: str | None = None
    instruction: str | None = None
    config: str | None = None
    declarations: str | None = None
    schema_: str | None = Field(default=None, alias="schema")
    contents: Contents = Contents()
    tools: list[str] = Field(default_factory=list)


class ModelFinished(Record):
    """A model's call ended."""

    model: str = ""
    usage: dict[str, _Count] = Field(default_factory=dict)
    answer: str | None = None


class Forked(Record):
    """A fork begins."""

    origin: str
    seq: _Count
    changes: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])


class PlaybookGiven(Record):
    """An agent was given bullets."""

    playbook: str
    revision: _Count
    bullets: _Count
    bullet_ids: list[str] = Field(default_factory=list)


class AgentRecord(Record):
    """An agent's turn began or ended, or a loop's pass began."""

    agent: Annotated[str, Field(min_length=1)] = ""
    iteration: _Count = 0


RECORDS: dict[str, type[Record]] = {
    "session_created": SessionCreated,
    "forked": Forked,
    "run_started": RunStarted,
    "run_finished": RunFinished,
    "model_started": ModelStarted,
    "model_finished": ModelFinished,
    "playbook_given": PlaybookGiven,
    "agent_started": AgentRecord,
    "agent_finished": AgentRecord,
    "loop_iteration": AgentRecord,
}
"""The trace records whose fields the code relies on; of others only what `Record` has is checked."""
