"""The kinds of trace records: what happened around the events of a session, one class a kind, with its fields.

The schema of the log for all that write and read it: producers are checked against it by tests, files of sessions by
`agents.sharing`, and the scripts of the session view by types that `uv run poe records` writes. Reading fails for no record:
what is absent has its default, and fields and kinds of other versions are kept as they are, see `Record.others`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field
from typing_extensions import TypedDict  # pydantic reads no other one before Python 3.12

LAST_TIME = 253_402_300_800.0
"""The first time that is too late, in seconds since the epoch: the year 10,000."""

Time = Annotated[float, Field(ge=0, le=LAST_TIME)]
Count = Annotated[int, Field(ge=0, le=10_000_000)]
JsonObject = dict[str, Any]

ALWAYS = ("invocation_id", "agent", "timestamp")
"""Fields that are in every record."""


class Tokens(TypedDict, total=False):
    """Tokens of model calls.

    Attributes:
        input: Tokens sent.
        output: Tokens received.
        thoughts: Tokens thought; they come besides the output.
        cached: Those of the input that the provider had cached.
    """

    input: Count
    output: Count
    thoughts: Count
    cached: Count


class Contents(TypedDict, total=False):
    """The messages of a model call: those that a rule selects among the events up to one, or a text.

    Attributes:
        select: The rule, see `agents.llm.contents.history_for`; absent where a text is named.
        until: `seq` of the last event that is looked at.
        count: How many messages there are.
        text: The hash of the messages as JSON.
        chosen_from: Beside a text: the rule of the messages of which a callback left some out.
    """

    select: Literal["default", "none"] | None
    until: Count
    count: Count
    text: str | None
    chosen_from: Literal["default", "none"] | None


class Limits(TypedDict, total=False):
    """Limits that the server's grammar needed and no schema has: most characters of a text, most items of a list."""

    characters: Count
    items: Count


@dataclass(slots=True, kw_only=True)
class Record:
    """What every trace record has, and a record of an unknown kind.

    Attributes:
        invocation_id: The run; "" outside of one.
        agent: The agent concerned; "" where there is none.
        branch: The parallel branch that it happened in.
        timestamp: Seconds since the epoch.
        call: The model call that it belongs to, counted within the run; None for none.
        replayed: Whether it is told again from the recorded session that is replayed.
        others: Fields that the kind does not have in this version.
    """

    kind: ClassVar[str] = ""
    always: ClassVar[tuple[str, ...]] = ()
    """Fields that are in every record of the kind, beside those of `ALWAYS`."""
    invocation_id: str = ""
    agent: str = ""
    branch: str | None = None
    timestamp: Time = 0.0
    call: int | None = None
    replayed: bool = False
    others: JsonObject = field(default_factory=dict[str, Any])

    @classmethod
    def read(cls, body: JsonObject) -> Self:
        """The record of a body as it is stored."""
        known = fields_of(cls)
        if body.keys() <= known:
            return cls(**body)
        own = {name: value for name, value in body.items() if name in known}
        return cls(**own, others={name: value for name, value in body.items() if name not in known})


@cache
def fields_of(kind: type[Record]) -> frozenset[str]:
    """The names of a kind's fields in the log."""
    return frozenset(each.name for each in fields(kind)) - {"others"}


@dataclass(slots=True, kw_only=True)
class SessionCreated(Record):
    """A session was created, with its first state."""

    kind: ClassVar[str] = "session_created"
    always: ClassVar[tuple[str, ...]] = ("state",)
    state: JsonObject = field(default_factory=dict[str, Any])


@dataclass(slots=True, kw_only=True)
class Forked(Record):
    """This session is a fork: what comes before is copied from its origin, and what was changed since.

    Attributes:
        origin: The id of the session that it came from.
        seq: The origin's entry that is replaced, or the last one that stays.
        changes: What was changed, see `agents.forks.Change`.
        what: The same in words; "" for nothing.
        recorded: Recorded results of tools with effects outside that the fork may use.
    """

    kind: ClassVar[str] = "forked"
    always: ClassVar[tuple[str, ...]] = ("origin", "seq")
    origin: str = ""
    seq: Count = 0
    changes: list[JsonObject] = field(default_factory=list[JsonObject])
    what: str = ""
    recorded: list[JsonObject] = field(default_factory=list[JsonObject])


