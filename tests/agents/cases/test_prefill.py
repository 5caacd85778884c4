"""A case from one answer: the messages up to it, and what it says or calls."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import Event
from agents.cases import AgentsInOrder, AnswerContains, AnswerNumber, Check, ToolCalled, case_from_answer, case_from_session
from agents.errors import CaseError
from agents.log import LogEntry, event_to_json
from agents.pipelines import Catalog
from tests.agents.cases.stage import BAKERY, CATALOG, CINEMA, FORMULA, Stage

pytestmark = pytest.mark.anyio

WRITING = CATALOG.get("iterative_writing")


def seq_of(log, author, number=0):
    events = [(entry.seq, entry.event()) for entry in log if entry.kind == "event"]
    return [seq for seq, event in events if event.author == author][number]


async def test_the_answer_of_one_agent_is_expected_of_that_agent_and_holds():
    log = await Stage().send("iterative_writing", "a lighthouse keeper")
    case = case_from_answer(log, WRITING, seq_of(log, "InitialWriterAgent"))
    assert (case.name, case.messages) == ("a lighthouse keeper, InitialWriterAgent", ("a lighthouse keeper",))
    [expected] = case.expect
    assert isinstance(expected, AnswerContains)
    assert expected.agent == "InitialWriterAgent"
    assert log[0].seq < seq_of(log, "InitialWriterAgent")
    result = await Check(CATALOG).run(case)
    assert (result.outcome, result.first_wrong) == ("held", None)


GRAPH = """
from agents import Event, RequestInput, Workflow
def read(node_input: str):
    return Event(message=f"read {node_input}")
def ask(node_input):
    return RequestInput(message="Which title?")
root_agent = Workflow(name="graph", edges=[("START", read, ask)])
"""


async def test_cases_of_a_graph_name_its_nodes_and_hold_whatever_the_id_of_a_question(tmp_path):
    (tmp_path / "reading").mkdir()
    (tmp_path / "reading" / "agent.py").write_text(GRAPH, encoding="utf-8")
    catalog = Catalog(tmp_path)
    pipeline = catalog.get("reading")
    log = await Stage().send("reading", "a cake", catalog=catalog)
    whole = case_from_session(log, pipeline)
    assert AgentsInOrder(agents=("read", "ask")) in whole.expect
    assert ToolCalled(tool="adk_request_input", args={"message": "Which title?"}, agent="ask") in whole.expect
    first = next(entry.seq for entry in log if entry.kind == "event" and entry.event().author == "graph")
    of_node = case_from_answer(log, pipeline, first)
    assert of_node.name == "a cake, read"
    assert [(await Check(catalog).run(case)).outcome for case in (whole, of_node)] == ["held", "held"]


async def test_messages_after_the_answer_are_left_out():
    stage = Stage()
    stage.learn(FORMULA)
    log = await stage.send("ace", BAKERY, CINEMA)
    ace = CATALOG.get("ace")
    first, second = (case_from_answer(log, ace, seq_of(log, "Generator", number)) for number in (0, 1))
    assert (first.messages, second.messages) == ((BAKERY,), (BAKERY, CINEMA))
    assert (first.expect, second.expect) == ((AnswerNumber(value=1.5),), (AnswerNumber(value=2.5),))
    assert first.playbook == case_from_session(log, ace).playbook


async def test_a_tool_call_is_expected_with_its_arguments():
    log = await Stage().send("iterative_writing", "a lighthouse keeper")
    calls = [entry.seq for entry in log if entry.kind == "event" and entry.event().get_function_calls()]
    case = case_from_answer(log, WRITING, calls[-1])
    assert case.expect[-1] == ToolCalled(tool="exit_loop", args={}, agent="RefinerAgent")


async def test_an_earlier_answer_of_an_agent_that_changes_its_mind_is_refused_with_the_event_to_take():
    log = await Stage().send("iterative_writing", "a lighthouse keeper")
    last = seq_of(log, "CriticAgent", -1)
    number = sum(entry.kind == "event" and entry.seq <= last for entry in log)
    with pytest.raises(CaseError, match=f"Keep event {number}."):
        case_from_answer(log, WRITING, seq_of(log, "CriticAgent"))
    assert case_from_answer(log, WRITING, last).expect


@pytest.mark.parametrize("at", [0, 10**9])
async def test_what_is_no_answer_is_refused(at):
    log = await Stage().send("iterative_writing", "a lighthouse keeper")
    for seq in (at, log[0].seq, seq_of(log, "user")):
        with pytest.raises(CaseError, match="no answer of an agent"):
            case_from_answer(log, WRITING, seq)


async def test_a_run_that_has_not_ended_failed_or_went_on_after_an_answer_of_the_user_is_refused():
    log = await Stage().send("iterative_writing", "a lighthouse keeper")
    answer, end = seq_of(log, "InitialWriterAgent"), log[-1]
    with pytest.raises(CaseError, match="has not ended yet"):
        case_from_answer(log[:-1], WRITING, answer)
    failed = LogEntry(end.seq, end.kind, end.body.replace("completed", "failed"))
    with pytest.raises(CaseError, match="failed"):
        case_from_answer([*log[:-1], failed], WRITING, answer)
    response = types.Part(function_response=types.FunctionResponse(id="c", name="t", response={}))
    said = Event(author="user", content=types.Content(role="user", parts=[response]))
    with pytest.raises(CaseError, match="messages alone"):
        case_from_answer([*log[:3], LogEntry(log[2].seq, "event", event_to_json(said)), *log[3:]], WRITING, answer)
