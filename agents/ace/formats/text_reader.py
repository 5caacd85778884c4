"""Reads playbooks in the official text format, and what other programs make of it.

A bullet is one line, or a line and further ones below it: code keeps its indentation and its blank lines. Counters may be
missing, as in the playbooks that come with the official implementation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agents.ace.bullet import StoredBullet
from agents.ace.formats.shapes import quoted
from agents.ace.formats.text import BREAK, MAX_DIGITS, MORE, check_id, unescaped
from agents.errors import PlaybookFormatError

DEFAULT_SECTION = "others"
"""Section of bullets before the first header; the official implementation's name."""

_COMMENT, _COMMENT_END = "<!--", "-->"
_FENCE = "```"

_BULLET = re.compile(r"(?:[-*]\s+)?\[([^\]]+)\]\s*helpful=(\d+)\s*harmful=(\d+)\s*::\s*(.*)", re.DOTALL)
# Without counters only an id that ends in a number tells a bullet from a line that begins with a bracket.
_PLAIN = re.compile(
    r"((?:[-*]\s+)?)\[(\w[\w.-]*[-_]\d+)\](?!\s*(?:::\s*)?(?:helpful|harmful)\s*=)\s*(?:::\s*)?(.*)", re.DOTALL
)
_EXTRAS = re.compile(r"(?:^| )␟(?:neutral=([0-9]+)(?: (archived))?|(archived))$")
_LIKE_A_BULLET = re.compile(r"(?:[-*]\s+)?\[|.*\b(?:helpful|harmful)\s*=\s*\d")
_COUNTED = re.compile(r"(?:[-*]\s+)?(?:\[[^\]]*\]\s*)?(?:helpful|harmful)\s*=")
_COUNTER = re.compile(r"\b(?:helpful|harmful)\s*=\s*\d")
_OPENS_FENCE = re.compile(r"```\w*$")


class _Line(NamedTuple):
    """A line of a file: its number, its text without the white space around it, and as it stands there."""

    number: int
    text: str
    raw: str

    @property
    def indentation(self) -> str:
        return self.raw[: len(self.raw) - len(self.raw.lstrip())]


def read_text(text: str) -> list[StoredBullet]:
    """Reads the bullets of a playbook in the official text format.

    Comments (`<!-- … -->`), list marks before bullets and empty sections are ignored. A section may come in several pieces.
    Another line below a bullet continues its text; so does one that is indented deeper than the bullet or stands between
    code fences, whatever it looks like. Any other line must be a header or a bullet, so that nothing is lost unnoticed.

    Args:
        text: With line breaks of any system.

    Raises:
        PlaybookFormatError: A line cannot be read, or an id is given twice; the message names the line.
    """
    reading = _Reading(_lines_of(text))
    return reading.bullets()


