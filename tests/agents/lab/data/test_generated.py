from __future__ import annotations

import pytest

from agents.lab.data import open_data
from agents.lab.data.data_set import SPLITS
from agents.lab.scorers import make_scorer
from agents.pipelines.ace.families import draw_questions
from agents.pipelines.ace.simulation.advice.topics import topic_of

NAMES = ("formulas", "house_rules", "free_advice", "moving_world")


@pytest.mark.parametrize("name", NAMES)
def test_a_set_is_the_same_for_the_same_specification_alone(name):
    one, same, other = (open_data({"generate": name, "seed": seed, "count": 30}) for seed in (1, 1, 2))
    assert list(one.samples("all")) == list(same.samples("all"))
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert one.about


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 30])
def test_splits_have_no_sample_in_common(name, count):
    data = open_data({"generate": name, "seed": 3, "count": count})
    parts = {split: list(data.samples(split)) for split in SPLITS}
    assert {split: len(part) for split, part in parts.items()} == {split: data.count(split) for split in SPLITS}
    assert parts["all"] == [*parts["train"], *parts["validation"], *parts["test"]]
    assert len(parts["train"]) == count
    assert len(parts["validation"]) == len(parts["test"]) == max(1, count // 4)
    questions = [{(one.question, one.truth) for one in parts[split]} for split in ("train", "validation", "test")]
    assert not questions[0] & questions[1]
    assert not questions[0] & questions[2]
    assert not questions[1] & questions[2]
    assert len({one.id for one in parts["all"]}) == len(parts["all"])


@pytest.mark.parametrize("name", ["formulas", "house_rules", "moving_world"])
@pytest.mark.anyio
async def test_the_right_answers_are_right_by_the_set_s_own_scorer(name):
    data = open_data({"generate": name, "count": 60})
    scorer = make_scorer(data.scorer)
    for sample in data.samples("all"):
        assert (await scorer.score(sample.truth, sample)).is_right
        assert not (await scorer.score("", sample)).is_right


def test_formulas_are_the_questions_of_the_demo():
    """So that figures of both can be compared."""
    drawn = [(one.text, one.answer) for one in draw_questions(1, 50)]
    assert [(one.question, one.truth) for one in open_data({"generate": "formulas", "count": 50}).samples("train")] == drawn


@pytest.mark.anyio
async def test_a_house_rule_is_more_than_the_number():
    data = open_data({"generate": "house_rules", "count": 60})
    scorer = make_scorer(data.scorer)
    money = next(one for one in data.samples("train") if one.labels["rule"] == "money")
    assert not (await scorer.score(money.truth.lstrip("€$£"), money)).is_right


@pytest.mark.anyio
async def test_free_advice_asks_in_several_languages_and_is_scored_by_the_rubric():
    data = open_data({"generate": "free_advice", "count": 40})
    scorer = make_scorer(data.scorer)
    assert {one.labels["language"] for one in data.samples("train")} == {"en", "ja", "zh", "zh-Hant"}
    for sample in data.samples("all"):
        assert topic_of(sample.question).name == sample.labels["topic"]
        assert (await scorer.score("", sample)).right == 0


def test_many_samples_are_drawn_one_at_a_time():
    samples = open_data({"generate": "formulas", "count": 1_000_000}).samples("train")
    assert [next(samples).id for _ in range(3)] == ["formulas:train:1", "formulas:train:2", "formulas:train:3"]
