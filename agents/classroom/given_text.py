"""Text that learners type, before it is stored: one line of printable characters, of limited length."""

from __future__ import annotations

import unicodedata

from agents.errors import ClassError

_JOINERS = "\u200c\u200d"
"""Format characters that are part of words and of pictures: Persian and Indian scripts and many emoji need them."""
MOST_MARKS = 3
"""Most marks on one letter that are kept: more of them are drawn over the lines around it."""


def clean(text: str, *, most: int, what: str) -> str:
    """The text without control and direction characters, its white space as single spaces.

    Args:
        text: What was typed.
        most: Most characters that are kept.
        what: What it is, for the error.

    Raises:
        ClassError: Nothing is left of it.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text[: 4 * most]):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if kind.startswith("Z") or character in "\t\n\r":
            kept.append(" ")
        elif marks <= MOST_MARKS and (character in _JOINERS or not kind.startswith("C")):
            kept.append(character)
    found = " ".join("".join(kept).split())[:most].strip()
    if not found.strip(_JOINERS):
        raise ClassError(f"Type {what}: nothing that can be shown is left of what was sent.")
    return found
