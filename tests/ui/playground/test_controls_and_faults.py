"""Controls, faults and answers on the Playground page, run without a browser."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest
import streamlit as st

from agents.pipeline import Control
from tests.ui.stage import finish, labels, links, now, page, query, said, sound, with_setup, words
from ui.playground import actions
from ui.session_view import Answer
from ui.state.notices import NOTICE

pytestmark = pytest.mark.usefixtures("quiet_world")

LIMIT = "control_asking_{}_limit"


def popovers(at):
    """What popovers on a page are called."""
    return [block.proto.popover.label for block in at.get("popover")]


def faults_of(manager, pipeline: str, session: str) -> list[str]:
    entries = manager._thread.call(manager._service.read_log, app_name=pipeline, user_id="person", session_id=session)
    return [entry.fields().get("faults", []) for entry in entries if entry.kind == "run_started"][-1]


def events_by_the_person(manager, session: str) -> int:
    entries = manager._thread.call(manager._service.read_log, app_name="asking", user_id="person", session_id=session)
    return sum(entry.kind == "event" and entry.event().author == "user" for entry in entries)


# -- controls


def test_what_is_chosen_for_a_new_session_is_in_the_address_and_begins_with_it(stages):
    at = sound(page(pipeline="asking"))
    assert at.number_input(key=LIMIT.format("new")).value == 100
    at.number_input(key=LIMIT.format("new")).set_value(700).run()
    assert query(sound(at)) == {"pipeline": "asking", "set": "limit=700"}
    at = sound(page(**query(at)))  # as after a refresh
    assert at.number_input(key=LIMIT.format("new")).value == 700
    at.chat_input[0].set_value("pay 500").run()
    session = query(sound(at))["session"]
    assert "set" not in query(at)
    assert stages.sessions.state("asking", session)["limit"] == 700
    finish(stages, "asking", session)
    assert [found.status for found in stages.sessions.summaries()] == ["completed"], "it asked although the limit was raised"


def test_changing_a_control_of_a_session_is_an_event_and_survives(stages):
    stages.sessions.create("asking", session_id="mine", state={"limit": 30})
    at = sound(page(pipeline="asking", session="mine"))
    assert at.number_input(key=LIMIT.format("mine")).value == 30
    at.number_input(key=LIMIT.format("mine")).set_value(40).run()
    assert stages.sessions.state("asking", "mine")["limit"] == 40
    assert events_by_the_person(stages, "mine") == 1
    assert sound(page(pipeline="asking", session="mine")).number_input(key=LIMIT.format("mine")).value == 40


def test_a_control_of_a_new_session_that_fires_late_changes_nothing(stages):
    stages.sessions.create("asking", session_id="mine")
    at = sound(page(pipeline="asking", session="mine"))
    before = query(at)
    st.query_params.from_dict({"pipeline": "asking", "session": "mine"})
    actions.change_control("asking", None, "limit", 700)
    assert dict(st.query_params) == {"pipeline": "asking", "session": "mine"}
    assert query(at) == before
    st.query_params.clear()
    actions.change_control("asking", None, "limit", 700)
    assert st.query_params["set"] == "limit=700"
    st.query_params.clear()


def test_a_control_that_is_set_to_what_it_is_writes_no_event(stages):
    stages.sessions.create("asking", session_id="mine", state={"limit": 40})
    for value, events in ((40, 0), (41, 1), (41, 1)):
        actions.change_control("asking", "mine", "limit", value)
        assert events_by_the_person(stages, "mine") == events
        assert stages.sessions.state("asking", "mine")["limit"] == value


def test_a_control_follows_what_agents_and_others_set(stages):
    stages.sessions.create("asking", session_id="mine")
    at = sound(page(pipeline="asking", session="mine"))
    stages.sessions.set_state("asking", "mine", {"limit": 5})
    assert sound(at.run()).number_input(key=now(at, LIMIT.format("mine"))).value == 5


def test_a_value_that_no_control_can_show_does_no_harm(stages):
    stages.sessions.create("asking", session_id="mine", state={"limit": "many"})
    assert sound(page(pipeline="asking", session="mine")).number_input(key=LIMIT.format("mine")).value == 100
    sound(page(pipeline="asking", set=["limit=x", "other=1", "limit"]))


def test_the_playbook_of_a_session_is_chosen_among_those_that_there_are_or_named_anew(stages, monkeypatch):
    pipeline = stages.catalog.get("asking")
    control = Control(key="playbook_name", label="Playbook", kind="playbook", default="", help="Which to learn in.")
    own = replace(pipeline, card=replace(pipeline.card, controls=(control,)))
    monkeypatch.setattr(stages.catalog._imports["asking"], "pipeline", own)
    stages.playbooks("asking").create("learned")
    stages.sessions.create("asking", session_id="mine")
    at = sound(page(pipeline="asking", session="mine"))
    box = at.selectbox(key="control_asking_mine_playbook_name")
    assert (box.value, box.options) == ("asking", ["asking", "learned"])
    box.set_value("learned").run()
    assert stages.sessions.state("asking", "mine")["playbook_name"] == "learned"
    at = sound(page(pipeline="asking", session="mine"))
    assert at.selectbox(key="control_asking_mine_playbook_name").value == "learned"
    actions.change_control("asking", "mine", "playbook_name", " a new one ")
    assert stages.sessions.state("asking", "mine")["playbook_name"] == "a new one"
    actions.change_control("asking", "mine", "playbook_name", "x" * 81)
    assert st.session_state[NOTICE].text.endswith("Which to learn in.")
    assert stages.sessions.state("asking", "mine")["playbook_name"] == "a new one"


def test_switches_and_choices_are_drawn_and_set(stages, monkeypatch):
    pipeline = stages.catalog.get("asking")
    controls = (
        Control(key="planning", label="Planning", kind="switch", default=False),
        Control(key="app:variant", label="Variant", kind="choice", default="A", choices=("A", "B")),
        Control(key="place", label="Place", kind="choice", default="p0", choices=tuple(f"p{n}" for n in range(9))),
        Control(key="share", label="Share", kind="number", default=0.5, minimum=0, maximum=1),
    )
    changed = replace(pipeline, card=replace(pipeline.card, controls=controls))
    monkeypatch.setattr(stages.catalog._imports["asking"], "pipeline", changed)
    at = sound(page(pipeline="asking"))
    at.toggle(key="control_asking_new_planning").set_value(True).run()
    at.button_group(key="control_asking_new_app:variant").set_value("B").run()
    at.selectbox(key="control_asking_new_place").set_value("p7").run()
    at.number_input(key="control_asking_new_share").set_value(0.25).run()
    assert query(sound(at))["set"] == ["planning=true", 'app:variant="B"', 'place="p7"', "share=0.25"]


def test_many_controls_fold_and_say_how_many_were_changed(stages, monkeypatch):
    pipeline = stages.catalog.get("asking")
    controls = tuple(Control(key=f"k{n}", label=f"Switch {n}", kind="switch", default=False) for n in range(7))
    own = replace(pipeline, card=replace(pipeline.card, controls=controls))
    monkeypatch.setattr(stages.catalog._imports["asking"], "pipeline", own)
    at = sound(page(pipeline="asking"))
    assert "More settings" in popovers(at)
    at.toggle(key="control_asking_new_k6").set_value(True).run()
    assert query(sound(at))["set"] == "k6=true"
    assert "More settings · 1 changed" in popovers(at)


def test_folded_controls_stand_in_columns_and_say_what_zero_means(stages):
    at = sound(page(pipeline="ace"))
    captions = [caption.value for caption in at.caption]
    for label, zero in (
        ("Bullets in the prompt", "0 = all"),
        ("Token budget", "0 = no limit"),
        ("Archive after", "0 = never"),
    ):
        assert captions.index(zero) == captions.index(label) + 1
    assert {"A person decides", "Pruning"} <= set(captions), "a switch has its label in the column of labels"


def test_what_was_chosen_is_dropped_with_the_pipeline(stages):
    at = sound(page(pipeline="asking", set="limit=7", fault="Clerk:refuse:1"))
    at.selectbox(key="pipeline_choice").set_value("rehearsal").run()
    assert query(sound(at)) == {"pipeline": "rehearsal"}


# -- faults


def test_faults_are_added_counted_and_taken_back(stages):
    at = sound(with_setup(pipeline="asking"))
    assert "faults" not in words(at)
    at.selectbox(key="fault_who_asking").set_value("Filing")
    at.selectbox(key="fault_kind").set_value("unknown_tool")
    at.number_input(key="fault_call").set_value(2).run()
    at.button(key="fault_add").click().run()
    assert query(sound(at))["fault"] == "Filing:unknown_tool:2"
    at.selectbox(key="fault_kind").set_value("delay").run()
    at.number_input(key="fault_seconds").set_value(7.5).run()
    at.toggle(key="fault_each").set_value(True).run()
    at.button(key="fault_add").click().run()
    assert query(sound(at))["fault"] == ["Filing:unknown_tool:2", "Filing:delay:0:7.5"]
    assert "Filing is slow to begin (7.5 s), at every model call" in words(at)
    assert ":red-badge[2 faults]" in words(at)
    at.button(key="fault_Filing:unknown_tool:2").click().run()
    assert query(sound(at))["fault"] == "Filing:delay:0:7.5"


def test_the_same_fault_counts_once_and_all_are_taken_back_at_once(stages):
    at = sound(with_setup(pipeline="asking", fault=["Clerk:refuse", "Clerk:refuse:1", "Clerk:delay:1"]))
    assert ":red-badge[2 faults]" in words(at)
    at.button(key="fault_Clerk:refuse:1").click().run()
    assert query(sound(at))["fault"] == "Clerk:delay:1"
    at = sound(with_setup(pipeline="asking", fault=["Clerk:refuse", "Clerk:delay:1"]))
    at.button(key="fault_none").click().run()
    assert query(sound(at)) == {"pipeline": "asking"}


def test_runs_of_the_page_have_its_faults_also_when_run_again(stages):
    at = sound(with_setup(pipeline="asking", fault="Clerk:fail_before:1"))
    at.chat_input[0].set_value("pay 5").run()
    session = query(sound(at))["session"]
    assert query(at)["fault"] == "Clerk:fail_before:1"
    assert faults_of(stages, "asking", session) == ["Clerk:fail_before:1"]
    finish(stages, "asking", session)
    assert [found.status for found in stages.sessions.summaries()] == ["failed"]
    at.run().button(key="again").click().run()
    assert faults_of(stages, "asking", session) == ["Clerk:fail_before:1"]
    finish(stages, "asking", session)
    at.run().button(key="fault_Clerk:fail_before:1").click().run()
    at.button(key="again").click().run()
    assert faults_of(stages, "asking", session) == []


def test_a_fault_that_cannot_be_read_is_explained_and_harms_no_run(stages):
    at = sound(with_setup(pipeline="asking", fault=["nonsense", "Clerk:refuse:1"]))
    assert "'nonsense' is no fault" in said(at)
    at.button(key="run").click().run()
    assert faults_of(stages, "asking", query(sound(at))["session"]) == ["Clerk:refuse:1"]


# -- what waits


def paused(manager, *, amount: int = 500) -> str:
    begun = manager.start("asking", f"pay {amount}")
    finish(manager, "asking", begun.session_id)
    return begun.session_id


def test_a_paused_session_says_so_and_offers_nothing_to_run_again(stages):
    session = paused(stages)
    at = sound(page(pipeline="asking", session=session))
    assert "waiting for you" in words(at)
    assert not {"▶ Run", "↻ Run again", "■ Stop"} & set(labels(at))
    assert not at.chat_input[0].disabled
    assert "gives up the open question" in at.chat_input[0].placeholder


def test_what_waits_is_listed_on_every_page_with_the_way_to_it(stages):
    assert "Waiting for you" not in words(sound(page()))
    session = paused(stages)
    for at in (page(), page(pipeline="gone"), page(pipeline="asking", session="gone")):
        assert "Waiting for you (1)" in words(at)
        [leads] = [where for label, where in links(at).items() if label.startswith("**pay**")]
        assert leads == f"pipeline=asking&session={session}"
    at = sound(page().switch_page("gallery.py").run())
    assert "Waiting for you (1)" in words(at)
    paused(stages)
    assert "Waiting for you (2)" in words(sound(at.run()))


def test_an_answer_lets_it_go_on(stages):
    session = paused(stages)
    [call] = stages.pending()
    actions.answer("asking", session, Answer(call.call_id, {"confirmed": True}))
    finish_again(stages, session)
    assert [found.status for found in stages.sessions.summaries()] == ["completed"]
    assert "Waiting for you" not in words(sound(page()))


def finish_again(manager, session: str) -> None:
    """Returns when a run that went on is over: its last record is not the one from when it paused."""

    async def watch() -> None:
        ended = 0
        async with aclosing(manager.subscribe("asking", session)) as items:
            async for item in items:
                ended += sum(entry.kind == "run_finished" for entry in getattr(item, "entries", ()))
                if ended == 2:
                    return

    asyncio.run(watch())


def test_an_answer_that_comes_too_late_is_explained(stages):
    session = paused(stages)
    [call] = stages.pending()
    stages.answer("asking", session, call.call_id, {"confirmed": False})
    finish_again(stages, session)
    actions.answer("asking", session, Answer(call.call_id, {"confirmed": True}))
    notice = st.session_state[NOTICE]
    assert notice.kind == "error"
    assert "waits for an answer" in notice.text
