from __future__ import annotations

import json

import pytest
from google.genai import types
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.models.simulated.model import SimulatedRequest
from agents.pipelines.library.articles import collection, sentences_of
from agents.pipelines.library.quotes import citations_in, without_citations
from agents.pipelines.report_writer.simulation import FORMS, plan, summarise
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse, rehearse_async

KNOWN = {sentence for article in collection().values() for sentence in sentences_of(article.text)}


def told_in(report: str) -> list[str]:
    """The sentences of a report that are not its own."""
    return [sentence for sentence in sentences_of(report) if citations_in(sentence)]


def check(run: Rehearsal) -> None:
    """The card's claims, whatever the subject."""
    (finished,) = run.of_kind("run_finished")
    assert finished["status"] == "completed"
    assert finished["calls"] == len(run.of_kind("model_started"))
    report = run.state["report"]
    told = told_in(report)
    assert all(without_citations(sentence) in KNOWN for sentence in told)
    assert len(told) == len(set(told)), "nothing twice"
    answers = "\n".join(str(result.response.get("result")) for result in run.results("ResearchAssistant"))
    assert all(sentence in answers for sentence in told), "only what the assistant found"
    if told:
        assert report.endswith(f"Sources: {', '.join(citations_in(' '.join(told)))}")
    else:
        assert "Nothing was found on " in report


@pytest.mark.anyio
@pytest.mark.parametrize("article", collection().values(), ids=list(collection()))
async def test_the_claims_of_the_card_hold_for_every_article(article):
    run = await rehearse_async("report_writer", f"Write me a short report about {article.title}.")

    check(run)
    assert run.state["report"].startswith(f"# {article.title}\n\n## Origins")
    assert article.id in citations_in(run.state["report"])


@pytest.mark.anyio
async def test_the_questions_are_asked_in_one_step_and_answered_in_order():
    run = await rehearse_async("report_writer", "bread, coffee and soap")

    (calls,) = [event.get_function_calls() for event in run.events if event.get_function_calls()]
    assert [call.args["request"] for call in calls] == ["bread", "coffee", "soap"]
    sources = [citations_in(result.response["result"]) for result in run.results("ResearchAssistant")]
    assert sources == [["bread"], ["coffee"], ["soap"]]
    assert [line for line in run.state["report"].splitlines() if line.startswith("## ")] == [
        "## Bread",
        "## Coffee",
        "## Soap",
    ]


@pytest.mark.anyio
async def test_inner_agents_work_on_branches_of_their_own():
    run = await rehearse_async("report_writer", "lighthouses and the compass")
    branches = {record["agent"]: [] for record in run.of_kind("agent_started")}
    for record in run.of_kind("agent_started"):
        branches[record["agent"]].append(record.get("branch"))

    assert branches["ReportWriter"] == [None]
    assert len(set(branches["ResearchAssistant"])) == 2
    assert len(set(branches["Searcher"])) == len(set(branches["Summariser"])) == 2
    for branch in branches["Searcher"]:
        above, _, own = branch.rpartition(".")
        assert above in branches["ResearchAssistant"]
        assert own.startswith("Searcher:")


@pytest.mark.anyio
async def test_the_writer_is_sent_answers_and_nothing_of_how_they_came_about():
    run = await rehearse_async("report_writer", "lighthouses and the compass")
    sent = [record["contents"]["count"] for record in run.of_kind("model_started") if record["agent"] == "ReportWriter"]

    assert sent == [1, 3], "the message; then the message, the calls, the answers"


@pytest.mark.anyio
async def test_a_side_that_the_article_does_not_tell_of_is_said_to_be_missing():
    alone = await rehearse_async("report_writer", "the use of the rainbow today")
    beside = await rehearse_async("report_writer", "the rainbow")

    check(alone)
    assert told_in(alone.state["report"]) == []
    assert "Nothing was found on the use of the rainbow today." in alone.state["report"]
    assert "Nothing was found on the use of the rainbow today." in beside.state["report"]
    assert citations_in(beside.state["report"]) == ["rainbow"]


@pytest.mark.anyio
async def test_a_failure_deep_down_costs_one_part_of_the_report():
    fault = Fault(kind="fail_before", target="Searcher")
    run = await rehearse_async("report_writer", "lighthouses and the compass", faults=[fault])

    assert run.of_kind("run_finished")[0]["status"] == "completed"
    assert "The research on lighthouses failed." in run.state["report"]
    assert citations_in(run.state["report"]) == ["compass"]


@pytest.mark.anyio
async def test_a_tool_that_is_not_there_costs_one_model_call():
    subject = "lighthouses and the compass"
    fault = Fault(kind="unknown_tool", target="ResearchAssistant")
    wrong = await rehearse_async("report_writer", subject, faults=[fault])
    right = await rehearse_async("report_writer", subject)

    assert wrong.state["report"] == right.state["report"]
    assert len(wrong.of_kind("model_started")) == len(right.of_kind("model_started")) + 1


@pytest.mark.anyio
async def test_the_writer_can_fail_at_the_end():
    fault = Fault(kind="fail_before", target="ReportWriter", call=2)
    run = await rehearse_async("report_writer", "tides", faults=[fault])

    assert run.of_kind("run_finished")[0]["status"] == "failed"
    assert run.results("ResearchAssistant")
    assert "report" not in run.state


@pytest.mark.anyio
async def test_the_next_subject_of_a_session_is_researched_anew():
    after = await rehearse_async("report_writer", "tides", "soap")
    alone = await rehearse_async("report_writer", "soap")

    check(after)
    assert after.state["report"] == alone.state["report"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=200).filter(str.strip))
@example("a report about")
@example("{report} {nothing}")
@example("[0]")
@example("a bridge [tides].")
@example("tides and soap [glass]")
@example("tides and soap")
@example("The search failed: tides")
@example("\u2028\u00a0.")
def test_any_subject_runs_to_an_end(subject):
    run = rehearse("report_writer", subject)
    if run.results("ResearchAssistant"):
        check(run)
    else:
        assert "a report about lighthouses and the compass" in run.state["report"]


@pytest.mark.parametrize(
    ("subject", "questions"),
    [
        ("bread and soap", ["bread", "soap"]),
        ("bread, the tides, and Venice", ["bread", "the tides", "Venice"]),
        ("tides", ["the history of the tides", "the workings of the tides", "the use of the tides today"]),
        ("how the telegraph works", ["the workings of the telegraph"]),
        ("the history of glass", ["the history of glass"]),
    ],
)
def test_a_subject_is_divided_into_questions(subject, questions):
    reading = FORMS.read(subject)
    assert reading is not None
    assert list(plan(reading)[1].values()) == questions


def test_the_summariser_chooses_from_its_material_only():
    def chosen(material: str, **more: int) -> str:
        text = json.dumps({"question": "the history of kites", "material": material, "sentences": 1} | more)
        content = types.Content(role="user", parts=[types.Part(text=text)])
        return summarise(SimulatedRequest("Summariser", "", (content,)))

    assert chosen("Kites fly [kites].\nIn 1749 kites carried thermometers [kites].\nKites are red [kites].") == (
        "In 1749 kites carried thermometers [kites]."
    )
    assert chosen("Dragons fly [dragons].\nDragons are red [dragons].", sentences=2) == "Nothing"
