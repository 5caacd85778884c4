"""*formulas*: questions whose formula has to be learned, from finance, physics and the calendar."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from agents.lab.data.data_set import Split
from agents.lab.data.generated_set import Kind
from agents.lab.sample import Sample
from agents.pipelines.ace.families import FAMILIES, Question, draw_question, draw_questions

ABOUT = (
    "Shows whether formulas are learned from right answers and used again: no question prints its formula. It is a closed "
    "world made for the simulated learner: a model that knows these formulas already has little to learn from it."
)
ABOUT_HOUSE_RULES = (
    "Shows whether conventions for answers (decimals, currency signs, dates) are learned: an answer counts only if it is "
    "written exactly as the house rule says. It is a closed world made for the simulated learner, with six rules in all."
)


def draw_formulas(seed: int, count: int) -> Iterator[Sample]:
    """Questions in rounds, each formula once a round; one in twenty is drawn by lot and cannot be learned.

    Args:
        seed: The same seed gives the same questions.
        count: How many.
    """
    return (sample_of(question) for question in draw_questions(seed, count))


def sample_of(question: Question) -> Sample:
    """A question of the built-in families as a sample without an id; its labels are what `is_right` needs."""
    labels = {"family": question.family, "rule": question.rule or "", "learnable": question.learnable}
    return Sample(id="", question=question.text, truth=question.answer, labels=labels)


def _draw(_split: Split, seed: int, count: int) -> Iterator[Sample]:
    return draw_formulas(seed, count)


FORMULAS = Kind(ABOUT, {"kind": "families"}, _draw)


def draw_house_rules(seed: int, count: int) -> Iterator[Sample]:
    """Questions in rounds, each formula once a round, all scored by how the answer is written.

    Args:
        seed: The same seed gives the same questions.
        count: How many.
    """
    rng = Random(seed)  # noqa: S311  nothing is secret here
    families = list(FAMILIES)
    for number in range(count):
        if number % len(families) == 0:
            rng.shuffle(families)
        family = families[number % len(families)]
        yield sample_of(draw_question(family, rng)._replace(rule=family.answer))


def _draw_by_house_rules(_split: Split, seed: int, count: int) -> Iterator[Sample]:
    return draw_house_rules(seed, count)


HOUSE_RULES = Kind(ABOUT_HOUSE_RULES, {"kind": "families"}, _draw_by_house_rules)
