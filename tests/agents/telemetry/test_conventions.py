"""Spans follow OpenTelemetry's GenAI conventions, whatever a run did; `test_pipelines` has the built-in pipelines."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from google.genai import types
from pydantic import BaseModel

from agents import FunctionTool, LlmAgent, LongRunningFunctionTool, LoopAgent, ParallelAgent, SequentialAgent, Workflow
from agents.errors import ProviderError
from agents.log import LogEntry
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.fault import Fault
from agents.telemetry.span import Span, Trace
from agents.telemetry.traces import traces_of
from agents.workflow import JoinNode, RetryConfig, node
from tests.agents.telemetry.conventions import misfits
from tests.agents.telemetry.stage import Play, named, of
from tests.agents.toolsets.mcp.conftest import agent_with, program

pytestmark = pytest.mark.anyio


def llm(name: str, *script, **more) -> LlmAgent:
    return LlmAgent(name=name, model=ScriptedLlm(script=list(script)), **more)


def fall(where: str) -> str:
    """Falls."""
    raise KeyError(where)


def ask(question: str) -> None:
    """Asks somebody; the answer comes later."""


class Verdict(BaseModel):
    good: bool


def failing_graph() -> Workflow:
    failed: list[str] = []

    def read(node_input: str):
        if not failed:
            failed.append(node_input)
            raise ConnectionError("once")
        return node_input

    inner = Workflow(name="inner", edges=[("START", llm("writer", "Tea."))])
    reading = node(read, retry_config=RetryConfig(initial_delay=0.0))
    return Workflow(name="graph", edges=[("START", (reading, inner), JoinNode(name="both"))])


AGENTS = {
    "tools that fail": lambda: llm("A", [call("fall", where="down"), call("nope")], "sorry", tools=[FunctionTool(fall)]),
    "a pause": lambda: llm("A", [call("ask", question="why")], tools=[LongRunningFunctionTool(ask)]),
    "a graph": failing_graph,
    "workflows in workflows": lambda: SequentialAgent(
        name="S",
        sub_agents=[
            ParallelAgent(name="P", sub_agents=[llm("X", "x"), llm("Y", "y")]),
            LoopAgent(name="L", sub_agents=[llm("Z", "z", "z")], max_iterations=2),
        ],
    ),
}


@pytest.mark.parametrize("name", AGENTS)
async def test_runs_fit(name):
    play = Play(AGENTS[name]())
    await play.say()
    assert misfits(await play.traces(content=True)) == []


async def test_tools_of_mcp_servers_fit(servers):
    play = Play(agent_with(program(), ("add", {"a": 1, "b": 2}), ("add", {"a": "no number"})))
    await play.say()
    [trace] = await play.traces(content=True)
    assert [span.name for span in of(trace.spans, "execute_tool")] == ["execute_tool add"] * 2
    assert misfits([trace]) == []


async def test_runs_that_fail_fit():
    play = Play(SequentialAgent(name="All", sub_agents=[llm("Bad", ProviderError("no", code="503"))]))
    with pytest.raises(ProviderError):
        await play.say()
    traces = await play.traces(content=True)
    assert traces[0].status == "failed"
    refused = Play(llm("A", "never said"))
    await refused.say(faults=(Fault(target="A", kind="refuse"),))
    assert misfits([*traces, *await refused.traces(content=True)]) == []


async def test_a_request_tells_its_form_of_output_and_its_settings():
    config = types.GenerateContentConfig(temperature=1, top_p=0.5, top_k=3, seed=4, candidate_count=2, max_output_tokens=90)
    play = Play(llm("Judge", '{"good": true}', generate_content_config=config, output_schema=Verdict))
    await play.say(streaming_mode="sse")
    [trace] = await play.traces()
    told = named(trace.spans, "chat scripted").attributes
    assert (told["gen_ai.output.type"], told["gen_ai.request.choice.count"]) == ("json", 2)
    assert told["gen_ai.request.top_k"] == 3
    assert misfits([trace]) == []


@pytest.mark.parametrize("end", ["interrupted", "stopped", "failed"])
def test_ends_from_outside_and_models_of_providers_fit(end):
    records = [
        ("run_started", {}),
        ("agent_started", {"type": "LlmAgent"}),
        ("model_started", {"call": 1, "model": "gemini-2.5-pro"}),
        ("model_finished", {"call": 1, "model": "gemini-2.5-pro", "usage": {"input": 9, "output": 3, "cached": 6}}),
        ("tool_started", {"tool": "t", "call_id": "c"}),
        ("tool_finished", {"tool": "t", "call_id": "c", "error": "cancelled"}),
        ("run_finished", {"status": end}),
    ]
    entries = [
        LogEntry(seq, kind, json.dumps({"invocation_id": "i", "agent": "A", "timestamp": 1000.0 + seq, **body}))
        for seq, (kind, body) in enumerate(records, 1)
    ]
    assert misfits(traces_of(entries, {}, "play", "one")) == []


def test_what_does_not_fit_is_told():
    span = Span("1" * 32, "2" * 16, None, "chat m", 10, 20)
    span.set({"gen_ai.operation.name": "chat", "gen_ai.provider.name": "custom", "gen_ai.request.model": "m"})
    assert misfits([Trace("i", "completed", [span])]) == []
    wrong = {"gen_ai.usage.input_tokens": "3", "gen_ai.provider.name": "nobody", "gen_ai.made.up": 1, "error.type": "x"}
    odd = replace(span, kind="client", attributes={**span.attributes, **wrong, "gen_ai.request.model": "other"})
    told = misfits([Trace("i", "completed", [odd])])
    assert len(told) == 5
    assert [
        sum(part in fault for fault in told) for part in ("input_tokens", "nobody", "made.up", "error.type", "its name")
    ] == ([1] * 5)
