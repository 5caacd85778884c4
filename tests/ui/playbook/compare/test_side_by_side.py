"""Two playbooks side by side, run without a browser."""

from __future__ import annotations

from tests.ui.playbook.stage import add, commit, filled, html, playbook_page
from tests.ui.stage import query, said, sound, words


def two(manager):
    store = filled(manager)
    copy = store.copy_to("a copy")
    commit(copy, {"type": "TAG", "bullet_id": "hr-00002", "tag": "harmful"}, add("Only there."))
    return store


def test_a_playbook_is_compared_with_another_that_is_chosen(manager):
    two(manager)
    at = sound(playbook_page(playbook="finance", tab="beside"))
    assert not html(at).count('class="beside"')
    at.selectbox(key="beside_choice").set_value("a copy").run()
    assert query(sound(at)) == {"playbook": "finance", "tab": "beside", "beside": "a copy"}
    shown = html(at)
    assert "◨ only there" in shown
    assert "± other counters" in shown
    assert "<b>finance</b>, revision 3" in shown
    assert "4 bullets · 2 sections" in shown


def test_a_comparison_can_be_left(manager):
    two(manager)
    at = sound(playbook_page(playbook="finance", tab="beside", beside="a copy"))
    at.selectbox(key="beside_choice").set_value(None).run()
    assert query(sound(at)) == {"playbook": "finance", "tab": "beside"}


def test_only_some_kinds_are_shown_on_demand(manager):
    two(manager)
    at = sound(playbook_page(playbook="finance", tab="beside", beside="a copy"))
    pills = next(group for group in at.button_group if group.key == "beside_kinds")
    pills.set_value(["there"]).run()
    shown = html(sound(at))
    assert "Only there." in shown
    assert "± other counters" not in shown


def test_one_playbook_alone_and_one_that_is_gone_are_explained(manager):
    store = filled(manager)
    assert "There is one playbook only" in said(sound(playbook_page(tab="beside")))
    store.create("other")
    at = sound(playbook_page(playbook="finance", tab="beside", beside="gone"))
    assert "There is no playbook gone to compare with." in words(at)
