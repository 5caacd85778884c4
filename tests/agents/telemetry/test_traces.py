"""What a log becomes as spans: structure, waits, failures, playbooks, and logs that nobody wrote like that."""

from __future__ import annotations

import json

import pytest
from google.genai import types
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agents import (
    AgentTool,
    Event,
    FunctionTool,
    LlmAgent,
    LlmResponse,
    LongRunningFunctionTool,
    LoopAgent,
    ParallelAgent,
    SequentialAgent,
    Workflow,
    exit_loop,
)
from agents.errors import ProviderError
from agents.forks import Forks
from agents.log import LogEntry, TraceRecord
from agents.models import connections
from agents.models.scripted import ScriptedLlm, call
from agents.runs import RunManager
from agents.runtime.fault import Fault
from agents.telemetry.exporter import send_traces
from agents.telemetry.otlp import otlp_json
from agents.telemetry.traces import read_traces, traces_of
from agents.workflow import JoinNode, RetryConfig, node
from tests.agents.stage import USER
from tests.agents.telemetry.stage import Play, named, of, run, tree, values

pytestmark = pytest.mark.anyio


def llm(name: str, *script, **more) -> LlmAgent:
    return LlmAgent(name=name, model=ScriptedLlm(script=list(script)), **more)


def look(where: str) -> str:
    """Looks somewhere."""
    return f"saw {where}"


def fall(where: str) -> str:
    """Falls."""
    raise KeyError(where)


def ask(question: str) -> None:
    """Asks somebody; the answer comes later."""


async def trace_of(agent, *, content=False, **config):
    play = Play(agent)
    await play.say(**config)
    [trace] = await play.traces(content=content)
    return trace


_AUTHOR = {"event": "author"}


def log(*bodies: tuple[str, dict]) -> list[LogEntry]:
    """A log of records and events of one run, a second apart."""
    return [
        LogEntry(
            seq, kind, json.dumps({"invocation_id": "i", _AUTHOR.get(kind, "agent"): "A", "timestamp": 1000.0 + seq, **body})
        )
        for seq, (kind, body) in enumerate(bodies, 1)
    ]


async def test_parallel_branches_are_side_by_side_below_their_agent():
    both = ParallelAgent(
        name="Both", sub_agents=[llm("Left", "l"), SequentialAgent(name="Right", sub_agents=[llm("R", "r")])]
    )
    trace = await trace_of(both)
    assert sorted(tree(trace)) == sorted(
        [
            "invoke_workflow play",
            "  invoke_workflow Both",
            "    invoke_agent Left",
            "      chat scripted",
            "    invoke_workflow Right",
            "      invoke_agent R",
            "        chat scripted",
        ]
    )
    assert named(trace.spans, "invoke_agent R").attributes["playground.branch"] == "Both.Right"


async def test_a_loop_tells_of_its_passes_and_why_it_ended():
    loop = LoopAgent(name="Loop", sub_agents=[llm("Writer", "a", [call("exit_loop")], tools=[exit_loop])], max_iterations=5)
    trace = await trace_of(loop)
    events = named(trace.spans, "invoke_workflow Loop").events
    assert [(event.name, event.attributes.get("playground.iteration")) for event in events] == [
        ("loop_iteration", 1),
        ("loop_iteration", 2),
        ("loop_finished", None),
    ]
    assert (events[-1].attributes["playground.reason"], events[-1].attributes["playground.by"]) == ("escalated", "Writer")
    assert len(of(trace.spans, "chat")) == 2


async def test_an_agent_as_a_tool_is_below_its_own_call_of_several_at_once():
    searcher = llm("Searcher", "one", "two")
    asks = [call("Searcher", request="x"), call("Searcher", request="y")]
    trace = await trace_of(llm("Boss", asks, "done", tools=[AgentTool(searcher)]), content=True)
    tools = {span.span_id: span for span in of(trace.spans, "execute_tool")}
    agents = [span for span in trace.spans if span.name == "invoke_agent Searcher"]
    assert len(tools) == len(agents) == 2
    for agent in agents:
        [chat] = [span for span in trace.spans if span.parent_id == agent.span_id]
        request = json.loads(tools[agent.parent_id].attributes["gen_ai.tool.call.arguments"])["request"]
        assert request in chat.attributes["gen_ai.input.messages"]
    assert {agent.parent_id for agent in agents} == set(tools)


