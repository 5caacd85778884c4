"""Measurements are kept: nothing that is known is asked again, whatever ended the last one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.ace import Playbook, StoredBullet
from agents.errors import LabError
from agents.lab import Measurements, Outcome, Plan, Sample, Score, make_scorer, measure

pytestmark = pytest.mark.anyio

LONG = "一" * 100_000
TEXTS = ("current ratio = a / b", "商品の粗利 = 売上 − 原価", LONG)


def playbook(*texts, revision=3, helpful=0):
    bullets = [StoredBullet(f"b-{n:05}", "式", text, helpful=helpful, place=n) for n, text in enumerate(texts, 1)]
    return Playbook(bullets, name="p").replace(revision=revision)


def plan(of=None, count=2, **other):
    of = of or playbook(*TEXTS)
    samples = [Sample(id=f"s{n}", question=f"質問 {n}?", truth=str(n)) for n in range(count)]
    given = {
        "playbook": of,
        "made_at": 1.0,
        "bullet_ids": [bullet.id for bullet in of.active],
        "samples": samples,
        "source": "two questions",
        "scorer": make_scorer({"kind": "folded"}),
        "scored_by": "folded",
        "pipeline": "ace",
        "model": "simulated",
    }
    return Plan(**{**given, **other})


class Worker:
    """Needs the first bullet for every question; fails, if asked to, at an answer."""

    def __init__(self, fails_at=None):
        self.asked, self.fails_at = [], fails_at

    async def __call__(self, task):
        self.asked.append((task.sample.id, len(task.playbook)))
        if len(self.asked) == self.fails_at:
            return Outcome(sample=task.sample.id, error="the model is overloaded")
        return Outcome(sample=task.sample.id, answer="", score=Score(value=float("b-00001" in task.playbook), is_right=True))


async def test_effects_are_measured_and_kept(tmp_path):
    worker, told = Worker(), []
    kept = Measurements(tmp_path / "lab")
    asked = plan()
    assert (asked.answers, len(kept.scores(asked)), kept.latest("p", 1.0)) == (8, 0, None)
    assert not (tmp_path / "lab").exists(), "reading makes no file"
    found = await measure(asked, kept, told=lambda: told.append(1), execute=worker)
    assert len(worker.asked) == len(told) == 8
    kept.close()
    again = Measurements(tmp_path / "lab")
    assert again.latest("p", 1.0) == found
    assert [(id_, one.effect, one.helped) for id_, one in found.effects.items()] == [
        ("b-00001", 1.0, 2), ("b-00002", 0.0, 0), ("b-00003", 0.0, 0),
    ]  # fmt: skip
    assert found.effects["b-00003"].is_of(LONG)
    assert not found.effects["b-00003"].is_of(LONG[:-1])
    assert again.latest("p", 2.0) is None, "another playbook has the name now"


async def test_what_is_known_is_not_asked_again(tmp_path):
    kept, worker = Measurements(tmp_path), Worker()
    await measure(plan(), kept, execute=worker)
    await measure(plan(), Measurements(tmp_path), execute=worker)
    assert len(worker.asked) == 8
    assert len(kept.scores(plan(bullet_ids=["b-00002"]))) == 4
    await measure(plan(count=3), kept, execute=worker)
    assert len(worker.asked) == 12
    later = playbook(*TEXTS, revision=9)
    assert len(kept.scores(plan(later))) == 8, "the same texts and counters, at another revision"


@pytest.mark.parametrize(
    "other",
    [
        {"model": "gemini-flash-latest"},
        {"pipeline": "iterative_writing"},
        {"scored_by": "exact"},
        {"of": playbook("current ratio = b / a", *TEXTS[1:])},
        {"of": playbook(*TEXTS, helpful=1)},
        {"samples": [Sample(id="s0", question="質問 0?", truth="another one")]},
    ],
    ids=["model", "pipeline", "scorer", "text", "counters", "truth"],
)
async def test_what_differs_is_asked_again(tmp_path, other):
    kept = Measurements(tmp_path)
    await measure(plan(), kept, execute=Worker())
    assert len(kept.scores(plan(**other))) == 0


async def test_after_a_failure_only_the_rest_is_asked(tmp_path):
    kept, worker = Measurements(tmp_path), Worker(fails_at=6)
    with pytest.raises(LabError, match="the model is overloaded"):
        await measure(plan(), kept, execute=worker)
    assert kept.latest("p", 1.0) is None
    assert await measure(plan(), Measurements(tmp_path), execute=worker) is not None
    assert len(worker.asked) == 5 + 1 + 3


async def test_a_measurement_is_stopped_before_the_next_answer(tmp_path):
    kept, worker = Measurements(tmp_path), Worker()
    assert await measure(plan(), kept, stopped=lambda: len(worker.asked) == 3, execute=worker) is None
    assert len(worker.asked) == len(kept.scores(plan())) == 3
    assert kept.latest("p", 1.0) is None


async def test_a_measurement_is_stale_once_a_text_has_changed(tmp_path):
    found = await measure(plan(), Measurements(tmp_path), execute=Worker())
    now = playbook(*TEXTS, revision=4)
    assert not found.is_stale(now)
    assert not found.is_stale(playbook(*TEXTS, revision=4, helpful=2)), "only counted"
    assert found.is_stale(playbook(*TEXTS[:2], revision=4))
    assert found.is_stale(playbook(*TEXTS[:2], "another text", revision=4))


async def test_a_worker_of_a_run_measures_too(tmp_path):
    of = playbook("current ratio = current assets / current liabilities")
    question = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
    asked = replace(plan(of), samples=[Sample(id="s", question=question, truth="1.5")])
    found = await measure(asked, Measurements(tmp_path))
    assert (found.score, found.effects["b-00001"].effect) == (1.0, 1.0)
