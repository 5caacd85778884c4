"""Agents as tools of other agents."""

from __future__ import annotations

import asyncio
import hashlib
from enum import Enum
from typing import Any

import pytest
from google.genai import types
from inline_snapshot import snapshot
from pydantic import BaseModel, Field

from agents import (
    Event,
    InMemorySessionService,
    LlmAgent,
    LoopAgent,
    ParallelAgent,
    RunConfig,
    Runner,
    SequentialAgent,
    SqliteSessionService,
    StreamingMode,
    ToolContext,
    exit_loop,
)
from agents.models.identity import quoted
from agents.models.scripted import ScriptedLlm, call
from agents.storage.artifacts import InMemoryArtifactService
from agents.tools.agent_tool import AgentTool
from tests.agents.stage import APP, USER, Actor, Play, escalation, instruction_in, other_tasks, play, say, user
from tests.agents.stage import look as look_at

pytestmark = pytest.mark.anyio

PNG = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"png"))


def llm(name: str, *script: Any, **more: Any) -> LlmAgent:
    return LlmAgent(name=name, model=ScriptedLlm(script=script), **more)


def asker(inner: Any, *, tool: dict[str, Any] | None = None, calls: list[Any] | None = None, **more: Any) -> LlmAgent:
    """An agent that calls `inner` once, with "go on" as its request, and says "done" then."""
    asked = calls or [call(inner.name, request="go on")]
    return llm("outer", asked, "done", tools=[AgentTool(inner, **(tool or {}))], **more)


def responses(played: Play) -> list[dict[str, Any]]:
    return [
        answer.response or {} for event in played.events if event.branch is None for answer in event.get_function_responses()
    ]


def requests(agent: LlmAgent) -> list[list[tuple[str | None, list[str | None]]]]:
    """Role and texts of what an agent's model was sent, call by call."""
    assert isinstance(agent.model, ScriptedLlm)
    return [[(c.role, [p.text for p in c.parts or ()]) for c in request.contents] for request in agent.model.requests]


# -- what a model is told


class Depth(Enum):
    shallow = "shallow"
    deep = "deep"


class Query(BaseModel):
    topic: str = Field(description="What to look for.")
    depth: Depth = Depth.shallow
    limit: int | None = None


def declared(agent: Any) -> dict[str, Any]:
    return AgentTool(agent)._get_declaration().model_dump(exclude_none=True)


def test_an_agent_without_input_schema_takes_a_request():
    assert declared(llm("searcher", description="Finds papers.")) == snapshot(
        {
            "description": "Finds papers.",
            "name": "searcher",
            "parameters_json_schema": {
                "properties": {
                    "request": {
                        "description": "All that the agent needs to know: it does not see this conversation.",
                        "type": "string",
                    }
                },
                "required": ["request"],
                "type": "object",
            },
        }
    )


def test_the_fields_of_an_input_schema_are_parameters():
    assert declared(llm("searcher", input_schema=Query))["parameters_json_schema"] == snapshot(
        {
            "$defs": {"Depth": {"enum": ["shallow", "deep"], "title": "Depth", "type": "string"}},
            "properties": {
                "topic": {"description": "What to look for.", "type": "string"},
                "depth": {"$ref": "#/$defs/Depth", "default": "shallow"},
                "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
            },
            "required": ["topic"],
            "type": "object",
        }
    )


def test_of_agents_that_run_others_the_first_says_what_it_takes():
    tree = SequentialAgent(name="s", sub_agents=[LoopAgent(name="l", sub_agents=[llm("a", input_schema=Query)]), llm("b")])
    assert set(declared(tree)["parameters_json_schema"]["properties"]) == {"topic", "depth", "limit"}
    assert set(declared(llm("c", sub_agents=[llm("d", input_schema=Query)]))["parameters_json_schema"]["properties"]) == {
        "request"
    }


@pytest.mark.parametrize("args", [{}, {"request": 3}, {"request": "a", "more": 1}])
async def test_wrong_arguments_are_answered_and_nothing_runs(args):
    played = await play(asker(Actor(name="inner", lines=["never"]), calls=[call("inner", **args)]))
    [response] = responses(played)
    assert response["error"].startswith("inner was called with wrong arguments. ")
    assert response["error"].endswith(". Its parameters are: request. Call it again.")
    assert not any(event.branch for event in played.session.events)


