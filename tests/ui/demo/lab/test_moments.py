"""What the demos show is read from their runs, and is what they are about."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from agents.lab import Lab
from ui.demo.lab import collapse, poison, race, world
from ui.demo.lab.attack import ATTACKED, CLEAN, attack
from ui.demo.lab.curves import results_of
from ui.demo.lab.demo import NOTHING
from ui.demo.lab.demos import LAB_DEMOS
from ui.demo.stage.bullet_text import LONGEST_NAME, name_of
from ui.demo.stage.picture import amounts, line, ticks

PAGE = (Path(__file__).parents[4] / "ui" / "docs" / "lab-results.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^\$ uv run playground demo (\w+) --figures\n((?:[^$`].*\n)+)", PAGE, re.MULTILINE))


@pytest.mark.parametrize("name", LAB_DEMOS)
def test_the_figures_are_those_of_the_documents(run_of, name):
    assert LAB_DEMOS[name].figures(run_of(name)) == SHOWN[name].splitlines()


@pytest.mark.parametrize("name", LAB_DEMOS)
def test_each_step_has_a_picture_of_the_run(run_of, name):
    run = run_of(name)
    for step in LAB_DEMOS[name].steps:
        picture = step.picture(run)
        assert picture.say != NOTHING
        assert picture.charts or picture.columns or picture.strips
        assert json.dumps(asdict(picture))


@pytest.mark.parametrize("name", LAB_DEMOS)
def test_a_run_without_answers_has_no_moments_and_breaks_nothing(tmp_path, name):
    demo, lab = LAB_DEMOS[name], Lab(tmp_path)
    active = lab.begin(demo.description, parts=demo.parts())
    with lab.open(active.name) as run:
        assert demo.steps[0].picture(run).charts


def test_the_text_loses_most_of_its_lines_where_the_playbook_loses_nothing(run_of):
    run = run_of("collapse")
    fall = collapse.fall_of(run)
    assert fall is not None
    assert fall.tokens[1] < fall.tokens[0] / 2
    assert fall.others[1] >= fall.others[0]
    assert set(fall.lost) == set(fall.before) - set(fall.after)
    tokens = [one.playbook_tokens for one in results_of(run, collapse.REWRITTEN)]
    assert tokens[fall.question - 2 : fall.question] == list(fall.tokens)
    shown = LAB_DEMOS["collapse"].steps[2].picture(run)
    assert [row.kind for row in shown.columns[0].rows].count("lost") == len(fall.lost)
    assert len(shown.columns[0].rows) == len(fall.before)


def test_a_text_that_never_fell_is_said_so(run_of, monkeypatch):
    run = run_of("collapse")
    monkeypatch.setattr(collapse, "results_of", lambda *_: [])
    assert [step.picture(run).say for step in LAB_DEMOS["collapse"].steps[1:4]] == [NOTHING] * 3
    assert collapse.figures(run)[-1] == NOTHING


def test_one_update_recovers_and_adding_never_does(run_of):
    run = run_of("world")
    update = world.update_of(run)
    assert update is not None
    assert update.first.number >= world.change_at(run)
    assert update.bullet_id in update.first.cited
    assert update.playbook.get(update.bullet_id).content == update.before != update.after
    recovery = LAB_DEMOS["world"].steps[3].picture(run)
    corrected, added = ([cell.verdict for cell in strip.cells] for strip in recovery.strips)
    gap = next(place for place, cell in enumerate(recovery.strips[0].cells) if cell.apart)
    assert corrected[gap] == "wrong"
    assert set(corrected[gap + 2 :]) == {"right"}
    assert set(added[gap:]) == {"wrong"}
    stale = LAB_DEMOS["world"].steps[1].picture(run).columns[0].rows
    assert [row.text.partition(" = ")[0] for row in stale if row.kind == "stale"] == [name_of(update.before)]


def test_the_attack_is_a_false_answer_to_a_question_of_the_run(run_of):
    entered = results_of(run_of("poison"), ATTACKED)[attack().number]
    assert (entered.question, entered.truth) == (attack().question, attack().truth)
    assert entered.answer == attack().truth != attack().told


def test_what_cites_the_false_bullet_is_what_differs_and_one_undo_heals(run_of):
    run = run_of("poison")
    found = poison.poison_of(run)
    assert found is not None
    assert found.infection.text != found.before
    assert [one.number for one in found.touched] == [one.number for one in found.differ] != []
    assert not any(one.is_right for one in found.touched)
    assert not all(poison.asked_again(run))
    undo = LAB_DEMOS["poison"].steps[4].action
    assert not undo.is_done(run)
    undo.do(run)
    assert undo.is_done(run)
    revision = run.playbook(ATTACKED, 0).playbook().revision
    undo.do(run)
    assert run.playbook(ATTACKED, 0).playbook().revision == revision, "a bullet is healed once"
    assert poison.knowledge(run, ATTACKED) == poison.knowledge(run, CLEAN)
    clean = [one.is_right for one in results_of(run, CLEAN)[attack().number + 1 :]]
    assert poison.asked_again(run) == clean
    healed = LAB_DEMOS["poison"].steps[5].picture(run)
    assert [len(strip.cells) for strip in healed.strips] == [len(clean)] * 3


def test_a_run_that_was_not_attacked_says_so(run_of, monkeypatch):
    run = run_of("poison")
    monkeypatch.setattr(poison, "attack", lambda: replace(attack(), number=attack().number + 1))
    assert LAB_DEMOS["poison"].steps[1].picture(run).say == NOTHING
    assert LAB_DEMOS["poison"].steps[4].action.is_done(run)


def test_sixteen_workers_end_with_the_bullets_of_one_and_overwriting_loses_most(run_of):
    run = run_of("race")
    one, merged, last = run.summaries()
    assert race.knowledge(run, race.MERGED) == race.knowledge(run, race.ONE)
    assert merged.right == one.right > last.right
    there, of = race.shared(run, race.LAST_WINS)
    assert there < of / 2
    assert (one.lost, merged.lost) == (0, 0) < (last.lost, 1)
    assert race.rounds(run, one) == 16 * race.rounds(run, merged)
    assert max(each.calls for each in (one, merged, last)) <= run.description.limits.calls
    assert not any(each.why for each in (one, merged, last)), "the budget ends no arm"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("gross profit = revenue - cost; e.g. 3", "gross profit"),
        ("gross margin: formula not known yet", "gross margin"),
        ("Asked: Who is it? Answer: Me", "Asked: Who is it? Answer: Me"),
        ("速度 = 距離 / 時間", "速度"),
        ("", ""),
        ("a" * 100_000, "a" * (LONGEST_NAME - 1) + "…"),
    ],
)
def test_the_name_of_a_bullet(content, name):
    assert name_of(content) == name


@pytest.mark.parametrize("most", [0, 1, 4, 7, 80, 160, 700, 2334.0, 1e6])
def test_ticks_are_few_and_round(most):
    found = ticks(most)
    assert found[0] == (0, "0")
    assert found[-1][0] <= most
    assert len(found) <= 7


@pytest.mark.parametrize("points", [[], [(1, 0)], [(1, 0), (2, 7)]])
def test_a_chart_of_amounts_has_a_height_before_there_is_anything(points):
    chart = amounts("Tokens", [line(0, "one", "0 of 1", points)], across=2, axis="questions")
    assert chart.up > max((up for _, up in points), default=0)
