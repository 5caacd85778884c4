"""Where a bullet comes from, from real runs, run without a browser."""

from __future__ import annotations

from tests.ui.playbook.stage import add, commit, html, playbook_page
from tests.ui.stage import finish, labels, links, sound, words

QUESTION = "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?\nAnswer: 1.50"


def test_each_step_leads_to_query_answer_reflection_and_event(manager):
    for _ in range(2):
        run = manager.start("ace", QUESTION)
        finish(manager, "ace", run.session_id)
    store = manager.playbooks("ace")
    bullet = store.playbook().bullets[0].id
    at = sound(playbook_page(bullet=bullet))
    shown = html(at)
    assert "<dt>query</dt>" in shown
    assert "What is the current ratio?" in shown
    assert "<dt>answer</dt>" in shown
    assert "<dt>reflection</dt>" in shown
    made, tagged = store.lineage(bullet)
    assert shown.index(f"Revision {made.revision} ") < shown.rindex(f"Revision {tagged.revision} ")
    numbers = [manager.sessions.event_number("ace", step.session_id, step.seq) for step in (made, tagged)]
    found = [(link.proto.label, link.proto.query_string) for link in at.get("page_link") if "· event" in link.proto.label]
    found = found[-2:]  # after the card of the newest revision, and the answers that the bullet touched
    assert [label.rpartition(" · ")[2] for label, _ in found] == [f"event {number}" for number in numbers]
    assert [target for _, target in found] == [
        f"pipeline=ace&session={step.session_id}&at={number}" for step, number in zip((made, tagged), numbers, strict=True)
    ]


def test_the_card_of_a_revision_links_to_its_event_by_title_and_number(manager):
    manager.start("iterative_writing", "so that a seq is no number")
    run = manager.start("ace", QUESTION)
    finish(manager, "ace", run.session_id)
    manager.sessions.rename("ace", run.session_id, "The [current] ratio")
    record = manager.playbooks("ace").history(limit=1)[0]
    number = manager.sessions.event_number("ace", run.session_id, record.seq)
    assert 0 < number < record.seq
    target = links(sound(playbook_page()))[f"→ The [current] ratio · event {number}"]
    assert target == f"pipeline=ace&session={run.session_id}&at={number}"


def test_the_card_of_a_revision_says_that_its_session_was_deleted(manager):
    run = manager.start("ace", QUESTION)
    finish(manager, "ace", run.session_id)
    manager.sessions.delete("ace", run.session_id)
    assert "Its session was deleted." in words(sound(playbook_page()))


def test_a_session_that_was_deleted_is_said_to_be_gone(manager):
    run = manager.start("ace", QUESTION)
    finish(manager, "ace", run.session_id)
    bullet = manager.playbooks("ace").playbook().bullets[0].id
    manager.sessions.delete("ace", run.session_id)
    assert "Its session was deleted." in words(sound(playbook_page(bullet=bullet)))


def test_a_merged_bullet_has_the_history_of_those_it_was_made_of(manager):
    store = manager.playbooks("finance")
    commit(store, add("One."), add("Two."))
    commit(store, {"type": "TAG", "bullet_id": "units-00002", "tag": "helpful"})
    commit(store, {"type": "MERGE", "bullet_ids": ["units-00001", "units-00002"], "content": "Both."})
    commit(store, {"type": "MERGE", "bullet_ids": ["units-00003", "units-00001"], "content": "x"}, add("Three."))
    commit(store, {"type": "MERGE", "bullet_ids": ["units-00003", "units-00004"], "content": "All."})
    shown = html(sound(playbook_page(bullet="units-00005")))
    assert [f"Revision {n} " in shown.split("<dl>", 1)[0] or f"<h4>Revision {n} " in shown for n in range(1, 6)] == [
        True, True, True, True, True,
    ]  # fmt: skip
    assert "▲ <code>units-00002</code> helpful" in shown


def test_a_long_history_is_cut_in_the_middle_and_shown_on_demand(manager):
    store = manager.playbooks("finance")
    commit(store, add("One."))
    for _ in range(30):
        commit(store, {"type": "TAG", "bullet_id": "units-00001", "tag": "helpful"})
    at = sound(playbook_page(bullet="units-00001"))
    assert html(at).count('<div class="step">') == 8
    assert "Show 23 steps between" in labels(at)
    at.button(key="show_lineage").click().run()
    assert html(sound(at)).count('<div class="step">') == 31


def test_an_id_that_never_was_is_said_to_be_unknown(manager):
    commit(manager.playbooks("finance"), add("One."))
    assert "No delta concerns a bullet of this name." in words(sound(playbook_page(bullet="<b>'\"")))
