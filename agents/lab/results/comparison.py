"""Comparison of two arms on the same questions. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agents.lab.statistics import LEAST_DISCORDANT, Interval, holm, paired_difference

MOST_CHANGED = 1000
"""Most answers that a comparison lists."""
SIGNIFICANT = 0.05
"""The p-value below which chance is an unlikely reason."""


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
    """Two arms on the questions that both have answered with the same seed.

    Attributes:
        arm: The first arm.
        other: The second arm.
        pairs: Answers that both have given; a question has one for each seed.
        questions: Questions that they are to.
        discordant: Questions among them that one of the arms has right more often.
        both: Answers that both have right.
        only_arm: Answers that only the first one has right.
        only_other: Answers that only the second one has right.
        difference: Accuracy of the first one less that of the second one.
        interval: The difference's interval, see `paired_difference`; None without pairs.
        p: The p-value of the test that the arms are alike; None without pairs.
        corrected_p: The same by Holm's correction, where several comparisons are made at once; see `corrected`.
        of: The number of comparisons that are made at once.
        changed: Seed and id of the answers that only one has right, the first ones.
    """

    arm: str
    other: str
    pairs: int
    questions: int
    discordant: int
    both: int
    only_arm: int
    only_other: int
    difference: float
    interval: Interval | None
    p: float | None
    corrected_p: float | None
    of: int
    changed: tuple[tuple[int, str], ...]

    @property
    def outcome(self) -> str:
        """What it shows, in a sentence."""
        if self.corrected_p is None:
            return "They have answered no question in common, so they are not compared."
        if self.discordant < LEAST_DISCORDANT:
            even = "No question comes" if self.discordant == 0 else f"Only {self.discordant} of them come"
            return f"{even} out differently: below {LEAST_DISCORDANT}, nothing can be shown."
        if self.corrected_p >= SIGNIFICANT:
            return "Chance alone may explain this."
        return "Chance alone hardly explains this."


def compared(arm: str, verdicts: Iterable[Verdict], other: str, others: Iterable[Verdict]) -> Comparison:
    """Compares two arms."""
    theirs = {(one.seed, one.sample): one.is_right for one in others}
    pairs = [(one, theirs[one.seed, one.sample]) for one in verdicts if (one.seed, one.sample) in theirs]
    if not pairs:
        return Comparison(arm, other, 0, 0, 0, 0, 0, 0, 0.0, None, None, None, 1, ())
    differences: dict[str, list[int]] = {}
    for one, right in pairs:
        differences.setdefault(one.sample, []).append(one.is_right - right)
    found = paired_difference(list(differences.values()))
    changed = tuple((one.seed, one.sample) for one, right in pairs if one.is_right != right)
    only_arm = sum(one.is_right and not right for one, right in pairs)
    return Comparison(
        arm=arm,
        other=other,
        pairs=len(pairs),
        questions=len(differences),
        discordant=found.discordant,
        both=sum(one.is_right and right for one, right in pairs),
        only_arm=only_arm,
        only_other=len(changed) - only_arm,
        difference=found.difference,
        interval=found.interval,
        p=found.p,
        corrected_p=found.p,
        of=1,
        changed=changed[:MOST_CHANGED],
    )


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Comparisons that are made at once, with their p-values corrected for their number (Holm)."""
    made = [one.p for one in comparisons if one.p is not None]
    p_values = iter(holm(made))
    return [one if one.p is None else one._replace(corrected_p=next(p_values), of=len(made)) for one in comparisons]
