"""What the Playbook page shows, run without a browser."""

from __future__ import annotations

import pytest

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from agents.errors import DatabaseError
from tests.ui.playbook.stage import add, commit, filled, html, playbook_page, rows
from tests.ui.stage import labels, links, now, page, query, said, sound, words
from ui.playbook.bullets.bullet_list import PAGE


def test_without_a_playbook_the_page_says_what_one_is_and_how_to_get_one(manager):
    at = sound(playbook_page())
    assert "context that learns" in words(at)
    assert links(at)["▶ Run the ACE pipeline"] == "pipeline=ace"
    assert {"Import a playbook", "New, empty"} <= set(labels(at))


def test_the_newest_revision_of_what_changed_last_is_shown_by_section(manager):
    manager.playbooks("other").create("empty")
    filled(manager)
    at = sound(playbook_page())
    assert at.selectbox(key="playbook_choice").value == "finance"
    assert rows(at) == ["units-00001", "units-00003", "units-00004", "hr-00002"]
    assert at.slider(key="revision_slider").value == 3
    assert "3 bullets" in words(at)
    assert not query(at)


def test_what_the_revision_did_is_lit_and_told(manager):
    filled(manager)
    shown = html(sound(playbook_page()))
    assert "By the curator" in shown
    assert "1 bullet added, 1 bullet removed; 1 operation rejected" in shown
    assert "It was of no use." in shown
    assert "There is no bullet &#x27;gone-00009&#x27;" in shown
    assert "+ new" in shown
    assert "− removed" in shown
    earlier = html(sound(playbook_page(revision="2")))
    assert earlier.count("<ins>") == 2 * 2, "in the list and in the card"
    assert earlier.count("<del>") == 0
    assert "▲ 1 helpful <b>+1</b>" in earlier
    assert "cited <code>hr-00002</code>" in earlier


def test_slider_and_buttons_go_through_the_revisions_and_the_address_follows(manager):
    filled(manager)
    at = sound(playbook_page())
    at.slider(key="revision_slider").set_value(1).run()
    assert query(sound(at)) == {"revision": "1"}
    assert rows(at) == ["units-00001", "units-00003", "hr-00002"]
    at.button(key="previous").click().run()
    assert query(sound(at)) == {"revision": "0"}
    assert "There is no bullet in this revision" in said(at)
    assert at.button(key="previous").disabled
    at.button(key="next").click().run().button(key="next").click().run()
    assert query(sound(at)) == {"revision": "2"}
    at.button(key="next").click().run()
    assert query(sound(at)) == {}
    assert at.button(key="next").disabled
    at.slider(key=now(at, "revision_slider")).set_value(2).run().button(key="newest").click().run()
    assert query(sound(at)) == {}


def test_an_older_revision_cannot_be_edited_and_says_why(manager):
    filled(manager)
    at = sound(playbook_page(revision="1", bullet="units-00001"))
    assert at.button(key="add").disabled
    assert "This is revision 1" in said(at)
    assert "Save the text" not in labels(at)


@pytest.mark.parametrize("revision", ["4", "-1", "x", "9" * 30, "²"])
def test_a_revision_that_is_not_there_leads_to_the_newest(manager, revision):
    filled(manager)
    at = sound(playbook_page(revision=revision))
    assert "There is no revision" in said(at)
    at.button(key="leave_newest").click().run()
    assert query(sound(at)) == {}
    assert rows(at)


@pytest.mark.parametrize("name", ["gone", "**bold**", "\n", "x" * 500])
def test_a_playbook_that_is_not_there_leads_to_those_that_are(manager, name):
    filled(manager)
    at = sound(playbook_page(playbook=name))
    assert "There is no playbook named" in said(at)
    at.button(key="leave_finance").click().run()
    assert query(sound(at)) == {"playbook": "finance"}
    assert rows(at)


