"""Import and export, run without a browser."""

from __future__ import annotations

import json
import threading

import pytest

from agents.ace import Playbook
from agents.errors import PlaybookFormatError
from agents.workspace import Workspace
from tests.ui.playbook.stage import filled, html, notice, playbook_page
from tests.ui.stage import query, said, sound, words
from ui.state import runs

TEXT = """## STRATEGIES AND INSIGHTS
[sai-00001] helpful=4 harmful=0 :: Compare the units first.
[sai-00007] helpful=0 harmful=1 :: <b>Guess.</b>
"""


def importing(**query):
    at = sound(playbook_page(**query))
    return at.button(key="import").click().run()


def formats() -> dict[str, str]:
    playbook = Playbook.from_text(TEXT)
    return {"text": TEXT, "json": playbook.to_json(), "dictionary": json.dumps(playbook.to_dict())}


@pytest.mark.parametrize("kind", ["text", "json", "dictionary"])
def test_each_format_is_imported_into_this_playbook_and_can_be_undone(manager, kind):
    store = filled(manager)
    at = importing()
    at.text_area(key="import_typed").set_value(formats()[kind]).run()
    shown = html(sound(at))
    assert "2 bullets, 1 section" in shown
    assert "&lt;b&gt;Guess.&lt;/b&gt;" in shown
    assert "1 id given out here before" in shown
    assert "<code>sai-00001</code> → <code>sai-00008</code>" in shown
    sound(at.button(key="import_it").click().run())
    assert notice(at) == ":green[✓] Imported 2 bullets into finance."
    assert store.playbook().get("sai-00008").content == "Compare the units first."
    assert store.playbook().get("sai-00007").harmful == 1
    sound(at.button(key="undo_last").click().run())
    assert store.playbook() == store.at(3)


def test_a_file_is_imported_into_a_new_playbook(manager):
    store = filled(manager)
    at = importing()
    at.file_uploader(key="import_file").set_value(("mine.txt", TEXT.encode(), "text/plain")).run()
    at.radio(key="import_into").set_value("A new playbook").run()
    assert "given out here before" not in html(sound(at))
    at.text_input(key="import_name").set_value("mine").run()
    sound(at.button(key="import_it").click().run())
    assert query(at) == {"playbook": "mine"}
    assert store.beside("mine").playbook() == Playbook.from_text(TEXT)


def test_a_target_that_is_chosen_with_the_click_is_the_target(manager):
    store = filled(manager)
    before = store.playbook()
    at = importing()
    at.text_area(key="import_typed").set_value(TEXT).run()
    at.radio(key="import_into").set_value("A new playbook")
    at.button(key="import_it").click().run()
    assert store.playbook() == before
    assert "name" in said(at)


def test_the_first_playbook_may_be_an_import(manager):
    at = importing()
    at.text_area(key="import_typed").set_value(TEXT).run()
    assert not at.radio
    at.text_input(key="import_name").set_value("first").run()
    sound(at.button(key="import_it").click().run())
    assert [info.name for info in manager.playbooks("any").names()] == ["first"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nothing of the kind", "there is no playbook in it"),
        ('{"format": ', "Line 1"),
        ("## A\n[x-1] helpful=1 harmful=0 :: one\n[x-1] helpful=1 harmful=0 :: two", "Line 3"),
    ],
)
def test_what_cannot_be_read_is_explained_with_its_place(manager, text, why):
    filled(manager)
    at = importing()
    at.text_area(key="import_typed").set_value(text).run()
    assert why in said(sound(at))
    assert "import_it" not in [button.key for button in at.button]


def test_a_file_that_is_no_text_is_explained(manager):
    filled(manager)
    at = importing()
    at.file_uploader(key="import_file").set_value(("x.txt", b"## A\n\xff\xfe", "text/plain")).run()
    assert "Line 2: this is not text in UTF-8" in said(sound(at))


def test_a_name_that_is_taken_is_explained_and_nothing_is_imported(manager):
    store = filled(manager)
    at = importing()
    at.text_area(key="import_typed").set_value(TEXT).run()
    at.radio(key="import_into").set_value("A new playbook").run()
    at.text_input(key="import_name").set_value("finance").run()
    sound(at.button(key="import_it").click().run())
    assert "already" in said(at)
    assert store.playbook().revision == 3


def test_a_frozen_playbook_takes_nothing_in(manager):
    filled(manager).freeze()
    at = importing()
    at.text_area(key="import_typed").set_value(TEXT).run()
    assert at.button(key="import_it").disabled
    assert "Unfreeze it" in said(sound(at))


