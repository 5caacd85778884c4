"""A session is kept as a case, the cases are run, and a guarded playbook says why a delta waits; without a browser."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from agents.ace import Add, DeltaBatch
from agents.cases import (
    AnswerContains,
    AnswerNumber,
    Case,
    CaseFiles,
    NewestPlaybook,
    PlaybookAtRevision,
    cases_from_eval_set,
    cases_to_eval_set,
    read_case,
    read_cases,
)
from agents.workspace import Workspace
from tests.agents.cases.stage import BAKERY, CINEMA, FORMULA
from tests.ui.playbook.stage import html, notice, playbook_page
from tests.ui.stage import SCRIPT, finish, links, now, opened, page, said, sound, words
from tests.ui.state.test_quick_input import ask_meanwhile
from ui.cases import actions, case_list
from ui.forks import actions as fork_actions
from ui.session_view import WhatIf
from ui.state import runs
from ui.state.compared import names_of

HELD = Case(name="held", pipeline="iterative_writing", messages=("the sea",), expect=(AnswerContains(text="No major"),))
WRONG = Case(name="a *wrong* one", pipeline="iterative_writing", messages=("the sea",), expect=(AnswerContains(text="?!"),))


@pytest.fixture
def manager(quiet_world, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_DB", str(tmp_path / "p.db"))
    runs.adopt(Workspace(None))
    yield runs.manager()
    runs.close()


@pytest.fixture
def folder(manager):
    return runs.workspace().cases_folder


def cases_page():
    at = AppTest.from_file(SCRIPT, default_timeout=30).run()
    return sound(opened(at.switch_page("sessions.py"), {"tab": "cases"}))


def finished(manager, message=CINEMA, **more):
    session = manager.start("ace", message, **more).session_id
    finish(manager, "ace", session)
    return session


def taught(manager):
    manager.playbooks("ace").commit(DeltaBatch(operations=[Add(section="FORMULAS", content=FORMULA)]))
    return finished(manager)


def dialog(session):
    at = sound(page(pipeline="ace", session=session))
    return sound(at.button(key=f"case_{session}").click().run())


def test_a_session_is_kept_with_what_was_edited(manager, folder):
    session = taught(manager)
    at = dialog(session)
    assert at.text_input(key="case_name").value == CINEMA
    [mark] = {field.key.split("_")[1] for field in at.text_input if field.key and field.key.endswith("_value")}
    assert at.text_input(key=f"case_{mark}_0_value").value == "2.5"
    at.text_input(key="case_name").set_value("映画館 ratio").run()
    at.text_input(key=f"case_{mark}_0_tolerance").set_value("0,1").run()
    at.button(key=f"case_remove_{mark}_1").click().run()
    at.selectbox(key="case_kind").set_value("answer_matches").run()
    at.text_input(key=f"case_{mark}_4_pattern").set_value("*2*").run()
    sound(at.button(key="case_keep").click().run())
    assert "Kept as a case, in the file 映画館-ratio.json." in said(at)
    assert "→ All cases" in links(at)
    case = read_case(folder / "映画館-ratio.json")
    assert (case.name, case.messages, case.playbook) == ("映画館 ratio", (CINEMA,), NewestPlaybook(name="ace"))
    assert case.expect[0] == AnswerNumber(value=2.5, tolerance=0.1)
    assert [one.kind for one in case.expect] == ["answer_number", "loop_ended", "at_most", "answer_matches"]
    assert "case_draft" not in at.session_state


def test_one_answer_is_kept_with_the_messages_up_to_it(manager, folder, monkeypatch):
    taught(manager)
    session = finished(manager, f"{BAKERY}")
    manager.start("ace", CINEMA, session_id=session)
    finish(manager, "ace", session)
    answers = [e.seq for e in manager.sessions.log("ace", session) if e.kind == "event" and e.event().author == "Generator"]
    kept = {}
    with monkeypatch.context() as patch:
        patch.setattr(st, "session_state", kept)
        fork_actions.ask("ace", session, WhatIf(answers[0], "case"))
    at = page(pipeline="ace", session=session)
    at.session_state[actions.DRAFT] = kept[actions.DRAFT]
    at = sound(at.run())
    assert "A case is this answer as a test" in words(at)
    assert at.text_input(key="case_name").value == "A bakery has current assets of 120,000 € and current…, Generator"
    sound(at.button(key="case_keep").click().run())
    [stored] = read_cases(folder).cases
    assert (stored.case.messages, stored.case.expect) == ((BAKERY,), (AnswerNumber(value=1.5),))


@pytest.mark.parametrize("seq", [1, 10**9])
def test_what_is_no_answer_is_not_kept_and_this_is_said(manager, monkeypatch, seq):
    session = taught(manager)
    kept = {}
    with monkeypatch.context() as patch:
        patch.setattr(st, "session_state", kept)
        fork_actions.ask("ace", session, WhatIf(seq, "case"))
    assert "no answer of an agent" in kept["notice"].text
    assert actions.DRAFT not in kept


def test_the_revision_of_the_session_can_be_taken(manager, folder):
    at = dialog(taught(manager))
    at.segmented_control(key="case_playbook").set_value("revision").run()
    at.button(key="case_keep").click().run()
    [stored] = read_cases(folder).cases
    assert stored.case.playbook == PlaybookAtRevision(name="ace", revision=1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda at, mark: at.text_input(key="case_name").set_value("  "), "A case needs a name."),
        (lambda at, mark: at.text_input(key=f"case_{mark}_0_value").set_value("x"), "'x' is no number"),
        (lambda at, mark: at.text_input(key="case_name").set_value("taken"), "There is a case 'taken' already."),
    ],
)
def test_what_cannot_be_kept_is_told_in_the_dialog_and_nothing_is_lost(manager, folder, change, told):
    CaseFiles(folder).write(HELD.model_copy(update={"name": "taken"}))
    at = dialog(taught(manager))
    [mark] = {field.key.split("_")[1] for field in at.text_input if field.key and field.key.endswith("_value")}
    change(at, mark).run()
    sound(at.button(key="case_keep").click().run())
    assert told in said(at)
    assert at.text_input(key=f"case_{mark}_1_agents").value.startswith("StateInitializer")
    assert len(read_cases(folder).cases) == 1
    at.button(key="case_cancel").click().run()
    assert not [button for button in at.button if button.key == "case_keep"]


def test_a_session_that_is_not_finished_is_not_offered(manager):
    session = manager.sessions.create("ace", session_id="new")
    at = sound(page(pipeline="ace", session=session))
    assert at.button(key=f"case_{session}").disabled


def test_a_session_that_was_deleted_meanwhile_is_told(manager):
    session = taught(manager)
    at = page(pipeline="ace", session=session)
    manager.sessions.delete("ace", session)
    sound(at.button(key=f"case_{session}").click().run())
    assert "There is no session" in said(at)


def test_a_visitor_keeps_nothing(manager, visit):
    session = taught(manager)
    at = page(pipeline="ace", session=session)
    visit()
    sound(at.button(key=f"case_{session}").click().run())
    assert "A visitor may not make, run or delete cases" in said(at)


def test_no_cases_say_how_to_make_one(manager, folder):
    for _ in range(2):
        assert "Keep a finished session as one in its menu" in said(cases_page())
        folder.mkdir(exist_ok=True)
    folder.rmdir()
    folder.write_text("", encoding="utf-8")
    assert "it is not a folder" in said(cases_page())


def test_all_are_run_and_those_that_do_not_hold_come_first_with_their_session(manager, folder):
    CaseFiles(folder).write(HELD)
    CaseFiles(folder).write(WRONG)
    (folder / "cut.json").write_text("{", encoding="utf-8")
    at = cases_page()
    assert "cut.json is not JSON" in said(at)
    assert "2 cases in" in words(at)
    sound(at.button(key="cases_run_all").click().run())
    names = [button.key for button in at.button if (button.key or "").startswith("case_run_")]
    assert names == ["case_run_a *wrong* one", "case_run_held"]
    assert "Expected: the answer contains “?!”. Found: “No major issues found.”." in words(at)
    assert "1 failed · 1 held" in words(at)
    [kept] = manager.sessions.summaries("iterative_writing")
    assert kept.title == "Case: a *wrong* one"
    [query] = [where for label, where in links(at).items() if label.startswith("→ event ")]
    assert query.startswith(f"pipeline=iterative_writing&session={kept.id}&at=")
    shown = page(pipeline="iterative_writing", session=kept.id)
    assert shown.button(key=f"case_{kept.id}")


def test_a_click_meanwhile_loses_no_case_and_stop_leaves_the_rest(manager, folder, monkeypatch):
    for name in ("a", "b", "c"):
        CaseFiles(folder).write(HELD.model_copy(update={"name": name}))
    real, checked = case_list._checked, []

    def clicked_meanwhile(manager, check, stored):
        checked.append(stored.case.name)
        if len(checked) == 1:
            ask_meanwhile("tab=cases")
        return real(manager, check, stored)

    monkeypatch.setattr(case_list, "_checked", clicked_meanwhile)
    at = cases_page()
    sound(at.button(key="cases_run_all").click().run())
    assert "3 held" in words(at)
    assert "cases_stop" not in {button.key for button in at.button}

    def stopped_meanwhile(manager, check, stored):
        actions.stop()
        ask_meanwhile("tab=cases")
        return real(manager, check, stored)

    at.session_state[case_list.RESULTS] = {}
    monkeypatch.setattr(case_list, "_checked", stopped_meanwhile)
    sound(at.button(key="cases_run_all").click().run())
    assert "1 held" in words(at)


def test_one_is_run_alone_and_many_are_counted(manager, folder, monkeypatch):
    monkeypatch.setattr(case_list, "SHOWN", 1)
    CaseFiles(folder).write(HELD)
    CaseFiles(folder).write(WRONG)
    at = cases_page()
    assert "… and 1 more." in words(at)
    sound(at.button(key="case_run_a *wrong* one").click().run())
    assert "1 failed" in words(at)
    assert "1 held" not in words(at)


def test_a_case_is_deleted_and_brought_back(manager, folder):
    path = CaseFiles(folder).write(HELD)
    before = path.read_bytes()
    at = sound(cases_page().button(key="case_delete_held").click().run())
    assert not path.exists()
    assert "Deleted the case “held”." in words(at)
    assert "Keep a finished session as one" in said(at)
    at = sound(at.button(key="case_undo").click().run())
    assert path.read_bytes() == before
    assert "Deleted the case" not in words(at)
    assert "1 case in" in words(at)


def test_a_case_that_was_made_anew_meanwhile_is_not_overwritten_by_the_undo(manager, folder):
    path = CaseFiles(folder).write(HELD)
    at = cases_page().button(key="case_delete_held").click().run()
    path.write_text("mine", encoding="utf-8")
    at = sound(at.button(key="case_undo").click().run())
    assert path.read_text(encoding="utf-8") == "mine"
    assert "There is a file held.json again." in words(at)
    path.unlink()
    sound(at.button(key="case_undo").click().run())
    assert read_cases(folder).cases[0].case == HELD
    assert path.is_file()


def test_a_visitor_deletes_nothing(manager, folder, visit):
    path = CaseFiles(folder).write(HELD)
    at = cases_page()
    visit()
    at = sound(at.button(key="case_delete_held").click().run())
    assert path.is_file()
    assert "A visitor may not make, run or delete cases" in words(at)
    at = sound(at.button(key="case_dismiss").click().run())
    assert "A visitor may not" not in words(at)
    assert "case_delete_held" not in [button.key for button in at.button], "it is the owner's, and has a folder of its own"


def test_cases_in_one_file_are_not_deleted_alone_and_what_is_left_out_of_it_is_said(manager, folder):
    folder.mkdir()
    given = json.loads(cases_to_eval_set([HELD, WRONG], "both"))
    del given["eval_cases"][0]["playground_case"]
    given["eval_cases"][0]["conversation"][0]["user_content"]["parts"].append({"inline_data": {}})
    (folder / "set.json").write_text(json.dumps(given), encoding="utf-8")
    at = cases_page()
    assert at.button(key="case_delete_held").disabled
    [told] = [found.label for found in at.expander]
    assert told == "Not checked: 1 of what the EvalSets say"
    assert "set.json: held: parts of a message that are not text." in words(at)


def test_they_are_given_as_one_eval_set(manager, folder):
    CaseFiles(folder).write(HELD)
    CaseFiles(folder).write(WRONG)
    at = cases_page()
    assert at.get("download_button")
    text = case_list.cases_to_eval_set([one.case for one in read_cases(folder).cases], "playground")
    assert [case.name for case in cases_from_eval_set(json.loads(text)).cases] == ["a *wrong* one", "held"]


def guarded(manager, folder):
    taught(manager)
    ratio = Case(
        name="<b>ratio</b>",
        pipeline="ace",
        messages=(CINEMA,),
        playbook=NewestPlaybook(name="ace"),
        expect=(AnswerNumber(value=2.5),),
    )
    CaseFiles(folder).write(ratio)
    at = sound(playbook_page(playbook="ace", tab="approve"))
    return sound(at.toggle(key="playbook_guard").set_value(True).run())


def test_a_playbook_without_cases_cannot_be_guarded(manager):
    taught(manager)
    at = sound(playbook_page(playbook="ace", tab="approve"))
    sound(at.toggle(key="playbook_guard").set_value(True).run())
    assert "The folder of cases" in said(at)
    assert at.toggle(key=now(at, "playbook_guard")).value is False
    assert manager.playbooks("ace").guard == ""


def test_a_guarded_playbook_says_which_case_a_delta_breaks(manager, folder):
    at = guarded(manager, folder)
    assert manager.playbooks("ace").guard == str(folder)
    assert "is guarded" in notice(at)
    finished(manager, f"{BAKERY}\nAnswer: 0.67")
    at = sound(playbook_page(playbook="ace", tab="approve"))
    assert "This breaks the case <b>ratio</b>." in said(at)
    assert "Expected: the answer has the number 2.5. Found: “0.40”." in said(at)
    assert "<b>ratio</b>" not in html(at)
    before, after = (links(at)[label] for label in ("→ Its run without the delta", "→ Its run with the delta"))
    compared = names_of(parse_qs(links(at)["→ Both runs side by side"])["compare"][0])
    assert compared == [("ace", query.partition("session=")[2]) for query in (before, after)]
    titles = {found.id: found.title for found in manager.sessions.summaries("ace")}
    assert [titles[query.partition("session=")[2]] for query in (before, after)] == [
        "Case: <b>ratio</b> (without the delta)",
        "Case: <b>ratio</b> (with the delta)",
    ]
    sound(at.toggle(key="playbook_guard").set_value(False).run())
    assert manager.playbooks("ace").guard == ""


def test_a_folder_that_is_gone_holds_a_delta_back_and_says_so(manager, folder):
    guarded(manager, folder)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    finished(manager, f"{BAKERY}\nAnswer: 0.67")
    at = sound(playbook_page(playbook="ace", tab="approve"))
    assert "The cases that guard this playbook cannot be tried." in said(at)
    assert "it does not exist" in said(at)
