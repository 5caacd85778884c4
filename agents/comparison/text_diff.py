"""The difference of two texts, word by word, in bounded time for any text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal, NamedTuple

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"\s+|[{_CJK}]|(?:(?![{_CJK}])\w)+|[^\w\s]")
_SENTENCE = re.compile(r"[^.!?。！？\n]+|[.!?。！？\n]")
_REPLACED = ["gone", "new"]
MOST_PAIRS = 25_000
"""Most pairs of words, or of sentences, to compare. What is longer is shown as replaced in one piece."""


class Piece(NamedTuple):
    """A part of both texts, or of one of them."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_diff(before: str, after: str) -> list[Piece]:
    """The pieces in order: "same" and "gone" ones make up `before`, "same" and "new" ones `after`.

    Texts that are too long for a comparison by words are compared by sentences, and the sentences that differ by words.
    """
    pieces = _compared(_WORD.findall(before), _WORD.findall(after), _by_sentences)
    groups = ([*same] for _, same in groupby((piece for piece in pieces if piece.text), key=lambda piece: piece.kind))
    return _joined([Piece(same[0].kind, "".join(piece.text for piece in same)) for same in groups])


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Words that were replaced one after the other as one change: the space between them belongs to it."""
    joined: list[Piece] = []
    left = pieces[::-1]
    while left:
        piece = left.pop()
        is_between = (
            piece.kind == "same" and piece.text.isspace() and _kinds(joined[-2:]) == _kinds(left[:-3:-1]) == _REPLACED
        )
        if is_between:
            (_, gone), (_, new) = joined[-2:]
            joined[-2:] = [
                Piece("gone", gone + piece.text + left.pop().text),
                Piece("new", new + piece.text + left.pop().text),
            ]
        else:
            joined.append(piece)
    return joined


def _kinds(pieces: Sequence[Piece]) -> list[str]:
    return [piece.kind for piece in pieces]


def _by_sentences(before: str, after: str) -> list[Piece]:
    old, new = _SENTENCE.findall(before), _SENTENCE.findall(after)
    if len(old) * len(new) > MOST_PAIRS:
        return _replaced(before, after)
    pieces: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, came = "".join(old[a:b]), "".join(new[c:d])
        if kind == "equal":
            pieces.append(Piece("same", gone))
        else:
            pieces += _compared(_WORD.findall(gone), _WORD.findall(came), _replaced)
    return pieces


def _compared(old: Sequence[str], new: Sequence[str], longer: Callable[[str, str], list[Piece]]) -> list[Piece]:
    """The pieces of two texts, given by their words; `longer` is for what is too long between common ends."""
    start = _shared(old, new)
    old, new, head = old[start:], new[start:], old[:start]
    end = _shared(old[::-1], new[::-1])
    tail = old[len(old) - end :]
    old, new = old[: len(old) - end], new[: len(new) - end]
    is_long = len(old) * len(new) > MOST_PAIRS
    between = longer("".join(old), "".join(new)) if is_long else _between(old, new)
    return [Piece("same", "".join(head)), *between, Piece("same", "".join(tail))]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of words that both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _between(old: Sequence[str], new: Sequence[str]) -> list[Piece]:
    pieces: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(Piece("same", "".join(old[a:b])))
        else:
            pieces += _replaced("".join(old[a:b]), "".join(new[c:d]))
    return pieces


def _replaced(before: str, after: str) -> list[Piece]:
    return [piece for piece in (Piece("gone", before), Piece("new", after)) if piece.text]
