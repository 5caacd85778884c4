"""A log up to one of its events, such that its last run can be resumed: closed as if it had paused there.

The run can then be resumed, and does the rest (`position.py`). A cut is at an event: what was under way then had left
nothing behind yet and is done again. Pure functions over values.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from agents.history.branches import TOOL_MARK
from agents.log import EVENT_KIND, LogEntry, TraceRecord
from agents.records import AgentFinished, RunFinished, RunStarted
from agents.runtime.position import Frame, Position, position_of


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
    before, run = list(entries[:start]), _settled(entries[start:place])
    while run:
        position = _position(before, run)
        if (stuck := _stuck(position, continues)) is None:
            return [*before, *run], _closing_records(position, run[-1].fields()["timestamp"])
        rest = _rest_without_events(entries[place:], stuck)
        if rest and rest[0] not in run:  # a log made by others may have an end that does not end the agent
            run = [*run, *rest]
        else:
            length, run = len(run), _settled([entry for entry in run if not _is_in(entry, stuck)])
            if len(run) == length:
                break
    return before, []


def _open_run(entries: Sequence[LogEntry]) -> int | None:
    """Place of the `run_started` record of the last run, if the run has not ended."""
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].kind == RunFinished.kind:
            return None
        if entries[place].kind == RunStarted.kind:
            return place
    return None


def _settled(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """The entries of a run without what was under way when they end."""
    branches = [_branch_of(entry) for entry in entries]
    unanswered = _unanswered_tool_branches(entries, branches)
    spoken = _Branches()
    kept: list[LogEntry] = []
    for entry, branch in zip(reversed(entries), reversed(branches), strict=True):
        if _tool_branch(branch) in unanswered:
            continue
        ended = entry.of(AgentFinished)
        if entry.kind == EVENT_KIND or (ended is not None and ended.node):  # a node that has ended is not run again
            spoken.add(branch)
        if branch in spoken:
            kept.append(entry)
            if ended is not None:
                spoken.add_ended(branch, ended.agent)
    return kept[::-1]


class _Branches:
    """Branches that have an event, those around them, and those of parallel blocks that have ended."""

    def __init__(self) -> None:
        self._names: set[str | None] = set()
        self._ended: set[str] = set()

    def add(self, branch: str | None) -> None:
        while branch is not None and branch not in self._names:
            self._names.add(branch)
            branch = branch.rpartition(".")[0] or None
        self._names.add(None)

    def add_ended(self, branch: str | None, agent: str) -> None:
        """Adds the branches that an agent has made which has ended; nothing in them was under way since."""
        self._ended.add(agent if branch is None else f"{branch}.{agent}")

    def __contains__(self, branch: str | None) -> bool:
        if branch in self._names:
            return True
        while branch is not None:
            branch = branch.rpartition(".")[0] or None
            if branch in self._ended:
                return True
        return False


def _tool_branch(branch: str | None) -> str | None:
    """The outermost branch of an agent called as a tool that `branch` is in, if any."""
    if branch is None or TOOL_MARK not in branch:
        return None
    above, mark, rest = branch.partition(TOOL_MARK)
    return above + mark + rest.partition(".")[0]


def _branch_of(entry: LogEntry) -> str | None:
    """An entry's branch; its body is parsed only if it may have one."""
    return entry.fields().get("branch") if '"branch"' in entry.body else None


def _unanswered_tool_branches(entries: Sequence[LogEntry], branches: Sequence[str | None]) -> set[str | None]:
    """The branches of agents called as tools whose callers have no response yet."""
    calling: dict[str | None, set[str]] = {}
    for entry, branch in zip(entries, branches, strict=True):
        if (tool := _tool_branch(branch)) is not None:
            calling.setdefault(tool.rpartition(".")[0] or None, set()).add(tool)
        elif branch in calling and entry.kind == EVENT_KIND and _has_response(entry.fields()):
            del calling[branch]
    return {tool for tools in calling.values() for tool in tools}


def _has_response(body: dict[str, Any]) -> bool:
    content = cast("dict[str, Any]", body.get("content") or {})
    return any("function_response" in part for part in cast("list[dict[str, Any]]", content.get("parts") or []))


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
    branch = _branch_of(entry)
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
        for frame in _open_frames(position.root)
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
