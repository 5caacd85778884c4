"""A table of questions and right answers as it is pasted or uploaded: its columns, its first rows, its questions.

The rows are read as the Lab reads data files; here is what comes before: which columns there are, and Markdown.
"""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from agents import DataSetError
from agents.lab import Fields, columns_in, open_data
from agents.runs import decoded

MOST_BYTES, MOST_ROWS = 1_000_000, 500
MOST_CHARACTERS = 16_000
"""Of a question, and of a right answer: what one message takes in any script."""
SHOWN = 5
"""First rows that are shown."""
_NAME = "The list"
"""In messages about it."""
_BLANK = "there is nothing in it."
_SAME = "an earlier row has the same question and the same right answer."
_DELIMITERS = "\t;,|"
_LOOKED_AT = 20
_LONGEST_NAME = 60


class Row(NamedTuple):
    """A question with its right answer; `line` is where it stands in the table, of JSON its number."""

    line: int
    question: str
    answer: str


class Rows(NamedTuple):
    """The rows of a table that can be taught, and the lines that cannot, with the reason."""

    rows: tuple[Row, ...]
    problems: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class GivenTable:
    """A table.

    Attributes:
        text: A table with a header, or JSON, as the Lab reads it.
        columns: Its columns.
        first: Its first rows.
        question: The column that is the question by its name, else the first.
        answer: The column that is the right answer by its name, else the last.
        has_names: Whether its first row names the columns; None if it is JSON.
        shift: What the lines of `text` lack to those of what was given.
    """

    text: str
    columns: tuple[str, ...]
    first: tuple[tuple[str, ...], ...]
    question: str
    answer: str
    has_names: bool | None
    shift: int = 0


@lru_cache(maxsize=4)
def read_table(content: bytes, has_names: bool | None = None) -> GivenTable:
    """Reads what was given: a table with tabs, semicolons, commas or bars, a Markdown table, or JSON.

    Args:
        content: The text, in UTF-8, UTF-16 with a byte order mark, or Windows-1252.
        has_names: Whether the first row names the columns; None to tell by how it looks.

    Raises:
        DataSetError: It is no such thing, is too large, or has one column only.
    """
    text = _text(content)
    if text.lstrip().startswith(("[", "{")):
        return _table(text, _objects(text), None)
    lines, shift = _lines(text)
    delimiter, records = _records(lines)
    names = [" ".join(name.split()) for name in records[0]]
    while names and not names[-1]:
        names.pop()
    if len(names) < 2:  # noqa: PLR2004  a question and an answer
        raise DataSetError(
            "It has one column only. A list needs two at least, the question and the right answer, with a tab, a semicolon "
            "or a comma between them."
        )
    named = _look_like_names(records) if has_names is None else has_names
    if not named:
        names = [f"Column {number}" for number in range(1, len(names) + 1)]
        lines, shift, records = [delimiter.join(names), *lines], shift - 1, [names, *records]
    found = [dict(zip(names, record, strict=False)) for record in records[1:]]
    return _table("\n".join(lines), found, named, shift, names)


@lru_cache(maxsize=4)
def rows_of(table: GivenTable, question: str, answer: str) -> Rows:
    """The rows of a table, by the columns of the question and of the right answer.

    Raises:
        DataSetError: There is none, there are too many, or the columns cannot be told apart.
    """
    if question == answer:
        raise DataSetError("The question and the right answer are the same column. Choose another one for one of them.")
    kind = "jsonl" if table.has_names is None else "csv"
    spec = {"file": _NAME, "format": kind, "columns": {"question": question, "answer": answer}}
    with TemporaryDirectory() as folder:
        (Path(folder) / _NAME).write_text(table.text, encoding="utf-8", newline="")
        found = open_data(spec, folder=Path(folder))
        samples = list(found.samples("all"))
    rows = list[Row]()
    problems = [
        (one.line + table.shift, _SAME if one.kind == "duplicate" else one.why)
        for one in found.problems
        if one.why != _BLANK
    ]
    for sample in samples:
        line = int(sample.id.rpartition(":")[2]) + table.shift
        if sample.truth is None:
            problems.append((line, "its right answer is empty."))
        elif max(len(sample.question), len(sample.truth)) > MOST_CHARACTERS:
            problems.append((line, f"it has more than {MOST_CHARACTERS:,} characters."))
        else:
            rows.append(Row(line, sample.question, sample.truth))
    if len(rows) > MOST_ROWS:
        raise DataSetError(f"It has {len(rows):,} rows; {MOST_ROWS:,} can be taught at once. Teach it in parts.")
    return Rows(tuple(rows), tuple(sorted(problems)))


