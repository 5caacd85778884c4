"""Acting: calls run, observed as one event."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from dirty_equals import IsFloat, IsInt, IsPartialDict, IsStr
from google.genai import types
from pydantic import BaseModel

from agents import BaseTool, FunctionTool, LlmAgent, LoopAgent, ToolContext, exit_loop
from agents.errors import ToolError
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import instruction_in, other_tasks, play

pytestmark = pytest.mark.anyio

GO_ON = "go on"


class Reading(BaseModel):
    depth: float


async def act(calls: list[Any], tools: list[Any], *, more: tuple[Any, ...] = (GO_ON,), state: Any = None, **agent: Any):
    """Has a model make `calls` and then end; returns the run and the observation."""
    with ScriptedLlm(script=[calls, *more]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=tools, **agent), state=state)
    found = [event for event in played.events if event.get_function_responses()]
    return played, (found[0] if found else None)


def answers(event: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(answer.name, answer.response) for answer in event.get_function_responses()]


# -- results


@pytest.mark.parametrize(
    ("result", "response"),
    [
        ({"a": 1}, {"a": 1}),
        ("text", {"result": "text"}),
        (None, {"result": None}),
        ([1, {"b": (2, 3)}], {"result": [1, {"b": [2, 3]}]}),
        ({}, {}),
        ({1: "one"}, {"1": "one"}),
        (math.inf, {"result": "inf"}),
        ({"model": Reading(depth=math.nan)}, {"model": {"depth": "nan"}}),
        (b"\xff\xfe", {"result": "__4="}),
        ({"when": {3}}, {"when": [3]}),
        (object, {"result": IsStr(regex="<class 'object'>")}),
    ],
)
async def test_a_result_becomes_a_response(result, response):
    _, observation = await act([call("tool")], [named("tool", lambda: result)])
    assert answers(observation) == [("tool", response)]
    assert (observation.content.role, observation.custom_metadata) == ("user", None)


def named(name: str, function: Any) -> Any:
    def tool():
        """A tool."""
        return function()

    tool.__name__ = name
    return tool


async def test_a_result_that_holds_itself_is_an_error_the_model_is_told():
    ring: list[Any] = []
    ring.append(ring)
    played, observation = await act([call("tool")], [named("tool", lambda: ring)])
    assert played.error is None
    assert observation.get_function_responses()[0].response["error"].startswith("The result of tool cannot be put into JSON")


PIXEL = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"\x89PNG"))
NAMED = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"2", display_name="cat.png"))
FILE = types.Part(file_data=types.FileData(mime_type="text/plain", file_uri="gs://x/y"))


@pytest.mark.parametrize(
    ("result", "response"),
    [
        ({"image": PIXEL, "n": 1}, {"image": {"$ref": "image-1"}, "n": 1}),
        (PIXEL, {"result": {"$ref": "result-1"}}),
        ([PIXEL, NAMED, "x"], {"result": [{"$ref": "result-1"}, {"$ref": "cat.png"}, "x"]}),
        ({"all": {"file": FILE}}, {"all": {"file": {"$ref": "file-1"}}}),
    ],
)
async def test_images_and_files_go_beside_the_json(result, response):
    with ScriptedLlm(script=[[call("paint")], GO_ON]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[named("paint", lambda: result)]))
    [answer] = played.events[1].get_function_responses()
    assert answer.response == response
    held = [part.inline_data or part.file_data for part in answer.parts]
    assert [f"{{'$ref': '{item.display_name}'}}" in str(response) for item in held] == [True] * len(held)
    [sent] = [p.function_response for c in model.requests[1].contents for p in c.parts if p.function_response]
    assert sent.parts == answer.parts


# -- several at once


async def test_parallel_calls_are_one_event_in_call_order_with_deep_deltas():
    second_done = asyncio.Event()

    async def slow(tool_context: ToolContext):
        """Ends last."""
        await second_done.wait()
        tool_context.state["tree"] = {"a": {"x": 1}}
        tool_context.state["one"] = 1
        return "slow"

    async def fast(tool_context: ToolContext):
        """Ends first."""
        tool_context.state["tree"] = {"a": {"y": 2}, "b": 3}
        tool_context.state["two"] = 2
        second_done.set()
        return "fast"

    played, observation = await act([call("slow"), call("fast")], [slow, fast])
    assert answers(observation) == [("slow", {"result": "slow"}), ("fast", {"result": "fast"})]
    assert observation.actions.state_delta == {"tree": {"a": {"x": 1, "y": 2}, "b": 3}, "one": 1, "two": 2}
    assert played.state == observation.actions.state_delta
    assert len(played.events) == 3


async def test_what_a_later_call_added_to_an_earlier_ones_list_is_kept():
    """The call that comes second in the answer runs first."""
    done = asyncio.Event()

    async def first(tool_context: ToolContext):
        """Runs second."""
        await done.wait()
        tool_context.state["list"] = [*tool_context.state.get("list", []), "first"]

    async def second(tool_context: ToolContext):
        """Runs first."""
        tool_context.state["list"] = [*tool_context.state.get("list", []), "second"]
        done.set()

    played, _ = await act([call("first"), call("second")], [first, second])
    assert played.state == {"list": ["second", "first"]}


async def test_edits_in_place_by_parallel_calls_are_all_kept():
    async def add(item: str, tool_context: ToolContext):
        """Adds."""
        await asyncio.sleep(0)
        tool_context.state["list"].append(item)

    played, observation = await act([call("add", item="x"), call("add", item="y")], [add], state={"list": []})
    assert observation.actions.state_delta == {"list": ["x", "y"]}
    assert played.state == {"list": ["x", "y"]}


async def test_a_sync_tool_does_not_keep_others_waiting():
    """The tool in the thread can only end when the other one has run."""
    import threading

    free = threading.Event()

    def waits() -> bool:
        """Waits for the other."""
        return free.wait(10)

    async def frees() -> None:
        """Frees the other."""
        free.set()

    _, observation = await act([call("waits"), call("frees")], [waits, frees])
    assert answers(observation)[0] == ("waits", {"result": True})


async def test_escalation_and_the_like_of_any_call_count():
    def plain() -> None:
        """Nothing."""

    async def up(tool_context: ToolContext) -> None:
        """Escalates."""
        tool_context.actions.escalate = True

    played, observation = await act([call("up"), call("plain")], [plain, up])
    assert (observation.actions.escalate, observation.actions.skip_summarization) == (True, None)
    assert played.events[-1].text == GO_ON


# -- errors


async def test_a_tool_that_raises_becomes_a_response_and_is_marked():
    def broken(x: int) -> int:
        """Breaks."""
        raise ZeroDivisionError("by zero")

    played, observation = await act([call("broken", x=1), call("broken", x=2)], [broken])
    assert played.error is None
    assert answers(observation) == [("broken", {"error": "ZeroDivisionError: by zero"})] * 2
    ids = [answer.id for answer in observation.get_function_responses()]
    assert observation.custom_metadata == {
        "tool_errors": dict.fromkeys(ids, "ZeroDivisionError: by zero"),
        "tracebacks": dict.fromkeys(ids, IsPartialDict(type="ZeroDivisionError", message="by zero")),
    }
    raised = observation.custom_metadata["tracebacks"][ids[0]]["frames"][-1]
    assert raised == {
        "file": "test_tool_calls.py",
        "path": __file__,
        "line": IsInt,
        "function": "broken",
        "source": 'raise ZeroDivisionError("by zero")',
        "own": True,
    }
    assert [record["error"] for record in played.records("tool_finished")] == ["ZeroDivisionError: by zero"] * 2


async def test_what_a_tool_raises_reaches_no_model_with_a_key_in_it(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "secret-of-mine-1234")

    def broken() -> None:
        """Breaks."""
        raise ValueError("secret-of-mine-1234 is refused")

    played, observation = await act([call("broken")], [broken])
    assert answers(observation) == [("broken", {"error": "ValueError: [key] is refused"})]
    assert "secret" not in observation.model_dump_json()
    assert [record["error"] for record in played.records("tool_finished")] == ["ValueError: [key] is refused"]


async def test_raise_on_error_ends_the_run_and_cancels_the_other_calls():
    started = asyncio.Event()

    async def hang() -> None:
        """Hangs."""
        started.set()
        await asyncio.Event().wait()

    async def broken() -> None:
        """Breaks."""
        await started.wait()
        raise ZeroDivisionError("by zero")

    played, observation = await act(
        [call("hang"), call("broken")], [hang, FunctionTool(broken, raise_on_error=True)], more=()
    )
    assert observation is None
    assert type(played.error) is ZeroDivisionError
    assert [(r["tool"], r["error"]) for r in played.records("tool_finished")] == [
        ("broken", "ZeroDivisionError: by zero"),
        ("hang", "cancelled"),
    ]
    assert other_tasks() == set()


async def test_an_unknown_tool_is_answered_with_those_there_are():
    played, observation = await act([call("nope", x=1)], [named("one", int), named("two", int)])
    message = "There is no tool 'nope'. The tools are: one, two. Call one of them, or answer without."
    assert answers(observation) == [("nope", {"error": message})]
    assert list(observation.custom_metadata["tool_errors"].values()) == [message]
    assert played.error is None


async def test_without_any_tool_a_call_is_answered_too():
    _, observation = await act([call("nope")], [])
    assert "The tools are: none." in answers(observation)[0][1]["error"]


async def test_on_tool_error_may_answer_for_an_unknown_tool():
    def rescue(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, error: Exception):
        assert isinstance(error, ToolError)
        return {"instead": tool.name, **args}

    _, observation = await act(
        [call("nope", x=1)], [], on_tool_error_callback=rescue, after_tool_callback=lambda **_: {"no tool": "ran"}
    )
    assert answers(observation) == [("nope", {"instead": "nope", "x": 1})]
    assert observation.custom_metadata is None


async def test_before_tool_may_answer_for_an_unknown_tool():
    _, observation = await act(
        [call("nope", x=1)], [], before_tool_callback=lambda tool, args, tool_context: {"for": tool.name}
    )
    assert answers(observation) == [("nope", {"for": "nope"})]


async def test_an_error_that_a_tool_returns_is_marked():
    _, observation = await act([call("tool")], [named("tool", lambda: {"error": "no luck"})])
    assert list(observation.custom_metadata["tool_errors"].values()) == ["no luck"]


# -- callbacks


def echo(x: int) -> dict[str, int]:
    """Echoes."""
    return {"x": x}


async def test_a_before_tool_answer_stands_for_the_tools():
    def before(tool, args, tool_context):
        tool_context.state["asked"] = [tool.name, args, tool_context.agent_name]
        return {"instead": True}

    played, observation = await act([call("echo", x=1)], [echo], before_tool_callback=[lambda **_: None, before])
    assert answers(observation) == [("echo", {"instead": True})]
    assert observation.actions.state_delta == {"asked": ["echo", {"x": 1}, "a"]}
    assert played.state == {"asked": ["echo", {"x": 1}, "a"]}


async def test_a_before_tool_callback_may_change_arguments_but_not_what_the_model_said():
    async def before(tool, args, tool_context):
        args["x"] = 2

    played, observation = await act([call("echo", x=1)], [echo], before_tool_callback=before)
    assert answers(observation) == [("echo", {"x": 2})]
    assert played.events[0].get_function_calls()[0].args == {"x": 1}


async def test_after_tool_callbacks_run_in_order_until_one_answers():
    seen: list[Any] = []

    async def first(tool, args, tool_context, tool_response):
        seen.append(tool_response)

    def second(tool, args, tool_context, tool_response):
        return {"changed": tool_response["x"] + 1}

    def third(**_):
        seen.append("never")

    _, observation = await act([call("echo", x=1)], [echo], after_tool_callback=[first, second, third])
    assert (answers(observation), seen) == ([("echo", {"changed": 2})], [{"x": 1}])


async def test_an_empty_dictionary_is_an_answer():
    _, observation = await act([call("echo", x=1)], [echo], before_tool_callback=lambda **_: {})
    assert answers(observation) == [("echo", {})]


async def test_on_tool_error_may_answer_and_after_tool_sees_it():
    def broken() -> None:
        """Breaks."""
        raise ValueError("x")

    _, observation = await act(
        [call("broken")],
        [broken],
        on_tool_error_callback=lambda tool, args, tool_context, error: {"was": str(error)},
        after_tool_callback=lambda tool, args, tool_context, tool_response: {**tool_response, "after": True},
    )
    assert answers(observation) == [("broken", {"was": "x", "after": True})]
    assert observation.custom_metadata is None


async def test_a_callback_that_raises_is_the_authors_to_mend_and_ends_the_run():
    def before(tool, args, tool_context):
        raise LookupError("callback")

    played, _ = await act([call("echo", x=1)], [echo], more=(), before_tool_callback=before)
    assert isinstance(played.error, LookupError)
    assert [r["error"] for r in played.records("tool_finished")] == ["LookupError: callback"]


# -- ending


async def test_skip_summarization_makes_the_response_the_answer():
    def final(tool_context: ToolContext) -> str:
        """Final."""
        tool_context.actions.skip_summarization = True
        return "that is it"

    played, observation = await act([call("final")], [final], more=(), output_key="out")
    assert played.events[-1] is observation
    assert observation.is_final_response()
    assert played.state == {}


async def test_exit_loop_ends_the_loop_without_another_model_call():
    with ScriptedLlm(script=[[call("exit_loop")]]) as model:
        loop = LoopAgent(name="l", sub_agents=[LlmAgent(name="a", model=model, tools=[exit_loop])])
        played = await play(loop)
    [_, observation] = played.events
    assert answers(observation) == [("exit_loop", {"result": None})]
    assert (observation.actions.escalate, observation.actions.skip_summarization) == (True, True)
    assert played.records("loop_finished")[0]["reason"] == "escalated"


async def test_a_tool_that_only_escalates_lets_the_model_finish():
    def stop(tool_context: ToolContext) -> dict[str, Any]:
        """Stops."""
        tool_context.actions.escalate = True
        return {}

    with ScriptedLlm(script=[[call("stop")], "last words"]) as model:
        played = await play(LoopAgent(name="l", sub_agents=[LlmAgent(name="a", model=model, tools=[stop])]))
    assert [event.text for event in played.events] == ["", "", "last words"]


# -- tools of one's own, and the trace


class Gauge(BaseTool):
    """A tool without a function, that also changes the request."""

    def __init__(self) -> None:
        super().__init__(name="gauge", description="Measures.")

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name, description=self.description)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        return {"args": args, "call": tool_context.function_call_id, "by": tool_context.agent_name}

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: Any) -> None:
        await super().process_llm_request(tool_context=tool_context, llm_request=llm_request)
        llm_request.append_instructions([f"{tool_context.agent_name} may measure."])


async def test_a_tool_of_ones_own_declares_itself_and_runs():
    with ScriptedLlm(script=[[types.FunctionCall(id="own-1", name="gauge", args={"x": 1})], GO_ON]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[Gauge()], instruction="Do."))
    assert instruction_in(model.requests[0]) == "Do.\n\na may measure."
    assert answers(played.events[1]) == [("gauge", {"args": {"x": 1}, "call": "own-1", "by": "a"})]
    assert played.events[1].get_function_responses()[0].id == "own-1"


async def test_a_tool_without_a_run_says_what_is_missing():
    class Empty(BaseTool):
        def _get_declaration(self) -> types.FunctionDeclaration:
            return types.FunctionDeclaration(name=self.name)

    _, observation = await act([call("empty")], [Empty(name="empty", description="")])
    assert "must define run_async" in answers(observation)[0][1]["error"]


async def test_calls_are_traced_around_their_event():
    played, observation = await act([call("echo", x=1), call("echo", x=2)], [echo])
    kinds = [kind for kind, _ in played.log]
    assert kinds[kinds.index("tool_started") :][:5] == ["tool_started"] * 2 + ["tool_finished"] * 2 + ["event"]
    ids = [answer.id for answer in observation.get_function_responses()]
    assert played.records("tool_started", "tool_finished") == [
        {"kind": kind, "agent": "a", "tool": "echo", "call_id": call_id}
        for kind in ("tool_started", "tool_finished")
        for call_id in ids
    ]
    assert [body["duration"] for kind, body in played.log if kind == "tool_finished"] == [IsFloat(ge=0)] * 2


async def test_the_route_of_one_of_several_calls_is_kept():
    def leads(tool_context: ToolContext) -> None:
        """Gives a route."""
        tool_context.actions.route = "left"

    def looks() -> None:
        """Gives none."""

    _, observation = await act([call("leads"), call("looks")], [leads, looks])
    assert observation.actions.route == "left"
