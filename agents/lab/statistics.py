"""Statistics of results: intervals, and tests for two arms that answered the same samples. Pure functions of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb, exp, floor, lgamma, log, sqrt
from random import Random
from typing import NamedTuple

CONFIDENCE = 0.95
"""Of all intervals."""
RESAMPLES = 2000
"""Of a bootstrap."""
MOST_DRAWS = 20_000_000
"""Draws of one bootstrap; with more samples there are fewer resamples, but `LEAST_RESAMPLES`."""
LEAST_RESAMPLES = 200

_Z = 1.959963984540054
"""Standard normal deviate of `CONFIDENCE`, two-sided."""
_NEGLIGIBLE = 1e-18
_SMALL = 1000
"""Samples up to which a binomial coefficient divided by a power of 2 is a float."""


class Interval(NamedTuple):
    """A confidence interval at `CONFIDENCE`."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        """Whether a number lies in it."""
        return isinstance(value, int | float) and self.low <= value <= self.high


def wilson(right: int, of: int) -> Interval:
    """The Wilson score interval of a share (Wilson 1927, without continuity correction).

    Args:
        right: Number of right answers.
        of: Number of all answers; with 0 nothing is known, and the interval is from 0 to 1.

    Raises:
        ValueError: `right` is not from 0 to `of`.
    """
    if not 0 <= right <= of:
        raise ValueError(f"{right} right of {of} is no share.")
    if of == 0:
        return Interval(0.0, 1.0)
    share, square = right / of, _Z * _Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _Z * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return Interval(0.0 if right == 0 else middle - half, 1.0 if right == of else middle + half)


def mcnemar(only_a: int, only_b: int) -> float:
    """The exact two-sided p-value of McNemar's test for two arms.

    Under the null hypothesis each of the samples that only one arm has right goes to either arm with probability 1/2.

    Args:
        only_a: Number of samples that only the first arm has right.
        only_b: Number of samples that only the second arm has right.

    Raises:
        ValueError: A number is negative.
    """
    if only_a < 0 or only_b < 0:
        raise ValueError(f"{only_a} and {only_b} are no numbers of samples.")
    of, fewer = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return 1.0
    if of <= _SMALL:  # beyond, neither number is a float: their logarithms are
        largest = comb(of, fewer) / 2**of
    else:
        largest = exp(lgamma(of + 1) - lgamma(fewer + 1) - lgamma(of - fewer + 1) - of * log(2))
    tail = term = 1.0
    for count in range(fewer, 0, -1):  # each term as a part of the largest, so that nothing overflows
        term *= count / (of - count + 1)
        tail += term
        if term < _NEGLIGIBLE:
            break
    return min(1.0, 2 * largest * tail)


def paired_bootstrap(a: Sequence[float], b: Sequence[float], seed: int) -> Interval:
    """The percentile bootstrap interval of the mean difference `a - b` of two arms.

    Args:
        a: Scores of the first arm, one a sample.
        b: Scores of the second arm, for the same samples in the same order.
        seed: The same seed gives the same interval.

    Raises:
        ValueError: There are no samples, or not the same number of both.
    """
    if len(a) != len(b) or not a:
        raise ValueError(f"{len(a)} and {len(b)} scores are no pairs.")
    differences = [float(one) - float(other) for one, other in zip(a, b, strict=True)]
    count, rng = len(differences), Random(seed)  # noqa: S311  nothing is secret here
    if len(set(differences)) == 1:
        return Interval(differences[0], differences[0])
    resamples = max(LEAST_RESAMPLES, min(RESAMPLES, MOST_DRAWS // count))
    means = sorted(sum(rng.choices(differences, k=count)) / count for _ in range(resamples))
    tail = (1 - CONFIDENCE) / 2 * (resamples - 1)
    return Interval(means[floor(tail)], means[ceil(resamples - 1 - tail)])


def auc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """The area under the ROC curve: the probability that a positive ranks above a negative; a tie counts one half.

    Args:
        positives: Scores of those that should rank high.
        negatives: Scores of those that should rank low.

    Raises:
        ValueError: There are none of one kind.
    """
    if not positives or not negatives:
        raise ValueError("A ranking needs at least one of each kind.")
    # The rank sum of Mann and Whitney, which needs one sort and not every pair; equal scores share their mean rank.
    ranked = sorted([*((score, True) for score in positives), *((score, False) for score in negatives)])
    rank_sum, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        rank_sum += (at + 1 + end) / 2 * sum(is_positive for _, is_positive in ranked[at:end])
        at = end
    above = rank_sum - len(positives) * (len(positives) + 1) / 2
    return above / (len(positives) * len(negatives))
