"""Export and import in the session's menu, run without a browser."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents.errors import DatabaseError
from agents.runs import RunManager
from agents.sharing import export_session, read_shared, to_adk
from tests.ui.stage import finish, page, query, said, sound, words
from ui.sharing import dialogs, formats

PIPELINE = "iterative_writing"


@pytest.fixture
def session(manager: RunManager) -> str:
    """A finished session with state of two scopes."""
    begun = manager.start(PIPELINE, "a lighthouse", state={"user:phone": "555-0100"})
    finish(manager, PIPELINE, begun.session_id)
    return begun.session_id


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the browser is given to export."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(dialogs, "_mount_export", lambda *, data, **more: given.update(data))
    return given


def exporting(session: str):
    at = sound(page(pipeline=PIPELINE, session=session))
    return sound(at.button(key=f"export_{session}").click().run())


def importing(session: str, content: bytes, name: str = "s.jsonl"):
    at = sound(page(pipeline=PIPELINE, session=session))
    at.button(key="import_session").click().run()
    return at.file_uploader(key="import_session_file").set_value((name, content, "application/jsonl")).run()


def test_what_goes_along_is_shown(session, given):
    exporting(session)
    assert (given["pipeline"], given["session"]) == (PIPELINE, session)
    assert [form["name"] for form in given["formats"]] == ["html", "jsonl", "adk", "code", "atif"]
    scopes = {scope.pop("name"): scope for scope in given["scopes"]}
    assert scopes["user"] == {
        "label": "State of the user, in all sessions of the pipeline: 1 key, 10 B",
        "about": "user:phone 10 B",
        "empty": False,
    }
    assert scopes["app"]["empty"]
    assert scopes["app"]["label"].endswith(": nothing")


def test_a_file_is_imported_and_opened(manager, session):
    file = export_session(manager, PIPELINE, session)
    text = file.to_text()
    at = sound(importing(session, text.encode()))
    assert f"{file.events} events of {PIPELINE}." in words(at)
    at.button(key="import_session_it").click().run()
    sound(at)
    added = query(at)["session"]
    assert added != session
    assert "Imported “a lighthouse”" in said(at)
    assert export_session(manager, PIPELINE, added).to_text() == text
    assert not at.file_uploader


def test_a_session_of_adk_becomes_one_of_a_pipeline_that_is_here(manager, session):
    text = to_adk(export_session(manager, PIPELINE, session)).replace(f'"appName":"{PIPELINE}"', '"appName":"<b>mine</b>"')
    at = sound(importing(session, text.encode(), "s.json"))
    assert "There is no pipeline '<b>mine</b>' here" in said(at)
    assert at.selectbox(key="import_session_into").value == PIPELINE
    at.selectbox(key="import_session_into").set_value("help_desk")  # and the click at once
    sound(at.button(key="import_session_it").click().run())
    assert query(at)["pipeline"] == "help_desk"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "The file is empty"),
        ("日本語".encode(), "its first line is no header"),
        (b"a" * 100_000, "its first line is no header"),
        (b"\x89PNG\xff", "not text in UTF-8"),
        (b"<!DOCTYPE html><p>", "a page to look at"),
        (b'{"format":"agent-playground/session","version":99}', "version 99"),
    ],
)
def test_what_cannot_be_read_is_said_and_changes_nothing(manager, session, content, why):
    at = sound(importing(session, content))
    assert why in said(at)
    assert not [button for button in at.button if button.key == "import_session_it"]
    assert len(manager.sessions.summaries()) == 1


def test_a_database_that_cannot_store_it_is_said_in_the_dialog(manager, session, monkeypatch):
    at = importing(session, export_session(manager, PIPELINE, session).to_text().encode())

    def fail(*_: object, **__: object) -> None:
        raise DatabaseError("The disk is full. Make room, then try again.")

    monkeypatch.setattr("agents.sharing.import_session", fail, raising=False)
    sound(at.button(key="import_session_it").click().run())
    assert "The disk is full" in said(at)
    assert len(manager.sessions.summaries()) == 1


def test_a_session_that_was_deleted_meanwhile(manager, session):
    at = sound(page(pipeline=PIPELINE, session=session))
    manager.sessions.delete(PIPELINE, session)
    at.button(key=f"export_{session}").click().run()
    assert "no session" in said(at)


def test_visitors_may_read_and_not_add(manager, session, visit):
    visit()
    at = page(pipeline=PIPELINE, session=session)
    at.button(key="import_session").click().run()
    assert at.file_uploader(key="import_session_file").disabled


def test_names_of_files(manager, session):
    file = export_session(manager, PIPELINE, session)
    assert formats.file_name(file, "html") == "iterative_writing-a_lighthouse.html"
    manager.sessions.rename(PIPELINE, session, "../../x <b> 日本語")
    named = formats.file_name(export_session(manager, PIPELINE, session), "jsonl")
    assert named == "iterative_writing-x_b_日本語.jsonl"
    assert read_shared(file.to_text().encode()).title == "a lighthouse"


def test_the_page_of_a_pipeline_that_is_gone_has_no_graph(manager, session):
    file = replace(export_session(manager, PIPELINE, session), pipeline="gone")
    assert '"tree":null' in formats.written(manager, file, "html", session=file.session)
