"""One click on an answer: the same message with one thing changed, and both sessions side by side."""

from __future__ import annotations

import pytest
import streamlit as st

from agents.forks import ModelChange, PlaybookChange
from agents.models import Lack
from tests.ui.forks.test_dialog import WRITING, events, forks_of, opened, ran, seq_of
from tests.ui.stage import finish, links, page, query, said, sound, words
from ui.forks import actions, fork_point
from ui.session_view import WhatIf
from ui.state import runs
from ui.state.compared import names_of
from ui.state.notices import NOTICE

OTHER = "ollama/other"
LACK = Lack("no key", "Get one.", of_key=True)


def asked(monkeypatch, pipeline, session, question):
    """What the tab keeps after the session view asked."""
    kept = {}
    with monkeypatch.context() as patch:
        patch.setattr(st, "session_state", kept)
        actions.ask(pipeline, session, question)
    return kept


def led(kept):
    """The page to which the question leads."""
    at = page()
    at.session_state[actions.COMPARED] = kept[actions.COMPARED]
    return sound(at.run())


@pytest.fixture
def answered(manager):
    """An ACE session whose answer cites a bullet, that bullet, and `seq` of the answer."""
    message = manager.catalog.get("ace").card.samples[0]
    ran(manager, "ace", message)
    session = ran(manager, "ace", message)
    answer = seq_of(session, "Generator", 0, "ace")
    [bullet] = dict(events(session, "ace"))[answer].actions.state_delta["generator_output"]["bullet_ids"]
    return session, bullet, answer


@pytest.mark.parametrize("kind", ["bullet", "playbook"])
def test_the_same_message_without_a_bullet_or_the_playbook_is_compared_with_the_session(
    manager, monkeypatch, answered, kind
):
    session, bullet, answer = answered
    kept = asked(monkeypatch, "ace", session, WhatIf(answer, kind, bullet))
    [fork] = forks_of(manager, session, "ace")
    assert names_of(kept[actions.COMPARED]) == [("ace", session), ("ace", fork)]
    finish(manager, "ace", fork)
    change = PlaybookChange(off=True) if kind == "playbook" else PlaybookChange(without=(bullet,))
    assert runs.workspace().forks.origin("ace", fork).what == change.describe()
    cited = [
        event.actions.state_delta["generator_output"] for _, event in events(fork, "ace") if event.author == "Generator"
    ]
    assert [output["bullet_ids"] for output in cited] == [[]]
    at = led(kept)
    assert names_of(query(at)["compare"]) == [("ace", session), ("ace", fork)]
    assert "They part at" in words(at)
    assert "session" not in query(at)


def test_both_sides_run_again_from_the_comparison(manager, monkeypatch, answered):
    session, bullet, answer = answered
    kept = asked(monkeypatch, "ace", session, WhatIf(answer, "bullet", bullet))
    [fork] = forks_of(manager, session, "ace")
    finish(manager, "ace", fork)
    at = sound(led(kept).button(key="run_both").click().run())
    unchanged, changed = (one for _, one in names_of(query(at)["compare"]))
    assert {unchanged, changed} == set(forks_of(manager, session, "ace")) - {fork}
    for one in (unchanged, changed):
        finish(manager, "ace", one)
    assert (runs.workspace().forks.origin("ace", unchanged).what, runs.workspace().forks.origin("ace", changed).what) == (
        "",
        PlaybookChange(without=(bullet,)).describe(),
    )
    assert "run_both" in [button.key for button in sound(at.run()).button], "as often as one likes"
    manager.sessions.delete("ace", session)
    at = sound(at.button(key="run_both").click().run())
    assert "cannot be forked" in said(at)


def test_a_second_click_runs_nothing_more(manager, monkeypatch, answered):
    session, bullet, answer = answered
    kept = {actions.COMPARED: "of the first click"}
    monkeypatch.setattr(st, "session_state", kept)
    actions.run_beside("ace", session, answer, [PlaybookChange(without=(bullet,))])
    assert kept == {actions.COMPARED: "of the first click"}
    assert forks_of(manager, session, "ace") == []


def test_an_event_with_no_message_before_it_is_said_and_nothing_runs(manager, monkeypatch):
    session = ran(manager)
    first = runs.manager().sessions.log(WRITING, session)[0].seq
    kept = asked(monkeypatch, WRITING, session, WhatIf(first, "playbook"))
    assert "no message before" in kept[NOTICE].text
    assert actions.COMPARED not in kept
    assert forks_of(manager, session) == []


def test_the_models_that_can_be_used_are_offered_and_a_click_runs_one_beside_the_session(manager):
    manager.models.change(models=(OTHER, "gemini-pro-latest"))
    session = ran(manager, model="simulated")
    at = sound(opened(session, seq_of(session, "CriticAgent"), kind="model"))
    offered = [button.key for button in at.button if button.key and button.key.startswith("other_model_")]
    assert f"other_model_{OTHER}" in offered
    assert "other_model_simulated" not in offered, "it answered"
    assert "other_model_gemini-pro-latest" not in offered, "it has no key"
    assert "→ Settings: connect more models" in links(at)
    at = sound(at.button(key=f"other_model_{OTHER}").click().run())
    [fork] = forks_of(manager, session)
    assert names_of(query(at)["compare"]) == [(WRITING, session), (WRITING, fork)]
    assert runs.workspace().forks.origin(WRITING, fork).what == f"model {OTHER}"
    finish(manager, WRITING, fork)
    began = [entry.fields() for entry in manager.sessions.log(WRITING, fork) if entry.kind == "run_started"]
    assert [fields["model"] for fields in began] == ["simulated", OTHER]


def test_without_another_model_the_dialog_leads_to_the_settings(manager, monkeypatch):
    monkeypatch.setattr("ui.state.options.model_choices.missing", lambda model: None if model == "simulated" else LACK)
    session = ran(manager)
    at = opened(session, seq_of(session, "CriticAgent"), kind="model")
    assert "no other model that can be used" in said(at)
    assert "→ Settings: connect more models" in links(at)


@pytest.mark.parametrize("author", ["user", None])
def test_what_is_no_answer_has_no_other_model(manager, author):
    session = ran(manager)
    seq = runs.manager().sessions.log(WRITING, session)[0].seq if author is None else seq_of(session, author)
    assert "no answer of a model" in said(opened(session, seq, kind="model"))


def test_agents_with_a_model_of_their_own_answer_on_the_other_one_too(manager):
    session = ran(manager, agent_models={"CriticAgent": "simulated"})
    critic, writer = seq_of(session, "CriticAgent"), seq_of(session, "InitialWriterAgent")
    both = [ModelChange(model=OTHER), ModelChange(model=OTHER, agent="CriticAgent")]
    assert fork_point.changes_of_model(WRITING, session, critic, OTHER, {}) == both
    assert fork_point.changes_of_model(WRITING, session, writer, OTHER, {}) == both, "it was given the run's model by name"
    own = {"InitialWriterAgent": "gemini-pro-latest", "RefinerAgent": "gemini-pro-latest"}
    found = fork_point.changes_of_model(WRITING, session, writer, OTHER, own)
    assert [change.agent for change in found] == [None, "CriticAgent", "InitialWriterAgent"]
