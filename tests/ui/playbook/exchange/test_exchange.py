"""Import and export, run without a browser."""

from __future__ import annotations

import json

import pytest

from agents.ace import Playbook, write_skill, zip_skill
from agents.errors import PlaybookFormatError
from tests.ui.playbook.stage import filled, html, notice, playbook_page
from tests.ui.stage import query, said, sound, words

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


def test_the_archive_of_a_skill_is_imported_with_its_ids(manager):
    store = filled(manager)
    files = write_skill(Playbook.from_text(TEXT), name="mine")
    at = importing()
    at.file_uploader(key="import_file").set_value(("mine.zip", zip_skill(files, "mine"), "application/zip")).run()
    at.radio(key="import_into").set_value("A new playbook").run()
    at.text_input(key="import_name").set_value("mine").run()
    sound(at.button(key="import_it").click().run())
    assert store.beside("mine").playbook() == Playbook.from_text(TEXT)


def test_a_skill_has_the_chosen_bullets(manager):
    filled(manager)
    at = sound(playbook_page())
    button = next(each for each in at.get("download_button") if "Skill" in each.proto.label)
    count = button.proto.label
    at.checkbox(key="export_skill_passed").check().run()
    button = next(each for each in sound(at).get("download_button") if "Skill" in each.proto.label)
    assert button.proto.label != count


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


@pytest.mark.parametrize(
    "name", ["agents.ace.formats.file.MAX_PLAYBOOK_BYTES", "agents.ace.formats.reader.MAX_PLAYBOOK_BULLETS"]
)
def test_more_than_a_playbook_may_have_is_refused_and_the_next_file_is_not(manager, monkeypatch, name):
    store = filled(manager)
    at = importing()
    with monkeypatch.context() as patch:
        patch.setattr(name, 4)
        at.text_area(key="import_typed").set_value(TEXT).run()
        assert "is the most, since a model reads" in said(sound(at))
        assert "import_it" not in [button.key for button in at.button]
    at.text_area(key="import_typed").set_value(TEXT + "[sai-00009] helpful=0 harmful=0 :: More.\n").run()
    sound(at.button(key="import_it").click().run())
    assert len(store.playbook()) == 6


def test_a_file_is_read_once_however_often_the_dialog_is_drawn(manager, monkeypatch):
    filled(manager)
    at = importing()
    at.text_area(key="import_typed").set_value(TEXT).run()
    monkeypatch.setattr("ui.playbook.exchange.exchange.Playbook.from_file", _refuse)
    at.radio(key="import_into").set_value("A new playbook").run()
    at.text_input(key="import_name").set_value("mine").run()
    sound(at.button(key="import_it").click().run())
    assert manager.playbooks("mine").playbook() == Playbook.from_text(TEXT)


def _refuse(_bullets):
    raise PlaybookFormatError("There is something wrong.")
