"""Scorers that compare an answer with the right one: exact, case-folded, as a number, as a list, by a pattern."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from agents.errors import ScorerError
from agents.flows.pattern import matches
from agents.lab.sample import Sample
from agents.lab.scorer import Score
from agents.lab.scorers.numbers import DecimalSign, is_same_number, only_number

_SEPARATOR = re.compile("[,，、;；\n]")


def truth_of(sample: Sample) -> str:
    """The right answer of a sample.

    Raises:
        ScorerError: None is known.
    """
    if sample.truth is None:
        raise ScorerError(f"{sample.id} has no right answer to compare with. Choose a rubric or a judge for such samples.")
    return sample.truth


def as_score(*, is_right: bool, why: str = "") -> Score:
    """The score of an answer that is right or wrong as a whole."""
    return Score(value=float(is_right), is_right=is_right, right=int(is_right), why=why)


class Exact:
    """The answer is the right one, character by character; blanks around it do not count."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        return as_score(is_right=answer.strip() == truth_of(sample).strip())


class Folded:
    """The answer is the right one, whatever the letter case, the width of characters, blanks, or a full stop at the end."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        return as_score(is_right=folded(answer) == folded(truth_of(sample)))


@dataclass(frozen=True, slots=True)
class Numeric:
    """The answer states one number, and it is the right one within a tolerance; see `numbers`.

    Attributes:
        tolerance: Most difference.
        relative: Most difference as a part of the right number; the greater of both counts.
        decimal: The decimal sign of the right answers; "" where each number has to tell. Answers may have either.
    """

    tolerance: Decimal = Decimal(0)
    relative: Decimal = Decimal(0)
    decimal: DecimalSign = ""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        right = only_number(truth_of(sample), self.decimal)
        if right is None:
            raise ScorerError(f"The right answer of {sample.id} is not one number. Choose another scorer for this data set.")
        readings = {only_number(answer), only_number(answer, self.decimal)} - {None}
        if not readings:
            return as_score(is_right=False, why="The answer does not state exactly one number.")
        near = partial(is_same_number, right=right, tolerance=self.tolerance, relative=self.relative)
        return as_score(is_right=any(near(given) for given in readings if given is not None))


class EntityList:
    """The answer lists the same entities in the same order. It is right only if all are; each counts on its own too.

    Entities stand between commas, semicolons or line breaks, so a number in a list has no thousands separators. They are
    compared case-folded, and as numbers where both are.
    """

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        wanted, given = entities_in(truth_of(sample)), entities_in(answer)
        if not wanted:
            raise ScorerError(f"The right answer of {sample.id} is an empty list.")
        hits = sum(_is_same_entity(one, other) for one, other in zip(given, wanted, strict=False))
        extra = max(0, len(given) - len(wanted))
        why = f"{hits} of {len(wanted)} entities are right." + (f" {extra} too many." if extra else "")
        is_right = hits == len(wanted) and not extra
        return Score(value=hits / max(len(given), len(wanted)), is_right=is_right, right=hits, of=len(wanted), why=why)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The whole answer matches a pattern: `*` stands for any text, everything else for itself.

    It is the language of cases: regular expressions may take for ever, this takes time linear in the text.

    Attributes:
        pattern: The pattern; "" for the right answer of each sample.
    """

    pattern: str = ""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        return as_score(is_right=matches(self.pattern or truth_of(sample), answer.strip()))


def folded(text: str) -> str:
    """A text as it is compared."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).rstrip(".。").rstrip().casefold()


def entities_in(text: str) -> list[str]:
    """The entities of a list; brackets around it do not count."""
    parts = _SEPARATOR.split(text.strip().removeprefix("[").removesuffix("]"))
    found = [part.strip().strip("\"'“”") for part in parts]
    return found if any(found) else []


def _is_same_entity(given: str, right: str) -> bool:
    if folded(given) == folded(right):
        return True
    one, other = only_number(given), only_number(right)
    return one is not None and other is not None and one == other
