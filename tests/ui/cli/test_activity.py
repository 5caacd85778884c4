"""`playground usage` and `playground audit`, and the option --limits."""

from __future__ import annotations

import json

import pytest

from agents.access import OWNER, visitor
from agents.workspace import Workspace
from ui.cli.main import main


@pytest.fixture
def database(tmp_path):
    with Workspace(tmp_path / "play.db") as made:
        runs = made.as_user(OWNER).runs
        runs.sessions.delete("ace", runs.sessions.create("ace"))
        made.as_user(visitor("ann")).runs.sessions.create("ace")
    return str(tmp_path / "play.db")


def test_usage_lists_users(database, capsys):
    assert main(["usage", "--db", database]) == 0
    told = capsys.readouterr().out
    assert "visitor-ann\n" in told
    assert "    sessions     1 of 10,000\n" in told
    assert main(["usage", "--db", database, "--json"]) == 0
    rows = {row["user"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert rows["visitor-ann"]["sessions"] == {"used": 1, "limit": 10_000}
    assert rows["person"]["sessions"] == {"used": 0, "limit": None}


def test_audit_lists_what_was_done(database, capsys):
    assert main(["audit", "--db", database, "--json"]) == 0
    [row] = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["who"], row["what"], row["ok"]) == ("person", "deleted", True)
    assert main(["audit", "--db", database, "--user", "visitor-ann"]) == 0
    assert capsys.readouterr().out == "Nothing was changed or refused yet.\n"


def test_a_database_that_is_not_there_is_not_made(tmp_path, capsys):
    for command in ("usage", "audit"):
        assert main([command, "--db", str(tmp_path / "none.db")]) == 0
    assert not list(tmp_path.iterdir())
    assert capsys.readouterr().out.count("yet.") == 2


def test_a_wrong_file_of_limits_stops_the_start(tmp_path, capsys):
    (tmp_path / "limits.toml").write_text("[user]\nrun = 4")
    assert main(["--no-browser", "--db", str(tmp_path / "x.db"), "--limits", str(tmp_path / "limits.toml")]) == 2
    assert "user.run is not known" in capsys.readouterr().err
