"""Comparison of two arms on the same samples. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from agents.lab.statistics import Interval, mcnemar, paired_bootstrap

_SEED = 1
"""Of the bootstrap, so that a report always says the same."""


class Verdict(NamedTuple):
    """What an answer came to.

    Attributes:
        seed: The seed.
        place: The place of the sample in its split.
        sample: The sample's id.
        is_right: Whether it counts as right.
        failed: Whether it failed; then it is wrong.
        value: The score's value.
    """

    seed: int
    place: int
    sample: str
    is_right: bool
    failed: bool
    value: float


class Comparison(NamedTuple):
    """Two arms on the samples that both have answered with the same seed.

    Attributes:
        arm: The first arm.
        other: The second arm.
        pairs: Samples that both have answered.
        both: Samples that both have right.
        only_arm: Samples that only the first one has right.
        only_other: Samples that only the second one has right.
        difference: Accuracy of the first one less that of the second one.
        interval: The difference's interval by paired bootstrap; None without pairs.
        p: The p-value of McNemar's exact test; None without pairs.
        changed: Seed and id of the samples that only one has right, the first ones.
    """

    arm: str
    other: str
    pairs: int
    both: int
    only_arm: int
    only_other: int
    difference: float
    interval: Interval | None
    p: float | None
    changed: tuple[tuple[int, str], ...]


MOST_CHANGED = 1000
"""Most samples that a comparison lists."""


def compared(arm: str, verdicts: Iterable[Verdict], other: str, others: Iterable[Verdict]) -> Comparison:
    """Compares two arms."""
    theirs = {(one.seed, one.sample): one.is_right for one in others}
    pairs = [(one, theirs[one.seed, one.sample]) for one in verdicts if (one.seed, one.sample) in theirs]
    changed = tuple((one.seed, one.sample) for one, right in pairs if one.is_right != right)
    only_arm = sum(one.is_right and not right for one, right in pairs)
    only_other = len(changed) - only_arm
    if not pairs:
        return Comparison(arm, other, 0, 0, 0, 0, 0.0, None, None, ())
    mine, their = [float(one.is_right) for one, _ in pairs], [float(right) for _, right in pairs]
    return Comparison(
        arm,
        other,
        len(pairs),
        sum(one.is_right and right for one, right in pairs),
        only_arm,
        only_other,
        (only_arm - only_other) / len(pairs),
        paired_bootstrap(mine, their, _SEED),
        mcnemar(only_arm, only_other),
        changed[:MOST_CHANGED],
    )