class _Reading:
    """What was read so far of the lines of a file."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self._lines = lines
        self._found: list[StoredBullet] = []
        self._numbers: dict[str, int] = {}  # of the bullets' first lines, by id
        self._section = DEFAULT_SECTION
        self._first: _Line | None = None  # of the bullet that goes on
        self._more: list[str] = []  # its further lines

    def bullets(self) -> list[StoredBullet]:
        """All of them."""
        place = 0
        while place < len(self._lines):
            place = self._take(place)
        self._finish()
        return self._found

    def _take(self, place: int) -> int:
        """Takes a line, or the lines between two fences or of a comment; returns the place of the next one."""
        line = self._lines[place]
        if line.text.startswith(_COMMENT) and not self._is_deeper(line):
            line, place = self._after_comments(place)
        if self._continues(line):
            opens = line.text.startswith(_FENCE)
            self._more.append(self._further(line))
        elif line.text.startswith("##"):
            self._finish()
            self._section, opens = _read_header(line), False
        elif line.text:
            self._begin(line)
            opens = line.text.count(_FENCE) % 2 == 1 and _OPENS_FENCE.search(line.text) is not None
        else:
            opens = False
        if opens and (end := self._fence_end(place)):
            self._more += [self._further(inner) for inner in self._lines[place + 1 : end + 1]]
            return end + 1
        return place + 1

    def _continues(self, line: _Line) -> bool:
        """Whether a line belongs to the bullet above it."""
        if self._first is None or _BULLET.fullmatch(line.text):
            return False
        plain = _PLAIN.fullmatch(line.text)
        if not line.text or self._is_deeper(line):
            return not (plain and plain[1])
        if plain or line.text.startswith("##"):
            return False
        return not (_COUNTED.match(line.text) or ("::" in line.text and _COUNTER.search(line.text)))

    def _is_deeper(self, line: _Line) -> bool:
        """Whether a line is indented deeper than the bullet that goes on: then it is a part of it, such as code."""
        return self._first is not None and len(line.indentation.expandtabs()) > len(self._first.indentation.expandtabs())

    def _further(self, line: _Line) -> str:
        """A line of the bullet's text, without the indentation that the bullet itself has."""
        assert self._first is not None
        return unescaped(line.raw.removeprefix(self._first.indentation))

    def _fence_end(self, place: int) -> int | None:
        """The place of the fence that closes the one at `place`; None if a bullet or the end of the file comes first."""
        for end in range(place + 1, len(self._lines)):
            line = self._lines[end]
            if line.text.startswith(_FENCE):
                return end
            if _BULLET.fullmatch(line.text) or (_PLAIN.fullmatch(line.text) and not self._is_deeper(line)):
                return None
        return None

    def _begin(self, line: _Line) -> None:
        self._finish()
        bullet = _read_bullet(line, self._section)
        if bullet.id in self._numbers:
            raise PlaybookFormatError(
                f"Line {line.number}: the id {bullet.id} was given in line {self._numbers[bullet.id]} already. An id names "
                "one bullet: give this one another, or take one of the two lines out."
            )
        self._numbers[bullet.id] = line.number
        self._found.append(bullet)
        self._first = line

    def _finish(self) -> None:
        """Ends the text of the bullet that goes on; blank lines after it only separate it from what follows."""
        while self._more and not self._more[-1].strip():
            self._more.pop()
        if self._more:
            begun = self._found[-1].content
            self._found[-1] = self._found[-1]._replace(content="\n".join([begun, *self._more] if begun else self._more))
        self._first, self._more = None, []

    def _after_comments(self, place: int) -> tuple[_Line, int]:
        """What a line has after the comments that begin in it, and the place of the line in which the last one ends."""
        line, at = self._lines[place], 0
        while line.text.startswith(_COMMENT, at):
            begun, at = line.number, at + len(_COMMENT)
            while (end := line.text.find(_COMMENT_END, at)) < 0 and _COMMENT not in line.text[at:]:
                place, at = place + 1, 0
                if place == len(self._lines):
                    raise PlaybookFormatError(f"Line {begun}: a comment begins here and does not end. Write --> after it.")
                line = self._lines[place]
            if line.text.find(_COMMENT, at, end if end >= 0 else len(line.text)) >= 0:
                raise PlaybookFormatError(
                    f"Line {line.number}: a comment begins in the one of line {begun}. Write --> where that one ends."
                )
            at = end + len(_COMMENT_END)
            while line.text[at : at + 1].isspace():
                at += 1
        return _Line(line.number, line.text[at:], line.text[at:]), place


def _lines_of(text: str) -> list[_Line]:
    ended = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    return [_Line(number, line.strip(), line.removesuffix("\r")) for number, line in ended]


def _read_header(line: _Line) -> str:
    name = line.text.lstrip("#").strip() if line.text.startswith("###") else line.text[2:].strip()
    if not name:
        raise PlaybookFormatError(f"Line {line.number}: a section without a name. Write one after ##, as in ## UNITS.")
    return unescaped(name)


def _read_bullet(line: _Line, section: str) -> StoredBullet:
    helpful, harmful = "0", "0"
    if found := _BULLET.fullmatch(line.text):
        bullet_id, helpful, harmful, content = found.groups()
    elif found := _PLAIN.fullmatch(line.text):
        _, bullet_id, content = found.groups()
    else:
        raise PlaybookFormatError(_what_is_wrong(line.text, line.number))
    neutral, archived = "0", False
    if MORE in content and (more := _EXTRAS.search(content)):
        neutral, archived = more[1] or "0", bool(more[2] or more[3])
        content = content[: more.start()]
    check_id(bullet_id, f"Line {line.number}")
    if max(map(len, (helpful, harmful, neutral))) > MAX_DIGITS:
        raise PlaybookFormatError(
            f"Line {line.number}: a counter of the bullet {bullet_id} has more than {MAX_DIGITS} digits. Correct it."
        )
    counts = int(helpful), int(harmful), int(neutral)
    return StoredBullet(bullet_id, section, unescaped(content), *counts, archived=archived)


def _what_is_wrong(line: str, number: int) -> str:
    if _LIKE_A_BULLET.match(line):
        return (
            f"Line {number}: {quoted(line)} looks like a bullet and cannot be read as one. "
            "Write it as [id] helpful=0 harmful=0 :: text, with an id such as units-00001 and both counters or none."
        )
    return (
        f"Line {number}: {quoted(line)} is neither a section (## NAME) nor a bullet ([id] helpful=0 harmful=0 :: text). "
        f"If it belongs to the bullet above, put it into its line, with {BREAK} for the line break; "
        "if it is a remark, write <!-- before and --> after it."
    )
