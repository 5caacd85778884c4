"""The cursor: what a session was at any entry of its log.

A `Timeline` reads a log once and then answers for every entry. Pure functions over values.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from agents.event import speaker_of
from agents.history.nodes import AgentRun, ModelCall
from agents.history.run_tree import Body, RunTree, read
from agents.log import EVENT_KIND, LogEntry
from agents.records import (
    AgentFinished,
    AgentStarted,
    LoopIteration,
    ModelFinished,
    ModelStarted,
    Record,
    RunFinished,
    RunStarted,
    SessionCreated,
)
from agents.state import REDUCED, is_stored


@dataclass(frozen=True, slots=True)
class StateValue:
    """A state key's value at some entry.

    Attributes:
        value: JSON.
        seq: The entry that set it.
        author: Who set it; "" for the session's first state, and for shared state that another session may have set.
    """

    value: Any
    seq: int
    author: str = ""


@dataclass(frozen=True, slots=True)
class RunningAgent:
    """An agent that had started and not ended.

    Attributes:
        agent: Its name.
        branch: The parallel branch that it runs in.
        since: `seq` of its start.
        iteration: Of a loop: its current pass, from 1; 0 for any other agent.
    """

    agent: str
    branch: str | None
    since: int
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class ModelCallEntries:
    """The entries of one model call.

    Attributes:
        agent: The agent that called.
        branch: Its parallel branch.
        started: `seq` of the `model_started` record: what was sent.
        finished: `seq` of the `model_finished` record; None while it goes on.
        answer: `seq` of the event with the answer; None if there is none, or none yet.
    """

    agent: str
    branch: str | None
    started: int
    finished: int | None = None
    answer: int | None = None


@dataclass(frozen=True, slots=True)
class PlaybookRevision:
    """A playbook as the session last read or changed it."""

    name: str
    revision: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A session at one entry of its log.

    Attributes:
        seq: The entry.
        state: State by key, all scopes but `temp:`.
        running: The agents that run, outermost first.
        call: The model call that the entry belongs to, as far as it had come; None if it belongs to none.
        playbook: The playbook, if the session has one.
        calls: Model calls started.
        tokens: Tokens (sent, received) of the calls that have ended.
    """

    seq: int
    state: dict[str, StateValue]
    running: tuple[RunningAgent, ...]
    call: ModelCallEntries | None
    playbook: PlaybookRevision | None
    calls: int
    tokens: tuple[int, int]

    @property
    def values(self) -> dict[str, Any]:
        """State by key, the values alone."""
        return {key: found.value for key, found in self.state.items()}


class StateHistory:
    """Who set which state key, and which playbook was read or changed, entry by entry."""

    def __init__(self) -> None:
        self._writes: dict[str, list[StateValue]] = {}
        self._playbooks: list[tuple[int, PlaybookRevision]] = []

    @classmethod
    def of(cls, entries: Iterable[LogEntry]) -> StateHistory:
        """The history that a log has, in order; entries that set nothing are not parsed."""
        history = cls()
        for entry in entries:
            if entry.kind in _STARTS or (entry.kind == EVENT_KIND and '"state_delta"' in entry.body):
                history.take(entry.seq, read(entry))
        return history

    def take(self, seq: int, item: Record | Body) -> None:
        """Takes in the next entry, see `run_tree.read`."""
        match item:
            case SessionCreated():
                self._write(seq, "", item.state)
            case RunStarted():
                self._share(seq, item.shared)
            case dict():
                actions = cast("dict[str, Any]", item.get("actions") or {})
                delta = cast("dict[str, Any]", actions.get("state_delta") or {})
                self._write(seq, _author(item), delta)
            case _:
                pass

    def at(self, seq: int) -> dict[str, StateValue]:
        """State by key after the entries up to `seq`."""
        return {key: value for key, writes in self._writes.items() if (value := _last(writes, seq)) is not None}

    def playbook_at(self, seq: int) -> PlaybookRevision | None:
        """The playbook then, if there was one."""
        found = bisect_right(self._playbooks, seq, key=lambda read: read[0])
        return self._playbooks[found - 1][1] if found else None

    def _share(self, seq: int, shared: dict[str, Any]) -> None:
        """Shared state is noted at each start of a run; only what another session changed is new."""
        for key, value in shared.items():
            known = self._writes.get(key)
            if key in REDUCED or known is None or known[-1].value != value:
                self._write(seq, "", {key: value})

    def _write(self, seq: int, author: str, values: dict[str, Any]) -> None:
        for key, value in values.items():
            if key in REDUCED:
                self._read_playbook(seq, value)
            elif is_stored(key):
                self._writes.setdefault(key, []).append(StateValue(value, seq, author))

    def _read_playbook(self, seq: int, value: Any) -> None:
        if isinstance(value, dict) and isinstance(revision := cast("dict[str, Any]", value).get("revision"), int):
            self._playbooks.append((seq, PlaybookRevision(str(cast("dict[str, Any]", value).get("playbook")), revision)))


