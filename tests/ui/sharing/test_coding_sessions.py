"""An imported session of a coding agent is a session as any other: exported, searched, replayed, kept as a case."""

from __future__ import annotations

from io import BytesIO

import pytest

from agents.cases import case_from_session
from agents.sharing import export_session, import_session, read_session_file
from agents.transcripts import import_transcript
from tests.agents.runs.stage import collect, finished, texts
from tests.agents.transcripts.samples import claude_session
from tests.ui.sessions.test_page import sessions_page
from tests.ui.stage import said, sound
from ui.sharing.formats import FORMATS, written

PIPELINE = "coding_session"


@pytest.fixture
def session(manager):
    return import_transcript(manager, BytesIO(claude_session().text().encode()), name="a.jsonl").session_id


@pytest.mark.parametrize("form", FORMATS)
def test_it_is_exported_in_each_format(manager, session, form):
    file = export_session(manager, PIPELINE, session)
    assert "Why does the till fail?" in written(manager, file, form, session=session)


def test_it_is_exported_and_imported_again_without_loss(manager, session):
    text = export_session(manager, PIPELINE, session).to_text()
    added = import_session(manager, read_session_file(text.encode()))
    assert export_session(manager, PIPELINE, added.session_id).to_text() == text


def test_it_is_found_by_a_word_of_a_tools_result(manager, session):
    assert manager.collection.search("ModuleNotFoundError").sessions == ((PIPELINE, session),)


def test_it_is_kept_as_a_case(manager, session):
    case = case_from_session(manager.sessions.log(PIPELINE, session), manager.catalog.get(PIPELINE))
    assert case.messages == ("Why does the till fail?",)
    assert "Bash(command='python -m pytest') is called by CodingAgent" in [one.describe() for one in case.expect]


@pytest.mark.anyio
async def test_it_is_replayed(manager, session):
    run = manager.start(PIPELINE, "Why does the till fail?", model=f"replay/{PIPELINE}/{session}")
    seen = await collect(manager.subscribe(PIPELINE, run.session_id), finished)
    assert [said for said in texts(seen) if said][-1] == "It passes with python -m pytest."


KEY = "sk-ant-" + "a1" * 20


def import_dialog():
    at = sound(sessions_page())
    at.button(key="import_session").click().run()
    content = claude_session().text().replace("3 passed", KEY).encode()
    at.file_uploader(key="import_session_file").set_value(("session.jsonl", content, "application/jsonl")).run()
    return at


@pytest.mark.parametrize("masks", [True, False])
def test_a_session_is_masked_as_is_ticked_when_it_is_imported(manager, masks):
    at = import_dialog()
    at.checkbox(key="import_session_mask").set_value(not masks).run()
    at.checkbox(key="import_session_mask").set_value(masks)
    sound(at.button(key="import_session_it").click().run())  # with the tick in one request
    (row,) = manager.sessions.each()
    assert (KEY not in export_session(manager, PIPELINE, row.id).to_text()) is masks


def test_the_dialog_imports_it_and_says_what_was_masked(manager):
    at = import_dialog()
    at.button(key="import_session_it").click().run()
    (row,) = manager.sessions.each()
    assert (row.app_name, row.title, row.events) == (PIPELINE, "Fix the till", 6)
    assert "Masked: 1 × Anthropic key." in said(sound(at))
