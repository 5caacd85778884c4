"""The text of a bullet, as short as an audience can read it."""

from __future__ import annotations

LONGEST = 110
"""Characters; the example that follows a formula is left out."""
_EXAMPLE = "; e.g."


def short(content: str) -> str:
    """One line of a bullet's text."""
    line = " ".join(content.partition(_EXAMPLE)[0].split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
