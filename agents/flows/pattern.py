"""Patterns with `*`, matched in time linear in the text: a backtracking regular expression may take exponential time."""

from __future__ import annotations

ANY = "*"


def matches(pattern: str, text: str) -> bool:
    """Whether the whole text matches. `*` stands for any text, also none and several lines; everything else for itself."""
    first, *rest = pattern.split(ANY)
    if not rest:
        return text == pattern
    *middle, last = rest
    if not text.startswith(first) or not text.endswith(last):
        return False
    place, end = len(first), len(text) - len(last)
    for piece in middle:
        found = text.find(piece, place, end)
        if found < 0:
            return False
        place = found + len(piece)
    return place <= end
