"""Refuses a fork whose changes change nothing: it would only look like an answer to *what if*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from agents.agent import BaseAgent
from agents.errors import ForkError
from agents.event import Event
from agents.forks.changes import (
    AnswerChange,
    Change,
    FaultChange,
    InstructionChange,
    MessageChange,
    ModelChange,
    PlaybookChange,
    StateChange,
    ToolResultChange,
)
from agents.forks.kept_log import KeptLog
from agents.log import LogEntry, read_entry


def check_difference(
    changes: Sequence[Change], entries: Sequence[LogEntry], at: int, kept: KeptLog, agent: BaseAgent
) -> None:
    """Raises `ForkError` if there are changes, and each says what was so before.

    Args:
        changes: The changes of a fork.
        entries: The origin's log.
        at: The entry at the cut.
        kept: What the fork begins with.
        agent: The tree that runs of the origin use.
    """
    if not changes:
        return
    entry = read_entry(next(entry for entry in entries if entry.seq == at))
    event = entry if isinstance(entry, Event) else None
    if all(_is_same(change, event, kept, agent) for change in changes):
        same = "; ".join(change.describe() for change in changes)
        raise ForkError(
            f"Nothing would be different: {same} is as it was. Change it, or leave it out to run the same again."
        )


def _is_same(change: Change, event: Event | None, kept: KeptLog, agent: BaseAgent) -> bool:  # noqa: PLR0911  one of each kind
    match change:
        case MessageChange():
            return event is not None and event.text == change.text
        case AnswerChange():
            return event is not None and (event.text.strip(), _calls(event)) == (change.text.strip(), list(change.calls))
        case ToolResultChange():
            return event is not None and any(
                found.id == change.call_id and (found.response or {}) == change.response
                for found in event.get_function_responses()
            )
        case StateChange():
            return change.key in kept.state and kept.state[change.key] == change.value
        case InstructionChange():
            return getattr(agent.find_agent(change.agent), "instruction", None) == change.text
        case PlaybookChange():
            is_kept = kept.playbook is not None and change.revision in (None, kept.playbook.revision)
            return is_kept and not change.without and not change.off
        case ModelChange() | FaultChange():
            return False  # it holds for later messages too, whatever those ask for
        case _:
            assert_never(change)


def _calls(event: Event) -> list[tuple[str, dict[str, object]]]:
    return [(call.name or "", call.args or {}) for call in event.get_function_calls()]