@dataclass(slots=True, kw_only=True)
class Imported(Record):
    """This session came from a file: what comes before was recorded elsewhere.

    Attributes:
        origin: The session's id there.
        scopes: The scopes of state that came along.
        playbooks: New name → name there.
        closes: Whether the next record ends a run that the file leaves open.
        format: Whose file it was, e.g. "claude_code"; "" for a session that was exported here, or by ADK.
        masked: How many secrets of each kind were masked.
        unread: How many lines could not be read, and are kept as they are.
    """

    kind: ClassVar[str] = "imported"
    origin: str = ""
    scopes: list[str] = field(default_factory=list[str])
    playbooks: dict[str, str] = field(default_factory=dict[str, str])
    closes: bool = False
    format: str = ""
    masked: dict[str, int] = field(default_factory=dict[str, int])
    unread: Count = 0


@dataclass(slots=True, kw_only=True)
class TranscriptNote(Record):
    """What the file of a coding agent says beside its messages, or a line of it that could not be read.

    Attributes:
        note: "unread" (a line, as it is), "summary", "compacted", "context" (what a program added in the user's name),
            "went_back" (the user went back, and what came between was left), or "error".
        text: What it says.
        line: The number of the line; 0 for none.
    """

    kind: ClassVar[str] = "transcript_note"
    always: ClassVar[tuple[str, ...]] = ("note", "text")
    note: str = ""
    text: str = ""
    line: Count = 0


@dataclass(slots=True, kw_only=True)
class CaseRun(Record):
    """This session ran a case: what comes before is its log, and this is what the case said of it.

    Attributes:
        case: The case's name.
        outcome: "held", "failed" or "error".
        what: What did not hold; "" if all did.
        about: What was special about the run.
    """

    kind: ClassVar[str] = "case_run"
    always: ClassVar[tuple[str, ...]] = ("case", "outcome")
    case: str = ""
    outcome: str = ""
    what: str = ""
    about: str = ""


@dataclass(slots=True, kw_only=True)
class CasesTried(Record):
    """A delta was tried on a copy of the playbook against the cases that guard it.

    Attributes:
        playbook: The playbook.
        tried: How many cases.
        broken: Names of the cases that the delta breaks.
        problems: Why some cases were not tried.
        why: Why none could be tried.
    """

    kind: ClassVar[str] = "cases_tried"
    playbook: str = ""
    tried: Count = 0
    broken: list[str] = field(default_factory=list[str])
    problems: list[str] = field(default_factory=list[str])
    why: str = ""


@dataclass(slots=True, kw_only=True)
class RunStarted(Record):
    """A run began, or went on after a pause: its models, faults and shared state.

    Attributes:
        model: The model of agents that name none.
        agent_models: Models of single agents.
        simulated: Whether a model of it is simulated.
        resumed: Whether it goes on after a pause.
        faults: The faults to inject, as text.
        max_llm_calls: Most model calls.
        shared: State of the user and of the app as the run found it.
        app_state: "session" if what it writes to the app's state stays in its session.
        team_revision: The revision of the team that ran; None for another pipeline.
        needs_approval: Whether what it learns waits for the owner of the playbook.
        owns_playbook: Whether the playbook is its own.
        asked_by_client: Whether a program asked with functions or settings of its own, which are not in the log.
    """

    kind: ClassVar[str] = "run_started"
    model: str | None = None
    agent_models: dict[str, str | None] = field(default_factory=dict[str, str | None])
    simulated: bool = False
    resumed: bool = False
    faults: list[str] = field(default_factory=list[str])
    max_llm_calls: int | None = None
    shared: JsonObject = field(default_factory=dict[str, Any])
    app_state: str = ""
    team_revision: Count | None = None
    needs_approval: bool = False
    owns_playbook: bool = False
    asked_by_client: bool = False


