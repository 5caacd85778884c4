"""A log up to one of its events, such that its last run can be resumed: closed as if it had paused there.

The run can then be resumed, and does the rest (`position.py`). A cut is at an event: what was under way then had left
nothing behind yet and is done again. Pure functions over values.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from agents.errors import AnswerError
from agents.log import EVENT_KIND, LogEntry, TraceRecord
from agents.records import AgentFinished, RunFinished, RunStarted
from agents.runtime.position import Frame, Position, branch_of, counting, position_of, settled


def resumable_log(
    entries: Sequence[LogEntry], seq: int, *, continues: Callable[[Frame], bool]
) -> tuple[list[LogEntry], list[TraceRecord]]:
    """A session's log up to an entry, such that the session can be continued.

    If the last run had not ended there, the entries after its last event are left out, for each parallel branch
    separately, and so is everything of an agent that was being called as a tool: that call is made again. An agent that
    cannot continue in the middle is left out from its start on, unless it said nothing more; then its end stays.

    Args:
        entries: The log from its beginning, in order.
        seq: The last entry wanted. One before the first user's message gives a log without runs.
        continues: Whether an agent can continue in the middle.

    Returns:
        The entries that remain, and the records that close the last run if it had not ended.
    """
    place = bisect_right(entries, seq, key=lambda entry: entry.seq)
    start = _open_run(entries[:place])
    if start is None:
        return list(entries[:place]), []
    before, run = list(entries[:start]), settled(entries[start:place])
    while run:
        position = _position(before, run)
        if (stuck := _stuck(position, continues)) is None:
            return [*before, *run], _closing_records(position, run[-1].fields()["timestamp"])
        rest = _rest_without_events(entries[place:], stuck)
        if rest and rest[0] not in run:  # a log made by others may have an end that does not end the agent
            run = [*run, *rest]
        else:
            length, run = len(run), settled([entry for entry in run if not _is_in(entry, stuck)])
            if len(run) == length:
                break
    return before, []


def cut_off_here(
    entries: Sequence[LogEntry], *, continues: Callable[[Frame, Sequence[LogEntry]], bool]
) -> list[TraceRecord]:
    """The records that close a run whose process ended, in its own log, so that it can be resumed: it paused, or was whole.

    Args:
        entries: The log from the run's first record on, in order.
        continues: Whether an agent can continue in the middle, given what the run stored.

    Raises:
        AnswerError: An agent cannot, and what it has stored would be there twice if it began again.
    """
    whole = counting(entries)
    if (ended := whole[-1].of(RunFinished)) is not None and ended.status == "interrupted":
        del whole[-1]
    start = next(place for place in range(len(whole) - 1, -1, -1) if whole[place].kind == RunStarted.kind)
    kept = [*whole[:start], *settled(whole[start:])]
    position = position_of(str(whole[start].fields()["invocation_id"]), kept)
    if (stuck := _stuck(position, lambda frame: continues(frame, kept))) is not None:
        raise AnswerError(
            f"The run cannot go on where it stood: agent {stuck.agent!r} was in the middle of its work, which it can only "
            "begin again. Run the session again from its last message."
        )
    closing = _closing_records(position, time.time())
    closing[-1].data |= {"status": "paused", "cut_off": True}
    return closing


def _open_run(entries: Sequence[LogEntry]) -> int | None:
    """Place of the `run_started` record of the last run, if the run has not ended."""
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].kind == RunFinished.kind:
            return None
        if entries[place].kind == RunStarted.kind:
            return place
    return None


def _position(before: Sequence[LogEntry], run: Sequence[LogEntry]) -> Position:
    """Where the last run stands; it may have paused and resumed before."""
    invocation_id = str(run[0].fields()["invocation_id"])
    return position_of(invocation_id, [*before, *run])


def _stuck(position: Position, continues: Callable[[Frame], bool]) -> Frame | None:
    """The outermost open agent that cannot continue in the middle."""
    frames = list(_open_frames(position.root))
    return next((frame for frame in reversed(frames) if not continues(frame)), None)


def _rest_without_events(entries: Sequence[LogEntry], frame: Frame) -> list[LogEntry]:
    """The records of an agent up to its end; none if it has more events, or no end."""
    found: list[LogEntry] = []
    for entry in entries:
        if not _is_in(entry, frame):
            continue
        if entry.kind == EVENT_KIND:
            return []
        found.append(entry)
        ended = entry.of(AgentFinished)
        if ended is not None and (ended.agent, ended.branch) == (frame.agent, frame.branch):
            return found if ended.outcome == "ok" else []
    return []


def _is_in(entry: LogEntry, frame: Frame) -> bool:
    """Whether an entry was made since an agent started, in its branch or in one below."""
    if entry.seq < frame.since:
        return False
    branch = branch_of(entry)
    if frame.node and (path := _node_of(entry)):  # nodes of a graph may run at the same time in one branch
        return path == frame.node or path.startswith(f"{frame.node}/")
    if frame.branch is None:
        return branch is None or not frame.node
    return branch == frame.branch or (branch or "").startswith(f"{frame.branch}.")


def _node_of(entry: LogEntry) -> str:
    """The path of the node's run that an entry names; "" for none."""
    if '"node' not in entry.body:
        return ""
    body = entry.fields()
    return str(body.get("node") or cast("dict[str, Any]", body.get("node_info") or {}).get("path") or "")


def _closing_records(position: Position, at: float) -> list[TraceRecord]:
    """Ends the agents that are open, the innermost first, and the run, all as paused; completed if nothing is left."""
    root = position.root
    status = "paused" if root is None or root.is_open or root.is_paused else "completed"
    invocation_id = position.invocation_id
    records = [
        TraceRecord(AgentFinished.kind, invocation_id, frame.agent, frame.branch, _cut(frame), at)
        for outer in (*position.called.values(), position.root)
        for frame in _open_frames(outer)
    ]
    sent, received = position.tokens
    spent = {"calls": position.calls, "tokens": {"input": sent, "output": received}, "duration": position.duration}
    end = {"status": status, "cut": True, **spent}
    return [*records, TraceRecord(RunFinished.kind, invocation_id, position.agent, None, end, at)]


def _cut(frame: Frame) -> dict[str, Any]:
    return {"outcome": "paused", "cut": True, **({"node": frame.node} if frame.node else {})}


def _open_frames(frame: Frame | None) -> Iterator[Frame]:
    if frame is not None:
        for child in frame.children:
            yield from _open_frames(child)
        if frame.is_open:
            yield frame