async def test_the_arguments_that_fit_a_schema_are_the_request_as_json():
    inner = llm("inner", "found", input_schema=Query)
    played = await play(asker(inner, calls=[call("inner", topic="tides", depth="deep")]))
    assert responses(played) == [{"result": "found"}]
    assert requests(inner) == [[("user", ['{"topic":"tides","depth":"deep"}'])]]


# -- what comes back


@pytest.mark.parametrize(
    ("lines", "response"),
    [
        (["first", "last"], {"result": "last"}),
        ([], {"result": ""}),
        ([say("inner", "a thought", partial=True)], {"result": ""}),
        (["text", Event(author="inner")], {"result": "text"}),
        (["text", escalation("inner")], {"result": "text"}),
    ],
    ids=["last text", "nothing", "pieces only", "text and then nothing", "text and then an escalation"],
)
async def test_the_answer_is_the_last_text_that_the_agent_ends_with(lines, response):
    assert responses(await play(asker(Actor(name="inner", lines=lines)))) == [response]


async def test_thoughts_and_texts_beside_calls_are_no_answer():
    inner = llm(
        "inner",
        ["On it.", call("look")],
        types.Content(role="model", parts=[types.Part(text="Hm.", thought=True), types.Part(text="Found.")]),
        tools=[look],
    )
    assert responses(await play(asker(inner))) == [{"result": "Found."}]


async def test_what_is_said_on_the_way_to_a_call_is_no_answer_even_if_nothing_comes_after():
    critic = llm("critic", ["Good enough.", call("exit_loop")], tools=[exit_loop])
    tree = LoopAgent(name="inner", sub_agents=[llm("writer", "A draft."), critic])
    assert responses(await play(asker(tree))) == [{"result": "A draft."}]


def look() -> str:
    """Looks."""
    return "papers"


async def test_the_answer_of_a_tree_is_that_of_whoever_spoke_last():
    tree = SequentialAgent(name="inner", sub_agents=[llm("a", "draft"), llm("b", "final")])
    assert responses(await play(asker(tree))) == [{"result": "final"}]


class Found(BaseModel):
    title: str
    year: int


@pytest.mark.parametrize(
    ("schema", "said", "response"),
    [
        (Found, '{"title": "Tides", "year": 1921}', {"title": "Tides", "year": 1921}),
        (Found, '```json\n{"title": "Tides", "year": 1921}\n```', {"title": "Tides", "year": 1921}),
        (list[int], "[1, 2]", {"result": [1, 2]}),
    ],
)
async def test_an_answer_with_a_schema_comes_back_as_what_it_stands_for(schema, said, response):
    tree = SequentialAgent(name="inner", sub_agents=[llm("a", "x"), llm("b", said, output_schema=schema)])
    assert responses(await play(asker(tree))) == [response]


async def test_files_come_back_beside_the_text():
    sketch = PNG.model_copy(update={"thought": True})
    said = types.Content(role="model", parts=[sketch, types.Part(text="A cat."), PNG])
    played = await play(asker(Actor(name="inner", lines=[Event(author="inner", content=said)])))
    [answer] = [answer for event in played.events for answer in event.get_function_responses()]
    assert answer.response == {"result": "A cat.", "files": [{"$ref": "files-1"}]}
    assert [part.inline_data.data for part in answer.parts] == [b"png"]


async def test_files_alone_are_an_answer():
    said = Event(author="inner", content=types.Content(role="model", parts=[PNG]))
    played = await play(asker(Actor(name="inner", lines=["Wait.", said])))
    [answer] = [answer for event in played.events for answer in event.get_function_responses()]
    assert answer.response == {"files": [{"$ref": "files-1"}]}
    assert [part.inline_data.data for part in answer.parts] == [b"png"]


async def test_the_answer_can_be_the_callers_own():
    inner = llm("inner", "It is so.")
    outer = llm("outer", [call("inner", request="?")], tools=[AgentTool(inner, skip_summarization=True)])
    played = await play(outer)
    assert responses(played) == [{"result": "It is so."}]
    assert len(outer.model.requests) == 1
    assert played.events[-1].is_final_response()


# -- when it fails


async def test_what_the_agent_raises_is_the_calls_error():
    played = await play(
        asker(Actor(name="inner", lines=["begun", ValueError("no paper")]), tool={"skip_summarization": True})
    )
    assert responses(played) == [{"error": "ValueError: no paper"}]
    assert played.events[1].custom_metadata["tool_errors"] == {
        played.events[0].get_function_calls()[0].id: "ValueError: no paper"
    }
    assert played.texts[-1] == ("outer", "done"), "the caller's model decides what to do about an error"
    assert [record["outcome"] for record in played.records("agent_finished")] == ["error", "ok"]
    assert (played.error, [event.text for event in played.session.events if event.branch]) == (None, ["go on", "begun"])


