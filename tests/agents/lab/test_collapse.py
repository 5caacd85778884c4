"""Context collapse on the formulas: a text that is rewritten falls at some step, a playbook grows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agents.ace import DeltaBatch, Playbook
from agents.ace.refine.application import apply_batch
from agents.lab import Task, run_sample
from agents.lab.data import open_data
from agents.lab.scorers import make_scorer
from tests.agents.lab.cycles import played

COUNT = 90


async def rewritten(samples, scorer):
    """The stream with a text that is rewritten after each answer: whether answers are right, and the tokens of the text."""
    text, right, tokens = Playbook(name="text"), [], []
    for sample in samples:
        task = Task(sample=sample, playbook=text, pipeline="ace", model="simulated", scorer=scorer, learner="rewriting")
        outcome = await run_sample(task)
        assert not outcome.error
        for batch in outcome.batches:
            text = apply_batch(text, DeltaBatch.model_validate(batch), at=0.0).playbook
        right.append(outcome.is_right)
        tokens.append(text.tokens)
    return right, tokens


@pytest.mark.anyio
async def test_a_text_that_is_rewritten_collapses_while_a_playbook_grows():
    data = open_data({"generate": "formulas", "seed": 1, "count": COUNT})
    samples, scorer = list(data.samples("train")), make_scorer(data.scorer)
    right, tokens = await rewritten(samples, scorer)
    fall = next(step for step in range(1, COUNT) if tokens[step] < tokens[step - 1] / 2)
    assert sum(right[fall - 14 : fall + 1]) >= 9
    assert sum(right[fall + 1 : fall + 16]) <= 5
    learned, store = await played(samples, scorer)
    grown = [point.tokens for point in store.growth()]
    assert sum(learned[fall + 1 : fall + 16]) >= 10
    assert all(now > 0.9 * then for then, now in pairwise(grown))
    assert grown[-1] > 0.99 * max(grown) > 1000
