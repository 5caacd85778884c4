"""The code on this project's API: loaded as a module and run, it gives the texts of the session."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import PipelineNotFoundError, SessionNotFoundError
from agents.forks import BackgroundForks, InstructionChange, prepare_fork
from agents.pipelines import Catalog, Fault
from agents.runs import RunManager
from agents.sharing import session_code
from agents.sharing.code.playground_code import playground_code
from agents.sharing.code.recorded_session import RecordedSession, Turn
from tests.agents.sharing.code.stage import answer, by_author, loaded, run, run_again, stored, texts_of

CATALOG = Catalog()
SIDE_BY_SIDE = {"research_fanout", "report_writer"}
"""Pipelines with agents side by side."""
HOSTILE = [
    '"""',
    "'''",
    "\\",
    '"',
    "\n",
    "\r\n",
    "\u2028",
    "\ud800",
    "\x00",
    "{x}",
    "#",
    "日本",
    "\u202e",
    "')\nboom()\n#",
    "a" * 90,
]


@pytest.fixture
def manager():
    with RunManager(database=None, preparation=prepare_fork) as found:
        found.models.change(simulated_speed=0)
        yield found


@pytest.mark.parametrize("name", CATALOG.names())
def test_it_gives_the_texts_of_the_session(name, manager, tmp_path):
    session = None
    for message in CATALOG.get(name).card.samples[:2]:
        session = run(manager, name, message, session_id=session)
        for waiting in manager.pending(name):
            refused = {"confirmed": False, "reason": "not today"}
            answer(manager, name, session, {"result": "drop"} if waiting.tool == "adk_request_input" else refused)
    module = loaded(session_code(manager, name, session).playground, tmp_path)
    said, again = texts_of(stored(manager, name, session), inner=False), texts_of(run_again(module))
    assert said
    assert by_author(again) == by_author(said)
    assert name in SIDE_BY_SIDE or again == said


def test_settings_of_the_session_are_in_it(manager, tmp_path):
    faults = [Fault.parse("Clerk:fail_before:1")]
    state = {"use_fallback": True, "user:名": "値", "note": '"""\\'}
    session = run(manager, "routed_fallback", "two rolls", faults=faults, state=state)
    manager.sessions.set_state("routed_fallback", session, {"note": "later"})
    run(manager, "routed_fallback", "one pretzel", session_id=session, agent_models={"Clerk": "simulated"})
    module = loaded(session_code(manager, "routed_fallback", session).playground, tmp_path)
    assert module.STATE["user:名"] == "値"
    assert module.STATE["note"] == '"""\\'
    first, second = [config for _, _, config in module.TURNS]
    assert (first.faults, second.faults) == (tuple(faults), ())
    assert set(second.agent_models) == {"Clerk"}
    assert module.TURNS[1][1]["note"] == "later"
    assert texts_of(run_again(module)) == texts_of(stored(manager, "routed_fallback", session))


def test_an_approval_with_another_amount_is_answered_again(manager, tmp_path):
    session = run(manager, "approval", "Pay 250 euros to Ana for the roof")
    answer(manager, "approval", session, {"confirmed": True, "args": {"payee": "Ana", "amount": 40.0}})
    code = session_code(manager, "approval", session)
    said = texts_of(run_again(loaded(code.playground, tmp_path)))
    assert said == texts_of(stored(manager, "approval", session))
    assert any("40" in text for _, text in said)
    assert "Arguments that were changed with an approval are not changed on ADK." in code.adk


def test_a_session_begins_with_the_playbook_that_it_had(manager, tmp_path):
    first, second = CATALOG.get("ace").card.samples[:2]
    for message in (first, second):
        run(manager, "ace", message)
    session = run(manager, "ace", first)
    code = session_code(manager, "ace", session)
    module = loaded(code.playground, tmp_path)
    assert [bullet.id for bullet in module.PLAYBOOK.bullets] == ["formu-00001", "formu-00002"]
    said = texts_of(stored(manager, "ace", session))
    assert any("formu-00001" in text for _, text in said)
    assert texts_of(run_again(module)) == said
    assert "PLAYBOOK" not in session_code(manager, "ace", session, scopes=["session"]).playground


def test_a_fork_has_its_changed_instruction(manager, tmp_path):
    origin = run(manager, "iterative_writing", "the sea")
    at = next(entry.seq for entry in manager.sessions.log("iterative_writing", origin) if entry.kind == "event")
    change = InstructionChange(agent="CriticAgent", text='Say "" or \\ {initial_topic}')
    [fork] = BackgroundForks(manager).rerun("iterative_writing", origin, at=at, changes=[change])
    code = session_code(manager, "iterative_writing", fork)
    module = loaded(code.playground, tmp_path)
    assert module.root_agent.find_agent("CriticAgent").instruction == change.text
    assert "# The session is a fork" in code.playground
    manager.stop("iterative_writing", fork)


def test_a_session_without_a_message_has_agents_and_no_turns(manager, tmp_path):
    session = manager.sessions.create("help_desk")
    module = loaded(session_code(manager, "help_desk", session).playground, tmp_path)
    assert module.TURNS == []
    assert run_again(module) == []


def test_a_session_or_pipeline_that_is_gone_says_so(manager):
    with pytest.raises(SessionNotFoundError):
        session_code(manager, "help_desk", "gone")
    with pytest.raises((PipelineNotFoundError, SessionNotFoundError)):
        session_code(manager, "no_such_pipeline", "gone")


def test_the_code_has_no_keys(manager, monkeypatch):
    key = "AIzaSyExampleExampleExampleExample12345"
    monkeypatch.setenv("GEMINI_API_KEY", key)
    session = run(manager, "help_desk", f"my key is {key}")
    code = session_code(manager, "help_desk", session)
    assert key not in code.playground + code.adk
    ast.parse(code.playground)


@settings(max_examples=40)
@given(text=st.lists(st.sampled_from(HOSTILE)).map("".join), key=st.sampled_from(HOSTILE))
def test_hostile_texts_are_texts(text, key):
    turn = Turn(text=text, state={key: text, "initial_topic": text}, model=f"gemini-{text}")
    recorded = RecordedSession(text, {key: [text, {text: None}]}, [turn], [text])
    written = playground_code(CATALOG.get("iterative_writing"), recorded)
    written.encode("utf-8")
    tree = ast.parse(written)
    values = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert ast.literal_eval(values["STATE"]) == recorded.state
    assert ast.literal_eval(values["SESSION"]) == text
    assert ast.literal_eval(values["MODEL"]) == f"gemini-{text}"
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "boom"]


def test_a_message_of_a_hundred_kilobytes():
    text = "日" * 33_000
    written = playground_code(CATALOG.get("help_desk"), RecordedSession("s", {}, [Turn(text=text)]))
    assert text in written
    assert json.dumps(written)


def test_a_replayed_session_is_run_by_the_simulated_model(tmp_path):
    recorded = RecordedSession("s", {}, [Turn(text="Where is order 1234?", model="replay/help_desk/x")])
    module = loaded(playground_code(CATALOG.get("help_desk"), recorded), tmp_path)
    assert type(module.MODEL).__name__ == "SimulatedLlm"
