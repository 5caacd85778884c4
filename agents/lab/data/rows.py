"""The rows of a file with samples: JSON lines, a JSON list, or a table. A row that cannot be read comes as its problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn, cast

from agents.errors import DataSetError
from agents.lab.data.data_set import Problem, ProblemKind
from agents.lab.data.tables.columns import EmptyRowError, Fields, RowError, sample_of
from agents.lab.data.tables.lines import LineError, Lines
from agents.lab.data.tables.table import encoding_of, table_rows
from agents.lab.sample import Sample
from agents.storage.given_file import open_given, read_given

MAX_LIST_BYTES = 64 * 1024 * 1024
"""Largest file with a JSON list, which is read whole."""

_BLANK = " \t\r\n"


class Found(NamedTuple):
    """A sample of a file, or the problem of a line; `line` is where it begins, or the number of an item of a list."""

    line: int
    sample: Sample | None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class RowFile:
    """A file with samples.

    Attributes:
        path: Where it is; its name is the first part of the samples' ids.
        fields: The fields to read.
        kind: What it is.
        encoding: Of a table.
    """

    path: Path
    fields: Fields
    kind: Literal["lines", "list", "table"]
    encoding: str = "utf-8"

    @property
    def unit(self) -> str:
        """What its rows are called: "line" or "item"."""
        return "item" if self.kind == "list" else "line"

    def rows(self) -> Iterator[Found]:
        """The rows, one at a time.

        Raises:
            DataSetError: The file cannot be read at all.
        """
        if self.kind == "list":
            yield from self._items()
            return
        with Lines(self.path, self.encoding) as lines:
            yield from self._table(lines) if self.kind == "table" else self._objects(lines)

    def values(self) -> Iterator[dict[str, Any]]:
        """The rows that can be read as they stand there, whatever their columns are called.

        Raises:
            DataSetError: The file cannot be read at all.
        """
        if self.kind == "list":
            with suppress(RowError):
                yield from (item for item in _items_of(self._text()) if isinstance(item, dict))
            return
        with Lines(self.path, self.encoding) as lines:
            if self.kind == "table":
                yield from (row.values for row in table_rows(lines, None, self.path.name) if row.values)
            while self.kind == "lines":
                try:
                    yield object_in(next(lines))
                except StopIteration:
                    return
                except (LineError, RowError):
                    continue

    def _table(self, lines: Lines) -> Iterator[Found]:
        for line, values, why in table_rows(lines, self.fields, self.path.name):
            if values:
                yield self._found(values, line)
            else:
                yield self._problem(line, "malformed" if why else "empty", why or _NOTHING)

    def _objects(self, lines: Lines) -> Iterator[Found]:
        while True:
            try:
                text = next(lines)
                if text.strip():
                    yield self._found(object_in(text), lines.number)
                else:
                    yield self._problem(lines.number, "empty", _NOTHING)
            except StopIteration:
                return
            except (LineError, RowError) as error:
                yield self._problem(lines.number, "malformed", str(error))

    def _items(self) -> Iterator[Found]:
        """The items of a list. One that is no JSON ends it: where the next begins cannot be told."""
        number = 0
        try:
            for number, item in enumerate(_items_of(self._text()), 1):
                if isinstance(item, dict):
                    yield self._found(cast("dict[str, Any]", item), number)
                else:
                    yield self._problem(number, "malformed", "it is no JSON object.")
        except RowError as error:
            yield self._problem(number + 1, "malformed", f"{error} What follows was not read.")

    def _text(self) -> str:
        name = self.path.name
        try:
            return read_given(self.path, most=MAX_LIST_BYTES).decode("utf-8-sig")
        except OSError as error:
            advice = "A file with an object on each line (JSON lines) may be of any size."
            raise DataSetError(f"{name} cannot be read: {error.strerror}. {advice}") from None
        except UnicodeDecodeError as error:
            raise DataSetError(f"{name} is not UTF-8 at byte {error.start + 1}. Save it as UTF-8.") from None

    def _found(self, row: dict[str, Any], line: int) -> Found:
        try:
            return Found(line, sample_of(row, self.fields, f"{self.path.name}:{line}"))
        except RowError as error:
            return self._problem(line, "empty" if isinstance(error, EmptyRowError) else "malformed", str(error))

    def _problem(self, line: int, kind: ProblemKind, why: str) -> Found:
        return Found(line, None, Problem(self.path.name, line, kind, why, self.unit))


def open_rows(path: Path, fields: Fields, *, is_csv: bool) -> RowFile:
    """A file with samples.

    Args:
        path: The file.
        fields: The fields to read.
        is_csv: Whether it is a table with a header; else it is JSON, one object a line or a list of them.

    Raises:
        DataSetError: The file cannot be read at all.
    """
    if is_csv:
        return RowFile(path, fields, "table", encoding_of(path))
    with Lines(path):  # refuses what is no text
        pass
    with open_given(path) as file:
        begin = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
    return RowFile(path, fields, "list" if begin.startswith(b"[") else "lines")


def object_in(text: str) -> dict[str, Any]:
    """The JSON object of a line. Its numbers are texts as they stand there: 1.50 stays 1.50.

    Raises:
        RowError: It is none.
    """
    found, end = _value_in(text, len(text) - len(text.lstrip(_BLANK)))
    if text[end:].strip(_BLANK):
        raise RowError(f"it is not JSON: there is more after the value at character {end + 1}.")
    if not isinstance(found, dict):
        raise RowError("it is no JSON object.")
    return cast("dict[str, Any]", found)


def _items_of(text: str) -> Iterator[Any]:
    """The items of a JSON list.

    Raises:
        RowError: The next item is none.
    """
    at = _next_in(text, text.index("[") + 1)
    while text[at : at + 1] != "]":
        item, end = _value_in(text, at)
        yield item
        end = _next_in(text, end)
        at = _next_in(text, end + 1)
        if text[end : end + 1] == "]":
            at = end
        elif text[end : end + 1] != ",":
            raise RowError("no comma is before it, and the list does not end.")
    if _next_in(text, at + 1) < len(text):
        raise RowError("there is more after the end of the list.")


def _next_in(text: str, at: int) -> int:
    """The place of the next character that counts."""
    while text[at : at + 1] in _BLANK and at < len(text):
        at += 1
    return at


def _value_in(text: str, at: int) -> tuple[Any, int]:
    """A JSON value and its end. Its numbers are texts."""
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise RowError(f"it is not JSON: {error.msg} at character {error.pos + 1}.") from None
    except RecursionError:
        raise RowError("it is nested too deeply.") from None


def _no_constant(name: str) -> NoReturn:
    raise RowError(f"{name} is not JSON.")


_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_no_constant)
_NOTHING = "there is nothing in it."
