"""The answers that a bullet touched: lit, paged, asked again without it, and still told after its undo."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from agents.ace import Add, DeltaBatch, JudgedAnswer, Judgement
from agents.storage.reducer import Origin
from tests.ui.playbook.stage import add, commit, html, notice, playbook_page
from tests.ui.stage import finish, labels, links, query, said, sound, words
from ui.playbook.bullets import touched_chart

BAKERY = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
CINEMA = "A cinema has current assets of 45,000 € and current liabilities of 18,000 €. What is its current ratio?"


@pytest.fixture
def asked(manager):
    """A question taught a formula, which another one is answered with."""
    store = manager.playbooks("ace")
    formula = Add(section="FORMULAS", content="current ratio = current assets / current liabilities")
    judgement = Judgement(question=BAKERY, answer_seq=1, right=False, feedback="ground truth")
    batch = DeltaBatch(operations=[formula], judgement=judgement)
    store.write(lambda playbooks: store.ledger.commit(playbooks, "ace", batch, Origin("ace", "s1", "i1", 2, time.time())))
    run = manager.start("ace", f"{CINEMA}\nAnswer: 2.5")
    finish(manager, "ace", run.session_id)
    return manager, store, store.playbook().bullets[0].id, run.session_id


def judged(store, number, *operations, cited, right=True, question="問題?"):
    """An answer of a session that is not there any more, and what was learned from it."""
    judgement = Judgement(question=question, answer_seq=number, right=right, feedback="ground truth")
    batch = DeltaBatch(operations=list(operations), cited=cited, judgement=judgement)
    origin = Origin("ace", f"s{number}", f"i{number}", number + 1, 1_700_000_000.0 + number)
    store.write(lambda playbooks: store.ledger.commit(playbooks, store.name, batch, origin))


def test_the_answers_are_told_with_their_verdicts_and_the_way_to_them(asked):
    manager, store, bullet, second = asked
    at = sound(playbook_page(bullet=bullet))
    shown = words(at)
    assert (
        "Brought by revision 1, by the curator, just now, in a session that was judged by the answer in the message."
        in shown
    )
    assert "**1 answer cites it**: :green[✓ 1 right], :red[✗ 0 wrong], :gray[○ 0 unchecked]" in shown
    assert "**:green[✓ right]** · cites it · revision" in shown
    assert CINEMA in shown
    answer = store.answers()[-1]
    number = manager.sessions.event_number("ace", second, answer.seq)
    assert links(at)[f"→ Event {number}"] == f"pipeline=ace&session={second}&at={number}"


def test_without_the_bullet_the_verdict_is_another_one(asked):
    _, store, bullet, second = asked
    before = store.playbook(), store.answers()
    at = sound(playbook_page(bullet=bullet))
    at.button(key=f"without_ace_{second}_{store.answers()[-1].seq}").click().run()
    shown = words(sound(at))
    assert "**With it** &ensp; :green[✓ right] &ensp; 2.5" in shown
    assert "**Without it** &ensp; :red[✗ wrong]" in shown
    assert "Right is 2.5. The verdict rests on this bullet. Answered by Simulated model." in shown
    assert (store.playbook(), store.answers()) == before, "nothing is stored"


def test_as_a_session_it_is_compared_with_the_one_it_was(asked):
    manager, store, bullet, second = asked
    at = sound(playbook_page(bullet=bullet))
    at.button(key=f"beside_ace_{second}_{store.answers()[-1].seq}").click().run()
    [fork] = {one.id for one in manager.sessions.summaries("ace") if one.origin}
    finish(manager, "ace", fork)
    assert query(at)["compare"] == f"ace:{second},ace:{fork}"


def test_the_undo_is_told_before_and_the_answers_after_it(asked):
    _, store, bullet, _ = asked
    at = sound(playbook_page(bullet=bullet))
    at.button(key="undo_source").click().run()
    assert "It did this: 1 bullet added." in words(sound(at))
    assert bullet in store.playbook()
    at.button(key="really_undo").click().run()
    assert bullet not in store.playbook()
    assert "takes back what revision 1 did" in notice(sound(at))
    assert "**1 answer cites it**" in words(at)
    assert f"Revision {store.playbook().revision} took it out of prompts." in words(at)
    assert "undo_source" not in {button.key for button in at.button}
    assert "It is not in revision" in said(at)


def test_after_the_undo_of_a_change_the_answers_of_that_text_are_shown(manager):
    store = manager.playbooks("ace")
    commit(store, add("true"))
    commit(store, {"type": "UPDATE", "bullet_id": "units-00001", "content": "偽り"})
    judged(store, 50, cited=["units-00001"], right=False)
    at = sound(playbook_page(playbook="ace", bullet="units-00001"))
    assert at.selectbox(key="touched_text_units-00001").value == 2
    at.button(key="undo_source").click().run()
    at.button(key="really_undo").click().run()
    assert store.playbook().bullets[0].content == "true"
    assert at.selectbox(key="touched_text_units-00001").value == 2
    assert "**1 answer cites it**: :green[✓ 0 right], :red[✗ 1 wrong]" in words(sound(at))
    at.selectbox(key="touched_text_units-00001").set_value(1).run()
    assert "No answer had this text in its playbook." in words(sound(at))


def test_many_answers_are_paged_newest_first(manager):
    store = manager.playbooks("ace")
    commit(store, add("x" * 20_000), add("another one, of no use"))
    for number in range(10, 22):
        judged(store, number, cited=["units-00001" if number % 2 else "units-00002"], question=f"質問 {number} <b>*?*")
    at = sound(playbook_page(playbook="ace", bullet="units-00001"))
    assert "**6 answers cite it**" in words(at)
    assert "6 more had it in their playbook" in words(at)
    assert [f"質問 {number}" in words(at) for number in (21, 19, 17, 15, 13, 11, 20)] == [True] * 5 + [False] * 2
    assert "Its session was deleted." in words(at)
    assert not [button.key for button in at.button if (button.key or "").startswith("without_")]
    at.segmented_control(key="touched_which").set_value("had").run()
    assert "質問 20" in words(sound(at))
    assert "had it · revision" in words(at)


def test_what_its_sessions_have_learned_is_named(manager):
    store = manager.playbooks("ace")
    commit(store, add("false"))
    for number in range(10, 17):
        judged(store, number, add(f"learned {number * 1001} times"), cited=["units-00001"])
    at = sound(playbook_page(playbook="ace", bullet="units-00001"))
    assert "sessions of these answers changed some in revision 8, 7, 6, 5, 4 and 2 earlier." in words(at)


def test_what_no_answer_had_is_said(manager):
    commit(manager.playbooks("ace"), add("One."))
    at = sound(playbook_page(playbook="ace", bullet="units-00001"))
    assert "No answer had this text in its playbook." in words(at)
    assert "**0 answers cite it**" in words(at)
    assert "Answers that it touched" not in html(sound(playbook_page(playbook="ace", bullet="gone-00009")))


def test_a_visitor_can_look_and_change_nothing(asked, visit):
    visit()
    at = sound(playbook_page(bullet=asked[2]))
    assert "**1 answer cites it**" in words(at)
    keys = [button for button in at.button if (button.key or "").startswith(("without_", "undo_source"))]
    assert len(keys) == 2
    assert all(button.disabled for button in keys)


def test_a_session_that_is_deleted_meanwhile_is_an_error_to_read(asked):
    manager, store, bullet, second = asked
    at = sound(playbook_page(bullet=bullet))
    manager.sessions.delete("ace", second)
    key = f"without_ace_{second}_{store.answers()[-1].seq}"
    assert key in {button.key for button in at.button}
    at.button(key=key).click().run()
    assert "Its session was deleted." in words(sound(at))
    assert "Without it" not in labels(at)


def test_of_many_answers_few_are_drawn_and_lit_ones_first(manager):
    store = manager.playbooks("ace")
    commit(store, add("One."))
    judged(store, 10, cited=["units-00001"])
    answer = store.answers()[0]
    answers = [answer._replace(seq=number, at=float(number), right=bool(number % 3)) for number in range(10_000)]
    lit = set(answers[::50])
    drawn = touched_chart.drawn(answers, lit)
    assert lit <= set(drawn)
    assert len(drawn) <= touched_chart.MOST_LIT + touched_chart.MOST_OTHERS
    assert drawn == sorted(drawn, key=lambda one: one.at)
    values = touched_chart.specification(drawn[:3], lit)["data"]["values"]
    assert [(value["verdict"], value["rail"], value["cites"]) for value in values[:1]] == [("✗ wrong", -1, "yes")]


@pytest.mark.parametrize(
    ("seconds", "form"),
    [
        ((0.954,), "%H:%M:%S"),
        ((0.0, 30.0), "%H:%M:%S"),
        ((0.0, 7200.0), "%H:%M"),
        ((0.0, 9e5), "%d %b"),
        ((0.0, 9e7), "%b %Y"),
    ],
)
def test_the_axis_of_times_has_a_width_and_labels_that_suit_it(seconds, form):
    answers = [JudgedAnswer(1, at, "ace", "s", seq, "q", True, "truth") for seq, at in enumerate(seconds)]
    x = touched_chart.specification(answers, ())["encoding"]["x"]
    begin, end = (datetime.fromisoformat(one).timestamp() for one in x["scale"]["domain"])
    assert end - begin >= 120
    assert begin < seconds[0]
    assert end > seconds[-1]
    assert x["axis"]["format"] == form
