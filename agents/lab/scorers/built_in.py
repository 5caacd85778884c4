"""Scorers of our own data sets: the families' `is_right`, the rubric of free advice, the expectations of cases."""

from __future__ import annotations

from agents.cases.verdict import numbers_in
from agents.errors import ScorerError
from agents.lab.sample import Sample
from agents.lab.scorer import Score
from agents.lab.scorers.texts import Exact, Folded, Pattern, as_score, truth_of
from agents.pipelines.ace.families import Question, is_right, rubric_score

_NEAR = 1e-9
"""Difference of two floats that stand for the same number, as a part of it."""


class Families:
    """A question of the families is scored as they say: by its number, or by how the number is written too."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer. The labels `family` and `rule` say how; without them the number is enough."""
        truth = truth_of(sample)
        family, rule = str(sample.labels.get("family", "")), str(sample.labels.get("rule", ""))
        return as_score(is_right=is_right(answer, truth, Question(sample.question, truth, family, rule or None)))


class Expected:
    """A sample of a case is scored as its expectation says: the labels `expects` and `tolerance`; folded without them."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        match sample.labels.get("expects"):
            case "answer_equals":
                return await Exact().score(answer, sample)
            case "answer_contains":
                return as_score(is_right=truth_of(sample) in answer)
            case "answer_matches":
                return await Pattern().score(answer, sample)
            case "answer_number":
                value = float(truth_of(sample))
                near = float(sample.labels.get("tolerance", 0)) + _NEAR * abs(value)
                return as_score(is_right=any(abs(number - value) <= near for number in numbers_in(answer)))
            case _:
                return await Folded().score(answer, sample)


class Rubric:
    """The criteria of the reflector's rubric that an answer to a free question meets; it is right if it meets all."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        try:
            met, of = rubric_score(answer, sample.question)
        except ValueError as error:
            raise ScorerError(f"{sample.id} cannot be scored. {error}") from None
        return Score(
            value=met / of, is_right=met == of, right=met, of=of, why=f"{met} of {of} criteria of the rubric are met."
        )