@dataclass(slots=True, kw_only=True)
class RunFinished(Record):
    """A run ended or paused: status, calls, tokens and time.

    Attributes:
        status: How it ended.
        calls: Model calls, those before a pause included.
        tokens: Tokens of those calls; thoughts are in the output.
        duration: Seconds that it ran.
        error_code: The code of the error that ended it.
        error_message: The same in words.
        cut: Written where a fork begins, or where the run was cut off: it goes on.
        cut_off: Written in the run's own log, because the process that ran it ended or stood still: another one goes on.
    """

    kind: ClassVar[str] = "run_finished"
    always: ClassVar[tuple[str, ...]] = ("status",)
    status: Literal["completed", "stopped", "failed", "interrupted", "paused"] = "completed"
    calls: Count = 0
    tokens: Tokens = field(default_factory=Tokens)
    duration: float = 0.0
    error_code: str | None = None
    error_message: str | None = None
    cut: bool = False
    cut_off: bool = False


@dataclass(slots=True, kw_only=True)
class AgentStarted(Record):
    """An agent began its turn, or went on after a pause.

    Attributes:
        type: The name of its class.
        resumed: Whether it goes on after a pause.
        node: As a node of a graph: the path of its run, see `NodeInfo.path`.
    """

    kind: ClassVar[str] = "agent_started"
    type: str = ""
    resumed: bool = False
    node: str = ""


@dataclass(slots=True, kw_only=True)
class AgentCallback(Record):
    """An agent's callback answered or set state; its event comes next.

    Attributes:
        callback: "before", "answer" (in place of the agent) or "after".
    """

    kind: ClassVar[str] = "agent_callback"
    callback: str = ""


@dataclass(slots=True, kw_only=True)
class AgentFinished(Record):
    """An agent ended its turn, and how.

    Attributes:
        outcome: How it ended.
        cut: The agent goes on after its last event: a fork begins here, or a model call waits for the user.
        node: As a node of a graph: the path of its run.
        delegated: As a node of a graph: an event below it has told its output; the nodes after it are given `output`.
        output: What it gave then; None for nothing.
    """

    kind: ClassVar[str] = "agent_finished"
    always: ClassVar[tuple[str, ...]] = ("outcome",)
    outcome: Literal["ok", "error", "paused", "cancelled"] = "ok"
    cut: bool = False
    node: str = ""
    delegated: bool = False
    output: Any = None


@dataclass(slots=True, kw_only=True)
class NodeRetry(Record):
    """A node of a graph failed, and is run again.

    Attributes:
        node: The path of its run.
        attempt: The number of the try that failed.
        delay: Seconds to the next one.
        error: The error in words.
    """

    kind: ClassVar[str] = "node_retry"
    always: ClassVar[tuple[str, ...]] = ("node", "attempt", "delay")
    node: str = ""
    attempt: Count = 0
    delay: float = 0.0
    error: str = ""


@dataclass(slots=True, kw_only=True)
class ModelStarted(Record):
    """A model was asked: what it was sent. Texts are named by hash.

    Attributes:
        model: The model.
        turn: Which call of the agent's turn it is, from 1.
        instruction: The instruction.
        contents: The messages.
        tools: Names of the tools.
        config: Settings as JSON.
        stream: Whether pieces were asked for.
        filled: Where values stand in the instruction: from a character to before another, with the state key.
        quoted: Whether what others said stood between markers.
        joined: Whether branches that have joined were seen, and a late response was sent without what came between.
        declarations: Declarations of tools as JSON.
        schema: The answer's schema as JSON.
        label: The sender that the request names, if it is not the agent.
    """

    kind: ClassVar[str] = "model_started"
    always: ClassVar[tuple[str, ...]] = ("call", "model")
    model: str | None = ""
    turn: int = 1
    instruction: str | None = None
    contents: Contents = field(default_factory=Contents)
    tools: list[str] = field(default_factory=list[str])
    config: str | None = None
    stream: bool = False
    filled: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    quoted: bool = False
    joined: bool = False
    declarations: str | None = None
    schema: str | None = None
    label: str | None = None

    @property
    def caller(self) -> str:
        """Whose request it is: the label of the request, else the agent."""
        return self.label or self.agent

    @property
    def texts(self) -> list[str]:
        """The hashes of the texts that it names."""
        named = (self.instruction, self.config, self.declarations, self.schema, self.contents.get("text"))
        return [name for name in named if name]