def test_choosing_another_playbook_shows_its_newest_revision(manager):
    store = filled(manager)
    commit(store.create("second"), add("Only here."))
    at = sound(playbook_page(playbook="finance", revision="1"))
    at.selectbox(key="playbook_choice").set_value("second").run()
    assert query(sound(at)) == {"playbook": "second"}
    assert rows(at) == ["units-00001"]


def test_thousands_of_bullets_come_a_page_at_a_time_and_the_search_finds_each(manager):
    store = manager.playbooks("big")
    store.import_playbook(
        Playbook([StoredBullet(f"s-{n:05d}", f"section {n % 7}", f"rule number {n}") for n in range(1, 3001)])
    )
    commit(store, add("A *new* rule.", "section 3"))
    at = sound(playbook_page())
    assert rows(at)[0] == "s3-03001", "what the revision changed stands first"
    assert len(rows(at)) == PAGE + 1
    assert "1 to 20 of 3,001 bullets" in words(at)
    [pager] = at.pagination
    pager.set_value(151).run()
    assert len(rows(sound(at))) == 1
    assert "3,001 to 3,001 of 3,001 bullets" in words(at)
    at.text_input(key="find_bullets").set_value("NUMBER 2999").run()
    assert rows(sound(at)) == ["s-02999"]
    at.text_input(key="find_bullets").set_value("no such *thing*").run()
    assert "No bullet has “no such *thing*”" in said(sound(at))
    at.button(key="find_nothing").click().run()
    assert len(rows(sound(at))) == PAGE + 1


def test_bullets_can_be_ordered_by_use(manager):
    filled(manager)
    at = sound(playbook_page())
    at.selectbox(key="sort_bullets").set_value("helpful").run()
    assert rows(sound(at))[0] == "hr-00002"


def test_archived_bullets_stand_apart(manager):
    store = filled(manager)
    commit(store, {"type": "ARCHIVE", "bullet_id": "units-00001"})
    at = sound(playbook_page())
    assert "units-00001" not in rows(at)
    at.segmented_control(key="bullets_kept").set_value("archived").run()
    assert rows(sound(at)) == ["units-00001"]
    at.button(key="restore_units-00001").click().run()
    assert "units-00001" in rows(sound(at))
    assert not store.playbook().get("units-00001").archived


def test_hostile_names_and_texts_stay_text(manager):
    name = "**x** :material/add: <b>"
    store = manager.playbooks(name)
    commit(
        store, add("<img src=x onerror=alert(1)> **bold**", "<script>alert(1)</script>"), by="<i>", reasoning="<b>why</b>"
    )
    at = sound(playbook_page(bullet=store.playbook().bullets[0].id))
    shown = html(at)
    assert "<img" not in shown
    assert "<script" not in shown
    assert "<b>why" not in shown
    assert "&lt;img src=x onerror=alert(1)&gt; **bold**" in shown
    for view in ("growth", "approve", "duplicates", "beside"):
        sound(playbook_page(playbook=name, tab=view))


def test_an_unknown_part_of_the_page_is_the_first(manager):
    filled(manager)
    assert rows(sound(playbook_page(tab="state")))


def test_the_parts_of_the_page_are_in_the_address(manager):
    filled(manager)
    at = sound(playbook_page())
    at.segmented_control(key="playbook_view").set_value("growth").run()
    assert query(sound(at)) == {"tab": "growth"}
    assert not rows(at)


def test_links_between_pages_keep_the_place(manager):
    filled(manager)
    at = sound(playbook_page(playbook="finance", revision="2", bullet="units-00001", model="gemini-pro-latest"))
    at = sound(at.switch_page("gallery.py").run())
    assert links(at)["Playbook"] == "playbook=finance&revision=2&model=gemini-pro-latest"
    at = sound(page(model="gemini-pro-latest"))
    assert links(at)["Playbook"] == "model=gemini-pro-latest"


def test_a_database_that_cannot_be_read_is_explained(manager, monkeypatch):
    filled(manager)

    def refuse(*_):
        raise DatabaseError("The database is locked. Close the other program.")

    monkeypatch.setattr(manager, "playbooks", refuse)
    assert "Close the other program" in said(sound(playbook_page()))