async def test_an_error_that_an_event_tells_is_one_too():
    failed = Event(author="inner", error_code="SAFETY", error_message="The answer was blocked.")
    played = await play(asker(Actor(name="inner", lines=["so far", failed])))
    assert responses(played) == [{"error": "Agent 'inner' failed: The answer was blocked."}]


async def test_an_error_that_was_dealt_with_is_none():
    failed = Event(author="inner", error_code="SAFETY", error_message="The answer was blocked.")
    assert responses(await play(asker(Actor(name="inner", lines=[failed, "else"])))) == [{"result": "else"}]


async def test_an_answer_that_does_not_fit_its_schema_is_an_error():
    def spoil(callback_context: Any) -> types.Content:
        return types.Content(role="model", parts=[types.Part(text="not JSON")])

    inner = llm("inner", '{"title": "Tides", "year": 1}', output_schema=Found, after_agent_callback=spoil)
    [response] = responses(await play(asker(inner)))
    assert response["error"].startswith("Agent 'inner' failed: The answer does not fit the schema: the answer: Invalid JSON")


async def test_an_agent_that_would_have_to_wait_is_an_error_that_says_what_to_do():
    played = await play(asker(Actor(name="inner", lines=["asking", lambda ctx: ctx.pause()])))
    assert responses(played) == [
        {
            "error": "Agent 'inner' would have to wait for an answer, and one that is called as a tool cannot. Make it a "
            "sub-agent of the agent that calls it, and let that one transfer to it."
        }
    ]
    assert played.texts[-1] == ("outer", "done")
    assert played.log[-1][1]["status"] == "completed"


# -- whose conversation it is


async def test_the_log_has_the_inner_events_on_a_branch_of_their_own():
    played = await play(
        asker(
            llm("inner", "found", output_key="found"),
            calls=[types.FunctionCall(id="c1", name="inner", args={"request": "go on"})],
        )
    )
    branch = f"inner:{hashlib.sha256(b'c1').hexdigest()[:6]}"
    assert [(kind, body.get("author") or body["agent"], body.get("branch")) for kind, body in played.log] == [
        ("run_started", "outer", None),
        ("event", "user", None),
        ("agent_started", "outer", None),
        ("model_started", "outer", None),
        ("model_finished", "outer", None),
        ("event", "outer", None),
        ("tool_started", "outer", None),
        ("event", "user", branch),
        ("agent_started", "inner", branch),
        ("model_started", "inner", branch),
        ("model_finished", "inner", branch),
        ("event", "inner", branch),
        ("agent_finished", "inner", branch),
        ("tool_finished", "outer", None),
        ("event", "outer", None),
        ("model_started", "outer", None),
        ("model_finished", "outer", None),
        ("event", "outer", None),
        ("agent_finished", "outer", None),
        ("run_finished", "outer", None),
    ]
    assert len({body["invocation_id"] for _, body in played.log}) == 1
    assert [event.author for event in played.events] == ["outer", "outer", "outer"]
    assert played.state == {"found": "found"}


@pytest.mark.parametrize("include", ["default", "none"])
async def test_neither_model_hears_of_the_others_conversation(include):
    inner = llm("inner", [call("look")], "found", tools=[look], include_contents=include)
    outer = asker(inner, include_contents=include)
    await play(outer, "write a report")
    assert requests(inner)[0] == [("user", ["go on"])]
    assert requests(inner)[1] == [("user", ["go on"]), ("model", [None]), ("user", [None])]
    assert requests(outer)[1] == [("user", ["write a report"]), ("model", [None]), ("user", [None])]


async def test_each_call_is_a_conversation_of_its_own_even_under_the_same_id():
    """Some models count their calls anew in each answer."""
    again = [types.FunctionCall(id="call_0", name="inner", args={"request": text}) for text in ("one", "two")]
    inner = llm("inner", "1", "2")
    outer = llm("outer", [again[0]], [again[1]], "done", tools=[AgentTool(inner)])
    played = await play(outer)
    assert requests(inner) == [[("user", ["one"])], [("user", ["two"])]]
    assert len({event.branch for event in played.session.events if event.branch}) == 2


