"""The turns of a session: each event with its place in the agent tree, so that sessions can be aligned.

A fold over the log, linear in its length.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

from agents.log import EVENT_KIND, LogEntry
from agents.models.pricing import call_cost
from agents.models.provider import Price
from agents.state import REDUCED


class Place(NamedTuple):
    """Where a turn belongs, whatever happened before it.

    Attributes:
        run: The run, by number; 0 before the first.
        path: The agents that were running, outermost first, each with its loop pass; 0 for an agent that is no loop.
        kind: The start of the session, an event, a pause, or the end of a run.
        author: The event's author.
        turn: Which one of this author at this place, from 1.
    """

    run: int
    path: tuple[tuple[str, int], ...]
    kind: Literal["start", "event", "pause", "end"]
    author: str
    turn: int


class Usage(NamedTuple):
    """What model calls used.

    Attributes:
        calls: How many.
        sent: Tokens sent.
        received: Tokens received, thoughts among them.
        seconds: Time.
        cost: US dollars; None if a model has no price, or no fee for its searches.
    """

    calls: int = 0
    sent: int = 0
    received: int = 0
    seconds: float = 0.0
    cost: float | None = 0.0

    def plus(self, other: Usage) -> Usage:
        """The sum."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        sums = (mine + theirs for mine, theirs in zip(self[:4], other[:4], strict=True))
        return Usage(*sums, cost=cost)  # pyright: ignore[reportArgumentType]  the types of the fields are those of the sums


NOTHING = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One event, or the start or an end of the session. All values are texts, so that two are the same if they read so.

    Attributes:
        place: Where it belongs.
        seq: Its entry.
        branch: The parallel branch; turns of two branches have no order.
        number: The event's number in its session; of a start or an end, that of the event before.
        text: What was said.
        thoughts: What was thought.
        calls: Calls of tools, a line of name and JSON each.
        results: Results of tools, likewise.
        state: State that it set, JSON by key.
        playbook: The playbook's revision that it made; "" for none.
        control: Whether it escalated, or the agent that it handed over to.
        files: Files that it saved, with version.
        error: Its error.
        model: The model that was asked.
        prompt: The name of the instruction that was sent, by `log.text_hash`.
        usage: What its model call used; it is no difference.
    """

    place: Place
    seq: int
    branch: str
    number: int
    text: str = ""
    thoughts: str = ""
    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    state: Mapping[str, str] = field(default_factory=dict[str, str])
    playbook: str = ""
    control: str = ""
    files: tuple[str, ...] = ()
    error: str = ""
    model: str = ""
    prompt: str = ""
    usage: Usage = NOTHING


COMPARED = ("text", "thoughts", "calls", "results", "state", "playbook", "control", "files", "error", "model", "prompt")
"""The fields in which two turns may differ."""


@dataclass(slots=True)
class _Open:
    """An agent that runs; of a loop, with its pass."""

    agent: str
    iteration: int = 0


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
                self._add("start", entry.seq, state=_values(body.get("state")))
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
            self._open.setdefault(branch, []).append(_Open(agent, stood))
        elif kind == "agent_finished":
            self._close(agent, branch, paused=body.get("outcome") == "paused")
        elif kind == "loop_iteration" and (running := self._in(branch)):
            running[-1].iteration = int(body.get("iteration") or 0)

    def _take_event(self, seq: int, body: dict[str, Any], author: str, branch: str) -> None:
        fields = _event_fields(body)
        if body.get("stop_reason") is not None and (asked := self._asked.pop((author, branch), None)) is not None:
            fields |= {"model": asked[0], "prompt": asked[1], "usage": asked[2]}
        self._add("event", seq, branch, path=self._path(branch), author=author, **fields)

    def _add(
        self,
        kind: Literal["start", "event", "pause", "end"],
        seq: int,
        branch: str = "",
        *,
        path: tuple[tuple[str, int], ...] = (),
        author: str = "",
        **fields: Any,
    ) -> None:
        where = (self._run, path, kind, author)
        self._counts[where] += 1
        place = Place(*where, self._counts[where])
        self.turns.append(Turn(place=place, seq=seq, branch=branch.partition(":")[0], number=self._number, **fields))

    def _path(self, branch: str) -> tuple[tuple[str, int], ...]:
        """The agents that run in a branch and around it."""
        around, at = [""], branch.find(".")
        while at >= 0:
            around.append(branch[:at])
            at = branch.find(".", at + 1)
        return tuple((each.agent, each.iteration) for name in dict.fromkeys((*around, branch)) for each in self._in(name))

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


def _event_fields(body: dict[str, Any]) -> dict[str, Any]:
    parts = cast("list[dict[str, Any]]", cast("dict[str, Any]", body.get("content") or {}).get("parts") or ())
    actions = cast("dict[str, Any]", body.get("actions") or {})
    delta = cast("dict[str, Any]", actions.get("state_delta") or {})
    saved = cast("dict[str, Any]", actions.get("artifact_delta") or {})
    handed = actions.get("transfer_to_agent")
    return {
        "text": "\n".join(str(part["text"]) for part in parts if part.get("text") and not part.get("thought")),
        "thoughts": "\n".join(str(part["text"]) for part in parts if part.get("text") and part.get("thought")),
        "calls": tuple(_line(part["function_call"], "args") for part in parts if part.get("function_call")),
        "results": tuple(_line(part["function_response"], "response") for part in parts if part.get("function_response")),
        "state": _values({key: value for key, value in delta.items() if key not in REDUCED}),
        "playbook": "".join(_revision(delta[key]) for key in REDUCED if key in delta),
        "control": "; ".join(
            [*(["escalates"] if actions.get("escalate") else []), *([f"hands over to {handed}"] if handed else [])]
        ),
        "files": tuple(f"{name}, version {version}" for name, version in saved.items()),
        "error": ": ".join(str(body[name]) for name in ("error_code", "error_message") if body.get(name)),
    }


def _line(called: dict[str, Any], holds: str) -> str:
    return f"{called.get('name') or ''} {_json(called.get(holds) or {})}"


def _values(state: Mapping[str, Any] | None) -> dict[str, str]:
    return {key: value if isinstance(value, str) else _json(value) for key, value in (state or {}).items()}


def _revision(value: Any) -> str:
    found = cast("dict[str, Any]", value).get("revision") if isinstance(value, dict) else None
    return "" if found is None else f"revision {found}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
