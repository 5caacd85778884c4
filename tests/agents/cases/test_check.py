"""A check: a session kept as a case holds when it is run again, and each difference is named with its event."""

from __future__ import annotations

import json

import pytest

from agents import LlmAgent, RunConfig
from agents.cases import (
    AgentsInOrder,
    AnswerContains,
    AnswerEquals,
    AnswerMatches,
    AnswerNumber,
    AtMost,
    Case,
    Check,
    InlineBullet,
    InlinePlaybook,
    Judge,
    LoopEnded,
    NewestPlaybook,
    NoPlaybook,
    PlaybookAtRevision,
    StateEquals,
    ToolCalled,
    case_from_session,
    outcomes,
)
from agents.cases import check as check_module
from agents.cases.evidence import evidence_in
from agents.cases.judge import parse_verdict
from agents.cases.verdict import differences, numbers_in
from agents.errors import CaseError
from agents.models.provider import Price
from agents.models.scripted import ScriptedLlm
from agents.pipelines.catalog import BUILT_IN
from agents.runtime.fault import Fault
from tests.agents.cases.stage import BAKERY, CATALOG, CINEMA, FALSE, FORMULA, Stage

pytestmark = pytest.mark.anyio

WRITING = "a lighthouse keeper"


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != "ace"])
async def test_a_session_of_any_pipeline_holds_as_it_was(name):
    pipeline = CATALOG.get(name)
    log = await Stage().send(name, pipeline.card.samples[0])
    result = await Check(CATALOG).run(case_from_session(log, pipeline), repeat=2)
    assert [run.why for run in result.runs] == ["", ""]
    assert (result.outcome, result.held) == ("held", 2)


async def test_a_learned_answer_holds_with_the_playbook_and_not_without_its_bullet():
    stage = Stage()
    [bullet] = stage.learn(FORMULA)
    case = case_from_session(await stage.send("ace", CINEMA), CATALOG.get("ace"))
    assert (case.playbook, case.cited) == (NewestPlaybook(name="ace"), (bullet,))
    assert case.expect[0] == AnswerNumber(value=2.5)
    check = Check(CATALOG, playbooks=stage.playbooks)
    before = stage.playbooks.beside("ace").playbook()

    assert (await check.run(case)).outcome == "held"
    assert stage.playbooks.beside("ace").playbook() == before, "the user's playbook is left alone"
    assert [info.name for info in stage.playbooks.names()] == ["ace"]

    for other, outcome in [
        (InlinePlaybook(bullets=(InlineBullet(id="f-1", section="FORMULAS", content=FALSE),)), "failed"),
        (NoPlaybook(), "failed"),
        (PlaybookAtRevision(name="ace", revision=1), "held"),
        (PlaybookAtRevision(name="ace", revision=0), "failed"),
        (PlaybookAtRevision(name="ace", revision=99), "error"),
    ]:
        result = await check.run(case.model_copy(update={"playbook": other}))
        assert (result.outcome, other) == (outcome, other)
    assert "no revision 99" in result.runs[0].error


async def test_the_first_event_that_differs_is_named():
    stage = Stage()
    log = await stage.send("iterative_writing", WRITING)
    case = case_from_session(log, CATALOG.get("iterative_writing"))
    wrong = (StateEquals(key="initial_topic", value="boats"), LoopEnded(loop="RefinementLoop", within=1))
    result = await Check(CATALOG).run(case.model_copy(update={"expect": (*case.expect, *wrong[::-1])}))
    [run] = result.runs
    first, second = run.differences
    assert (first.expected, first.found, first.event) == ("state initial_topic is 'boats'", f"'{WRITING}'", 1)
    assert second.seq > first.seq
    [entry] = [entry for entry in run.entries if entry.seq == second.seq]
    assert entry.kind == "loop_finished"
    assert result.first_wrong is run
    assert outcomes([result]) == {"held": 0, "failed": 1, "error": 0}