async def test_a_wait_for_the_user_is_seen_and_the_trace_is_one():
    tool = LongRunningFunctionTool(ask)
    play = Play(
        SequentialAgent(name="Desk", sub_agents=[llm("Clerk", [call("ask", question="may I?")], "thanks", tools=[tool])])
    )
    await play.say()
    [paused] = await play.traces()
    assert (paused.status, paused.is_over) == ("paused", False)
    assert "wait" not in [span.name for span in paused.spans]
    [event] = [entry.event() for entry in await play.log() if "long_running_tool_ids" in entry.body]
    [asked] = event.get_function_calls()
    answer = types.FunctionResponse(id=asked.id, name="ask", response={"result": "you may"})
    await play.say(types.Content(role="user", parts=[types.Part(function_response=answer)]))

    [trace] = await play.traces(content=True)

    assert (trace.status, trace.is_over) == ("completed", True)
    wait, tool = named(trace.spans, "wait"), named(trace.spans, "execute_tool ask")
    assert wait.parent_id == trace.spans[0].span_id
    assert tool.start <= wait.start < wait.end <= tool.end <= named(trace.spans, "invoke_agent Clerk").end
    assert "you may" in tool.attributes["gen_ai.tool.call.result"]
    assert tree(trace) == [
        "invoke_workflow play",
        "  invoke_workflow Desk",
        "    invoke_agent Clerk",
        "      chat scripted",
        "      execute_tool ask",
        "      chat scripted",
        "  wait",
    ]
    assert [span.span_id for span in trace.spans[:3]] == [span.span_id for span in paused.spans[:3]]


def test_a_call_that_is_confirmed_is_one_span_from_the_question_on():
    with RunManager(database=None) as manager:
        made = run(manager, "approval")
        [trace] = read_traces(manager, "approval", made.session_id)
    [tool] = of(trace.spans, "execute_tool")
    assert tool.attributes["playground.tool.confirmed"] is True
    assert tool.end - tool.start >= named(trace.spans, "wait").end - named(trace.spans, "wait").start


async def test_a_failed_run_says_what_kind_of_error_and_no_more():
    play = Play(SequentialAgent(name="All", sub_agents=[llm("Bad", ProviderError("the secret recipe", code="503"))]))
    with pytest.raises(ProviderError):
        await play.say()
    [trace] = await play.traces()
    assert [(span.name, span.attributes["error.type"]) for span in trace.spans if span.failed] == [
        ("invoke_workflow play", "503"),
        ("invoke_workflow All", "503"),
        ("invoke_agent Bad", "503"),
        ("chat scripted", "503"),
    ]
    assert "recipe" not in values(trace)
    [full] = await play.traces(content=True)
    assert "the secret recipe" in named(full.spans, "chat scripted").failure


async def test_a_tool_that_raises_fails_alone():
    agent = llm("A", [call("fall", where="the stairs"), call("nope")], "sorry", tools=[fall])
    trace = await trace_of(agent)
    assert [(span.name, span.attributes["error.type"]) for span in trace.spans if span.failed] == [
        ("execute_tool fall", "KeyError"),
        ("execute_tool nope", "_OTHER"),
    ]
    assert "stairs" not in values(trace)


async def test_faults_and_retries_are_told_where_they_happened():
    fault = Fault(target="A", kind="refuse")
    trace = await trace_of(llm("A", "never said"), faults=(fault,))
    chat = named(trace.spans, "chat scripted")
    assert [event.name for event in chat.events] == ["fault_injected"]
    assert chat.attributes["playground.fault"] == "refuse"
    assert trace.spans[0].attributes["playground.faults"] == (str(fault),)
    retry = {"call": 1, "model": "m", "attempt": 1, "delay": 0.5, "code": "429", "error": "quota of the secret recipe"}
    [made] = traces_of(
        log(
            ("run_started", {}),
            ("agent_started", {"type": "LlmAgent"}),
            ("model_started", {"call": 1, "model": "m"}),
            ("model_retry", retry),
            ("model_finished", {"call": 1, "model": "m", "usage": {"input": 1, "output": 2}}),
        ),
        {},
        "play",
        "one",
    )
    [event] = named(made.spans, "chat m").events
    assert event.attributes == {
        "playground.model": "m",
        "playground.attempt": 1,
        "playground.delay": 0.5,
        "playground.code": "429",
    }
    assert made.status == "running"


