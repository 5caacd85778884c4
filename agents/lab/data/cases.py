"""A folder of cases as a data set: each case with one message is a sample, its first expectation of an answer the truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agents.ace.roles.feedback import split_message
from agents.cases.case import Case
from agents.cases.expectations import AnswerContains, AnswerEquals, AnswerMatches, AnswerNumber, Expectation
from agents.cases.file import read_cases
from agents.errors import CaseError, DataSetError
from agents.lab.data.data_set import Problem
from agents.lab.sample import Sample

ABOUT = (
    "Cases that were kept of sessions that were right. They show whether that stays so, and little about what is new. Only "
    "the message and the first expectation of an answer are used, not the start state."
)


def samples_of_cases(folder: Path) -> Iterator[Sample | Problem]:
    """The samples of a folder of cases, and what is none.

    Raises:
        DataSetError: The folder cannot be read, or a file in it lies elsewhere.
    """
    root = folder.resolve()
    for path in folder.glob("*.json"):
        if not path.resolve().is_relative_to(root):
            raise DataSetError(f"{path.name} is a link out of {folder.name!r}. Replace it by the file itself.")
    try:
        found = read_cases(folder)
    except CaseError as error:
        raise DataSetError(str(error)) from None
    yield from (_sample(stored.case, stored.path.name) for stored in found.cases)
    yield from (Problem(folder.name, 0, "malformed", str(error)) for error in found.problems)


def _sample(case: Case, file: str) -> Sample | Problem:
    if len(case.messages) != 1:
        return Problem(file, 0, "malformed", f"the case {case.name!r} has {len(case.messages)} messages, a sample has one.")
    given = split_message(case.messages[0])
    expected = next((found for one in case.expect if (found := _truth(one)) is not None), None)
    truth, labels = expected or (given.ground_truth, dict[str, str | float]())
    return Sample(id=case.name, question=given.query, truth=truth, labels=labels)


def _truth(one: Expectation) -> tuple[str, dict[str, str | float]] | None:
    """What an expectation of the answer asks for, and the labels by which it is scored."""
    match one:
        case AnswerEquals(text=text) | AnswerContains(text=text):
            return text, {"expects": one.kind}
        case AnswerMatches(pattern=pattern):
            return pattern, {"expects": one.kind}
        case AnswerNumber(value=value, tolerance=tolerance):
            return repr(value), {"expects": one.kind, "tolerance": tolerance}
        case _:
            return None
