"""Text from data sets and models for HTML: escaped, cut, and without characters that hide or reorder what is around them."""

from __future__ import annotations

import html
import unicodedata

MOST_SHOWN = 2000
"""Most characters of a text in a report."""

_KEPT = "\n\t\u200c\u200d"
"""Line breaks, tabs, and the joiners that Persian and emoji need."""
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of controls, formats such as direction overrides, lone surrogates, and separators."""


def shown(text: str, *, most: int = MOST_SHOWN) -> str:
    """A text as HTML; characters that cannot be seen are shown by their code.

    Args:
        text: The text.
        most: Characters of it that are shown; the number of the others is said.
    """
    cut, rest = text[:most].replace("\r\n", "\n"), len(text) - most
    said = html.escape("".join(map(_visible, cut)))
    return said if rest <= 0 else f'{said}<span class="more"> … and {rest:,} more characters</span>'


def _visible(letter: str) -> str:
    if letter in _KEPT or unicodedata.category(letter) not in _UNSEEN:
        return letter
    return f"\\u{ord(letter):04x}"
