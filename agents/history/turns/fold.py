"""The turns of a session as a fold over its log, linear in its length."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, Literal, cast

from agents.event import REQUEST_ANSWER, REQUEST_INPUT, speaker_of
from agents.history.branches import TOOL_MARK
from agents.history.nodes import ModelCall
from agents.history.run_tree import Body, RunTree, read
from agents.history.turns.turn import NOTHING, Place, Step, Turn, Usage
from agents.log import LogEntry
from agents.records import AgentStarted, Forked, ModelFinished, ModelStarted, RunFinished, RunStarted, SessionCreated
from agents.state import REDUCED

_DEEPEST = 200
"""Branches within each other that are told apart: a file may name any number."""
_COPIED = re.compile(r", fork [0-9a-f]{8}")
"""What `Forks` puts after the name of a playbook that it copies."""
_LENGTH = len(", fork 01234567")


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
        path = str(cast("dict[str, Any]", body.get("node_info") or {}).get("path") or "")
        author, branch = speaker_of(str(body.get("author") or ""), path), str(body.get("branch") or "")
        fields = event_texts(body)
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


def event_texts(body: dict[str, Any]) -> dict[str, Any]:
    """The fields of a `Turn` that an event's body holds."""
    parts = cast("list[dict[str, Any]]", cast("dict[str, Any]", body.get("content") or {}).get("parts") or ())
    actions = cast("dict[str, Any]", body.get("actions") or {})
    delta = cast("dict[str, Any]", actions.get("state_delta") or {})
    saved = cast("dict[str, Any]", actions.get("artifact_delta") or {})
    handed, output = actions.get("transfer_to_agent"), body.get("output")
    taken = (
        [actions["route"]] if isinstance(actions.get("route"), str | int) else cast("list[Any]", actions.get("route") or ())
    )
    control = [*(["escalates"] if actions.get("escalate") else []), *([f"hands over to {handed}"] if handed else [])]
    learned = [cast("dict[str, Any]", delta[key]) for key in REDUCED if isinstance(delta.get(key), dict)]
    text = "\n".join(str(part["text"]) for part in parts if part.get("text") and not part.get("thought"))
    return {
        "text": _of_origin(text, learned),
        "thoughts": "\n".join(str(part["text"]) for part in parts if part.get("text") and part.get("thought")),
        "output": "" if output is None else output if isinstance(output, str) else _json(output),
        "calls": tuple(_line(part["function_call"], "args") for part in parts if part.get("function_call")),
        "results": tuple(_line(part["function_response"], "response") for part in parts if part.get("function_response")),
        "state": state_texts({key: value for key, value in delta.items() if key not in REDUCED}),
        "playbook": "\n".join(map(_operations, learned)),
        "control": "; ".join([*control, *(f"route {route}" for route in taken)]),
        "files": tuple(f"{name}, version {version}" for name, version in saved.items()),
        "error": ": ".join(str(body[name]) for name in ("error_code", "error_message") if body.get(name)),
    }


def _line(called: dict[str, Any], holds: str) -> str:
    said = cast("dict[str, Any]", called.get(holds) or {})
    if called.get("name") == REQUEST_INPUT:  # asked anew, it has another id
        said = {name: value for name, value in said.items() if name != "interruptId"}
    return f"{called.get('name') or ''} {_json(said)}"


def state_texts(state: Mapping[str, Any] | None) -> dict[str, str]:
    """State as texts: values that are none as JSON."""
    return {key: value if isinstance(value, str) else _json(value) for key, value in (state or {}).items()}


def _operations(delta: dict[str, Any]) -> str:
    """What a delta did, without numbers: those of a copy begin anew. Of an old record, the revision that it made."""
    applied = delta.get("applied")
    if not isinstance(applied, list):
        return f"revision {delta['revision']}" if delta.get("revision") is not None else ""
    found = (cast("dict[str, Any]", each) for each in cast("list[Any]", applied) if isinstance(each, dict))
    lines = (
        (each.get("type"), {name: each[name] for name in each if name not in {"type", "query"} and each[name]})
        for each in found
    )
    return "\n".join(f"{kind} {_json(rest)}" for kind, rest in lines if rest)


def _of_origin(text: str, deltas: list[dict[str, Any]]) -> str:
    """A text that names the copy of a playbook as it reads in the origin."""
    for delta in deltas:
        name = str(delta.get("playbook") or "")
        end = len(name)
        while _COPIED.fullmatch(name, max(end - _LENGTH, 0), end):
            end -= _LENGTH
        if 0 < end < len(name):
            text = text.replace(name, name[:end])
    return text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
