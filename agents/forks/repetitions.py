"""Repetitions of a run, counted: a model with temperature is not one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.errors import SessionNotFoundError
from agents.forks.kept_log import is_user_message
from agents.log import EVENT_KIND, LogEntry
from agents.runs.values import SessionKey
from agents.session import BaseSessionService
from agents.session_list import RunStatus


@dataclass(frozen=True, slots=True)
class SameAnswers:
    """Sessions in which every agent said the same at last.

    Attributes:
        answers: The last text of each agent since the last message, in the order in which they were said.
        sessions: Their ids.
        as_origin: Whether the origin has these answers too.
    """

    answers: Mapping[str, str]
    sessions: tuple[str, ...]
    as_origin: bool

    @property
    def final(self) -> str:
        """The last answer; "" if there is none."""
        return list(self.answers.values())[-1] if self.answers else ""


@dataclass(frozen=True, slots=True)
class Repetitions:
    """Several runs of the same.

    Attributes:
        statuses: The number of sessions by status.
        groups: The sessions that do not run any more, by what their agents said; the largest group first.
    """

    statuses: Mapping[str, int]
    groups: tuple[SameAnswers, ...]

    @property
    def running(self) -> int:
        """How many still run."""
        return self.statuses.get("running", 0)


async def repetitions_of(
    service: BaseSessionService, app_name: str, statuses: Mapping[str, RunStatus], *, origin: str, user_id: str
) -> Repetitions:
    """Counts sessions by status and by what their agents said at last.

    Args:
        service: Where they are.
        app_name: Their pipeline.
        statuses: Status by session id.
        origin: The id of the session that they are forks of; it may be gone.
        user_id: Whose they are.
    """
    there = await _answers(service, SessionKey(app_name, origin, user_id))
    groups: dict[frozenset[tuple[str, str]], tuple[dict[str, str], list[str]]] = {}
    counted: Counter[str] = Counter()
    for session_id, status in statuses.items():
        if (answers := await _answers(service, SessionKey(app_name, session_id, user_id))) is None:  # deleted in between
            continue
        counted[status] += 1
        if status != "running":
            same = groups.setdefault(frozenset(answers.items()), (answers, []))  # parallel agents have no order
            same[1].append(session_id)
    largest_first = sorted(groups.values(), key=lambda found: -len(found[1]))
    return Repetitions(
        dict(counted),
        tuple(SameAnswers(answers, tuple(ids), as_origin=answers == there) for answers, ids in largest_first),
    )


async def _answers(service: BaseSessionService, key: SessionKey) -> dict[str, str] | None:
    try:
        log = await service.read_log(**key.name, kind=EVENT_KIND)
    except SessionNotFoundError:
        return None
    return last_answers(log)


def last_answers(entries: Sequence[LogEntry]) -> dict[str, str]:
    """The last text of each agent since the last message in a log's events, in order.

    Of an agent that was called as a tool several times, the last text of each call, sorted: calls at once have no order.
    """
    found: dict[str, dict[str, str]] = {}
    for entry in reversed(entries):
        event = entry.event()
        if event.author != "user":
            if event.text:
                found.setdefault(event.author, {}).setdefault(event.branch or "", event.text.strip())
        elif is_user_message(event):
            break
    return {author: "\n".join(sorted(texts.values())) for author, texts in reversed(found.items())}
