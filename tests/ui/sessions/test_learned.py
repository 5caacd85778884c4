"""What sessions of coding agents teach, on the Sessions page: one path from a folder to a playbook."""

from __future__ import annotations

import pytest

from agents.access import visitor
from tests.agents.transcripts.samples import claude_session, write
from tests.ui.sessions.test_page import sessions_page
from tests.ui.stage import said, sound, words
from ui.access import identity


def labels(at):
    return [each.label for each in at.expander]


def test_the_example_leads_to_a_playbook_with_the_bullets_that_passed(manager):
    at = sound(sessions_page(tab="learned"))
    assert not at.expander
    sound(at.button(key="learn_example").click().run())
    assert "5 sessions imported, 0 already here" in said(at)
    assert [label.count("3 sessions") for label in labels(at)] == [1, 0, 0, 0, 0]
    assert "learn_keep" not in [button.key for button in at.button]
    sound(at.button(key="learn_try").click().run())
    assert sum(":green[✓]" in label for label in labels(at)) == 2
    assert "A sentence for this takes a model" in words(at)
    at.text_input(key="learn_name").set_value("shop").run()
    sound(at.button(key="learn_keep").click().run())
    bullets = manager.playbooks("shop").playbook().bullets
    assert [(one.id, one.helpful) for one in bullets] == [("cmd-00001", 1), ("cmd-00003", 1)]


def test_a_folder_is_imported_once(manager, tmp_path):
    write(tmp_path / "a.jsonl", claude_session().text())
    at = sound(sessions_page(tab="learned"))
    at.text_input(key="learn_folder").set_value(str(tmp_path)).run()
    sound(at.button(key="learn_import").click().run())
    assert "1 session imported" in said(at)
    sound(at.button(key="learn_import").click().run())
    assert "0 sessions imported, 1 already here" in said(at)
    assert len(labels(at)) == 1


@pytest.mark.parametrize("folder", ["/nowhere/at/all", ""])
def test_a_folder_that_is_none_is_said(manager, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    at = sessions_page(tab="learned")
    at.text_input(key="learn_folder").set_value(folder).run()
    sound(at.button(key="learn_import").click().run())
    assert "There is no" in said(at)


def test_a_visitor_imports_nothing_from_the_machine(manager, monkeypatch):
    monkeypatch.setattr(identity, "current", lambda: visitor("v"))
    at = sound(sessions_page(tab="learned"))
    assert at.button(key="learn_import").disabled
    assert at.button(key="learn_example").disabled
