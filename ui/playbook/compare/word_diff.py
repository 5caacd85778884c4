"""The difference of two texts, word by word, in bounded time for any text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
MOST_PAIRS = 25_000
"""Most pairs of words to compare. Longer texts are shown as replaced in one piece."""


class Piece(NamedTuple):
    """A part of both texts, or of one of them."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_diff(before: str, after: str) -> list[Piece]:
    """The pieces in order: "same" and "gone" ones make up `before`, "same" and "new" ones `after`."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    start = _shared(old, new)
    old, new, head = old[start:], new[start:], old[:start]
    end = _shared(old[::-1], new[::-1])
    tail = old[len(old) - end :]
    old, new = old[: len(old) - end], new[: len(new) - end]
    pieces = [Piece("same", "".join(head)), *_between(old, new), Piece("same", "".join(tail))]
    return [piece for piece in pieces if piece.text]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of tokens that both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _between(old: Sequence[str], new: Sequence[str]) -> list[Piece]:
    if len(old) * len(new) > MOST_PAIRS:
        return [Piece("gone", "".join(old)), Piece("new", "".join(new))]
    pieces: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(Piece("same", "".join(old[a:b])))
        else:
            pieces += [Piece("gone", "".join(old[a:b])), Piece("new", "".join(new[c:d]))]
    return pieces