@dataclass(slots=True, kw_only=True)
class ModelFinished(Record):
    """A model's call ended: tokens, time, and the error if there was one.

    Attributes:
        model: The model that was asked.
        answered_by: The model that answered, if it is another one.
        usage: Tokens; empty if there was no whole answer.
        searches: Searches that the provider bills.
        duration: Seconds.
        first_token: Seconds to the first piece; None if there was none.
        stop_reason: Why the answer ended.
        answer: The hash of an answer that became no event.
        limits: Limits that the server's grammar needed.
        error: The error; "cancelled" for a call that was stopped.
        error_code: The code of the error.
    """

    kind: ClassVar[str] = "model_finished"
    always: ClassVar[tuple[str, ...]] = ("call", "model")
    model: str = ""
    answered_by: str | None = None
    usage: Tokens = field(default_factory=Tokens)
    searches: Count = 0
    duration: float = 0.0
    first_token: float | None = None
    stop_reason: str | None = None
    answer: str | None = None
    limits: Limits = field(default_factory=Limits)
    error: str | None = None
    error_code: str | None = None

    @property
    def received(self) -> int:
        """Tokens received, thoughts among them."""
        return (self.usage.get("output") or 0) + (self.usage.get("thoughts") or 0)

    @property
    def becomes_event(self) -> bool:
        """Whether the model gave a whole answer, and an event is to have it."""
        return bool(self.usage) and not self.answer


@dataclass(slots=True, kw_only=True)
class ModelRetry(Record):
    """A try of a model call failed, and another one is made.

    Attributes:
        model: The model.
        attempt: The number of the try that failed.
        delay: Seconds to the next one.
        code: The code of the error.
        error: The error in words.
    """

    kind: ClassVar[str] = "model_retry"
    always: ClassVar[tuple[str, ...]] = ("call", "model", "attempt", "delay", "code")
    model: str = ""
    attempt: Count = 0
    delay: float = 0.0
    code: str = ""
    error: str = ""


@dataclass(slots=True, kw_only=True)
class ModelLoading(Record):
    """A model is being loaded into memory; how far it is.

    Attributes:
        model: The model.
        progress: From 0 to 1; None if it is not known.
        bytes: The size of its file.
    """

    kind: ClassVar[str] = "model_loading"
    always: ClassVar[tuple[str, ...]] = ("model",)
    model: str = ""
    progress: float | None = None
    bytes: int | None = None


@dataclass(slots=True, kw_only=True)
class ModelLoaded(Record):
    """A model was loaded into memory.

    Attributes:
        model: The model.
        seconds: How long it took.
        bytes: The size of its file.
        n_ctx: Its context window, in tokens.
    """

    kind: ClassVar[str] = "model_loaded"
    always: ClassVar[tuple[str, ...]] = ("model",)
    model: str = ""
    seconds: float | None = None
    bytes: int | None = None
    n_ctx: int | None = None


@dataclass(slots=True, kw_only=True)
class ToolStarted(Record):
    """A tool was called.

    Attributes:
        tool: The tool.
        call_id: The call.
        confirmed: Whether the user allowed the call; None if that was not asked.
        edited_args: The arguments that the user gave it.
    """

    kind: ClassVar[str] = "tool_started"
    always: ClassVar[tuple[str, ...]] = ("tool", "call_id")
    tool: str = ""
    call_id: str = ""
    confirmed: bool | None = None
    edited_args: JsonObject | None = None


@dataclass(slots=True, kw_only=True)
class ToolFinished(Record):
    """A tool's call ended, and how long it took.

    Attributes:
        tool: The tool.
        call_id: The call.
        duration: Seconds.
        error: The error; "cancelled" for a call that was stopped.
        waits: Whether its result is to come from the user.
    """

    kind: ClassVar[str] = "tool_finished"
    always: ClassVar[tuple[str, ...]] = ("tool", "call_id")
    tool: str = ""
    call_id: str = ""
    duration: float = 0.0
    error: str | None = None
    waits: bool = False


@dataclass(slots=True, kw_only=True)
class ToolRecorded(Record):
    """In a fork, a tool with effects outside was not called: the call is the origin's, and so is its result.

    Attributes:
        tool: The tool.
        call_id: The call.
    """

    kind: ClassVar[str] = "tool_recorded"
    always: ClassVar[tuple[str, ...]] = ("tool", "call_id")
    tool: str = ""
    call_id: str = ""


