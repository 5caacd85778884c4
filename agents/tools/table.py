"""A table in a file as a tool: the model looks rows up by a value."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any, cast

from agents.errors import ToolError, known
from agents.storage.given_file import decoded, read_given
from agents.tools.function import FunctionTool

MOST_BYTES = 2_000_000
MOST_ROWS = 20
"""Rows that one call answers with."""
_NO_NAME = re.compile(r"[^0-9A-Za-z]++")
_DELIMITERS = ",;\t|"
_SEPARATOR = re.compile(r'"?sep=([^"\r\n])"?[\r\n]*', re.IGNORECASE)
"""A first line that names the delimiter, as Excel writes and reads it."""

Row = dict[str, Any]


class TableTool(FunctionTool):
    """Looks up rows of a table. The file is read once, when the tool is made.

    Args:
        file: CSV with the names of the columns in its first line, or JSON: a list of objects.
        name: What the model calls it; by default after the file, e.g. `look_up_prices`.
        description: What it is for; the model reads it. By default the file's name; the columns are always told.

    Raises:
        ToolError: The file cannot be read, or the name is no identifier.
    """

    def __init__(self, file: Path | str, *, name: str = "", description: str = "") -> None:
        path = Path(file)
        rows = _rows_in(path)
        columns = list(dict.fromkeys(column for row in rows for column in row))

        def look_up(value: str, column: str | None = None) -> dict[str, Any]:
            return _found(rows, columns, value, column)

        stem = _NO_NAME.sub("_", path.stem).strip("_").lower()
        if not name and not stem:
            raise ToolError(f"The table {path.name} gives its tool no name of ASCII letters. Set `name`, e.g. look_up_it.")
        look_up.__name__ = name or f"look_up_{stem}"
        if not look_up.__name__.isidentifier():
            raise ToolError(f"{look_up.__name__!r} cannot name a tool: use letters, digits and underscores.")
        look_up.__doc__ = (
            f"{description.strip() or f'Looks up rows of {path.name}.'}\n\nThe columns: {', '.join(columns)}.\n\n"
            "Args:\n    value: What to look for, e.g. a name.\n    column: The column to look in; all of them without it."
        )
        super().__init__(look_up)


def _found(rows: list[Row], columns: list[str], value: str, column: str | None) -> dict[str, Any]:
    """The rows with the value in a column; if there are none, those in which it is a part of one."""
    if column is not None and column not in columns:
        return {"error": f"There is no column {column!r}. There are: {known(columns)}."}
    wanted = value.strip().casefold()
    cells = [[str(cell).strip().casefold() for key, cell in row.items() if column in (None, key)] for row in rows]
    found = [row for row, texts in zip(rows, cells, strict=True) if wanted in texts]
    if not found and wanted:
        found = [row for row, texts in zip(rows, cells, strict=True) if any(wanted in text for text in texts)]
    return {"found": len(found), "rows": found[:MOST_ROWS]}


def _rows_in(file: Path) -> list[Row]:
    try:
        text = decoded(read_given(file, most=MOST_BYTES))
        rows = _objects(text) if file.suffix.lower() == ".json" else _lines(text)
    except OSError as error:
        raise ToolError(f"The table {file.name} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ToolError(f"The table {file.name} is no text in UTF-8. Save it as UTF-8.") from None
    except (ValueError, RecursionError, csv.Error) as error:
        raise ToolError(f"The table {file.name} cannot be read: {error}.") from None
    if not rows:
        raise ToolError(f"The table {file.name} has no rows. Its first line names the columns, the others are the rows.")
    return rows


def _objects(text: str) -> list[Row]:
    found: Any = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in cast("list[object]", found)):
        raise ValueError("it is no list of objects")
    return cast("list[Row]", found)


def _lines(text: str) -> list[Row]:
    lines = list(io.StringIO(text.lstrip("\r\n "), newline=""))
    told = _SEPARATOR.fullmatch(lines[0]) if lines else None
    lines = lines[1:] if told else lines
    delimiter = told[1] if told else max(_DELIMITERS, key=lines[0].count) if lines else ","
    table = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter, strict=True)]
    names, *rows = [row for row in table if any(row)] or [[]]
    if twice := next((name for at, name in enumerate(names) if name and name in names[:at]), None):
        raise ValueError(f"two columns are called {twice!r}")
    for at, row in enumerate(rows, 2):
        if len(row) != len(names):
            raise ValueError(f"row {at} has {len(row)} values, and there are {len(names)} columns")
    return [dict(zip(names, row, strict=True)) for row in rows]
