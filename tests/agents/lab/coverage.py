"""How often the intervals hold the truth, and how often arms that are alike are told apart, by simulation.

`python -m tests.agents.lab.coverage` prints both for 12, 30 and 100 questions asked with 1, 3 and 5 seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from agents.lab.statistics import paired_difference, wilson

DIFFICULTIES = (0.05, 0.5, 0.9)
"""Probabilities of a right answer."""
REPEATED = (0.0, 0.5, 1.0)
"""How often an arm answers a question with one seed as it did with another."""
SHIFTS = (0.0, 0.2)
"""By how much one arm is better."""


class Rates(NamedTuple):
    """What simulated runs came to, each the worst over difficulties and repetitions."""

    covered: float
    false_positives: float
    disagreements: int
    covered_accuracy: float


def answers(rng: Random, probability: float, repeated: float, seeds: int) -> list[bool]:
    """An arm's answers to a question, one a seed."""
    first = rng.random() < probability
    return [first if rng.random() < repeated else rng.random() < probability for _ in range(seeds)]


def simulate(questions: int, seeds: int, runs: int) -> Rates:
    """Simulates runs of two arms."""
    rng, found = Random(f"{questions} {seeds}"), list[Rates]()
    for base in DIFFICULTIES:
        for repeated in REPEATED:
            for shift in SHIFTS:
                found.append(_rates(rng, base, min(1.0, base + shift), repeated, (questions, seeds, runs)))
    return Rates(
        min(one.covered for one in found),
        max(one.false_positives for one in found),
        sum(one.disagreements for one in found),
        min(one.covered_accuracy for one in found),
    )


def _rates(rng: Random, base: float, better: float, repeated: float, size: tuple[int, int, int]) -> Rates:
    questions, seeds, runs = size
    covered = positive = disagree = accurate = 0
    for _ in range(runs):
        mine = [answers(rng, better, repeated, seeds) for _ in range(questions)]
        other = [answers(rng, base, repeated, seeds) for _ in range(questions)]
        found = paired_difference([[a - b for a, b in zip(*pair, strict=True)] for pair in zip(mine, other, strict=True)])
        covered += found.interval.low - 1e-9 <= better - base <= found.interval.high + 1e-9
        positive += found.p < 0.05
        disagree += (found.p < 0.05) == (0 in found.interval)
        accurate += base in wilson(sum(map(sum, other)) / seeds, questions)
    return Rates(covered / runs, positive / runs if better == base else 0.0, disagree, accurate / runs)


def lines(runs: int) -> Iterator[str]:
    """The table."""
    yield "questions  seeds  difference covered  false positives  disagreements  accuracy covered"
    for questions in (12, 30, 100):
        for seeds in (1, 3, 5):
            one = simulate(questions, seeds, runs)
            yield (
                f"{questions:>9}  {seeds:>5}  {one.covered:>18.1%}  {one.false_positives:>15.1%}  {one.disagreements:>13}  "
                f"{one.covered_accuracy:>16.1%}"
            )


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 2000):
        print(line, flush=True)