async def test_a_later_run_begins_anew_too():
    inner = llm("inner", "1", "2")
    outer = llm(
        "outer", [call("inner", request="one")], "done", [call("inner", request="two")], "done", tools=[AgentTool(inner)]
    )
    service = InMemorySessionService()
    await play(outer, service=service)
    await play(outer, service=service)
    assert requests(inner)[1] == [("user", ["two"])]


async def test_an_agent_that_runs_branches_sees_them_after_their_join():
    fan = ParallelAgent(name="fan", sub_agents=[llm("a", "from a"), llm("b", "from b")])
    gather = llm("gather", "all")
    await play(asker(SequentialAgent(name="inner", sub_agents=[fan, gather])), "write a report")
    [sent] = requests(gather)
    assert [texts[-1] for _, texts in sent] == ["go on", f"[a] said:\n{quoted('from a')}", f"[b] said:\n{quoted('from b')}"]


async def test_a_tool_inside_a_tool_nests():
    deep = llm("deep", "bottom")
    middle = llm("middle", [call("deep", request="dig")], "dug", tools=[AgentTool(deep)])
    outer = asker(middle)
    branches = ParallelAgent(name="p", sub_agents=[outer])
    played = await play(branches)
    [one, two] = dict.fromkeys(e.branch for e in played.session.events if ":" in (e.branch or ""))
    assert one.startswith("p.outer.middle:")
    assert two.startswith(one + ".deep:")
    assert requests(deep) == [[("user", ["dig"])]]
    assert played.texts == [("outer", "done")]


# -- what is shared


async def test_the_inner_agent_has_the_state_and_what_it_writes_stays():
    def count(tool_context: ToolContext) -> int:
        tool_context.state["count"] = tool_context.state["count"] + 1
        tool_context.state["temp:seen"] = True
        return tool_context.state["count"]

    inner = llm("inner", [call("count")], "ok", tools=[count], instruction="Count is {count}.")
    outer = asker(inner)
    after = llm("after", "x", instruction="Count is {count}, seen {temp:seen}.")
    played = await play(SequentialAgent(name="s", sub_agents=[outer, after]), state={"count": 1})
    assert instruction_in(inner.model.requests[0]) == "Count is 1."
    assert instruction_in(after.model.requests[0]) == "Count is 2, seen True."
    assert played.state == {"count": 2}


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_parallel_calls_of_it_lose_nothing(kind, tmp_path):
    """Eight agents at work at once: every event and every key is there, each conversation in its own order."""
    count, rounds = 8, 5

    def step(tool_context: ToolContext, n: int) -> str:
        """Notes a step."""
        name = tool_context.agent_name
        tool_context.state[f"{name}_{n}"] = n
        tool_context.state["app:last"] = name
        return f"step {n}"

    inner = [
        llm(f"inner{i}", *([call("step", n=n)] for n in range(rounds)), f"answer {i}", tools=[step], output_key=f"out{i}")
        for i in range(count)
    ]
    calls = [call(agent.name, request=f"request {i}") for i, agent in enumerate(inner)]
    outer = llm("outer", calls, "done", tools=[AgentTool(agent) for agent in inner])
    service = SqliteSessionService(tmp_path / "test.db") if kind == "sqlite" else None
    played = await play(outer, service=service)
    assert played.error is None
    assert responses(played) == [{"result": f"answer {i}"} for i in range(count)]
    expected = {f"inner{i}_{n}": n for i in range(count) for n in range(rounds)} | {
        f"out{i}": f"answer {i}" for i in range(count)
    }
    assert {key: value for key, value in played.state.items() if key != "app:last"} == expected
    for i, agent in enumerate(inner):
        said = [e for e in played.session.events if (e.branch or "").startswith(f"{agent.name}:")]
        assert [e.text for e in said if e.text] == [f"request {i}", f"answer {i}"]
        assert [r.response for e in said for r in e.get_function_responses()] == [
            {"result": f"step {n}"} for n in range(rounds)
        ]
        kinds = [kind for kind, body in played.log if kind != "event" and body["agent"] == agent.name]
        think = ["model_started", "model_finished"]
        assert kinds == ["agent_started", *([*think, "tool_started", "tool_finished"] * rounds), *think, "agent_finished"]
    if service is not None:
        await service.close()


async def test_its_model_calls_count_for_the_run():
    inner = llm("inner", [call("look")], [call("look")], "never", tools=[look])
    outer = asker(inner)
    played = await play(outer, config=RunConfig(max_llm_calls=3))
    assert responses(played)[0]["error"].startswith("LlmCallsLimitExceededError: This run made 3 model calls")
    assert type(played.error).__name__ == "LlmCallsLimitExceededError"
    assert played.log[-1][1]["calls"] == 3


