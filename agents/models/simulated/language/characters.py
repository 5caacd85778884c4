"""Brings the characters of a text into their plain form, one for one: digits of any script, full-width letters and signs."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_FULL_WIDTH = range(0xFF01, 0xFF5F)
_SIGNS = {"\u3000": " ", "￥": "¥", "￠": "¢", "￡": "£", "−": "-", "－": "-", "٫": ".", "٬": ","}


def plain(text: str) -> str:
    """`text` with ASCII digits, letters and signs in place of full-width ones, and of the digits of any other script.

    The length stays the same, so places in the one are places in the other. NFKC would not keep it, and takes quadratic
    time for a run of accents.
    """
    return text if text.isascii() else "".join(map(_plain, text))


def shortened(text: str, most: int) -> str:
    """A text on one line, cut where it has more characters than `most`."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def is_cjk(letter: str) -> bool:
    """Whether a character is a Han character, hiragana or katakana, also half-width, or the mark of a repeated one."""
    return bool(letter) and (is_han(letter) or is_kana(letter))


def is_han(letter: str) -> bool:
    """Whether a character is a Han character."""
    return (
        "\u3400" <= letter <= "\u9fff"
        or letter in ("々", "〇")
        or "\uf900" <= letter <= "\ufaff"
        or "\U00020000" <= letter < "\U00040000"
    )


def is_kana(letter: str) -> bool:
    """Whether a character is hiragana or katakana. The middle dot, which Chinese writes too, is not."""
    return ("\u3041" <= letter <= "\u30ff" and letter not in "・゠") or "\uff66" <= letter <= "\uff9f"


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    if letter.isascii():
        return letter
    if ord(letter) in _FULL_WIDTH:
        return chr(ord(letter) - 0xFEE0)
    if letter in _SIGNS:
        return _SIGNS[letter]
    digit = unicodedata.decimal(letter, None)
    return letter if digit is None else str(digit)