def test_a_killed_run_ends_with_its_last_entry_not_when_it_was_found():
    [trace] = traces_of(
        log(
            ("run_started", {}),
            ("agent_started", {"type": "LlmAgent"}),
            ("model_started", {"call": 1, "model": "m"}),
            ("run_finished", {"status": "interrupted", "error_code": "INTERRUPTED", "timestamp": 900_000.0}),
        ),
        {},
        "play",
        "one",
    )
    assert {span.end for span in trace.spans} == {1003 * 10**9}
    assert named(trace.spans, "chat m").attributes["playground.outcome"] == "interrupted"
    assert trace.spans[0].attributes["error.type"] == "INTERRUPTED"


async def test_a_stopped_call_is_no_error():
    [trace] = traces_of(
        log(
            ("run_started", {}),
            ("agent_started", {}),
            ("model_started", {"call": 1, "model": "m"}),
            ("model_finished", {"call": 1, "model": "m", "error": "cancelled"}),
            ("tool_started", {"tool": "t", "call_id": "c"}),
            ("tool_finished", {"tool": "t", "call_id": "c", "error": "cancelled"}),
            ("agent_finished", {"outcome": "cancelled"}),
            ("run_finished", {"status": "stopped"}),
        ),
        {},
        "play",
        "one",
    )
    assert [span.failed for span in trace.spans] == [False] * 4
    assert [span.attributes.get("playground.outcome") for span in trace.spans] == [None, *["cancelled"] * 3]


async def test_streamed_calls_tell_when_the_first_piece_came_and_what_was_asked():
    config = types.GenerateContentConfig(temperature=0.25, max_output_tokens=9)
    play = Play(llm("A", "some words here", generate_content_config=config))
    await play.say(streaming_mode="sse")
    [trace] = await play.traces()
    told = named(trace.spans, "chat scripted").attributes
    assert 0 <= told["gen_ai.response.time_to_first_chunk"] < 60
    assert (told["gen_ai.request.temperature"], told["gen_ai.request.max_tokens"]) == (0.25, 9)
    assert told["gen_ai.request.stream"] is True
    assert told["gen_ai.response.finish_reasons"] == ("stop",)
    assert told["gen_ai.provider.name"] == "custom"


def test_usage_is_counted_as_the_conventions_do():
    usage = {"input": 10, "output": 3, "thoughts": 4, "cached": 6}
    [trace] = traces_of(
        log(
            ("run_started", {}),
            ("model_started", {"call": 1, "model": "gemini-2.5-pro"}),
            ("model_finished", {"call": 1, "model": "gemini-2.5-pro", "usage": usage, "stop_reason": "max_tokens"}),
        ),
        {},
        "play",
        "one",
    )
    chat = named(trace.spans, "chat gemini-2.5-pro")
    assert chat.kind == "client"
    told = {name.removeprefix("gen_ai."): value for name, value in chat.attributes.items()}
    assert told["provider.name"] == "gcp.gemini"
    assert {name: value for name, value in told.items() if "usage" in name} == {
        "usage.input_tokens": 10,
        "usage.output_tokens": 7,
        "usage.reasoning.output_tokens": 4,
        "usage.cache_read.input_tokens": 6,
    }
    assert told["response.finish_reasons"] == ("length",)


