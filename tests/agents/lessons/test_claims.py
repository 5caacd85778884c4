"""What lessons say is what the logs show: names and quotations in any text, and the figures and orders below."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from functools import cache

import pytest
from pydantic import TypeAdapter

from agents import AgentTool
from agents.lessons import StepRunner, queries
from agents.lessons.queries import Query
from agents.pipelines import Catalog, load_built_in
from agents.teams import STARTS, TeamStore, set_field, team_of
from tests.agents.lessons.test_lessons import LESSONS
from tests.documents.blocks import ROOT

QUERIES = TypeAdapter(Query)
SCRIPTS = ROOT / "ui" / "session_view" / "js"
WORDS = [(SCRIPTS / path).read_text("utf-8") for path in ("list/event_head.js", "inspector/tabs/event_tab.js")]
"""What the list of events says of them."""

QUOTED = re.compile(r"(?<![*\w])\*([^*\n]+(?:\n[^*\n]+)?)\*(?![*\w])")
CODE = re.compile(r"`([^`]+)`")


@cache
def log_of(name, id_):
    """The log of a step's run."""
    return asyncio.run(StepRunner(Catalog(), load_built_in(name)).run(LESSONS[name].step(id_))).entries


def log_of_solution(name, id_, folder):
    """The log of the run with the reference solution."""
    pipeline, step = load_built_in(name), LESSONS[name].step(id_)
    state = {edit.control: edit.value for edit in step.solution if edit.control}
    files = team_of(pipeline)[0]
    for edit in step.solution:
        files = files if edit.control else set_field(files, edit.agent, edit.field, edit.value)
    TeamStore(folder).create("solved", files)
    of = "" if state else "solved"
    return asyncio.run(StepRunner(Catalog(teams=folder), pipeline).run(step, of=of, state=state)).entries


def texts_of(value):
    """All texts of a lesson that are shown, one after another."""
    if isinstance(value, dict):
        shown = (
            "title",
            "goal",
            "notes",
            "handout",
            "text",
            "reveal",
            "hint",
            "hints",
            "choices",
            "causes",
            "wrong",
            "label",
        )
        return [text for key, one in value.items() if key in ("steps", "edit", *shown) for text in texts_of(one)]
    if isinstance(value, (list, tuple)):
        return [text for one in value for text in texts_of(one)]
    return [value] if isinstance(value, str) else []


def plain(text):
    return re.sub(r"\s+", " ", text)


@cache
def shown(name):
    """All that a learner can see of a pipeline: its source, card, what is sent, and the logs of the lesson's runs."""
    pipeline, lesson = load_built_in(name), LESSONS[name]
    logs = [entry.fields() for step in lesson.steps for entry in log_of(name, step.id)]
    card = [pipeline.card.lesson, *(control.label for control in pipeline.card.controls)]
    files = [*pipeline.sources.values(), *team_of(pipeline)[0].values(), str(inspect.signature(AgentTool)), *WORDS]
    files += [text for start in STARTS for text in (start.name, *start.files.values())]
    return plain("\n".join([*files, *card, json.dumps(logs, ensure_ascii=False, default=str)])).replace('\\"', '"')


@pytest.mark.parametrize("name", LESSONS)
def test_what_is_quoted_is_there(name):
    lesson = LESSONS[name]
    said = "\n".join(
        texts_of(lesson.model_dump(exclude={"steps": {"__all__": {"run", "answer", "find", "expect", "solution", "event"}}}))
    )
    there = plain(shown(name) + " ".join(step.title for step in lesson.steps)).lower()
    sentences = [text for text in QUOTED.findall(said) if " " in text]  # a single word is only stressed
    names = [text for text in CODE.findall(said) if not text.startswith("- {")]  # that is a rule to be written
    quoted = [plain(text).strip(" .?").lower() for text in [*sentences, *names]]
    assert [text for text in quoted if text not in there] == []


def event(author, **body):
    return {"kind": "event", "body": {"author": author, **body}}


def says(text):
    return {"content": {"parts": {"text": text}}}


def called(tool):
    return {"take": "count", "match": {"kind": "tool_started", "body": {"tool": tool}}}


def calls(agent=""):
    return {"take": "calls", "agent": agent}


def how_many(match):
    return {"take": "count", "match": match}


def counted(number):
    match = event("CheckerAgent", content={"parts": {"function_response": {"name": "count_bananas"}}})
    return {"take": "field", "match": match, "path": "content.parts.0.function_response.response.bananas", "number": number}


PASSES = {"take": "field", "match": {"kind": "loop_finished"}, "path": "iterations"}
DECISIONS = how_many({"kind": "route_decided"})

