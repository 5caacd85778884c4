"""Every pipeline's run as a trace, as the SDK exports it."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from agents.log import EVENT_KIND
from agents.pipelines.catalog import Catalog
from agents.runs import RunManager
from agents.telemetry.exporter import send_traces
from agents.telemetry.span import span_id
from agents.telemetry.traces import read_traces
from tests.agents.telemetry.conventions import misfits
from tests.agents.telemetry.stage import log_of, run, values

NAMES = sorted(Catalog().names())


@pytest.fixture(scope="module")
def manager():
    with RunManager(database=None) as manager:
        yield manager


@pytest.fixture(scope="module")
def runs(manager):
    """The run of each pipeline, made when it is first asked for."""
    made = {}

    def run_of(name):
        if name not in made:
            made[name] = run(manager, name)
        return made[name]

    return run_of


def texts_in(log) -> set[str]:
    """What users, models and tools said: texts that are long enough to be nothing else."""
    told: set[str] = set()

    def walk(value):
        match value:
            case dict():
                for part in value.values():
                    walk(part)
            case list():
                for part in value:
                    walk(part)
            case str() if " " in value.strip() and len(value) > 12:
                told.add(value)

    for entry in log:
        if entry.kind == EVENT_KIND:
            walk(entry.fields().get("content") or {})
            walk(entry.fields().get("actions", {}).get("state_delta") or {})
    return told


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_exported_whole(manager, runs, name):
    made = runs(name)
    [trace] = read_traces(manager, name, made.session_id)
    memory = InMemorySpanExporter()

    count = send_traces([trace], memory)

    spans = memory.get_finished_spans()
    assert len(spans) == count == len(trace.spans)
    by_id = {span.context.span_id: span for span in spans}
    assert len(by_id) == len(spans)
    assert len({span.context.trace_id for span in spans}) == 1
    [root] = [span for span in spans if span.parent is None]
    assert root.name == f"invoke_workflow {name}"
    assert (root.attributes["playground.simulated"], root.attributes["playground.run.status"]) == (True, "completed")
    for span in spans:
        assert span.start_time <= span.end_time
        if span.parent is not None:
            above = by_id[span.parent.span_id]
            assert above.start_time <= span.start_time
            assert span.end_time <= above.end_time
        assert all(span.start_time <= event.timestamp <= span.end_time for event in span.events)
        assert span.attributes["gen_ai.conversation.id"] == made.session_id


@pytest.mark.parametrize("name", NAMES)
def test_every_model_call_and_every_tool_call_is_one_span(manager, runs, name):
    made = runs(name)
    log = log_of(manager, made)
    [trace] = read_traces(manager, name, made.session_id)

    done = Counter(span.attributes.get("gen_ai.operation.name") for span in trace.spans)
    records = [(entry.kind, entry.fields()) for entry in log]
    agents = [body for kind, body in records if kind == "agent_started" and not body.get("resumed")]
    calls = {(body.get("branch"), body["call_id"]) for kind, body in records if kind == "tool_started"}
    assert done["chat"] == sum(kind == "model_started" for kind, _ in records)
    assert done["execute_tool"] == len(calls)
    assert done["invoke_agent"] + done["invoke_workflow"] + done["invoke_node"] == len(agents) + 1
    assert done["search_memory"] == sum(kind == "playbook_given" for kind, _ in records)
    sent = [body["usage"]["input"] for kind, body in records if kind == "model_finished"]
    chats = [span for span in trace.spans if span.attributes.get("gen_ai.operation.name") == "chat"]
    assert sorted(span.attributes["gen_ai.usage.input_tokens"] for span in chats) == sorted(sent)
    assert {span.attributes["gen_ai.provider.name"] for span in chats} <= {"simulated"}


@pytest.mark.parametrize("name", NAMES)
def test_no_content_leaves_unless_it_is_asked_for(manager, runs, name):
    made = runs(name)
    told = texts_in(log_of(manager, made))
    assert told

    [plain] = read_traces(manager, name, made.session_id)
    [full] = read_traces(manager, name, made.session_id, content=True)

    left = values(plain)
    assert [text for text in told if text in left] == []
    chats = [span for span in full.spans if span.attributes.get("gen_ai.operation.name") == "chat"]
    assert all(json.loads(span.attributes["gen_ai.output.messages"])[0]["role"] == "assistant" for span in chats)
    assert all("gen_ai.input.messages" in span.attributes for span in chats)
    tools = [span for span in full.spans if span.attributes.get("gen_ai.operation.name") == "execute_tool"]
    assert all({"gen_ai.tool.call.arguments", "gen_ai.tool.call.result"} <= set(span.attributes) for span in tools)


@pytest.mark.parametrize("name", NAMES)
def test_spans_follow_the_conventions(manager, runs, name):
    assert misfits(read_traces(manager, name, runs(name).session_id, content=True)) == []


def test_the_same_run_has_the_same_ids_whenever_it_is_sent(manager, runs):
    made = runs("ace")
    first, again = InMemorySpanExporter(), InMemorySpanExporter()
    for memory, content in ((first, False), (again, True)):
        send_traces(read_traces(manager, "ace", made.session_id, content=content), memory)

    def ids(memory):
        return [
            (span.context.trace_id, span.context.span_id, span.start_time, span.end_time)
            for span in memory.get_finished_spans()
        ]

    assert ids(first) == ids(again)
    assert len({span_id("one", 7), span_id("two", 7), span_id("one", 8), span_id("one", 7, "wait")}) == 4


def test_a_model_in_this_process_is_no_client(manager, runs):
    made = runs("iterative_writing")
    memory = InMemorySpanExporter()
    send_traces(read_traces(manager, "iterative_writing", made.session_id), memory)
    assert {span.kind for span in memory.get_finished_spans()} == {SpanKind.INTERNAL}


def test_other_runs_of_a_session_can_be_left_out(manager):
    first = run(manager, "iterative_writing")
    second = run(manager, "iterative_writing", "again", session_id=first.session_id)

    traces = read_traces(manager, "iterative_writing", first.session_id)
    [only] = read_traces(manager, "iterative_writing", first.session_id, invocation_id=second.invocation_id)

    assert [trace.invocation_id for trace in traces] == [first.invocation_id, second.invocation_id]
    assert only == traces[1]
    assert len({trace.spans[0].trace_id for trace in traces}) == 2
