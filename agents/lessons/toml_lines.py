"""A TOML file with the line of each value: `tomllib` reads the values, and names lines of errors in the grammar alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from agents.errors import LessonError
from agents.storage.given_file import open_given

MOST_BYTES = 256 * 1024
"""Largest file that is read."""
MOST_NESTED = 60
"""Most levels of a value, and most parts of a dotted key: `tomllib` calls itself for each level, and its time is quadratic
in the parts."""
MOST_IN_LINE = 5000
"""Lines of more characters have no line numbers: what they begin is not looked at."""

_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_NESTED = re.compile(rf"(?:[\[{{]\s*+){{{MOST_NESTED}}}|(?<![\w-])(?:{_PART}){{{MOST_NESTED}}}")
_Place = tuple[str | int, ...]
_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*")
_KEY = re.compile(r"[ \t]*([A-Za-z0-9_\-\".]+)[ \t]*=")
_STRING = re.compile(r'"(?:\\.?|[^"\\])*+"?|' + r"'[^']*+'?|#.*")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True)
class TomlText:
    """A file's values, and its text.

    Attributes:
        path: The file.
        data: Its values.
        text: What it says.
    """

    path: Path
    data: dict[str, Any]
    text: str = ""

    @cached_property
    def lines(self) -> dict[_Place, int]:
        """The lines of some of the values, by the keys and numbers that lead there."""
        return _lines(self.text)

    def error(self, place: _Place, why: str) -> LessonError:
        """An error at a value, or at the nearest one around it whose line is known."""
        while place and place not in self.lines:
            place = place[:-1]
        return LessonError(f"{self.path}, line {self.lines.get(place, 1)}: {why}")


def read_toml(path: Path) -> TomlText:
    """Reads a file.

    Raises:
        LessonError: It cannot be read, is too large or nested too deep, or is no TOML in UTF-8.
    """
    try:
        with open_given(path) as file:
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
    found = TomlText(path, data, text)
    if _levels(data) > MOST_NESTED:
        raise found.error((), "a value is nested too deep.")
    return found


def _levels(value: Any) -> int:
    """How deep a value is nested; without calls of itself, which could be too many."""
    levels, values = 0, [value]
    while values:
        levels += 1
        values = [inner for one in values for inner in _inside(one)]
    return levels


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).values()
    return cast("list[Any]", value) if isinstance(value, list) else ()


def _lines(text: str) -> dict[_Place, int]:
    """The lines of tables, keys and of those entries of lists that begin a line."""
    lines: dict[_Place, int] = {}
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
    return lines


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
