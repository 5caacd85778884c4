"""The process's one run manager: made once, made anew after a failure, closed at the end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.errors import DatabaseError
from ui.state import runs
from ui.web import warmup


@pytest.fixture(autouse=True)
def nothing_held(tmp_path):
    runs.configure(database=tmp_path / "playground.db")
    yield
    runs.close()
    runs.configure()


def test_every_thread_gets_the_same_manager():
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: runs.manager(), range(16)))
    assert len({id(manager) for manager in made}) == 1
    assert runs.is_ready()


def test_closing_lets_the_next_call_start_anew():
    first = runs.manager()
    runs.close()
    assert not runs.is_ready()
    assert runs.manager() is not first
    runs.close()
    runs.close()


def test_a_failure_is_not_kept(tmp_path):
    file = tmp_path / "playground.db"
    file.write_text("no database at all " * 100)
    with pytest.raises(DatabaseError):
        runs.manager()
    assert not runs.is_ready()
    file.unlink()
    assert runs.manager().sessions.summaries() == []


def test_the_default_database_is_the_persons_own(monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYGROUND_DB", str(tmp_path / "mine.db"))
    runs.configure()
    assert runs.database() == tmp_path / "mine.db"


def test_warming_up_makes_the_manager():
    warmup.warm()
    assert runs.is_ready()


def test_warming_up_says_what_is_wrong_with_the_database(tmp_path, capsys):
    (tmp_path / "playground.db").write_text("no database at all " * 100)
    warmup.warm()
    assert "not a SQLite database" in capsys.readouterr().err
    assert not runs.is_ready()
