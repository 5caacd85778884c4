"""A row of a file as a sample, and what a field may hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from agents.lab.data.tables.columns import ColumnsError, Fields, columns_in
from agents.lab.sample import Sample

MAX_QUESTION = 200_000
"""Most characters of a question, and of a right answer."""


class RowError(ValueError):
    """A row is no sample."""


class EmptyRowError(RowError):
    """A row has no question."""


def sample_of(row: Mapping[str, Any], fields: Fields, id_: str) -> Sample:
    """The sample of a row.

    Args:
        row: Values by field. Numbers are texts, as they stand in the file.
        fields: The fields to read.
        id_: The sample's id.

    Raises:
        RowError: The row is no sample; the message says why.
    """
    try:
        columns = columns_in(tuple(row), fields)
    except ColumnsError as error:
        raise RowError(str(error)) from None
    parts = [_text(row[name], name) for name in columns.questions if row[name] is not None]
    question = "\n\n".join(part for part in parts if part.strip()).strip()
    if not question:
        raise EmptyRowError("its question is empty.")
    truth = row[columns.answer]
    return Sample(
        id=id_,
        question=question,
        truth=None if truth is None else _text(truth, columns.answer).strip() or None,
        labels={label: _label(row[name], name) for label, name in columns.labels.items() if row[name] is not None},
    )


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise RowError(f"{name} is no text.")
    if len(value) > MAX_QUESTION:
        raise RowError(f"{name} has more than {MAX_QUESTION:,} characters.")
    if "\0" in value:
        raise RowError(f"{name} has a NUL character.")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise RowError(f"{name} has half of a surrogate pair.") from None
    return value


def _label(value: Any, name: str) -> str | int | float | bool:
    if isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return _text(value, name)
