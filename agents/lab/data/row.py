"""A row of a file as a sample: the fields that it is read from, and what a field may hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.lab.sample import Sample

MAX_QUESTION = 200_000
"""Most characters of a question, and of a right answer."""

_QUESTIONS, _ANSWERS = ("question", "context"), ("answer", "target")


class RowError(ValueError):
    """A row is no sample."""


class EmptyRowError(RowError):
    """A row has no question."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The names of the fields that a sample is read from.

    Attributes:
        question: Of the question; "" for "question", after "context" where a row has that.
        answer: Of the right answer; "" for "answer" or "target".
        labels: Of the labels.
    """

    question: str = ""
    answer: str = ""
    labels: Sequence[str] = ()

    def missing_in(self, names: Sequence[str]) -> list[str]:
        """The fields that a table with these columns lacks."""
        questions = [self.question] if self.question else _QUESTIONS
        answers = [self.answer] if self.answer else _ANSWERS
        lacks = [" or ".join(any_of) for any_of in (questions, answers) if not set(any_of) & set(names)]
        return lacks + [label for label in self.labels if label not in names]


def sample_of(row: Mapping[str, Any], fields: Fields, id_: str) -> Sample:
    """The sample of a row.

    Args:
        row: Values by field. Numbers are texts, as they stand in the file.
        fields: The fields to read.
        id_: The sample's id.

    Raises:
        RowError: The row is no sample; the message says why.
    """
    names = [fields.question] if fields.question else [name for name in reversed(_QUESTIONS) if name in row]
    parts = [_text(row.get(name), name) for name in names if row.get(name) is not None]
    question = "\n\n".join(part for part in parts if part.strip()).strip()
    if not names or names[0] not in row:
        raise RowError(f"it has no field {fields.question or ' or '.join(_QUESTIONS)}.")
    if not question:
        raise EmptyRowError("its question is empty.")
    labels = {name: _label(row[name], name) for name in fields.labels if row.get(name) is not None}
    return Sample(id=id_, question=question, truth=_truth(row, fields), labels=labels)


def _truth(row: Mapping[str, Any], fields: Fields) -> str | None:
    names = [fields.answer] if fields.answer else [name for name in _ANSWERS if name in row]
    if len(names) != 1 or names[0] not in row:
        wanted = fields.answer or f"one of {' and '.join(_ANSWERS)}"
        raise RowError(f"it needs {wanted}: null or nothing in it where no right answer is known.")
    value = row[names[0]]
    return None if value is None else _text(value, names[0]).strip() or None


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
