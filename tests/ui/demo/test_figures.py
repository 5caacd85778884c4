"""The figures that a terminal shows, and what they must show: that it is the playbook which answers."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout

import pytest

from ui.cli import main as cli
from ui.demo import figures as printing
from ui.demo.measure import Figures, measure

COUNT, SEED = 240, 1
"""The questions that are asked where the command says nothing of them."""


@pytest.fixture(scope="module")
def measured() -> tuple[Figures, list[str]]:
    """The figures of the command as it is, and what it prints."""
    kept: list[Figures] = []

    async def keep(*arguments, **options):
        kept.append(await measure(*arguments, **options))
        return kept[0]

    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as printed:
        patch.setattr(printing, "measure", keep)
        assert cli.main(["demo", "ace", "--figures"]) == 0
    return kept[0], printed.getvalue().splitlines()


@pytest.fixture
def found(measured) -> Figures:
    return measured[0]


@pytest.fixture
def figures(capsys):
    def figures(*arguments: str) -> list[str]:
        assert cli.main(["demo", "ace", "--figures", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    return figures


def shares(row: str) -> list[float]:
    return [float(found) for found in re.findall(r"([\d.]+) %", row)]


def test_learning_gets_nearly_all_right_and_nothing_else_does(measured):
    figures, printed = measured
    assert printed == figures.lines()
    head, *rows = printed
    assert head.startswith(f"{COUNT} questions, seed {SEED}, simulated model")
    assert len(rows) == 7
    found = {name: shares(row) for row in rows for name in [re.split(r"\s{2,}", row.strip())[0]]}
    start, end = found["learning"]
    assert end >= 95
    assert start <= 20
    frozen_start, frozen_end = found["playbook frozen empty"]
    assert abs(frozen_end - frozen_start) <= 5
    assert found["end, learned playbook frozen"][0] >= 95
    assert found["end, needed bullets removed"][0] <= 5
    assert found["end, needed formulas made wrong"][0] <= 5


def test_they_are_the_same_each_time_and_others_with_another_seed(figures):
    one = figures("--queries", "12", "--seed", "3")
    assert one == figures("--queries", "12", "--seed", "3")
    assert one[0].startswith("12 questions, seed 3")
    assert one[0] != figures("--queries", "12", "--seed", "4")[0]


# -- what a playbook is worth


def test_accuracy_rises_from_its_start_as_the_playbook_grows(found):
    assert found.learned.start.percent <= 20
    assert found.learned.end.percent >= 95
    assert found.learned.end.of > 20


def test_accuracy_stays_at_its_start_with_the_playbook_frozen_empty(found):
    assert abs(found.frozen.end.percent - found.frozen.start.percent) <= 10
    assert found.frozen.end.percent <= 20


def test_accuracy_falls_when_the_needed_bullets_are_removed_or_made_wrong(found):
    assert found.kept.all.percent >= 95
    assert found.removed.all.percent <= 20
    assert found.wrong.all.percent <= 20


def test_nothing_is_learned_where_nothing_checks_the_answers(found):
    assert found.unchecked.end.percent <= found.frozen.end.percent + 10


def test_advice_meets_more_of_the_rubric_with_its_bullets_and_no_more_without(found):
    assert found.advice == ((8, 24), (24, 24), (8, 24))