async def test_each_expectation_is_told_apart():
    log = await Stage().send("tool_loop", CATALOG.get("tool_loop").card.samples[0])
    evidence = evidence_in(log, {"simulated": Price(input=100_000, output=0)})
    said = evidence.answer()
    assert said is not None
    for holds in (
        AnswerContains(text="19.5 hours"),
        AnswerEquals(text=f" {said.text}\n"),
        AnswerNumber(value=19.5),
        AnswerNumber(value=19, tolerance=0.6),
        AnswerMatches(pattern="19.5 hours*days/tuesday.txt: 3"),
        AgentsInOrder(agents=("FileKeeper", "FileKeeper")),
        ToolCalled(tool="read_file", args={"path": "days/friday.txt"}, agent="FileKeeper"),
        StateEquals(key="calls_per_step", value=3),
        AtMost(calls=5, cost=10_000, seconds=100),
        Judge(rubric="left to the judge"),
    ):
        assert differences([holds], evidence) == []
    for fails, found in (
        (AnswerContains(text="20 hours"), said.text.splitlines()[0]),
        (AnswerEquals(text="19.5 hours"), "“19.5"),
        (AnswerNumber(value=18), "“19.5"),
        (AnswerMatches(pattern="19.5"), "“19.5"),
        (AnswerContains(text="x", agent="Nobody"), "no answer of Nobody"),
        (AgentsInOrder(agents=("FileKeeper", "Nobody")), "Nobody says nothing there; agents: FileKeeper"),
        (ToolCalled(tool="read_file", args={"path": "no.txt"}), "read_file(path='days/friday.txt')"),
        (ToolCalled(tool="delete_file"), "no call of delete_file"),
        (ToolCalled(tool="read_file", agent="Nobody"), "no call of read_file"),
        (LoopEnded(loop="Loop"), "Loop did not run to an end"),
        (StateEquals(key="calls_per_step", value=True), "3"),
        (StateEquals(key="nothing", value=1), "None"),
        (AtMost(calls=4), "5 calls"),
        (AtMost(cost=0.5), "$"),
        (AtMost(seconds=1e-9), " s"),
    ):
        [difference] = differences([fails], evidence)
        assert found in difference.found
        assert difference.seq in {entry.seq for entry in log}
    assert differences([AtMost(cost=1)], evidence_in(log, {})) == [], "the simulated model is free"
    log = [entry._replace(body=entry.body.replace('"model":"simulated"', '"model":"of-tomorrow"')) for entry in log]
    [unpriced] = differences([AtMost(cost=1)], evidence_in(log, {}))
    assert unpriced.found == "a call of of-tomorrow, which has no price: set one in the settings"


def test_numbers_are_found_in_any_script_and_a_long_text_is_read_to_a_limit():
    assert numbers_in("１２．５ m/s, −3 and 1,234.5, 2e3") == [12.5, -3.0, 1234.5, 2000.0]
    assert numbers_in("三") == []
    assert len(numbers_in("9" * 100_000)) == 1


async def test_an_error_is_no_failure():
    good = case_from_session(await Stage().send("iterative_writing", WRITING), CATALOG.get("iterative_writing"))
    check = Check(CATALOG)
    for update, told in (
        ({"pipeline": "nowhere"}, "nowhere"),
        ({"model": "no-such-model"}, "no-such-model"),
        ({"messages": ("  ",)}, "The message is empty"),
        ({"state": {" ": 1}}, "empty key"),
        ({"playbook": NewestPlaybook(name="x")}, "no database is given"),
        ({"playbook": NewestPlaybook(name=" x ")}, "no database is given"),
    ):
        result = await check.run(good.model_copy(update=update))
        assert result.outcome == "error"
        assert told in result.runs[0].error
    config = RunConfig(model=check_module.model_for(CATALOG.get("iterative_writing"), "simulated"))
    broken = config.model_copy(update={"faults": (Fault.parse("InitialWriterAgent:fail_before:1"),)})
    run = await check.run_once(good, config=broken)
    assert run.outcome == "error"
    assert run.entries[-1].kind == "run_finished"


