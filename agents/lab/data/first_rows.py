"""The first rows of a file as they stand there, and its columns: what is seen of a file before it can be a data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from agents.lab.data.rows import open_rows
from agents.lab.data.spec import is_table, path_in
from agents.lab.data.tables.columns import Columns, ColumnsError, Fields, columns_in


class FirstRows(NamedTuple):
    """The first rows of a file.

    Attributes:
        columns: The names of its columns, or of the fields of its objects.
        rows: The rows, by column.
        questions: The columns that the question is read from because of their names; none if that cannot be told.
        answer: The column with the right answer, in the same way; "" if that cannot be told.
    """

    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]
    questions: tuple[str, ...]
    answer: str


def first_rows(folder: Path, name: str, *, most: int = 5) -> FirstRows:
    """The first rows of a file with samples, whatever its columns are called.

    Args:
        folder: The folder that it is in.
        name: Its name there.
        most: Most rows.

    Raises:
        DataSetError: It cannot be read, or the name leads out of the folder.
    """
    path = path_in(folder, name)
    rows = list(islice(open_rows(path, Fields(), is_csv=is_table(path)).values(), most))
    columns = tuple(dict.fromkeys(column for row in rows for column in row))
    ends = columns or ("",)
    with_question = _told(columns, Fields(answer=ends[-1])) or _told(columns, Fields())
    with_answer = _told(columns, Fields(question=ends[0])) or _told(columns, Fields())
    return FirstRows(
        columns, rows, with_question.questions if with_question else (), with_answer.answer if with_answer else ""
    )


def _told(columns: tuple[str, ...], fields: Fields) -> Columns | None:
    try:
        return columns_in(columns, fields)
    except ColumnsError:
        return None
