"""A TOML file with the line of each value: `tomllib` reads the values, and names lines of errors in the grammar alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.errors import LessonError

MOST_BYTES = 256 * 1024
"""Largest file that is read."""
MOST_NESTED = 60
"""Most opening brackets in a row: `tomllib` reads what is nested by calling itself."""

MOST_IN_LINE = 5000
"""Lines of more characters have no line numbers: what they begin is not looked at."""

_NESTED = re.compile(rf"(?:[\[{{]\s*+){{{MOST_NESTED}}}")
_Place = tuple[str | int, ...]
_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*")
_KEY = re.compile(r"[ \t]*([A-Za-z0-9_\-\".]+)[ \t]*=")
_STRING = re.compile(r'"(?:\\.?|[^"\\])*+"?|' + r"'[^']*+'?|#.*")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(slots=True)
class TomlText:
    """A file's values, and the lines of some of them, by the keys and numbers that lead there."""

    path: str
    data: dict[str, Any]
    lines: dict[_Place, int] = field(default_factory=dict[_Place, int])

    def error(self, place: _Place, why: str) -> LessonError:
        """An error at a value, or at the nearest one around it whose line is known."""
        while place and place not in self.lines:
            place = place[:-1]
        return LessonError(f"{self.path}, line {self.lines.get(place, 1)}: {why}")


def read_toml(path: Path) -> TomlText:
    """Reads a file.

    Raises:
        LessonError: It cannot be read, is too large, or is no TOML in UTF-8.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise LessonError(f"{path}, line 1: it cannot be read: {error.strerror}.") from None
    if len(content) > MOST_BYTES:
        raise LessonError(f"{path}, line 1: it is larger than {MOST_BYTES // 1024} KiB. Make several lessons of it.")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise LessonError(f"{path}, line {line}: it is not UTF-8. Save it as UTF-8.") from None
    if deep := _NESTED.search(text):
        raise LessonError(f"{path}, line {text.count(chr(10), 0, deep.start()) + 1}: it is nested too deep.")
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        said = str(error)
        at = _AT_LINE.search(said)
        line = int(at[1]) if at else text.count("\n") + 1
        raise LessonError(f"{path}, line {line}: it is no TOML: {said.partition(' (at ')[0]}.") from None
    found = TomlText(str(path), data)
    _note_lines(text, found.lines)
    return found


def _note_lines(text: str, lines: dict[_Place, int]) -> None:
    """Notes the lines of tables, keys and of those entries of lists that begin a line."""
    table: _Place = ()
    counts: dict[_Place, int] = {}
    value: _Place = ()
    depth, entry = 0, -1
    for number, line in _code_lines(text):
        if depth == 0:
            if header := _HEADER.fullmatch(line):
                table = _table(_parts(header[2]), counts, is_new=header[1] == "[[")
                lines.setdefault(table, number)
                continue
            if key := _KEY.match(line):
                value, entry = (*table, *_parts(key[1])), -1
                lines.setdefault(value, number)
        elif depth == 1 and line.strip()[:1] not in {"", "]", "}", ","}:
            entry += 1
            lines.setdefault((*value, entry), number)
        depth += sum(line.count(sign) for sign in "[{") - sum(line.count(sign) for sign in "]}")


def _table(parts: _Place, counts: dict[_Place, int], *, is_new: bool) -> _Place:
    """The place of a table, with the numbers of the lists of tables that it is in."""
    place: _Place = ()
    for at, part in enumerate(parts):
        place = (*place, part)
        if is_new and at == len(parts) - 1:
            counts[place] = counts.get(place, -1) + 1
        if place in counts:
            place = (*place, counts[place])
    return place


def _parts(dotted: str) -> _Place:
    return tuple(part.strip().strip('"') for part in dotted.split("."))


def _code_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without what stands in strings and comments."""
    inside = ""
    for number, line in enumerate(text.split("\n"), start=1):
        rest, kept = line if len(line) <= MOST_IN_LINE else "", ""
        while True:
            if inside:
                _, ends, rest = rest.partition(inside)
                if not ends:
                    break
                inside = ""
            begins = [(at, sign) for sign in ('"""', "'''") if (at := rest.find(sign)) >= 0]
            at, sign = min(begins, default=(-1, ""))
            if not sign or any(found[0].startswith("#") for found in _STRING.finditer(rest[:at])):
                kept += _STRING.sub(_blank, rest)
                break
            kept, rest, inside = kept + _STRING.sub(_blank, rest[:at]) + '""', rest[at + 3 :], sign
        yield number, kept


def _blank(found: re.Match[str]) -> str:
    return "" if found[0].startswith("#") else '""'