async def test_its_files_are_the_sessions():
    async def draw(tool_context: ToolContext) -> int:
        return await tool_context.save_artifact("cat.png", PNG)

    artifacts = InMemoryArtifactService()
    inner = llm("inner", [call("draw")], "drawn", tools=[draw])
    service = InMemorySessionService()
    await service.create_session(app_name=APP, user_id=USER, session_id="s")
    runner = Runner(app_name=APP, agent=asker(inner), session_service=service, artifact_service=artifacts)
    _ = [event async for event in runner.run_async(user_id=USER, session_id="s", new_message=user("go"))]
    assert await artifacts.load_artifact(app_name=APP, user_id=USER, session_id="s", filename="cat.png") == PNG


# -- what stays inside


async def test_an_escalation_inside_ends_no_loop_outside():
    inner = LoopAgent(name="inner", sub_agents=[Actor(name="a", lines=["x", lambda _: escalation("a", "enough")])])
    outer = llm("outer", *[[call("inner", request="go")], "done"] * 2, tools=[AgentTool(inner)])
    played = await play(LoopAgent(name="loop", sub_agents=[outer], max_iterations=2, propagate_escalation=True))
    assert played.texts == [("outer", "done")] * 2
    reasons = [(record["agent"], record["reason"]) for record in played.records("loop_finished")]
    assert reasons == [("inner", "escalated"), ("inner", "escalated"), ("loop", "max_iterations")]


async def test_ending_the_invocation_inside_ends_the_call_only():
    def end(ctx: Any) -> None:
        ctx.end_invocation = True

    inner = SequentialAgent(
        name="inner", sub_agents=[Actor(name="a", lines=["said", end]), Actor(name="b", lines=["never"])]
    )
    played = await play(SequentialAgent(name="s", sub_agents=[asker(inner), Actor(name="after", lines=["after"])]))
    assert responses(played) == [{"result": "said"}]
    assert played.texts == [("outer", "done"), ("after", "after")]


async def test_of_several_calls_at_once_each_ends_for_itself():
    has_ended, may_end = asyncio.Event(), asyncio.Event()

    async def end(ctx: Any) -> None:
        ctx.end_invocation = True
        has_ended.set()
        await may_end.wait()

    async def go_on(_: Any) -> None:
        await has_ended.wait()
        may_end.set()

    first = SequentialAgent(
        name="first", sub_agents=[Actor(name="a", lines=["said", end]), Actor(name="b", lines=["never"])]
    )
    second = SequentialAgent(name="second", sub_agents=[Actor(name="c", lines=[go_on]), Actor(name="d", lines=["all said"])])
    calls = [call(name, request="go") for name in ("first", "second")]
    played = await play(llm("outer", calls, "done", tools=[AgentTool(first), AgentTool(second)]))
    assert responses(played) == [{"result": "said"}, {"result": "all said"}]


async def test_nothing_of_it_streams():
    inner = llm("inner", "one two three")
    played = await play(asker(inner), config=RunConfig(streaming_mode=StreamingMode.SSE))
    assert {event.author for event in played.events} == {"outer"}
    assert [record["stream"] for record in played.records("model_started")] == [True, False, True]


async def test_stopping_the_run_stops_it_and_leaves_a_log_that_says_so():
    begun = asyncio.Event()

    async def hang(_: Any) -> None:
        begun.set()
        await asyncio.Event().wait()

    service = InMemorySessionService()
    task = asyncio.create_task(play(asker(Actor(name="inner", lines=["begun", hang])), service=service))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    stopped = Play()
    await look_at(stopped, service)
    assert [(record["agent"], record["outcome"]) for record in stopped.records("agent_finished")] == [
        ("inner", "cancelled"),
        ("outer", "cancelled"),
    ]
    assert stopped.log[-1][1]["status"] == "stopped"
    assert not other_tasks()


@pytest.mark.parametrize("said", ["the answer", "42"])
async def test_an_answer_that_is_not_summarized_is_a_text_and_the_callers_output(said):
    inner = LlmAgent(name="inner", model=ScriptedLlm(script=[said]))
    model = ScriptedLlm(script=[["I ask. ", call("inner", request="?")]])
    outer = LlmAgent(name="outer", model=model, tools=[AgentTool(inner, skip_summarization=True)], output_key="out")
    played = await play(outer)
    assert (played.events[-1].text, played.events[-1].is_final_response()) == (said, True)
    assert played.state["out"] == f"I ask. {said}"
