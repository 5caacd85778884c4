"""The world moves: the pipeline as it is corrects the bullet that became wrong; one that may only add never recovers."""

from __future__ import annotations

import json

import pytest

from agents.errors import DataSetError
from agents.lab.data import open_data
from agents.lab.scorers import make_scorer
from agents.pipelines.ace.simulation.roles import SIMULATION
from tests.agents.lab.cycles import played

pytestmark = pytest.mark.anyio

COUNT, CHANGE_AT = 35, 20
"""15 questions follow the change, three or four of which it concerns."""


def add_only(request):
    """The curator with its UPDATE and REMOVE operations dropped."""
    said = json.loads(SIMULATION["CuratorModel"](request))
    said["operations"] = [operation for operation in said["operations"] if operation["type"] == "ADD"]
    return json.dumps(said)


def of_the_change(samples, right):
    """Of the questions that the change concerns: whether the answer is right."""
    return [is_right for sample, is_right in zip(samples, right, strict=True) if sample.labels["changes"]]


def moving(seed):
    data = open_data({"generate": "moving_world", "seed": seed, "count": COUNT, "change_at": CHANGE_AT})
    return data, list(data.samples("train"))


@pytest.mark.parametrize("seed", range(1, 21))
async def test_one_update_recovers_within_15_questions(seed):
    data, samples = moving(seed)
    right, store = await played(samples, make_scorer(data.scorer))
    assert all(right[CHANGE_AT - 4 : CHANGE_AT]), "before the change everything was learned"
    first, second, *others = of_the_change(samples[CHANGE_AT:], right[CHANGE_AT:])
    assert not first, "the first question after it is answered as before"
    assert others
    assert all(others), f"one example is enough, or a second one confirms it ({second})"
    curated = (record for record in store.history() if record.by == "curator")
    assert any(one["type"] == "UPDATE" for record in curated for one in record.applied)


@pytest.mark.parametrize("seed", range(1, 6))
async def test_adding_alone_never_recovers(seed):
    data, samples = moving(seed)
    scorer = make_scorer(data.scorer)
    right, store = await played(samples[:CHANGE_AT], scorer)
    assert all(right[CHANGE_AT - 4 :])
    after = samples[CHANGE_AT:]
    only_added = {**SIMULATION, "CuratorModel": add_only}
    right, _ = await played(after, scorer, simulation=only_added, pruning=False, playbook=store.playbook())
    assert not any(of_the_change(after, right))
    others = [is_right for sample, is_right in zip(after, right, strict=True) if not sample.labels["changes"]]
    assert all(others), "what did not change is still answered right"


async def test_validation_and_test_are_of_the_world_after_the_change():
    data, samples = moving(1)
    assert {one.labels["world"] for one in samples[:CHANGE_AT]} == {"before"}
    held_out = [*data.samples("validation"), *data.samples("test")]
    assert {one.labels["world"] for one in [*samples[CHANGE_AT:], *held_out]} == {"after"}
    assert {one.labels["family"] for one in held_out} == {one.labels["family"] for one in samples}


async def test_the_change_is_where_it_was_asked_for_and_said():
    data, _ = moving(1)
    assert f"before training sample {CHANGE_AT + 1} " in data.about
    middle = open_data({"generate": "moving_world", "count": 20})
    assert [one.labels["world"] for one in middle.samples("train")] == ["before"] * 10 + ["after"] * 10
    with pytest.raises(DataSetError, match="change_at"):
        open_data({"generate": "formulas", "change_at": 3})