@dataclass(slots=True, kw_only=True)
class ToolProtocol(Record):
    """How a model is told of its tools, where that is not its own way.

    Attributes:
        model: The model.
        protocol: "json" or "native".
        reason: Why.
    """

    kind: ClassVar[str] = "tool_protocol"
    always: ClassVar[tuple[str, ...]] = ("protocol",)
    model: str = ""
    protocol: str = ""
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class LoopIteration(Record):
    """A loop began its next pass.

    Attributes:
        iteration: The pass, from 1.
        max_iterations: Most passes; None for no limit.
    """

    kind: ClassVar[str] = "loop_iteration"
    always: ClassVar[tuple[str, ...]] = ("iteration",)
    iteration: Count = 0
    max_iterations: int | None = None


@dataclass(slots=True, kw_only=True)
class LoopEscalated(Record):
    """An agent in a loop escalated: the loop ends.

    Attributes:
        by: The agent.
        iteration: In which pass.
    """

    kind: ClassVar[str] = "loop_escalated"
    by: str = ""
    iteration: Count = 0


@dataclass(slots=True, kw_only=True)
class LoopFinished(Record):
    """A loop ended, and why.

    Attributes:
        reason: "escalated", "max_iterations", "empty" or "ended".
        iterations: How many passes it made.
        by: The agent that escalated.
    """

    kind: ClassVar[str] = "loop_finished"
    always: ClassVar[tuple[str, ...]] = ("reason", "iterations")
    reason: str = ""
    iterations: Count = 0
    by: str = ""


@dataclass(slots=True, kw_only=True)
class RouteDecided(Record):
    """A router chose an agent or a model, or none.

    Attributes:
        router: The router.
        level: What is chosen.
        key: The choice; None for none.
        candidates: The keys that there are.
        failed: The keys that have failed.
        reason: Why, in the router's words.
        error: The errors that led to it.
    """

    kind: ClassVar[str] = "route_decided"
    router: str = ""
    level: Literal["agent", "model"] | None = None
    key: str | None = None
    candidates: list[str] = field(default_factory=list[str])
    failed: list[str] = field(default_factory=list[str])
    reason: str = ""
    error: str = ""


@dataclass(slots=True, kw_only=True)
class Transfer(Record):
    """An agent handed over to another one.

    Attributes:
        to: That one.
    """

    kind: ClassVar[str] = "transfer"
    always: ClassVar[tuple[str, ...]] = ("to",)
    to: str = ""


@dataclass(slots=True, kw_only=True)
class FaultInjected(Record):
    """A model call went wrong because the user asked for it; the words are the rest of a sentence about the model.

    Attributes:
        fault: What goes wrong.
        target: The agent or model that the fault is for.
        model: The model that was called.
        seconds: Of a delay.
    """

    kind: ClassVar[str] = "fault_injected"
    always: ClassVar[tuple[str, ...]] = ("fault",)
    fault: str = ""
    target: str = ""
    model: str = ""
    seconds: float | None = None


@dataclass(slots=True, kw_only=True)
class ReplayDrifted(Record):
    """A replayed model was asked otherwise than when it was recorded.

    Attributes:
        model: The model that replays.
        position: The position of the recorded answer.
        drifted: The parts of the request that changed.
        detail: How, by part.
    """

    kind: ClassVar[str] = "replay_drifted"
    model: str = ""
    position: Count = 0
    drifted: list[str] | str = field(default_factory=list[str])
    detail: Any = None


@dataclass(slots=True, kw_only=True)
class PlaybookGiven(Record):
    """An agent was given bullets of a playbook.

    Attributes:
        playbook: The playbook.
        revision: Its revision.
        bullets: How many bullets.
        bullet_ids: Their ids, of many the first ones.
        chosen: Whether they were chosen for the request.
    """

    kind: ClassVar[str] = "playbook_given"
    always: ClassVar[tuple[str, ...]] = ("playbook", "revision", "bullets", "bullet_ids")
    playbook: str = ""
    revision: Count = 0
    bullets: Count = 0
    bullet_ids: list[str] = field(default_factory=list[str])
    chosen: bool = False


def _kinds() -> dict[str, type[Record]]:
    return {kind.kind: kind for kind in Record.__subclasses__()}


RECORDS = _kinds()
"""The class of each kind."""


def read_record(kind: str, body: str) -> Record:
    """The record of a stored body; one of an unknown kind is a plain `Record`."""
    return RECORDS.get(kind, Record).read(json.loads(body))
