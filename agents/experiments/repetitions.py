"""Repetitions of a run, counted: a model with temperature is not one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.config import USER_ID
from agents.errors import SessionNotFoundError
from agents.log import EVENT_KIND, LogEntry
from agents.session import BaseSessionService, RunStatus


@dataclass(frozen=True, slots=True)
class SameAnswer:
    """Sessions with the same final answer.

    Attributes:
        text: The answer; "" for sessions that have none.
        sessions: Their ids.
    """

    text: str
    sessions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repetitions:
    """Several runs of the same.

    Attributes:
        statuses: The number of sessions by status.
        answers: Final answers of the sessions that do not run any more, the most frequent first.
    """

    statuses: Mapping[str, int]
    answers: tuple[SameAnswer, ...]

    @property
    def running(self) -> int:
        """How many still run."""
        return self.statuses.get("running", 0)


async def repetitions_of(service: BaseSessionService, app_name: str, statuses: Mapping[str, RunStatus]) -> Repetitions:
    """Counts sessions by status and by final answer.

    Args:
        service: Where they are.
        app_name: Their pipeline.
        statuses: Status by session id.
    """
    by_answer: dict[str, list[str]] = {}
    counted: Counter[str] = Counter()
    for session_id, status in statuses.items():
        try:
            entries = await service.read_log(app_name=app_name, user_id=USER_ID, session_id=session_id, kind=EVENT_KIND)
        except SessionNotFoundError:  # deleted in between
            continue
        counted[status] += 1
        if status != "running":
            by_answer.setdefault(final_answer(entries), []).append(session_id)
    answers = sorted(by_answer.items(), key=lambda found: -len(found[1]))
    return Repetitions(dict(counted), tuple(SameAnswer(text, tuple(ids)) for text, ids in answers))


def final_answer(entries: Sequence[LogEntry]) -> str:
    """The text of the last answer of a log's last run; "" if there is none."""
    for entry in reversed(entries):
        if entry.kind != EVENT_KIND:
            continue
        event = entry.event()
        if event.author == "user" and not event.get_function_responses() and event.text:
            return ""
        if event.author != "user" and event.text and event.is_final_response():
            return event.text.strip()
    return ""
