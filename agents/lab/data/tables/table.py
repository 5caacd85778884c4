"""Tables in text, as spreadsheets, pandas and R write them: their encoding, delimiter, columns and rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agents.errors import DataSetError
from agents.lab.data.tables.columns import ColumnsError, Fields, columns_in
from agents.lab.data.tables.lines import LineError, Lines
from agents.storage.given_file import WESTERN, may_be_western

_DELIMITERS = ",;\t|"
_SAYS_DELIMITER = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*')
"""A first line that Excel understands."""
_EXAMPLE = 'columns = { question = "…", answer = "…" }'
_LOOKED_AT = 1_000_000
"""Bytes of lines that are no UTF-8 by which an encoding is told."""


class TableRow(NamedTuple):
    """Values by column, or why a row is none; `line` is where it begins. A row with nothing in it has no values."""

    line: int
    values: dict[str, str]
    why: str = ""


def encoding_of(path: Path) -> str:
    """The encoding of a table: UTF-8, or Windows-1252 where no line beyond ASCII is UTF-8.

    Raises:
        DataSetError: The file cannot be read, or is in neither.
    """
    other = bytearray()
    with Lines(path) as lines:
        while True:
            try:
                if not next(lines).isascii():
                    return "utf-8"
            except StopIteration:
                break
            except LineError as error:
                other += error.raw[: _LOOKED_AT - len(other)]
    if not other:
        return "utf-8"
    if not may_be_western(bytes(other)):
        raise DataSetError(
            f"{path.name} is text neither in UTF-8 nor in Windows-1252. Save it as UTF-8 (in Excel: CSV UTF-8)."
        )
    return WESTERN


def table_rows(lines: Lines, fields: Fields | None, file: str) -> Iterator[TableRow]:
    """The rows of a table, one at a time.

    Args:
        lines: Its lines; the first that has something in it names the columns.
        fields: The fields that must be among them; None for a table whose columns may have any names.
        file: Its name, for errors.

    Raises:
        DataSetError: It has no header, or not the columns.
    """
    delimiter, names = _header(lines, fields, file)
    reader = csv.reader(_WithEnds(lines), delimiter=delimiter, strict=True, skipinitialspace=True)
    while True:
        begin = lines.number + 1
        try:
            values = next(reader)
        except StopIteration:
            return
        except (csv.Error, LineError) as error:
            why = str(error) if isinstance(error, LineError) else f"it is no row of a table: {error}."
            swallowed = f" It reaches to line {lines.number}." if lines.number > begin else ""
            yield TableRow(begin, {}, f"{why}{swallowed}")
            continue
        while len(values) > len(names) and not values[-1].strip():
            values.pop()
        if not any(value.strip() for value in values):
            yield TableRow(begin, {})
        elif len(values) != len(names):
            yield TableRow(begin, {}, _why_another_length(values, names))
        else:
            yield TableRow(begin, dict(zip(names, values, strict=True)))


class _WithEnds:
    """Lines with a line break, as `csv` wants them."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def __iter__(self) -> _WithEnds:
        return self

    def __next__(self) -> str:
        return f"{next(self._lines)}\n"


def _header(lines: Lines, fields: Fields | None, file: str) -> tuple[str, list[str]]:
    """The delimiter of a table, and its columns: that by which they can be told, or by which there are most of them."""
    delimiters, header = _DELIMITERS, ""
    try:
        while not header.strip(f'{_DELIMITERS}" '):
            header = next(lines)
            if said := _SAYS_DELIMITER.fullmatch(header):
                delimiters, header = said[1], ""
    except (StopIteration, LineError):
        raise DataSetError(f"{file} has no header. Its first line has to name the columns.") from None
    if "\r" in header:
        raise DataSetError(f"The lines of {file} end as on old Macs. Save it as CSV UTF-8.")
    if fields is None:
        return max(((delimiter, _split(header, delimiter)) for delimiter in delimiters), key=lambda one: len(one[1]))
    refused: list[tuple[int, str]] = []
    for delimiter in delimiters:
        names = _split(header, delimiter)
        try:
            columns = columns_in(tuple(names), fields)
        except ColumnsError as error:
            refused.append((len(names), str(error)))
            continue
        if lacks := ", ".join(repr(label) for label in fields.labels if label not in columns.labels):
            raise DataSetError(f"{file} has no column {lacks}, which labels name. It has {', '.join(map(repr, names))}.")
        return delimiter, names
    _, why = max(refused, key=lambda one: one[0])
    raise DataSetError(f"The columns of {file} cannot be told: {why} Name them: {_EXAMPLE}.")


def _split(header: str, delimiter: str) -> list[str]:
    """The names in a header, without those at its end that are empty."""
    try:
        names = [" ".join(name.split()) for name in next(csv.reader([header], delimiter=delimiter, skipinitialspace=True))]
    except (csv.Error, StopIteration):
        return []
    while names and not names[-1]:
        names.pop()
    return names


def _why_another_length(values: list[str], names: list[str]) -> str:
    why = f"it has {len(values)} values, and the header names {len(names)} columns."
    if len(values) == len(names) + 1 and values[0].isdigit():
        return f"{why} If the first value is the name of the row, as R writes it, leave that out with row.names = FALSE."
    return why