def test_the_revision_that_is_shown_is_exported_in_three_formats(manager):
    store = filled(manager)
    at = sound(playbook_page(revision="1"))
    assert {"Text", "JSON, all of it", "ADK dictionary"} <= {button.label for button in at.download_button}
    assert "Revision 1, 3 bullets" in words(at)
    first = store.at(1)
    for text in (first.to_text(), first.to_json(), json.dumps(first.to_dict())):
        assert Playbook.read(text) == first


LARGE = "## UNITS\n" + "".join(f"[units-{n:05d}] helpful=1 harmful=0 :: Rule {n}: {'x' * 100}.\n" for n in range(1, 6001))


@pytest.fixture
def stored_manager(quiet_world, tmp_path):
    """A manager with a file: large files are read by a process of their own."""
    runs.adopt(Workspace(tmp_path / "p.db"))
    yield runs.manager()
    runs.close()


def large_import(manager):
    """The dialog once a large file was read."""
    at = importing()
    at.file_uploader(key="import_file").set_value(("large.txt", LARGE.encode(), "text/plain")).run()
    job = manager.large.current
    assert job is not None
    assert not at.file_uploader  # the upload is not kept in the page
    read_through(job)
    return sound(at.run()), job


def read_through(job):
    """Waits until the file was read."""
    waited = threading.Event()
    while job.status.phase in {"reading", "checking"}:
        waited.wait(0.01)
    assert job.status.phase == "ready", job.status


def test_a_large_file_is_read_by_a_process_imported_and_undone(stored_manager):
    store = filled(stored_manager)
    at, job = large_import(stored_manager)
    assert "6,000 bullets, 1 section" in html(at)
    assert "… and 5,995 more" in html(at)
    sound(at.button(key="import_it").click().run())
    assert job.wait(60).phase == "done"
    sound(at.run())
    assert notice(at) == ":green[✓] Revision 4 of finance has what was imported. Imported 6,000 bullets."
    assert len(store.playbook()) == 6000 + len(store.at(3))
    sound(at.button(key="undo_last").click().run())
    assert stored_manager.large.current.wait(60).phase == "done"
    sound(at.run())
    assert notice(at).startswith(":green[✓] Revision 5 of finance takes back what revision 4 did")
    assert store.playbook() == store.at(3)


def test_a_large_import_that_is_cancelled_stores_nothing(stored_manager):
    store = filled(stored_manager)
    at, job = large_import(stored_manager)
    job.cancel()
    sound(at.run())
    assert notice(at) == ":green[✓] Import of large.txt: cancelled. Nothing was stored."
    assert store.playbook().revision == 3


def test_a_second_large_import_is_refused_with_a_sentence(stored_manager):
    filled(stored_manager)
    _, job = large_import(stored_manager)
    other = importing()
    other.text_area(key="import_typed").set_value(LARGE).run()
    assert "Another large change is under way (Import of large.txt" in said(sound(other))
    assert not job.status.is_over


def test_a_name_that_is_taken_is_explained_before_a_large_import_begins(stored_manager):
    filled(stored_manager)
    at, job = large_import(stored_manager)
    at.radio(key="import_into").set_value("A new playbook").run()
    at.text_input(key="import_name").set_value("finance").run()
    sound(at.button(key="import_it").click().run())
    assert "already" in said(at)
    assert job.status.phase == "ready"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04 and more", "a ZIP archive"),
        (b"\n \n", "it is empty"),
        (b'{"format": "agent-playground/playbook", "version": 2, "bullets": []}', "newer version"),
    ],
)
def test_a_file_that_is_no_playbook_says_what_it_is(manager, content, why):
    filled(manager)
    at = importing()
    at.file_uploader(key="import_file").set_value(("x.txt", content, "text/plain")).run()
    assert why in said(sound(at))


def test_an_import_into_a_new_playbook_that_fails_leaves_no_empty_one(manager):
    filled(manager).freeze()
    at = importing()
    at.text_area(key="import_typed").set_value(TEXT).run()
    at.radio(key="import_into").set_value("A new playbook").run()
    at.text_input(key="import_name").set_value("new").run()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.ace.resolution.check_limits", _refuse)
        at.button(key="import_it").click().run()
    assert [info.name for info in manager.playbooks("any").names()] == ["finance"]


def _refuse(_bullets):
    raise PlaybookFormatError("There is something wrong.")
