"""The turns of a session, folded from its log: each question with its answer, verdict and deltas of the playbook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from agents import EVENT_KIND, LogEntry, RunFinished
from agents.ace import ANSWER_KEY, PLAYBOOK_KEY, TRUTH_KEY, VERDICT_KEY


class Delta(NamedTuple):
    """A commit to the playbook.

    Attributes:
        seq: `seq` of the event that carried it.
        revision: The playbook's revision after it.
        by: Its author.
        applied: The applied changes.
    """

    seq: int
    revision: int
    by: str
    applied: list[dict[str, Any]]


@dataclass(slots=True)
class Turn:
    """One question or thumb, and what followed.

    Attributes:
        message: The user's message.
        status: How the run ended; "running" until then.
        answer: The generator's answer; None if it gave none.
        answered_at: `seq` of that answer.
        ended_at: `seq` of its last event so far.
        cited: Ids of the bullets that the answer cites.
        expected: The right answer, where the message had one.
        judges: `seq` of the answer that a thumb is about; None for a question.
        deltas: The deltas of the playbook, in order.
    """

    message: str
    status: str = "running"
    answer: str | None = None
    answered_at: int = 0
    ended_at: int = 0
    cited: list[str] = field(default_factory=list[str])
    expected: str | None = None
    judges: int | None = None
    deltas: list[Delta] = field(default_factory=list[Delta])

    @property
    def learned(self) -> Delta | None:
        """The curator's delta; None if it changed nothing."""
        return next((delta for delta in reversed(self.deltas) if delta.by == "curator" and delta.applied), None)

    @property
    def changes(self) -> list[dict[str, Any]]:
        """All changes of the playbook, in order."""
        return [change for delta in self.deltas for change in delta.applied]


def turns_in(log: Iterable[LogEntry]) -> list[Turn]:
    """The turns of a session, oldest first: one for each run that began with a user message."""
    turns: dict[str, Turn] = {}
    for entry in log:
        if entry.kind == EVENT_KIND:
            _take_event(turns, entry.seq, entry.fields())
        elif (end := entry.of(RunFinished)) is not None and (turn := turns.get(end.invocation_id)) is not None:
            turn.status = end.status
    return list(turns.values())


def _take_event(turns: dict[str, Turn], seq: int, body: Mapping[str, Any]) -> None:
    invocation = str(body.get("invocation_id") or "")
    if body.get("author") == "user" and (text := _text_of(body)) and invocation not in turns:
        turns[invocation] = Turn(text)
    if (turn := turns.get(invocation)) is None:
        return
    if turn.status == "paused":  # an answer resumes the run
        turn.status = "running"
    turn.ended_at = seq
    delta = _object(_object(body.get("actions")).get("state_delta"))
    if isinstance(judged := _object(delta.get(VERDICT_KEY)).get("event"), int):
        turn.judges = judged
    if answered := _object(delta.get(ANSWER_KEY)):
        turn.answer, turn.answered_at = str(answered.get("final_answer", "")), seq
        turn.cited = [str(id_) for id_ in _list(answered.get("bullet_ids"))]
    if delta.get(TRUTH_KEY):
        turn.expected = str(delta[TRUTH_KEY])
    if commit := _object(delta.get(PLAYBOOK_KEY)):
        revision, by = int(commit.get("revision", 0)), str(commit.get("by", ""))
        turn.deltas.append(Delta(seq, revision, by, _list(commit.get("applied"))))


def _text_of(body: Mapping[str, Any]) -> str:
    parts = _list(_object(body.get("content")).get("parts"))
    return "".join(str(_object(part).get("text") or "") for part in parts)


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
