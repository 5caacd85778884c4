"""The text of a bullet, as short as an audience can read it."""

from __future__ import annotations

LONGEST = 110
"""Characters; the example that follows a formula is left out."""
LONGEST_NAME = 30
_EXAMPLE = "; e.g."


def short(content: str) -> str:
    """One line of a bullet's text."""
    formula = content.partition(_EXAMPLE)[0]
    line = " ".join((formula if "=" in formula else content).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def name_of(content: str) -> str:
    """What a bullet is about: the name that it defines, else its first words."""
    words = content.partition("=")[0].split()
    end = next((place for place, word in enumerate(words, start=1) if word.endswith(":")), len(words))
    name = " ".join(words[:end] if end > 1 else words).rstrip(":")  # one word before a colon, e.g. "Asked:", is no name
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
