"""Attribution: what each bullet of a playbook is worth, measured by leaving it out.

Every sample is answered with the whole playbook and once more without each bullet. A bullet's effect is the difference of
the two scores. That is (bullets + 1) × samples answers; those that a cache has are not asked for again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, NamedTuple

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.errors import LabError
from agents.lab.sample import Sample
from agents.lab.statistics import Interval, auc, paired_difference
from agents.lab.task import Execute, Task
from agents.lab.work.worker import run_sample

Answer = Callable[[Sample, Playbook], Awaitable[float]]
"""Answers a sample with a playbook, and gives the score from 0 to 1."""
Planted = Literal["needed", "decoy", "harmful"]
_ORDER: tuple[Planted, ...] = ("needed", "decoy", "harmful")

_WHOLE = ""


class Key(NamedTuple):
    """What a score was measured for.

    Attributes:
        playbook: Name of the playbook.
        revision: Its revision.
        left_out: The bullet that was left out; "" for none.
        sample: The sample's id.
    """

    playbook: str
    revision: int
    left_out: str
    sample: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What a bullet is worth over a set of samples.

    Attributes:
        bullet: The bullet with its own counters.
        effect: Mean score with it, less the mean score without it; from -1 to 1.
        interval: The effect's interval, see `paired_difference`.
        helped: Number of samples that score higher with it.
        harmed: Number of samples that score higher without it.
        p: The p-value of the test that it makes no difference.
    """

    bullet: StoredBullet
    effect: float
    interval: Interval
    helped: int
    harmed: int
    p: float

    @property
    def counted(self) -> int:
        """Its own counters: helpful less harmful."""
        return self.bullet.helpful - self.bullet.harmful


@dataclass(frozen=True, slots=True)
class Attribution:
    """The effects of bullets, the most useful one first.

    Attributes:
        samples: Number of samples.
        score: Mean score with the whole playbook.
        effects: One for each bullet.
    """

    samples: int
    score: float
    effects: tuple[Effect, ...]


class Separation(NamedTuple):
    """How well two rankings tell planted bullets apart: 1 is perfect, 0.5 chance. The mean over pairs of kinds."""

    by_effect: float
    by_counters: float


async def attribute(
    samples: Sequence[Sample],
    playbook: Playbook,
    answer: Answer,
    *,
    bullet_ids: Collection[str] | None = None,
    cache: MutableMapping[Key, float] | None = None,
) -> Attribution:
    """Measures the effect of bullets over samples.

    Args:
        samples: The samples.
        playbook: The playbook; only bullets that are in prompts are measured.
        answer: Answers a sample; what it raises is passed on, and what was measured so far is in the cache.
        bullet_ids: Only these bullets; None for all.
        cache: Scores that are known, to which new ones are added.

    Raises:
        ValueError: There are no samples.
    """
    if not samples:
        raise ValueError("Attribution needs at least one sample.")
    known: MutableMapping[Key, float] = {} if cache is None else cache
    whole = await _scores(samples, playbook, _WHOLE, answer, known)
    effects: list[Effect] = []
    for bullet in playbook.active:
        if bullet_ids is None or bullet.id in bullet_ids:
            without = await _scores(samples, playbook, bullet.id, answer, known)
            effects.append(_effect(bullet, whole, without))
    ranked = sorted(effects, key=lambda one: (-one.effect, one.bullet.id))
    return Attribution(len(samples), sum(whole) / len(whole), tuple(ranked))


def answer_by(task: Task, execute: Execute = run_sample) -> Answer:
    """Answers as a run does: the pipeline answers and the scorer scores, and nothing is learned.

    Args:
        task: How to work on a sample; its sample and its playbook are replaced.
        execute: Who works on it, as in a run.
    """

    async def answer(sample: Sample, playbook: Playbook) -> float:
        outcome = await execute(replace(task, sample=sample, playbook=playbook, learner="nothing"))
        if outcome.score is None:
            raise LabError(f"{sample.id} has no score. {outcome.error}")
        return outcome.score.value

    return answer


def separation(effects: Sequence[Effect], planted: Mapping[str, Planted]) -> Separation:
    """How well effects and counters rank needed bullets above decoys, and decoys above harmful ones.

    Args:
        effects: The measured effects.
        planted: What each planted bullet is, by id; others do not count.

    Raises:
        ValueError: There are not two kinds among them.
    """
    kinds = {kind: [one for one in effects if planted.get(one.bullet.id) == kind] for kind in _ORDER}
    pairs = [(above, below) for above, below in combinations(kinds.values(), 2) if above and below]
    if not pairs:
        raise ValueError("A separation needs bullets of two kinds.")
    by_effect = [auc([one.effect for one in above], [one.effect for one in below]) for above, below in pairs]
    by_counters = [auc([one.counted for one in above], [one.counted for one in below]) for above, below in pairs]
    return Separation(sum(by_effect) / len(pairs), sum(by_counters) / len(pairs))


async def _scores(
    samples: Sequence[Sample], playbook: Playbook, left_out: str, answer: Answer, known: MutableMapping[Key, float]
) -> list[float]:
    given = playbook.without(left_out) if left_out else playbook
    found: list[float] = []
    for sample in samples:
        key = Key(playbook.name, playbook.revision, left_out, sample.id)
        if key not in known:
            known[key] = await answer(sample, given)
        found.append(known[key])
    return found


def _effect(bullet: StoredBullet, whole: Sequence[float], without: Sequence[float]) -> Effect:
    differences = [one - other for one, other in zip(whole, without, strict=True)]
    found = paired_difference([[one] for one in differences])
    helped, harmed = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
    return Effect(bullet, found.difference, found.interval, helped, harmed, found.p)
