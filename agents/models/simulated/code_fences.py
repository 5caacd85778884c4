"""Code fences of Markdown: where blocks of code are in a text, read line by line.

A fence is a line that begins with three or more backticks or tildes. The block ends at the next line that is such a run of
the same length; where there is none, at the next of a shorter length.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_BLANKS = " \t"
_SIGNS = ("`", "~")
_SHORTEST = 3


class Block(NamedTuple):
    """A block of code.

    Attributes:
        begin: Where the line of the opening fence begins.
        end: Where the line of the closing fence ends, before its line break.
        code: What is between the two.
    """

    begin: int
    end: int
    code: str


class _Line(NamedTuple):
    begin: int
    end: int
    fence: str
    """The fence that it begins with, "" if it does not."""
    closes: bool
    """Whether there is nothing else on it."""


def blocks_in(text: str) -> Iterator[Block]:
    """The blocks of a text in their order. A fence that is never closed opens none."""
    if not any(sign * _SHORTEST in text for sign in _SIGNS):
        return
    lines = [line for line in _lines(text) if line.fence]
    closing: dict[tuple[str, int], list[int]] = {}
    for line in lines:
        if line.closes:
            closing.setdefault((line.fence[0], len(line.fence)), []).append(line.begin)
    ends = {line.begin: line.end for line in lines if line.closes}
    reached = 0
    for line in lines:
        if line.begin >= reached and (closed := _closing_after(line, closing)) is not None:
            reached = ends[closed]
            yield Block(line.begin, reached, text[line.end + 1 : closed])


def first_block(text: str) -> Block | None:
    """The block that a text begins with, after white space; None if it begins with something else."""
    begin = len(text) - len(text.lstrip())
    if not text.startswith(_SIGNS, begin):
        return None
    found = next(blocks_in(text[begin:]), None)
    return found._replace(end=found.end + begin, begin=begin) if found and found.begin == 0 else None


def whole_block(text: str) -> str | None:
    """The code of a text that is one block from its first character to its last, the closing fence at its very end."""
    first, line_break, rest = text.partition("\n")
    opening = _fence_of(first)
    if not opening or not line_break:
        return None
    sign = opening[0]
    size = min(len(opening), len(rest) - len(rest.rstrip(sign)))
    return rest[:-size] if size >= _SHORTEST else None


def _closing_after(line: _Line, closing: dict[tuple[str, int], list[int]]) -> int | None:
    if not closing:
        return None
    for size in range(len(line.fence), _SHORTEST - 1, -1):
        places = closing.get((line.fence[0], size), [])
        if (at := bisect_right(places, line.begin)) < len(places):
            return places[at]
    return None


def _lines(text: str) -> Iterator[_Line]:
    begin = 0
    for line in text.split("\n"):
        end = begin + len(line)
        bare = line.strip(_BLANKS)
        fence = _fence_of(bare)
        yield _Line(begin, end, fence, closes=fence == bare)
        begin = end + 1


def _fence_of(line: str) -> str:
    """The run of three or more backticks or tildes that a line begins with, "" if there is none."""
    if not line.startswith(_SIGNS):
        return ""
    size = len(line) - len(line.lstrip(line[0]))
    return line[:size] if size >= _SHORTEST else ""