def test_a_playbooks_changes_are_memory_operations():
    applied = [
        {"type": "ADD", "bullet_id": "units-1", "section": "units", "content": "the secret recipe"},
        {"type": "TAG", "bullet_id": "units-2", "tag": "helpful"},
        {"type": "UPDATE", "bullet_id": "units-2", "content": "new"},
        {"type": "REMOVE", "bullet_id": "units-3"},
        {"type": "RESTORE", "bullet": {"id": "units-4", "section": "units", "content": "back"}},
        {"type": "CITE", "bullet_ids": [], "query": 3},
    ]
    commit = {"playbook": "book", "revision": 7, "by": "curator", "applied": applied}
    entries = log(
        ("run_started", {}),
        ("agent_started", {}),
        ("playbook_given", {"playbook": "book", "revision": 6, "bullets": 1, "bullet_ids": ["units-2"]}),
        ("event", {"author": "A", "actions": {"state_delta": {"app:playbook": commit}}}),
    )
    [trace] = traces_of(entries, {}, "play", "one")
    made = [span for span in trace.spans if "gen_ai.memory.store.id" in span.attributes]
    assert [
        (span.name, span.attributes["gen_ai.memory.record.count"], span.attributes["playground.playbook.bullets"])
        for span in made
    ] == [
        ("search_memory", 1, ("units-2",)),
        ("create_memory", 2, ("units-1", "units-4")),
        ("update_memory", 1, ("units-2",)),
        ("delete_memory", 1, ("units-3",)),
    ]
    assert {span.parent_id for span in made} == {named(trace.spans, "invoke_agent A").span_id}
    assert made[3].attributes["gen_ai.memory.record.id"] == "units-3"
    assert "recipe" not in values(trace)
    [full] = traces_of(entries, {}, "play", "one", content=True)
    records = json.loads(named(full.spans, "create_memory").attributes["gen_ai.memory.records"])
    assert records == [{"id": "units-1", "content": "the secret recipe"}, {"id": "units-4", "content": "back"}]


async def test_a_fork_says_where_it_comes_from():
    play = Play(llm("A", "hello", "hello"))
    await play.say()
    agent = play.runner.agent
    forks = Forks(play.runner.session_service, agent, app_name="play", user_id=USER)
    made = await forks.fork("one", at=(await play.log())[-1].seq)
    entries = await play.runner.session_service.read_log(app_name="play", user_id=USER, session_id=made.session.id)
    [trace] = traces_of(entries, {}, "play", made.session.id)
    [origin] = await play.traces()
    assert trace.spans[0].attributes["playground.forked_from"] == "one"
    assert trace.spans[0].trace_id != origin.spans[0].trace_id
    assert tree(trace) == tree(origin)


async def test_a_key_is_in_no_attribute(monkeypatch):
    key = "sk-0123456789abcdef"
    connections.use_key("gemini", key)
    tool = FunctionTool(look)
    play = Play(llm("A", [call("look", where=f"under {key}")], f"it is {key}", tools=[tool], instruction=f"say {key}"))
    await play.say(f"my key is {key}")
    [trace] = await play.traces(content=True)
    told = values(trace)
    assert "[key]" in told
    assert key not in told
    assert key not in otlp_json([trace])


async def test_messages_have_the_form_of_the_conventions():
    agent = llm("A", ["thinking aloud", call("look", where="東京")], "見た", tools=[look], instruction="Look around.")
    trace = await trace_of(agent, content=True)
    first, second = of(trace.spans, "chat")
    [system] = json.loads(first.attributes["gen_ai.system_instructions"])
    assert system["type"] == "text"
    assert "Look around." in system["content"]
    assert json.loads(first.attributes["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": "go"}]}
    ]
    user, asked, answered = json.loads(second.attributes["gen_ai.input.messages"])
    assert (user["role"], asked["role"], answered["role"]) == ("user", "assistant", "tool")
    assert asked["parts"][1]["arguments"] == {"where": "東京"}
    assert answered["parts"][0]["response"] == {"result": "saw 東京"}
    assert json.loads(second.attributes["gen_ai.output.messages"]) == [
        {"role": "assistant", "parts": [{"type": "text", "content": "見た"}]}
    ]
    [tool] = of(trace.spans, "execute_tool")
    assert json.loads(tool.attributes["gen_ai.tool.call.arguments"]) == {"where": "東京"}


async def test_the_bytes_of_files_stay_here():
    picture = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"a picture" * 1000))
    trace = await trace_of(llm("A", LlmResponse(content=types.Content(role="model", parts=[picture]))), content=True)
    told = json.loads(named(trace.spans, "chat scripted").attributes["gen_ai.output.messages"])
    assert told == [{"role": "assistant", "parts": [{"type": "inline_data", "mime_type": "image/png"}]}]


@pytest.mark.parametrize("timestamp", ["soon", None, -5, float("nan"), 1e300, True])
def test_a_time_that_is_none_is_the_last_one(timestamp):
    body = json.dumps({"invocation_id": "i", "timestamp": timestamp})
    entries = [*log(("run_started", {}), ("agent_started", {})), LogEntry(9, "agent_finished", body)]
    [trace] = traces_of(entries, {}, "play", "one")
    assert [(span.start, span.end) for span in trace.spans] == [(1001 * 10**9, 1002 * 10**9), (1002 * 10**9, 1002 * 10**9)]


