"""Possible duplicates, run without a browser."""

from __future__ import annotations

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from tests.ui.playbook.stage import add, commit, html, notice, playbook_page
from tests.ui.stage import said, sound, words


def test_a_pair_is_shown_with_what_speaks_against_it_and_merged_by_hand(manager):
    store = manager.playbooks("finance")
    text = "Write sums of money with {} decimals after the point, and the sign of the currency before them."
    commit(store, add(text.format(2)), add(text.format(3)), add("Compare units."))
    at = sound(playbook_page(tab="duplicates"))
    at.segmented_control(key="duplicates_alike").set_value(0.7).run()
    assert "Look twice" in words(sound(at))
    assert "<ins>3</ins>" in html(at)
    at.button(key="merge_units-00001_units-00002").click().run()
    [area] = [area for area in at.text_area if area.key.startswith("merged_")]
    area.set_value("Write money with 2 decimals.")
    sound(at.button(key="merge_them").click().run())
    assert "Merged 2 bullets into units-00004." in notice(at)
    assert store.playbook().get("units-00004").merged_from == ("units-00001", "units-00002")
    assert "No two bullets look like one" in said(at)


def test_a_large_playbook_is_searched_when_somebody_asks(manager):
    store = manager.playbooks("big")
    bullets = [StoredBullet(f"s-{n:05d}", "s", f"rule {n} about {n * 7919}") for n in range(1, 1200)]
    store.import_playbook(Playbook([*bullets, StoredBullet("s-01200", "s", "Rule 5 about 39595!")]))
    at = sound(playbook_page(tab="duplicates"))
    assert "takes a moment" in words(at)
    sound(at.button(key="search_duplicates").click().run())
    assert "the same but for case" in words(at)
    assert "s-01200" in html(sound(at.run())), "what was found is kept"


def test_a_frozen_playbook_offers_no_merge(manager):
    store = manager.playbooks("finance")
    commit(store, add("Compare units."), add("compare units"))
    store.freeze()
    at = sound(playbook_page(tab="duplicates"))
    assert at.button(key="merge_units-00001_units-00002").disabled