def _text(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise DataSetError(f"It has {len(content):,} bytes; a list may have {MOST_BYTES:,}. Teach it in parts.")
    try:
        text = decoded(content).removeprefix("\ufeff")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise DataSetError("It is no text. Save a spreadsheet as CSV; in Excel, choose “CSV UTF-8”.")
    if not text.strip():
        raise DataSetError("It is empty. Write a question and its right answer on each line.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _objects(text: str) -> list[dict[str, str]]:
    """The first objects of a JSON list or of JSON lines, with texts as values."""
    found = list[Any]()
    try:
        if text.lstrip().startswith("["):
            found = cast("list[Any]", json.loads(text))
        else:
            found = [json.loads(line) for line in text.splitlines()[: 2 * SHOWN] if line.strip()]
    except (ValueError, RecursionError) as error:
        raise DataSetError(f"It begins like JSON and is none: {str(error)[:100]}.") from None
    objects = [cast("dict[str, Any]", one) for one in found[: 2 * SHOWN] if isinstance(one, dict)]
    return [{name: said if isinstance(said, str) else json.dumps(said) for name, said in one.items()} for one in objects]


def _lines(text: str) -> tuple[list[str], int]:
    """The lines of a table, those of a Markdown table as CSV; and how many lines that is less."""
    lines = text.split("\n")
    if lines[0].strip().casefold() in {f"sep={delimiter}" for delimiter in _DELIMITERS}:
        return lines[1:], 1
    begin = next(number for number, line in enumerate(lines) if line.strip())
    rule = [cell.strip() for cell in lines[begin + 1].strip().strip("|").split("|")] if begin + 1 < len(lines) else []
    if "|" not in lines[begin] or not rule or any(not cell.strip(":") or cell.strip(":").strip("-") for cell in rule):
        return lines, 0
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    for line in [*lines[: begin + 1], *lines[begin + 2 :]]:
        cells = line.strip().replace("\\|", "\0").removeprefix("|").removesuffix("|").split("|")
        writer.writerow(cell.strip().replace("\0", "|").replace("<br>", " ") for cell in cells)
    return made.getvalue().split("\n"), 1


def _records(lines: list[str]) -> tuple[str, list[list[str]]]:
    """The delimiter by which most of the first rows have as many columns as the first one, and those rows."""
    best = (-1, 0, "", list[list[str]]())
    for delimiter in _DELIMITERS:
        records = list[list[str]]()
        with suppress(csv.Error):  # the row is told with its number later
            for record in csv.reader(lines, delimiter=delimiter, skipinitialspace=True):
                if any(cell.strip() for cell in record):
                    records.append(record)
                if len(records) > _LOOKED_AT:
                    break
        if not records:
            continue
        width = len(records[0])
        alike = sum(len(record) == width for record in records) if width > 1 else 0
        if alike > best[0]:
            best = (alike, width, delimiter, records)
    if not best[3]:
        raise DataSetError("It is no table. Write a question and its right answer on each line, with a tab between them.")
    return best[2], best[3]


def _look_like_names(records: list[list[str]]) -> bool:
    """Whether the first row names the columns: short texts without digits that come in no other row and end no sentence."""
    first, others = records[0], records[1:]
    if not others:
        return False
    for place, cell in enumerate(first):
        name = cell.strip()
        is_sentence = len(name) > _LONGEST_NAME or name.endswith((".", "?", "!", "。", "？", "！", "؟"))
        comes_again = any(cell in record[place : place + 1] for record in others)
        if is_sentence or comes_again or any(sign.isdigit() for sign in name):
            return False
    return True


def _table(
    text: str, first: list[dict[str, str]], named: bool | None, shift: int = 0, names: list[str] | None = None
) -> GivenTable:
    columns = tuple(name for name in names or dict.fromkeys(key for row in first for key in row) if name)
    if twice := next((name for name in columns if columns.count(name) > 1), ""):
        raise DataSetError(f"Two columns are called {twice[:_LONGEST_NAME]!r}. Give one of them another name.")
    if len(columns) < 2:  # noqa: PLR2004  a question and an answer
        raise DataSetError("It has one column only. A list needs two at least: the question, and the right answer.")
    question, answer = columns[0], columns[-1]
    with suppress(ValueError):
        question = columns_in(columns, Fields(answer=answer)).questions[-1]
    with suppress(ValueError):
        answer = columns_in(columns, Fields(question=question)).answer
    shown = tuple(tuple(row.get(name, "") for name in columns) for row in first[:SHOWN])
    return GivenTable(text, columns, shown, question, answer, named, shift)
