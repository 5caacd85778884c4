"""Makes text from outside safe to print: control characters, reordering and invisible ones are made visible.

Everything that the command line prints of sessions, packages, models, files and errors goes through here.
"""

from __future__ import annotations

import json
import re
from typing import Any

_PICTURES = 0x2400
"""Start of the Unicode block with a visible sign for each control character."""

_HIDDEN = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer vowels without a shape
    (0x180B, 0x180F),  # Mongolian selectors and vowel separator
    (0x200B, 0x200B),  # zero-width space; 200C and 200D, which Persian and emoji need, are left alone
    (0x200E, 0x200F),  # direction marks
    (0x2028, 0x202E),  # line and paragraph separators, direction embeddings and overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, direction isolates, deprecated format characters
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # lone surrogates
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # Hangul filler
    (0xFFF9, 0xFFFB),  # interlinear annotations
    (0x1D173, 0x1D17A),  # formats of musical notes
    (0xE0000, 0xE00FF),  # tags, which spell out hidden text
    (0xE01F0, 0xE0FFF),  # reserved; E0100 to E01EF, between the two ranges, select variants of Chinese characters
)
"""Ranges of characters that reorder or hide the text around them."""


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004  the last one with four digits


def _json_escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


_VISIBLE: dict[int, int | str | None] = {code: _PICTURES + code for code in range(32) if chr(code) not in "\n\t\r"}
_VISIBLE |= {ord("\r"): None, 127: _PICTURES + 0x21} | dict.fromkeys(range(128, 160), 0xFFFD)
_VISIBLE |= {code: _escape(code) for first, last in _HIDDEN for code in range(first, last + 1)}

_DIRECTIONS = {code: _escape(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}

_UNSAFE_IN_JSON = re.compile(
    "[\x7f-\x9f" + "".join(f"{_escape(first)}-{_escape(last)}" for first, last in _HIDDEN) + "]",
)


def visible(text: str) -> str:
    r"""`text` with every control character and every character that reorders or hides text in a visible form.

    Line breaks and tabs stay; carriage returns go. A direction override becomes e.g. `\u202e`.
    """
    return text.translate(_VISIBLE)


def visible_line(text: str) -> str:
    """`visible` on one line: white space of any kind becomes a space."""
    return visible(" ".join(text.split()))


def visible_directions(text: str) -> str:
    """`text` with direction overrides, embeddings and isolates made visible. Other characters are harmless on pages."""
    return text.translate(_DIRECTIONS)


def json_line(value: Any) -> str:
    """`value` as JSON on one line that is safe to print; parsed, it is `value` again."""
    return safe_json(json.dumps(value, ensure_ascii=False))


def safe_json(text: str) -> str:
    """JSON text with the same characters as JSON escapes, so that its value is unchanged."""
    return _UNSAFE_IN_JSON.sub(_json_escape, text)
