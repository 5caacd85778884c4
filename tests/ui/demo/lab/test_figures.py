"""The command that prints the figures of a lab demo; the figures themselves are those of `test_moments`."""

from __future__ import annotations

from agents.lab import CLOSED_WORLD
from ui.cli import main as cli


def test_the_command_needs_no_browser_and_no_database(tmp_path, capsys):
    assert cli.main(["demo", "world", "--figures", "--db", str(tmp_path / "x.db")]) == 0
    printed = capsys.readouterr()
    *lines, last = printed.out.splitlines()
    assert lines[0].startswith("the rule changes after question 40: ")
    assert last == CLOSED_WORLD
    assert printed.err == ""
    assert list(tmp_path.iterdir()) == []


def test_they_have_no_choices(capsys):
    assert cli.main(["demo", "race", "--figures", "--seed", "3"]) == 2
    assert "--seed and --queries belong to `playground demo ace --figures`" in capsys.readouterr().err