_STARTS = (SessionCreated.kind, RunStarted.kind)


@dataclass(slots=True)
class _Interval:
    """An agent's turn, or a part of it between two pauses."""

    agent: AgentRun
    start: int
    end: int | None = None
    passes: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def at(self, seq: int) -> RunningAgent:
        place = bisect_right(self.passes, seq, key=lambda found: found[0])
        return RunningAgent(self.agent.agent, self.agent.branch, self.start, self.passes[place - 1][1] if place else 0)


class Timeline:
    """A log that can be asked for any of its moments.

    Args:
        entries: A session's log from its beginning, in order; more can be taken in later.
    """

    def __init__(self, entries: Iterable[LogEntry] = ()) -> None:
        self._seqs: list[int] = []
        self._state = StateHistory()
        self._tree = RunTree()
        self._intervals: list[_Interval] = []
        self._open: dict[AgentRun, _Interval] = {}
        self._calls: list[ModelCall | None] = []
        """The call that each entry belongs to."""
        self._spent: list[tuple[int, int, int]] = []
        for entry in entries:
            self.take(entry)

    def take(self, entry: LogEntry) -> None:
        """Takes in the next entry."""
        seq, item = entry.seq, read(entry)
        self._state.take(seq, item)
        node = self._tree.take(seq, item)
        calls, sent, received = self._spent[-1] if self._spent else (0, 0, 0)
        match item:
            case AgentStarted() if isinstance(node, AgentRun):
                self._open[node] = interval = _Interval(node, seq)
                self._intervals.append(interval)
            case AgentFinished() if isinstance(node, AgentRun) and node in self._open:
                self._open.pop(node).end = seq
            case LoopIteration() if isinstance(node, AgentRun) and node in self._open:
                self._open[node].passes.append((seq, item.iteration))
            case ModelStarted():
                calls += 1
            case ModelFinished():
                sent, received = sent + item.usage.get("input", 0), received + item.received
            case RunFinished():
                for interval in self._open.values():
                    interval.end = seq
                self._open.clear()
            case _:
                pass
        self._seqs.append(seq)
        self._spent.append((calls, sent, received))
        self._calls.append(self._tree.latest_call(*_place(item)))

    def at(self, seq: int) -> Moment:
        """The session as of the last entry up to `seq`.

        Raises:
            ValueError: There is no entry up to `seq`.
        """
        place = bisect_right(self._seqs, seq) - 1
        if place < 0:
            first = f"its first one is {self._seqs[0]}" if self._seqs else "it is empty"
            raise ValueError(f"There is no entry up to {seq} in this log: {first}.")
        seq = self._seqs[place]
        calls, sent, received = self._spent[place]
        return Moment(
            seq,
            state=self._state.at(seq),
            running=tuple(
                interval.at(seq)
                for interval in self._intervals
                if interval.start <= seq and (interval.end is None or interval.end > seq)
            ),
            call=_call_at(self._calls[place], seq),
            playbook=self._state.playbook_at(seq),
            calls=calls,
            tokens=(sent, received),
        )


def at(entries: Sequence[LogEntry], seq: int) -> Moment:
    """The session at one entry of its log; for several entries of one log, ask a `Timeline`."""
    return Timeline(entries).at(seq)


def _call_at(call: ModelCall | None, seq: int) -> ModelCallEntries | None:
    if call is None:
        return None
    finished = call.finished_at if call.finished_at is not None and call.finished_at <= seq else None
    answer = call.answer if call.answer is not None and call.answer <= seq else None
    return ModelCallEntries(call.started.agent, call.started.branch, call.seq, finished, answer)


def _place(item: Record | Body) -> tuple[str, str | None]:
    if isinstance(item, Record):
        return item.agent, item.branch
    return _author(item), item.get("branch")


def _author(body: Body) -> str:
    """Who wrote the event: of a graph's event, the node."""
    info = cast("dict[str, Any]", body.get("node_info") or {})
    return speaker_of(str(body.get("author") or ""), str(info.get("path") or ""))


def _last(writes: Sequence[StateValue], seq: int) -> StateValue | None:
    place = bisect_right(writes, seq, key=lambda write: write.seq)
    return writes[place - 1] if place else None
