"""The figures that a terminal shows, and what they must show: that it is the playbook which answers."""

from __future__ import annotations

import re

import pytest

from ui.cli import main as cli


@pytest.fixture
def figures(capsys):
    def figures(*arguments: str) -> list[str]:
        assert cli.main(["demo", "ace", "--figures", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    return figures


def shares(row: str) -> list[float]:
    return [float(found) for found in re.findall(r"([\d.]+) %", row)]


def test_learning_gets_nearly_all_right_and_nothing_else_does(figures):
    head, *rows = figures()
    assert head.startswith("240 questions, seed 1, simulated model")
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
