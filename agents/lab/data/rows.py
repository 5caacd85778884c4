"""The rows of a file with samples: JSON lines or CSV. A row that cannot be read is given as its problem."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from agents.errors import DataSetError
from agents.lab.data.data_set import Problem, ProblemKind
from agents.lab.data.lines import LineError, Lines
from agents.lab.data.row import EmptyRowError, Fields, RowError, sample_of
from agents.lab.sample import Sample

_DELIMITERS = ",;\t"
_SHOWN = 200


class Found(NamedTuple):
    """A sample of a file, or the problem of a line; `line` is where it begins."""

    line: int
    sample: Sample | None
    problem: Problem | None = None


def read_rows(path: Path, fields: Fields, *, is_csv: bool) -> Iterator[Found]:
    """The rows of a file, one at a time.

    Args:
        path: The file; its name is the first part of the samples' ids.
        fields: The fields to read.
        is_csv: Whether it is a table with a header; else it has one JSON object a line.

    Raises:
        DataSetError: The file cannot be read at all.
    """
    with Lines(path) as lines:
        yield from _csv_rows(lines, fields, path.name) if is_csv else _json_rows(lines, fields, path.name)


def _json_rows(lines: Lines, fields: Fields, file: str) -> Iterator[Found]:
    while True:
        try:
            text = next(lines)
        except StopIteration:
            return
        except LineError as error:
            yield _problem(file, lines.number, "malformed", str(error))
            continue
        if not text.strip():
            yield _problem(file, lines.number, "empty", "there is nothing in it.")
            continue
        try:
            row = object_in(text)
        except RowError as error:
            yield _problem(file, lines.number, "malformed", str(error))
            continue
        yield _found(row, fields, file, lines.number)


def _csv_rows(lines: Lines, fields: Fields, file: str) -> Iterator[Found]:
    try:
        header = next(lines)
    except (StopIteration, LineError):
        raise DataSetError(f"{file} has no header. Its first line has to name the columns.") from None
    delimiter, names = _columns(header, fields, file)
    reader = csv.reader(_WithEnds(lines), delimiter=delimiter, strict=True)
    while True:
        begin = lines.number + 1
        try:
            values = next(reader)
        except StopIteration:
            return
        except (csv.Error, LineError) as error:
            why = str(error) if isinstance(error, LineError) else f"it is no row of a table: {error}."
            swallowed = f" It reaches to line {lines.number}." if lines.number > begin else ""
            yield _problem(file, begin, "malformed", f"{why}{swallowed}")
            continue
        if not any(value.strip() for value in values):
            yield _problem(file, begin, "empty", "there is nothing in it.")
        elif len(values) != len(names):
            why = f"it has {len(values)} values, and the header names {len(names)} columns."
            yield _problem(file, begin, "malformed", why)
        else:
            yield _found(dict(zip(names, values, strict=True)), fields, file, begin)


class _WithEnds:
    """Lines with a line break, as `csv` wants them."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def __iter__(self) -> _WithEnds:
        return self

    def __next__(self) -> str:
        return f"{next(self._lines)}\n"


def _columns(header: str, fields: Fields, file: str) -> tuple[str, list[str]]:
    """The delimiter of a table, and its columns."""
    lacks: list[str] = []
    for delimiter in _DELIMITERS:
        try:
            names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter, strict=True))]
        except (csv.Error, StopIteration):
            continue
        missing = fields.missing_in(names)
        if not missing and len(set(names)) == len(names):
            return delimiter, names
        lacks = lacks or missing
    wanted = ", ".join(lacks) or "columns with different names"
    raise DataSetError(f"{file} lacks {wanted}: its first line is {header[:_SHOWN]!r}. Name its columns in `columns`.")


def object_in(text: str) -> dict[str, Any]:
    """The JSON object of a line. Its numbers are texts as they stand there: 1.50 stays 1.50.

    Raises:
        RowError: It is none.
    """
    try:
        found = json.loads(text, parse_float=str, parse_int=str, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise RowError(f"it is not JSON: {error.msg} at character {error.pos + 1}.") from None
    except RecursionError:
        raise RowError("it is nested too deeply.") from None
    if not isinstance(found, dict):
        raise RowError("it is no JSON object.")
    return cast("dict[str, Any]", found)


def _no_constant(name: str) -> Any:
    raise RowError(f"{name} is not JSON.")


def _found(row: dict[str, Any], fields: Fields, file: str, line: int) -> Found:
    try:
        return Found(line, sample_of(row, fields, f"{file}:{line}"))
    except RowError as error:
        return _problem(file, line, "empty" if isinstance(error, EmptyRowError) else "malformed", str(error))


def _problem(file: str, line: int, kind: ProblemKind, why: str) -> Found:
    return Found(line, None, Problem(file, line, kind, why))
