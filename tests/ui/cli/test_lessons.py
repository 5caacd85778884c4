"""`playground lesson` and `playground grade`: what they print, and the exit codes."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from ui.cli import main as cli

AGENT = 'from agents import LlmAgent\nroot_agent = LlmAgent(name="Greeter", instruction="Greet.")\n'


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    folder = tmp_path / "agents" / "greeter"
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(AGENT, encoding="utf-8")
    return folder.parent


def test_a_new_lesson_passes_its_test_and_is_not_overwritten(agents, capsys):
    assert cli.main(["lesson", "new", "greeter", "--agents", str(agents)]) == 0
    assert cli.main(["lesson", "test", "greeter", "--agents", str(agents)]) == 0
    assert "✓ events, reference" in capsys.readouterr().out
    assert cli.main(["lesson", "new", "greeter", "--agents", str(agents)]) == 2
    assert "already" in capsys.readouterr().err


def test_a_lesson_whose_answers_are_not_the_logs_fails_its_test(agents, capsys):
    cli.main(["lesson", "new", "greeter", "--agents", str(agents)])
    file = agents / "greeter" / "lesson.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("value = 1,", "value = 99,"), encoding="utf-8")
    assert cli.main(["lesson", "test", "greeter", "--agents", str(agents)]) == 1
    assert "✗ events, reference: the log's answer is 1, which 0 of the choices mean" in capsys.readouterr().out
    file.write_text("title = 1", encoding="utf-8")
    assert cli.main(["lesson", "test", "greeter", "--agents", str(agents)]) == 2
    assert "lesson.toml, line 1: title" in capsys.readouterr().err


def test_a_pipeline_without_a_lesson_says_how_to_begin_one(agents, capsys):
    assert cli.main(["lesson", "test", "greeter", "--agents", str(agents)]) == 2
    assert "playground lesson new greeter" in capsys.readouterr().err


def test_grades_are_lines_or_a_table_without_formulas(tmp_path, capsys):
    for learner, text in (("=1+1", 'lesson = "iterative_writing"\n[steps.passes]\nvalue = 4\n'), ("bob", "x")):
        (tmp_path / learner).mkdir()
        (tmp_path / learner / "answers.toml").write_text(text, encoding="utf-8")
    assert cli.main(["grade", str(tmp_path)]) == 1
    assert "=1+1: 1 of 13 points in iterative_writing (passes 1," in capsys.readouterr().out
    assert cli.main(["grade", str(tmp_path), "--csv"]) == 1
    [_, first, second] = csv.reader(io.StringIO(capsys.readouterr().out))
    assert (first[0], first[2:4], second[0]) == ("'=1+1", ["1", "13"], "bob")
    assert "line 1: it is no TOML" in second[5]
