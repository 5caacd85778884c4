"""Where the data is, run without a browser."""

from __future__ import annotations

from agents.errors import DatabaseError
from agents.runs.session_desk import SessionDesk
from tests.ui.settings.stage import settings_page
from tests.ui.stage import said, sound, words
from ui.state import runs


def test_each_place_is_named_with_what_it_holds(tmp_path, quiet_world, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_FILES", str(tmp_path / "files"))
    (tmp_path / "files" / "session").mkdir(parents=True)
    (tmp_path / "files" / "session" / "report.md").write_bytes(b"x" * 2048)
    runs.configure(database=tmp_path / "own.db")
    try:
        runs.manager().sessions.create("iterative_writing")
        at = sound(settings_page("data"))
        assert [code.value for code in at.code] == [
            str(tmp_path / "own.db"), str(tmp_path / "files"), str(tmp_path / "models")
        ]  # fmt: skip
        assert "1 session, " in words(at)
        assert "1 file, 2.0 KB" in words(at)
        assert "Nothing there yet" in words(at)
    finally:
        runs.close()
        runs.configure()


def test_sessions_in_memory_are_counted_too(manager):
    manager.sessions.create("iterative_writing")
    assert "1 session" in words(sound(settings_page("data")))


def test_a_database_that_stops_answering_is_explained(manager, monkeypatch):
    at = sound(settings_page("data"))

    def locked(*_, **__):
        raise DatabaseError("The database is locked. Close the other program.")

    monkeypatch.setattr(SessionDesk, "page", locked)
    assert "Close the other program" in said(sound(at.run()))
