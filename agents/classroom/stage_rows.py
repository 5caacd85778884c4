"""A session's log as the wall shows it: one row for each event, with the agents that can act."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agents.event import REQUEST_ANSWER, Event
from agents.log import EVENT_KIND, LogEntry

LONGEST_TEXT = 4000


class StageRow(NamedTuple):
    """An event in large type.

    Attributes:
        seq: The number of its entry.
        author: Whose it is, "user" for the user.
        text: What it says; of calls and their results, a line each.
    """

    seq: int
    author: str
    text: str


def rows_of(entries: Iterable[LogEntry]) -> Iterator[StageRow]:
    """The rows of entries, in order; events that show nothing are left out, and what was asked of those who play agents."""
    for entry in entries:
        if entry.kind == EVENT_KIND and (text := _text_of(event := entry.event())):
            yield StageRow(entry.seq, event.author, text[:LONGEST_TEXT])


def next_author(rows: Sequence[StageRow], after: int) -> str | None:
    """The author of the first row after an entry; None if there is none yet."""
    return next((row.author for row in rows if row.seq > after), None)


def agent_names(tree: Mapping[str, Any]) -> list[str]:
    """The agents of a tree that ask a model or have no children, in order, each name once."""
    below = [name for child in tree.get("children", ()) for name in agent_names(child)]
    own = [str(tree["name"])] if not below or tree.get("kind") == "LlmAgent" else []
    return list(dict.fromkeys([*own, *below]))


def _text_of(event: Event) -> str:
    parts = (event.content.parts if event.content else None) or []
    lines = [part.text.strip() for part in parts if part.text and not part.thought]
    calls = [call for call in event.get_function_calls() if call.name != REQUEST_ANSWER]
    answers = [answer for answer in event.get_function_responses() if answer.name != REQUEST_ANSWER]
    lines += [f"→ {call.name}({_args(call.args)})" for call in calls]
    lines += [f"← {answer.name}: {_args(answer.response)}" for answer in answers]
    if event.error_message:
        lines.append(f"⚠ {event.error_message}")
    return "\n".join(line for line in lines if line)


def _args(values: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name}: {str(value)[:200]}" for name, value in (values or {}).items())
