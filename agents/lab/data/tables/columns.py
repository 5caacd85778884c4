"""Which columns of a table, or fields of an object, hold the question, the right answer and the labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.lab.sample import Sample

_CONTEXT = "context"
_QUESTIONS = (
    {"question"},
    {
        "query",
        "prompt",
        "input",
        "problem",
        "instruction",
        "frage",
        "pregunta",
        "domanda",
        "pergunta",
        "質問",
        "问题",
        "問題",
    },
)
_ANSWERS = (
    {"answer", "target"},
    {"correct answer", "right answer", "reference answer", "expected answer", "expected", "expected output", "ground truth"}
    | {"groundtruth", "reference", "solution", "gold", "output", "response", "completion", "label"}
    | {"antwort", "réponse", "reponse", "respuesta", "risposta", "resposta", "答え", "回答", "答案"},
)
"""Usual names, those first that decide where others are there, too."""

_NONE = "it has no field with a usual name for the {}"
_SHOWN, _LONGEST = 12, 40
MAX_QUESTION = 200_000
"""Most characters of a question, and of a right answer."""


class ColumnsError(ValueError):
    """The columns cannot be told; the message says why, and what the columns are, as the rest of a sentence."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The names of the fields that a sample is read from. Case does not count, nor whether words are joined by `_` or `-`.

    Attributes:
        question: Of the question; "" for "question" or another usual name, after "context" where there is that.
        answer: Of the right answer; "" for "answer", "target" or another usual name.
        labels: Of the labels.
    """

    question: str = ""
    answer: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Columns:
    """The fields as they are called in a file.

    Attributes:
        questions: What makes up the question, in this order.
        answer: The right answer.
        labels: The name that was asked for → the field, of those that are there.
    """

    questions: tuple[str, ...]
    answer: str
    labels: dict[str, str]


@lru_cache(maxsize=8)
def columns_in(names: tuple[str, ...], fields: Fields) -> Columns:
    """The columns that a sample is read from.

    Args:
        names: All columns of a table, or fields of an object.
        fields: What is asked for.

    Raises:
        ColumnsError: They are not there, or several could be meant.
    """
    contexts = () if fields.question else tuple(name for name in names if _folded(name) == _CONTEXT)[:1]
    question, lacks_question = _column(names, fields.question, _QUESTIONS, "question")
    if contexts and not question and lacks_question == _NONE.format("question"):
        contexts, question, lacks_question = (), contexts[0], ""
    answer, lacks_answer = _column(names, fields.answer, _ANSWERS, "answer")
    if lacks := "; ".join(lack for lack in (lacks_question, lacks_answer) if lack):
        raise ColumnsError(f"{lacks}. It has {_listed(names)}.")
    labels = {label: found for label in fields.labels if (found := _column(names, label, (), label)[0])}
    return Columns((*contexts, question), answer, labels)


def _column(names: Sequence[str], asked: str, usual: Iterable[set[str]], what: str) -> tuple[str, str]:
    """The column that is asked for, or has a usual name; or "" and the reason."""
    if asked and names.count(asked) == 1:
        return asked, ""
    for wanted in [{_folded(asked)}] if asked else usual:
        found = [name for name in names if _folded(name) in wanted]
        if len(found) == 1:
            return found[0], ""
        if found:
            return "", f"{_listed(found)} could all be the {what}"
    return "", f"it has no {asked!r}" if asked else _NONE.format(what)


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _listed(names: Sequence[str]) -> str:
    shown = [repr(name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…") for name in names[:_SHOWN] if name]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(shown) or 'no names'}{more}"


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