CLAIMS = [
    ("tool_loop", "thinks", "four for twelve files", called("read_file"), 12),
    ("tool_loop", "fault", "there are four", calls(), 4),
    ("data_pipeline", "less", "two by the validator", calls("TableValidator"), 2),
    ("data_pipeline", "less", "three by the processor", calls("TableProcessor"), 3),
    ("data_pipeline", "less", "one by the reporter", calls("TableReporter"), 1),
    ("data_pipeline", "fault", "Four rows could be used", how_many(event("TableValidator", **says("4 of 6 rows*"))), 1),
    ("iterative_writing", "passes", "fails five of its nine", how_many(event("CriticAgent", **says("4 of 9 criteria*"))), 1),
    (
        "iterative_writing",
        "passes",
        "two weaknesses, two, and one",
        how_many(event("CriticAgent", **says("6 of 9 criteria*"))),
        1,
    ),
    (
        "iterative_writing",
        "passes",
        "two weaknesses, two, and one",
        how_many(event("CriticAgent", **says("8 of 9 criteria*"))),
        1,
    ),
    ("iterative_writing", "limit", "takes five passes", PASSES, 5),
    ("iterative_writing", "limit", "instead of eleven", calls(), 11),
    (
        "iterative_writing",
        "fault",
        "In the second pass",
        {"take": "field", "match": event("CriticAgent"), "path": "error_code", "number": 2},
        "SAFETY",
    ),
    (
        "help_desk",
        "who",
        "*Helps with bills",
        how_many(event("HelpDesk", **says("BillAgent fits: it helps with bills, payments*"))),
        1,
    ),
    ("routed_ab", "down", "two decisions, both A", how_many({"kind": "route_decided", "body": {"key": "A"}}), 2),
    ("routed_fallback", "before", "asked twice", DECISIONS, 2),
    ("routed_fallback", "fault", "asked once", DECISIONS, 1),
    ("routed_fallback", "fault", "only one event after the user's", how_many({"kind": "event"}), 2),
    ("ace", "cheaper", "five model calls", calls(), 5),
    ("research_fanout", "calls", "Three times three", calls("Historian"), 3),
    ("research_fanout", "fault", "have five events each", how_many(event("Historian")), 5),
    ("research_fanout", "fault", "How many has the Observer?", how_many(event("Observer")), 3),
    (
        "fact_check",
        "review",
        "Four claims, one unsupported",
        how_many(event("FactCritic", **says("4 claims looked up, 1 unsupported."))),
        1,
    ),
    ("fact_check", "cheaper", "costs six model calls", calls(), 6),
    (
        "approval",
        "two",
        "the printer has its money",
        how_many(event("PayAgent", content={"parts": {"function_response": {"response": {"payee": "the printer"}}}})),
        1,
    ),
    ("banana_painter", "count", '"bananas": 8', counted(1), 8),
    ("banana_painter", "count", "6, 8 and then 7", counted(2), 6),
    ("banana_painter", "count", "6, 8 and then 7", counted(3), 8),
    ("banana_painter", "count", "6, 8 and then 7", counted(4), 7),
    (
        "banana_painter",
        "fault",
        "In the second pass",
        how_many(event("PainterAgent", **says("Attempt 2:*this ends before it is*"))),
        1,
    ),
    ("status_poller", "failed", "after two polls", called("poll_job"), 2),
    ("status_poller", "huge", "54 % after eight polls", {"take": "state", "key": "progress"}, 54),
    ("status_poller", "escalate", "in the fifth pass", PASSES, 5),
    ("status_poller", "fault", "took six passes", PASSES, 6),
    ("status_poller", "fault", "only five polls", called("poll_job"), 5),
    (
        "code_refinement",
        "rule",
        "last three passes mend nothing",
        how_many(event("CodeRefiner", **says("Mended: nothing.*"))),
        3,
    ),
    ("code_refinement", "rule", "last three passes mend nothing", PASSES, 5),
    ("report_writer", "writer", "makes 23 model calls", calls(), 23),
    ("report_writer", "searches", "once for each subject", how_many(event("ReportWriter", **says("2 questions:*"))), 1),
    ("report_writer", "result", "three events only", how_many(event("ReportWriter")), 3),
    (
        "report_writer",
        "result",
        "more than forty events below",
        {"take": "has", "match": {"kind": "event", "body": {"branch": "*"}}, "at_least": 41},
        True,
    ),
    ("complexity_router", "rule", "takes two model calls", calls(), 2),
    ("complexity_router", "fault", "There were three calls", calls(), 3),
    ("routed_llm", "decision", "There are three decisions", DECISIONS, 3),
    (
        "routed_llm",
        "fault",
        "It gave 4, 1 and 5",
        {
            "take": "field",
            "match": event("DiceTable", content={"parts": {"function_response": {}}}),
            "path": "content.parts.0.function_response.response.came_up",
        },
        [4, 1, 5],
    ),
]

CLAIMS_OF_SOLUTIONS = [
    ("iterative_writing", "limit", "Three passes, seven calls", calls(), 7),
    ("iterative_writing", "limit", "seven of nine criteria", how_many(event("CriticAgent", **says("7 of 9 criteria*"))), 1),
    ("banana_painter", "shaky", "It took 17 passes", PASSES, 17),
    ("banana_painter", "shaky", "68 model calls", calls(), 68),
    ("ace", "cheaper", "generator, reflector, curator", calls(), 3),
    ("complexity_router", "rule", "Half the calls", calls(), 1),
    ("report_writer", "raw", "One call less", calls(), 22),
]


def check(name, id_, words, query, value, log):
    step = LESSONS[name].step(id_)
    assert words in plain(" ".join(texts_of(step.model_dump()))), "the lesson does not say so any more"
    assert queries.answer_of(QUERIES.validate_python(query), log) == value


@pytest.mark.parametrize(("name", "id_", "words", "query", "value"), CLAIMS)
def test_a_figure_is_what_the_log_shows(name, id_, words, query, value):
    check(name, id_, words, query, value, log_of(name, id_))


@pytest.mark.parametrize(("name", "id_", "words", "query", "value"), CLAIMS_OF_SOLUTIONS)
def test_a_figure_of_a_solution_is_what_its_log_shows(name, id_, words, query, value, tmp_path):
    check(name, id_, words, query, value, log_of_solution(name, id_, tmp_path))
