"""*house rules*: the number is not enough, an answer has to be written as the house writes it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from agents.lab.data.data_set import Split
from agents.lab.data.generated.formulas import sample_of
from agents.lab.data.generated_set import Kind
from agents.lab.sample import Sample
from agents.pipelines.ace.families import FAMILIES, draw_question

ABOUT = (
    "Shows whether conventions for answers (decimals, currency signs, dates) are learned: an answer counts only if it is "
    "written exactly as the house rule says. It is a closed world made for the simulated learner, with six rules in all."
)


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


def _draw(_split: Split, seed: int, count: int) -> Iterator[Sample]:
    return draw_house_rules(seed, count)


HOUSE_RULES = Kind(ABOUT, {"kind": "families"}, _draw)
