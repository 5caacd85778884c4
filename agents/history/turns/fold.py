"""The turns of a session as a fold over its log, linear in its length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal, cast

from agents.history.turns.event_texts import event_texts, state_texts
from agents.history.turns.turn import NOTHING, Place, Step, Turn, Usage
from agents.log import EVENT_KIND, LogEntry
from agents.models.pricing import call_cost
from agents.models.provider import Price
from agents.runtime.position import TOOL_MARK

_DEEPEST = 200
"""Branches within each other that are told apart: a file may name any number."""


@dataclass(slots=True)
class _Open:
    """An agent that runs; see `Step`."""

    agent: str
    iteration: int = 0
    call: int = 0


class TurnFold:
    """The turns of a session so far.

    Args:
        prices: Prices by model; without them only models on this machine have a cost, 0.

    Attributes:
        turns: In order.
        last: `seq` of the last entry taken; 0 before the first.
        changed: What was changed in a fork, in words; "" for nothing, and for a session that is none.
    """

    def __init__(self, prices: Mapping[str, Price] | None) -> None:
        self._prices = prices or {}
        self.turns: list[Turn] = []
        self.last = 0
        self.changed = ""
        self._run = self._number = 0
        self._open: dict[str, list[_Open]] = {}
        self._paused: dict[tuple[str, str], int] = {}
        self._asked: dict[tuple[str, str], tuple[str, str, Usage]] = {}
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
        body = entry.fields()
        agent, branch = str(body.get("author") or body.get("agent") or ""), str(body.get("branch") or "")
        match entry.kind:
            case kind if kind == EVENT_KIND:
                self._number += 1
                self._take_event(entry.seq, body, agent, branch)
            case "forked":
                self.changed = str(body.get("what") or "")
            case "session_created":
                self._add("start", entry.seq, state=state_texts(body.get("state")))
            case "run_started":
                self._run += not body.get("resumed")
            case "run_finished":
                self._end_run(entry.seq, body)
            case "model_started":
                self._used = self._used._replace(calls=self._used.calls + 1)
                self._asked[agent, branch] = str(body.get("model") or ""), str(body.get("instruction") or ""), NOTHING
            case "model_finished":
                self._finish_call(body, agent, branch)
            case kind:
                self._take_agent(kind, body, agent, branch)

    def _take_agent(self, kind: str, body: dict[str, Any], agent: str, branch: str) -> None:
        if kind == "agent_started":
            stood = self._paused.pop((agent, branch), 0) if body.get("resumed") else 0
            running = self._open.setdefault(branch, [])
            call = 0 if running or not _is_call(branch) else self._call(branch)
            running.append(_Open(agent, stood, call))
        elif kind == "agent_finished":
            self._close(agent, branch, paused=body.get("outcome") == "paused")
        elif kind == "loop_iteration" and (running := self._in(branch)):
            running[-1].iteration = int(body.get("iteration") or 0)

    def _take_event(self, seq: int, body: dict[str, Any], author: str, branch: str) -> None:
        fields = event_texts(body)
        if body.get("stop_reason") is not None and (asked := self._asked.pop((author, branch), None)) is not None:
            fields |= {"model": asked[0], "prompt": asked[1], "usage": asked[2]}
        self._add("event", seq, branch, path=self._path(branch), author=author, **fields)

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
        open_ = (each for name in ("", *_branches(branch)) for each in self._in(name))
        return tuple(Step(each.agent, each.iteration, each.call) for each in open_)

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

    def _in(self, branch: str) -> list[_Open]:
        return self._open.get(branch, [])

    def _close(self, agent: str, branch: str, *, paused: bool) -> None:
        running = self._in(branch)
        while running:
            closed = running.pop()
            if closed.agent == agent:
                if paused:
                    self._paused[agent, branch] = closed.iteration
                return

    def _end_run(self, seq: int, body: dict[str, Any]) -> None:
        self._durations[str(body.get("invocation_id"))] = float(body.get("duration") or 0.0)
        self._open.clear()
        self._asked.clear()
        if body.get("cut"):  # written where a fork begins, and the run goes on
            return
        error = ": ".join(str(body[name]) for name in ("error_code", "error_message") if body.get(name))
        status = str(body.get("status") or "completed")
        self._add("pause" if status == "paused" else "end", seq, text=status, error=error)

    def _finish_call(self, body: dict[str, Any], agent: str, branch: str) -> None:
        tokens = cast("dict[str, int]", body.get("usage") or {})
        asked = str(body.get("model") or "")
        cost = call_cost(asked, body.get("answered_by"), tokens, body.get("searches") or 0, self._prices)
        received = tokens.get("output", 0) + tokens.get("thoughts", 0)
        usage = Usage(1, tokens.get("input", 0), received, float(body.get("duration") or 0.0), cost)
        self._used = self._used.plus(usage._replace(calls=0))
        if (known := self._asked.get((agent, branch))) is not None:
            self._asked[agent, branch] = (*known[:2], usage)


def _branches(branch: str) -> list[str]:
    """A branch and those around it, outermost first; none for the session's own."""
    return list(accumulate(branch.split(".", _DEEPEST), "{}.{}".format)) if branch else []


def _is_call(branch: str) -> bool:
    """Whether a branch is that of an agent called as a tool."""
    return TOOL_MARK in branch.rpartition(".")[2]


def _name(branch: str) -> str:
    """The last part of a branch, without the id of a call."""
    return branch.rpartition(".")[2].partition(TOOL_MARK)[0]