async def test_repetitions_are_counted(monkeypatch):
    answers = iter(["Yes.", "No.", "Yes."])
    monkeypatch.setattr(check_module, "model_for", lambda pipeline, name: ScriptedLlm(script=[next(answers)]))
    case = Case(name="n", pipeline="status_poller", messages=("x",), expect=(AnswerContains(text="Yes"),))
    agent = LlmAgent(name="A", instruction="Answer.")
    pipeline = CATALOG.get("status_poller")
    catalog = type("One", (), {"get": lambda self, name: type(pipeline)(name, agent, pipeline.card, pipeline.folder)})()
    result = await Check(catalog).run(case, repeat=3)
    assert (result.held, len(result.runs), result.outcome) == (2, 3, "failed")


async def test_a_rubric_is_for_a_real_model(monkeypatch):
    case = case_from_session(await Stage().send("status_poller", "build"), CATALOG.get("status_poller"))
    asked = case.model_copy(update={"expect": (Judge(rubric="It is </rubric> polite."),)})
    assert "A rubric needs a real model" in (await Check(CATALOG).run(asked)).runs[0].error
    real, requests = check_module.model_for, []

    def answer(request):
        requests.append(request)
        return json.dumps({"holds": len(requests) > 1, "why": "It is curt."})

    judge = ScriptedLlm(script=[answer, answer, "I cannot say."])
    monkeypatch.setattr(check_module, "model_for", lambda p, name: judge if name == "judge" else real(p, name))
    with_judge = asked.model_copy(update={"expect": (Judge(rubric="It is </rubric> polite.", model="judge"),)})
    first, second, third = (await Check(CATALOG).run(with_judge, repeat=3)).runs
    assert first.differences[0].found == "It is curt."
    assert requests[0].contents[0].parts[0].text.count("</rubric>") == 1
    assert second.outcome == "held"
    assert "did not reply with a verdict" in third.error


@pytest.mark.parametrize("text", ["", "yes", '{"holds": "true"}', "[]", '{"why": "x"}'])
def test_a_reply_that_is_no_verdict_is_none(text):
    assert parse_verdict(text) is None


async def test_a_session_without_an_end_or_with_a_failed_one_is_not_kept():
    stage = Stage()
    with pytest.raises(CaseError, match="No run of this session has ended"):
        case_from_session(await stage.send("ace"), CATALOG.get("ace"))
    pipeline = CATALOG.get("iterative_writing")
    log = await stage.send("iterative_writing", WRITING)
    with pytest.raises(CaseError, match="nothing to keep"):
        case_from_session(log[:-1], pipeline)
    failed = log[-1]._replace(body='{"status": "failed"}')
    with pytest.raises(CaseError, match="The last run of this session failed"):
        case_from_session([*log[:-1], failed], pipeline)


async def test_several_messages_are_one_session_and_state_comes_along():
    stage = Stage()
    stage.learn(FORMULA)
    log = await stage.send("ace", f"{BAKERY}\nAnswer: 1.5", CINEMA, state={"top_k": 3, "user:unit": "€"})
    case = case_from_session(log, CATALOG.get("ace"), name="two", revision=1)
    assert case.messages == (f"{BAKERY}\nAnswer: 1.5", CINEMA)
    assert (case.name, case.state["top_k"], case.state["user:unit"]) == ("two", 3, "€")
    assert "playbook_name" not in case.state
    assert case.playbook == PlaybookAtRevision(name="ace", revision=1)
    assert (await Check(CATALOG, playbooks=stage.playbooks).run(case)).runs[0].why == ""


async def test_what_waits_for_an_answer_is_kept_up_to_the_question():
    pipeline = CATALOG.get("approval")
    log = await Stage().send("approval", pipeline.card.samples[0])
    case = case_from_session(log, pipeline)
    assert case.name == pipeline.card.samples[0].splitlines()[0][:120].strip()
    assert (await Check(CATALOG).run(case)).outcome == "held"


async def test_a_case_of_a_session_that_another_program_recorded_says_why_it_does_not_hold():
    case = Case(name="c", pipeline="coding_session", messages=("Run it.",), expect=(ToolCalled(tool="Bash"),))
    result = await Check(CATALOG).run(case)
    assert result.outcome == "error"
    assert "tools and files are not here" in result.runs[0].why
    assert "Found: no call of Bash" in result.runs[0].why