def test_a_clock_that_goes_back_makes_no_span_end_before_it_began():
    entries = log(
        ("run_started", {"timestamp": 5000.0}),
        ("agent_started", {"timestamp": 4000.0}),
        ("agent_finished", {"timestamp": 3000.0, "outcome": "ok"}),
        ("run_finished", {"timestamp": 2000.0}),
    )
    [trace] = traces_of(entries, {}, "play", "one")
    assert {time for span in trace.spans for time in (span.start, span.end)} == {5000 * 10**9}


HOSTILE = [
    ("model_finished", {"call": 1, "usage": {"input": 10**30, "output": 1}}),
    ("model_started", {"call": [1], "model": "\ud800" * 300}),
    ("tool_finished", {"call_id": "never begun"}),
    ("tool_started", {"tool": "x" * 100_000, "call_id": "\udfff", "branch": "a.b:c.d:"}),
    ("agent_finished", {"agent": "Nobody", "outcome": "error"}),
    ("agent_started", {"agent": "日本", "branch": "." * 2000}),
    ("event", {"author": "A", "content": {"parts": [{"function_response": {"id": None, "response": None}}]}}),
    ("route_decided", {"candidates": ["a", None, 3], "key": None, "level": "model"}),
    ("a_kind_of_tomorrow", {"data": [1, 2, 3]}),
    ("run_started", {}),
    ("run_finished", {"status": "completed"}),
    ("run_finished", {"status": "paused"}),
]


@pytest.mark.parametrize("content", [False, True])
def test_a_log_that_is_odd_becomes_spans_that_can_be_sent(content):
    entries = log(("run_started", {}), *HOSTILE)
    [trace] = traces_of(entries, {}, "\ud800" * 300, "one", content=content)
    assert all(len(span.name) < 250 for span in trace.spans)
    assert send_traces([trace], InMemorySpanExporter()) == len(trace.spans)
    json.loads(otlp_json([trace]).encode("utf-8"))


def test_a_session_without_runs_and_entries_without_a_beginning_have_no_traces():
    assert traces_of([], {}, "play", "one") == []
    assert traces_of(log(("agent_started", {}), ("run_finished", {})), {}, "play", "one") == []


def test_records_are_read_as_they_are_written():
    record = TraceRecord("run_started", "i", "A", None, {"simulated": True}, 7.0)
    [trace] = traces_of([LogEntry(1, record.kind, record.to_json())], {}, "play", "one")
    assert trace.spans[0].attributes["playground.simulated"] is True
    assert trace.spans[0].start == 7 * 10**9


async def test_a_graph_is_a_workflow_and_its_nodes_are_named_as_in_google_adk():
    failed: list[str] = []

    def read(node_input: str):
        if not failed:
            failed.append(node_input)
            raise KeyError("once")
        return node_input

    def choose(node_input: dict):
        return Event(output=node_input["read"], route="good")

    inner = Workflow(name="inner", edges=[("START", llm("writer", "Tea."))])
    both = JoinNode(name="both")
    reading = node(read, retry_config=RetryConfig(initial_delay=0.0))
    graph = Workflow(name="graph", edges=[("START", (reading, inner), both, choose, {"good": llm("editor", "Good.")})])
    trace = await trace_of(graph)
    assert sorted(tree(trace)) == sorted(
        [
            "invoke_workflow play",
            "  invoke_workflow graph",
            "    invoke_node read",
            "    invoke_node read",
            "    invoke_workflow inner",
            "      invoke_agent writer",
            "        chat scripted",
            "    invoke_node both",
            "    invoke_node choose",
            "    invoke_agent editor",
            "      chat scripted",
        ]
    )
    inside = named(trace.spans, "invoke_workflow inner").attributes
    assert (inside["gen_ai.workflow.name"], inside["gen_ai.workflow.nested"]) == ("inner", True)
    assert trace.spans[0].attributes["gen_ai.workflow.name"] == "play"
    assert "gen_ai.workflow.nested" not in trace.spans[0].attributes
    retries = [(event.name, event.attributes["playground.attempt"]) for span in trace.spans for event in span.events]
    assert retries == [("node_retry", 1)]
