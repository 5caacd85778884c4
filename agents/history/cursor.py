"""The cursor: what a session was at any entry of its log.

A `Timeline` reads a log once and then answers for every entry. Pure functions over values.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from agents.log import EVENT_KIND, LogEntry
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
                history.take(entry, entry.fields())
        return history

    def take(self, entry: LogEntry, body: dict[str, Any]) -> None:
        """Takes in the next entry and its body."""
        match entry.kind:
            case "session_created":
                self._write(entry.seq, "", cast("dict[str, Any]", body.get("state") or {}))
            case "run_started":
                self._share(entry.seq, cast("dict[str, Any]", body.get("shared") or {}))
            case kind if kind == EVENT_KIND:
                actions = cast("dict[str, Any]", body.get("actions") or {})
                author = str(body.get("author") or "")
                self._write(entry.seq, author, cast("dict[str, Any]", actions.get("state_delta") or {}))
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


_STARTS = ("session_created", "run_started")


@dataclass(slots=True)
class _Interval:
    """An agent's run, or a part of it between two pauses."""

    agent: str
    branch: str | None
    start: int
    end: int | None = None
    passes: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def at(self, seq: int) -> RunningAgent:
        place = bisect_right(self.passes, seq, key=lambda found: found[0])
        return RunningAgent(self.agent, self.branch, self.start, self.passes[place - 1][1] if place else 0)


class Timeline:
    """A log that can be asked for any of its moments.

    Args:
        entries: A session's log from its beginning, in order.
    """

    def __init__(self, entries: Sequence[LogEntry]) -> None:
        self._seqs = [entry.seq for entry in entries]
        self._state = StateHistory()
        self._intervals: list[_Interval] = []
        self._open: dict[tuple[str, str | None], list[_Interval]] = {}
        self._calls: list[ModelCallEntries] = []
        self._call_of: list[int | None] = []
        self._latest: dict[tuple[str, str | None], int] = {}
        self._spent: list[tuple[int, int, int]] = []
        calls = sent = received = 0
        for entry in entries:
            body = entry.fields()
            self._state.take(entry, body)
            if entry.kind == EVENT_KIND:
                self._take_answer(entry.seq, body)
            elif (take := _RECORDS.get(entry.kind)) is not None:
                take(self, entry.seq, body)
            calls += entry.kind == "model_started"
            if entry.kind == "model_finished":
                used = cast("dict[str, int]", body.get("usage") or {})
                sent += used.get("input", 0)
                received += used.get("output", 0) + used.get("thoughts", 0)
            self._spent.append((calls, sent, received))
            self._call_of.append(self._latest.get(_place(body)))

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
            call=self._call_at(place, seq),
            playbook=self._state.playbook_at(seq),
            calls=calls,
            tokens=(sent, received),
        )

    def _call_at(self, place: int, seq: int) -> ModelCallEntries | None:
        index = self._call_of[place]
        if index is None:
            return None
        call = self._calls[index]
        finished = call.finished if call.finished is not None and call.finished <= seq else None
        answer = call.answer if call.answer is not None and call.answer <= seq else None
        return ModelCallEntries(call.agent, call.branch, call.started, finished, answer)

    def _take_answer(self, seq: int, body: dict[str, Any]) -> None:
        index = self._latest.get(_place(body))
        if index is not None and self._calls[index].answer is None and body.get("stop_reason") is not None:
            call = self._calls[index]
            self._calls[index] = ModelCallEntries(call.agent, call.branch, call.started, call.finished, seq)

    def _take_agent_started(self, seq: int, body: dict[str, Any]) -> None:
        interval = _Interval(*_place(body), seq)
        self._intervals.append(interval)
        self._open.setdefault(_place(body), []).append(interval)

    def _take_agent_finished(self, seq: int, body: dict[str, Any]) -> None:
        if runs := self._open.get(_place(body)):
            runs.pop().end = seq

    def _take_iteration(self, seq: int, body: dict[str, Any]) -> None:
        if runs := self._open.get(_place(body)):
            runs[-1].passes.append((seq, int(body.get("iteration") or 0)))

    def _take_model_started(self, seq: int, body: dict[str, Any]) -> None:
        self._latest[_place(body)] = len(self._calls)
        self._calls.append(ModelCallEntries(*_place(body), seq))

    def _take_model_finished(self, seq: int, body: dict[str, Any]) -> None:
        if (index := self._latest.get(_place(body))) is not None and self._calls[index].finished is None:
            call = self._calls[index]
            self._calls[index] = ModelCallEntries(call.agent, call.branch, call.started, seq, call.answer)

    def _take_run_finished(self, seq: int, body: dict[str, Any]) -> None:
        """Ends agents that the end of a killed process left open."""
        for runs in self._open.values():
            while runs:
                runs.pop().end = seq
        self._latest.clear()


_RECORDS = {
    "run_finished": Timeline._take_run_finished,  # pyright: ignore[reportPrivateUsage]  the table of its own methods
    "agent_started": Timeline._take_agent_started,  # pyright: ignore[reportPrivateUsage]
    "agent_finished": Timeline._take_agent_finished,  # pyright: ignore[reportPrivateUsage]
    "loop_iteration": Timeline._take_iteration,  # pyright: ignore[reportPrivateUsage]
    "model_started": Timeline._take_model_started,  # pyright: ignore[reportPrivateUsage]
    "model_finished": Timeline._take_model_finished,  # pyright: ignore[reportPrivateUsage]
}


def at(entries: Sequence[LogEntry], seq: int) -> Moment:
    """The session at one entry of its log; for several entries of one log, ask a `Timeline`."""
    return Timeline(entries).at(seq)


def _place(body: dict[str, Any]) -> tuple[str, str | None]:
    return str(body.get("author") or body.get("agent") or ""), body.get("branch")


def _last(writes: Sequence[StateValue], seq: int) -> StateValue | None:
    place = bisect_right(writes, seq, key=lambda write: write.seq)
    return writes[place - 1] if place else None
