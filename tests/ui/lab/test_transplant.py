"""The recorded run *transplant*: what it holds, how it was made, and what its page says of it."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from agents.ace.playbook import Playbook
from agents.lab import Lab, LabDescription, report_page
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import value_of
from ui.lab.recorded.recorded_list import recordings

[RECORDING] = recordings()
FOLDER = RECORDING.folder
ARMS = ("none", "learned", "shuffled")
MOST_BYTES = 1_000_000
PAGE = (Path(__file__).parents[3] / "ui" / "docs" / "lab-transplant.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    Lab(folder).add_copy(FOLDER, "transplant")
    return Lab(folder)


@pytest.fixture(scope="module")
def run(lab):
    with lab.open("transplant") as found:
        yield found


def test_its_page_has_its_figures(run):
    for arm in map(run.summary, ARMS):
        assert f"| {arm.right} of {arm.of} | {arm.interval.low:.1%} – {arm.interval.high:.1%} |" in PAGE
    for arm, other in (("learned", "none"), ("learned", "shuffled"), ("shuffled", "none")):
        found = run.compare(arm, other)
        p = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}"
        assert f"{arm} against {other}: {100 * found.difference:+.1f} points, {p}" in PAGE


def test_its_page_says_how_many_answers_are_results_of_examples(run):
    contents = bodies(read_playbook("learned.txt"))
    results = {figure: re.findall(r"give (\d+)", body) for figure, body in contents.items()}
    copied, own, right = [0, 0], [0, 0], [0, 0]
    for one in run.results("learned", 0):
        right[one.is_right] += 1
        copied[one.is_right] += any(one.answer in given for given in results.values())
        own[one.is_right] += one.answer in results[figure_of(one.question)]
    told = " ".join(PAGE.split())
    assert f"{copied[False]} of its {right[False]} wrong answers" in told
    assert f"{own[False]} of them of an example in the right one" in told
    assert (own[True], "Two right answers are such results" in told) == (2, True)


def test_the_list_says_how_many_are_right(run):
    none, learned, shuffled = (run.summary(arm).right for arm in ARMS)
    assert f"{none}, {learned} and {shuffled} are right" in RECORDING.about


def test_its_report_says_what_its_data_can_show(lab):
    page = report_page(lab, "transplant")
    assert "McNemar" in page
    assert "the figures are invented" in page


# -- what is recorded


def test_all_arms_have_answered_the_same_questions(run):
    asked = [[(one.sample, one.truth) for one in run.results(arm, 0)] for arm in ARMS]
    assert len(asked[0]) == 40
    assert asked[1:] == [asked[0]] * 2
    assert [run.summary(arm).failed for arm in ARMS] == [0, 0, 0]


def test_no_path_of_the_machine_is_in_it(run):
    texts = [(FOLDER / "run.toml").read_text(encoding="utf-8"), (FOLDER / "run.db").read_bytes().decode("latin-1")]
    for arm in ARMS:
        for number in range(40):
            session = run.session(arm, 0, number)
            assert session is not None
            texts.append(str(session))
    assert [found[0] for text in texts if (found := re.search(r"/(?:tmp|home|root|work|Users|models)/\w+", text))] == []


def test_it_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


def test_the_description_that_is_shipped_is_the_runs_own(run):
    text = (FOLDER / "transplant.toml").read_text(encoding="utf-8")
    assert (FOLDER / "run.toml").read_text(encoding="utf-8").startswith(text)
    assert RECORDING.sha256 in text
    assert LabDescription.from_toml(text) == run.description


@pytest.mark.parametrize("arm", ["learned", "shuffled"])
def test_the_playbooks_that_are_shipped_are_the_runs_own(run, arm):
    recorded = [bullet.content for bullet in run.playbook(arm, 0).playbook().bullets]
    assert recorded == [bullet.content for bullet in read_playbook(f"{arm}.txt").bullets]


# -- how it was made


def lines(split: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]


def bodies(playbook: Playbook) -> dict[str, str]:
    """What each figure's bullet says after its name."""
    return dict(bullet.content.split(" = ", 1) for bullet in playbook.bullets)


def figure_of(question: str) -> str:
    return re.findall(r"its (\w+)", question)[0]


def read_playbook(name: str) -> Playbook:
    return Playbook.read((FOLDER / name).read_text(encoding="utf-8"))


def test_the_questions_are_what_the_figures_say():
    figures = tomllib.loads((FOLDER / "figures.toml").read_text(encoding="utf-8"))
    asked = re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\w+)", re.escape(figures["question"])))
    for split, count in (("train", 10), ("validation", 1), ("test", 4)):
        names: list[str] = []
        for line in lines(split):
            said_ = asked.fullmatch(line["question"])
            assert said_
            values = {name: Fraction(said_[name]) for name in ("weight", "stops")}
            assert Fraction(line["answer"]) == value_of(parse(figures["formulas"][said_["figure"]]), values)
            names.append(said_["figure"])
        assert sorted(names) == sorted([*figures["formulas"]] * count)


def test_no_question_is_in_two_splits():
    questions = [line["question"] for split in ("train", "validation", "test") for line in lines(split)]
    assert len(questions) == len(set(questions)) == 150


def test_the_simulated_learner_writes_the_learned_playbook(tmp_path):
    learning = (FOLDER / "learn.toml").read_text(encoding="utf-8")
    with asyncio.run(Lab(tmp_path).begin(learning, beside=FOLDER).run()) as run:
        assert run.playbook("online", 0).playbook().to_text() == (FOLDER / "learned.txt").read_text(encoding="utf-8")


def test_the_shuffled_playbook_has_each_formula_at_another_name():
    learned, shuffled = bodies(read_playbook("learned.txt")), bodies(read_playbook("shuffled.txt"))
    assert [*shuffled] == [*learned]
    assert sorted(shuffled.values()) == sorted(learned.values())
    assert [name for name in learned if learned[name] == shuffled[name]] == []


def test_no_shuffled_formula_answers_a_test_question_by_chance():
    shuffled = {name: parse(body.split(";")[0]) for name, body in bodies(read_playbook("shuffled.txt")).items()}
    for line in lines("test"):
        weight, stops = map(Fraction, re.findall(r"\d+", line["question"]))
        assert value_of(shuffled[figure_of(line["question"])], {"weight": weight, "stops": stops}) != Fraction(
            line["answer"]
        )
