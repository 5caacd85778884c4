"""The sessions that an address names for a comparison: `PIPELINE:ID`, separated by commas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from urllib.parse import quote, unquote

from agents import SessionSummary

Key = tuple[str, str]

MOST = 4
"""Sessions that are compared at once."""


def text_of(sessions: Iterable[Key]) -> str:
    """Sessions as `?compare=` has them."""
    return ",".join(f"{quote(pipeline, safe='')}:{quote(session, safe='-_.~ ')}" for pipeline, session in sessions)


def names_of(text: str) -> list[Key]:
    """The sessions that a text names, each once, at most `MOST`; the pipeline is "" where only an id is given."""
    parts = (part.partition(":") for part in text.split(",") if part.strip())
    names = ((unquote(name), unquote(session)) if sign else ("", unquote(name)) for name, sign, session in parts)
    return list(dict.fromkeys(names))[:MOST]


def find(
    names: Iterable[Key], look: Callable[[str | None, str], SessionSummary | None]
) -> tuple[list[SessionSummary], list[str]]:
    """The sessions of these names, and the ids of those that are not there.

    Args:
        names: Pipeline and id; the pipeline "" stands for any.
        look: Finds one by its pipeline, or None for any, and id.
    """
    found: list[SessionSummary] = []
    missing: list[str] = []
    for pipeline, session_id in names:
        row = look(pipeline or None, session_id)
        if row is None:
            missing.append(session_id)
        elif row not in found:
            found.append(row)
    return found, missing
