"""Statistics of results: intervals, and tests for two arms that answered the same samples. Pure functions of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, inf, sqrt
from typing import NamedTuple

CONFIDENCE = 0.95
"""Of all intervals."""
LEAST_DISCORDANT = 6
"""Questions that must come out differently before chance can be excluded: of five in a row, p is 0.07."""

_Z = 1.959963984540054
"""Standard normal deviate of `CONFIDENCE`, two-sided."""
_HALVINGS = 60
_CORRECTION = 1.0
"""Of continuity: counts are whole numbers."""


class Interval(NamedTuple):
    """A confidence interval at `CONFIDENCE`."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        """Whether a number lies in it."""
        return isinstance(value, int | float) and self.low <= value <= self.high


def wilson(right: float, of: int) -> Interval:
    """The Wilson score interval of a share (Wilson 1927, without continuity correction).

    Args:
        right: Number of right answers; of questions that were answered several times, the sum of their shares.
        of: Number of all answers, or of all questions; with 0 nothing is known, and the interval is from 0 to 1.

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


class PairedDifference(NamedTuple):
    """How far two arms are apart on the same questions.

    Attributes:
        difference: Mean of the differences, from -1 to 1.
        interval: Its interval; it has a width always, and 0 is outside of it exactly if `p` is below 0.05.
        p: The two-sided p-value of the test that the arms are alike.
        discordant: Number of questions that do not come out even. Below `LEAST_DISCORDANT` no result can be significant.
    """

    difference: float
    interval: Interval
    p: float
    discordant: int


def paired_difference(differences: Sequence[Sequence[float]]) -> PairedDifference:
    """Compares two arms on the same questions, each answered once or several times.

    Interval and p-value are of one method: the score interval of Tango (Statistics in Medicine 17, 1998, 891-908), which
    belongs to McNemar's test, with its continuity correction (Edwards, Psychometrika 13, 1948, 185-187). Questions are the
    unit: what a question comes to over its answers is one sum, and the counts are divided by the design effect, the sums'
    squares by their sizes (after Durkalski and others, Statistics in Medicine 22, 2003, 2417-2428). Answers that are the
    same with every seed therefore count once.

    Args:
        differences: For each question the score of the first arm less that of the second one, from -1 to 1, one an answer.

    Raises:
        ValueError: There is no question, or a question without an answer.
    """
    if not differences or not all(differences):
        raise ValueError("A comparison needs questions that both arms have answered.")
    sums, answers = [sum(one) for one in differences], sum(map(len, differences))
    total, discordant = sum(sums), sum(map(abs, sums))
    most = answers / len(differences)
    effect = min(max(1.0, sum(one * one for one in sums) / discordant), most) if discordant else most
    above, below, of = (discordant + total) / 2 / effect, (discordant - total) / 2 / effect, answers / effect
    p = erfc(_deviate(above, below, of, 0.0) / sqrt(2))
    return PairedDifference(total / answers, _tango(above, below, of), p, sum(map(bool, sums)))


def _tango(above: float, below: float, of: float) -> Interval:
    middle = (above - below) / of

    def bound(outside: float) -> float:
        inside = middle
        for _ in range(_HALVINGS):
            half = (inside + outside) / 2
            inside, outside = (half, outside) if _deviate(above, below, of, half) <= _Z else (inside, half)
        return inside

    return Interval(bound(-1.0), bound(1.0))


def _deviate(above: float, below: float, of: float, difference: float) -> float:
    """How many standard errors the counts are from what a difference lets expect, if that is the true one."""
    distance = max(0.0, abs(above - below - of * difference) - _CORRECTION)
    if distance == 0:
        return 0.0
    # The probability that only the second arm is right, at its maximum likelihood: the root of a quadratic equation.
    linear = (2 * of - above + below) * difference - above - below
    root = sqrt(max(0.0, linear * linear + 8 * of * below * difference * (1 - difference)))
    only_second = (root - linear) / (4 * of)
    variance = of * (2 * only_second + difference * (1 - difference))
    return distance / sqrt(variance) if variance > 0 else inf


def holm(p_values: Sequence[float]) -> list[float]:
    """Corrects p-values for their number (Holm, Scandinavian Journal of Statistics 6, 1979, 65-70); in their order."""
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


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
