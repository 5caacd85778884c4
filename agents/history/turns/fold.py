"""The turns of a session as a fold over its log, linear in its length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import accumulate
from typing import Any, Literal

from agents.event import REQUEST_ANSWER
from agents.history.branches import TOOL_MARK
from agents.history.nodes import ModelCall
from agents.history.run_tree import Body, RunTree, read
from agents.history.turns.event_texts import event_texts, state_texts
from agents.history.turns.turn import NOTHING, Place, Step, Turn, Usage
from agents.log import LogEntry
from agents.records import AgentStarted, Forked, ModelFinished, ModelStarted, RunFinished, RunStarted, SessionCreated

_DEEPEST = 200
"""Branches within each other that are told apart: a file may name any number."""


class TurnFold:
    """The turns of a session so far.

    Args:
        cost: What a call that ended cost, in US dollars; None where that is not known.

    Attributes:
        turns: In order.
        last: `seq` of the last entry taken; 0 before the first.
        changed: What was changed in a fork, in words; "" for nothing, and for a session that is none.
    """

    def __init__(self, cost: Callable[[ModelFinished], float | None]) -> None:
        self._cost = cost
        self.turns: list[Turn] = []
        self.last = 0
        self.changed = ""
        self._run = self._number = 0
        self._tree = RunTree()
        self._counts: dict[tuple[Any, ...], int] = defaultdict(int)
        self._calls: dict[str, int] = {}
        self._used = Usage()
        self._durations: dict[str, float] = {}

    def total(self) -> Usage:
        """What all calls used, and the time of all runs."""
        return self._used._replace(seconds=sum(self._durations.values()))

    def take(self, entry: LogEntry) -> None:
        """Takes the next entry."""
        self.last = entry.seq
        item = read(entry)
        node = self._tree.take(entry.seq, item)
        match item:
            case dict() if REQUEST_ANSWER in entry.body and entry.event().is_of_person:
                self._number += 1  # the model's answer comes after it
            case dict():
                self._number += 1
                self._take_event(entry.seq, item, node if isinstance(node, ModelCall) else None)
            case Forked():
                self.changed = item.what
            case SessionCreated():
                self._add("start", entry.seq, state=state_texts(item.state))
            case RunStarted():
                self._run += not item.resumed
            case RunFinished():
                self._end_run(entry.seq, item)
            case AgentStarted() if _is_call(branch := item.branch or "") and len(self._tree.open_in(branch)) == 1:
                self._call(branch)  # counted now, among those of the caller's turn
            case ModelStarted():
                self._used = self._used._replace(calls=self._used.calls + 1)
            case ModelFinished():
                self._used = self._used.plus(self._usage(item)._replace(calls=0))
            case _:
                pass

    def _take_event(self, seq: int, body: Body, call: ModelCall | None) -> None:
        fields, author, branch = event_texts(body), str(body.get("author") or ""), str(body.get("branch") or "")
        if call is not None:
            usage = NOTHING if call.finished is None else self._usage(call.finished)
            fields |= {"model": call.started.model, "prompt": call.started.instruction or "", "usage": usage}
        self._add("event", seq, branch, path=self._path(branch), author=author, **fields)

    def _usage(self, call: ModelFinished) -> Usage:
        return Usage(1, call.usage.get("input", 0), call.received, call.duration, self._cost(call))

    def _add(
        self,
        kind: Literal["start", "event", "pause", "end"],
        seq: int,
        branch: str = "",
        *,
        path: tuple[Step, ...] = (),
        author: str = "",
        **fields: Any,
    ) -> None:
        where = (self._run, path, kind, author)
        self._counts[where] += 1
        place = Place(*where, self._counts[where])
        self.turns.append(Turn(place=place, seq=seq, branch=self._named(branch), number=self._number, **fields))

    def _path(self, branch: str) -> tuple[Step, ...]:
        """The agents that run in a branch and around it."""
        return tuple(
            Step(each.agent, each.iteration, self._call(name) if place == 0 and _is_call(name) else 0)
            for name in ("", *_branches(branch))
            for place, each in enumerate(self._tree.open_in(name or None))
        )

    def _named(self, branch: str) -> str:
        """A branch by what it has in common with that of another session: the numbers of its calls in place of their ids."""
        parts = (
            f"{_name(each)}{TOOL_MARK}{self._call(each)}" if _is_call(each) else _name(each) for each in _branches(branch)
        )
        return ".".join(parts)

    def _call(self, branch: str) -> int:
        """Which call of an agent, among those of the same caller in the same turn of its loops, a branch belongs to."""
        if branch not in self._calls:
            where = (self._run, self._path(branch.rpartition(".")[0]), _name(branch))
            self._counts[where] += 1
            self._calls[branch] = self._counts[where]
        return self._calls[branch]

    def _end_run(self, seq: int, record: RunFinished) -> None:
        self._durations[record.invocation_id] = record.duration
        if record.cut:  # written where a fork begins, and the run goes on
            return
        error = ": ".join(part for part in (record.error_code, record.error_message) if part)
        self._add("pause" if record.status == "paused" else "end", seq, text=record.status, error=error)


def _branches(branch: str) -> list[str]:
    """A branch and those around it, outermost first; none for the session's own."""
    return list(accumulate(branch.split(".", _DEEPEST), "{}.{}".format)) if branch else []


def _is_call(branch: str) -> bool:
    """Whether a branch is that of an agent called as a tool."""
    return TOOL_MARK in branch.rpartition(".")[2]


def _name(branch: str) -> str:
    """The last part of a branch, without the id of a call."""
    return branch.rpartition(".")[2].partition(TOOL_MARK)[0]
