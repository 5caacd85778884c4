"""Agents and models that a router chooses between. The choice itself is tested in `test_failover.py`."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Any

import pytest
from google.genai import types

from agents import (
    BaseAgent,
    Event,
    InMemoryRunner,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    LlmRequest,
    LlmResponse,
    LongRunningFunctionTool,
    LoopAgent,
    Runner,
    SequentialAgent,
)
from agents.errors import InjectedFaultError, ModelNotFoundError, ProviderError, RoutingError
from agents.flows.failover import RouteDecision
from agents.flows.routing import ChosenModel, RoutedAgent, RoutedLlm
from agents.models.answer import piece
from agents.models.scripted import ScriptedLlm, call
from agents.models.simulated.model import SimulatedLlm
from agents.runtime.fault import Fault
from agents.runtime.position import Frame, Position
from agents.runtime.run_config import RunConfig, StreamingMode
from tests.agents.routing_scenarios import SCENARIOS, ScriptedRouter
from tests.agents.stage import APP, USER, Actor, Play, escalation, look, other_tasks, play, say, user

pytestmark = pytest.mark.anyio


def to(*answers: Any) -> ScriptedRouter:
    """A router that gives these answers."""
    return ScriptedRouter(answers)


def failing(name: str, *lines: Any) -> Actor:
    return Actor(name=name, lines=[*lines, ConnectionError(name)])


# -- agents


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.what)
async def test_an_agent_is_run_by_a_routers_answers(scenario):
    router = to(*scenario.answers)
    agents = {key: Actor(name=f"agent_{key}", lines=work.of(key)) for key, work in scenario.works.items()}
    played = await play(RoutedAgent(name="r", agents=agents, router=router))
    scenario.check(played.error)
    assert " ".join(event.text for event in played.events if not event.error_code) == scenario.gives
    assert len(router.asked) == len(scenario.answers)
    decisions = played.records("route_decided")
    assert [(r["agent"], r["router"], r["level"], r["candidates"]) for r in decisions] == [
        ("r", "r", "agent", ["a", "b", "c"])
    ] * len(scenario.answers)
    assert [r["key"] for r in decisions] == scenario.decided
    started = [r["agent"].removeprefix("agent_") for r in played.records("agent_started")[1:]]
    assert [r["failed"] for r in decisions] == [started[:count] for count in range(len(decisions))]


async def test_agents_of_a_sequence_are_known_by_their_names():
    router = to("b")
    a, b = Actor(name="a"), Actor(name="b", lines=["x"])
    routed = RoutedAgent(name="r", agents=(a, b), router=router)
    assert (await play(routed)).texts == [("b", "x")]
    assert routed.routes == {"a": a, "b": b}
    assert router.offered[0][0] == ["a", "b"]


async def test_a_router_is_given_the_agents_and_the_context_of_the_run():
    seen = []

    def router(agents, context, error_context=None):
        seen.append((dict(agents), type(context), context.agent.name, context.session.state["k"], context.user_content))
        return "key"

    a = Actor(name="a")
    await play(RoutedAgent(name="r", agents={"key": a}, router=router), "hello", state={"k": 1})
    assert seen == [({"key": a}, InvocationContext, "r", 1, user("hello"))]


async def test_the_agent_that_is_run_is_in_the_same_branch():
    played = await play(RoutedAgent(name="r", agents=[Actor(name="a", lines=["x"])], router=to("a")))
    assert [event.branch for event in played.events] == [None]


async def test_the_start_of_a_router_is_stored_while_it_thinks():
    thinking, go_on = asyncio.Event(), asyncio.Event()

    async def router(agents, context):
        thinking.set()
        await go_on.wait()
        return "a"

    service = InMemorySessionService()
    routed = RoutedAgent(name="r", agents=[Actor(name="a")], router=router)
    task = asyncio.create_task(play(routed, service=service))
    await asyncio.wait_for(thinking.wait(), 5)
    for _ in range(5):
        await asyncio.sleep(0)
    seen = Play()
    await look(seen, service)
    assert [r["agent"] for r in seen.records("agent_started")] == ["r"]
    go_on.set()
    await task


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(lambda ctx: Event(author="a"), id="without content"),
        pytest.param(lambda ctx: say("a", "x", partial=True), id="partial"),
        pytest.param(lambda ctx: Event(author="a", error_code="BUSY"), id="an error event"),
    ],
)
async def test_any_event_counts(first):
    router = to("a")
    played = await play(RoutedAgent(name="r", agents=[failing("a", first), Actor(name="b")], router=router))
    assert type(played.error) is ConnectionError
    assert len(router.asked) == 1


async def test_an_event_with_an_error_code_is_an_answer():
    broken = Actor(name="a", lines=[lambda ctx: Event(author="a", error_code="BUSY")])
    played = await play(RoutedAgent(name="r", agents=[broken, Actor(name="b", lines=["x"])], router=to("a")))
    assert (played.error, [event.error_code for event in played.events]) == (None, ["BUSY"])


async def test_an_answer_of_a_callback_before_the_agent_counts():
    def answer(callback_context):
        return types.Content(role="model", parts=[types.Part(text="from the callback")])

    def fail(callback_context):
        raise ConnectionError("after")

    def agents(**callbacks: Any) -> list[BaseAgent]:
        return [Actor(name="a", lines=["y"], **callbacks), Actor(name="b", lines=["x"])]

    played = await play(RoutedAgent(name="r", agents=agents(before_agent_callback=answer), router=to("a")))
    assert played.texts == [("a", "from the callback")]
    late = await play(RoutedAgent(name="r", agents=agents(after_agent_callback=fail), router=to("a")))
    assert type(late.error) is ConnectionError
    early = await play(RoutedAgent(name="r", agents=agents(before_agent_callback=fail), router=to("a", "b")))
    assert early.texts == [("b", "x")]


async def test_an_error_is_told_by_the_agent_that_raised_it():
    routed = RoutedAgent(name="r", agents=[failing("a"), failing("b")], router=to("b", "a", None))
    played = await play(SequentialAgent(name="s", sub_agents=[routed]))
    assert [(event.author, event.error_message) for event in played.events] == [("a", "ConnectionError: a")]


async def test_a_router_that_names_nobody_is_told_by_its_agent():
    played = await play(SequentialAgent(name="s", sub_agents=[RoutedAgent(name="r", agents=[], router=to(None))]))
    assert [(event.author, event.error_code) for event in played.events] == [("r", "ROUTING")]


async def test_the_rest_of_a_workflow_runs_after_another_took_over():
    routed = RoutedAgent(name="r", agents=[failing("a"), Actor(name="b", lines=["x"])], router=to("a", "b"))
    played = await play(SequentialAgent(name="s", sub_agents=[routed, Actor(name="c", lines=["y"])]))
    assert (played.error, played.texts) == (None, [("b", "x"), ("c", "y")])


async def test_nothing_of_an_earlier_run_is_remembered():
    router = to("a", "b", "a", "b")
    routed = RoutedAgent(name="r", agents=[failing("a"), Actor(name="b", lines=["x"])], router=router)
    played = await play(LoopAgent(name="l", max_iterations=2, sub_agents=[routed]))
    assert played.texts == [("b", "x")] * 2
    assert [asked and asked.failed_keys for asked in router.asked] == [None, {"a"}, None, {"a"}]


async def test_an_escalation_of_a_chosen_agent_ends_the_loop():
    routed = RoutedAgent(name="r", agents=[Actor(name="a", lines=[escalation("a")])], router=to("a"))
    played = await play(LoopAgent(name="l", max_iterations=3, sub_agents=[routed]))
    assert played.records("loop_finished")[0]["by"] == "a"


async def test_a_routed_agent_in_a_routed_agent_fails_as_a_whole():
    inner = RoutedAgent(name="inner", agents=[failing("a"), failing("b")], router=to("a", "b", None))
    outer = RoutedAgent(name="outer", agents=[inner, Actor(name="c", lines=["x"])], router=to("inner", "c"))
    played = await play(outer)
    assert (played.error, played.texts) == (None, [("c", "x")])
    assert [(r["router"], r["key"], r["failed"], r.get("error")) for r in played.records("route_decided")] == [
        ("outer", "inner", [], None),
        ("inner", "a", [], None),
        ("inner", "b", ["a"], "ConnectionError: a"),
        ("inner", None, ["a", "b"], "ConnectionError: b"),
        ("outer", "c", ["inner"], "ConnectionError: b"),
    ]


async def test_an_event_of_a_routed_agent_in_a_routed_agent_counts_for_both():
    inner = RoutedAgent(name="inner", agents=[failing("a"), failing("b", "x")], router=to("a", "b"))
    outer = RoutedAgent(name="outer", agents=[inner, Actor(name="c", lines=["never"])], router=to("inner"))
    played = await play(outer)
    assert type(played.error) is ConnectionError
    assert played.texts == [("b", "x")]


async def waiting_for_ever(reached: asyncio.Event) -> None:
    reached.set()
    await asyncio.Event().wait()


@pytest.mark.parametrize("where", ["router", "agent"])
async def test_a_run_that_is_stopped_tries_nobody_else(where):
    reached = asyncio.Event()

    async def router(agents, context):
        if where == "router":
            await waiting_for_ever(reached)
        return "a"

    waiter = Actor(name="a", lines=[lambda ctx: waiting_for_ever(reached)])
    service = InMemorySessionService()
    routed = RoutedAgent(name="r", agents=[waiter, Actor(name="b", lines=["never"])], router=router)
    task = asyncio.create_task(play(routed, service=service))
    await asyncio.wait_for(reached.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert other_tasks() == set()
    left = Play()
    await look(left, service)
    assert [r["key"] for r in left.records("route_decided")] == ([] if where == "router" else ["a"])
    assert {r["outcome"] for r in left.records("agent_finished")} == {"cancelled"}
    assert left.records("run_finished")[0]["status"] == "stopped"


async def test_closing_after_an_event_closes_the_agent():
    runner = InMemoryRunner(RoutedAgent(name="r", agents=[Actor(name="a", lines=["x", "y"])], router=to("a")), app_name=APP)
    session = await runner.session_service.create_session(app_name=APP, user_id=USER)
    async with aclosing(runner.run_async(user_id=USER, session_id=session.id, new_message=user("go"))) as events:
        assert (await anext(events)).text == "x"
    left = Play()
    await look(left, runner.session_service, session.id)
    assert [(r["agent"], r["outcome"]) for r in left.records("agent_finished")] == [("a", "cancelled"), ("r", "cancelled")]


async def resumed(routed: RoutedAgent, route: str) -> list[Event]:
    service = InMemorySessionService()
    session = await service.create_session(app_name=APP, user_id=USER)
    stood = Frame("r", is_paused=True, route=route, children=(Frame("b", is_paused=True),))
    context = InvocationContext(
        invocation_id="i",
        agent=routed,
        session=session,
        session_service=service,
        resume_from=Position("i", stood, status="paused"),
    )
    return [event async for event in routed.run_async(context)]


async def test_a_paused_run_goes_on_with_what_was_chosen():
    router = to()
    places = []
    chosen = Actor(name="b", lines=[lambda ctx: places.append(ctx.position), "on"])
    routed = RoutedAgent(name="r", agents={"first": Actor(name="a"), "second": chosen}, router=router)
    assert [event.text for event in await resumed(routed, "second")] == ["on"]
    assert (router.asked, [place.agent for place in places]) == ([], ["b"])


async def test_a_paused_run_does_not_go_on_with_another():
    with pytest.raises(RoutingError, match=r"'second'.*only first"):
        await resumed(RoutedAgent(name="r", agents={"first": Actor(name="a")}, router=to()), "second")


async def test_a_run_that_paused_in_what_was_chosen_goes_on_there_and_with_the_rest():
    def ask(question: str) -> None:
        """Asks a person."""

    async def router(agents, context, error_context=None):
        asked.append(error_context)
        return "b" if error_context else "a"

    asked: list[Any] = []
    model = ScriptedLlm(script=[[call("ask", question="now?")], "done"])
    chosen = LlmAgent(name="b", model=model, tools=[LongRunningFunctionTool(ask)])
    routed = RoutedAgent(name="r", agents=[failing("a"), chosen], router=router)
    tree = SequentialAgent(name="s", sub_agents=[routed, Actor(name="after", lines=["rest"])])
    service = InMemorySessionService()
    paused = await play(tree, service=service)
    assert paused.records("run_finished")[0]["status"] == "paused"
    [call_id] = [made.id for event in paused.events for made in event.get_function_calls()]
    runner = Runner(app_name=APP, agent=tree, session_service=service)
    answer = types.FunctionResponse(id=call_id, name="ask", response={"result": "yes"})
    message = types.Content(role="user", parts=[types.Part(function_response=answer)])
    events = runner.run_async(user_id=USER, session_id="s", new_message=message)
    assert [(event.author, event.text) async for event in events if event.text] == [("b", "done"), ("after", "rest")]
    assert len(asked) == 2
    await look(paused, service)
    assert [r["key"] for r in paused.records("route_decided")] == ["a", "b"]


@pytest.mark.parametrize("mode", StreamingMode)
@pytest.mark.parametrize(
    ("kind", "texts", "error", "keys"),
    [
        ("fail_before", ["from the fallback"], None, ["primary", "fallback"]),
        ("fail_after", [], InjectedFaultError, ["primary"]),
        ("refuse", [], None, ["primary"]),
        ("delay", ["from the primary"], None, ["primary"]),
    ],
)
async def test_a_fallback_takes_over_from_a_primary_that_fails_on_purpose(mode, kind, texts, error, keys):
    agents = [LlmAgent(name=name, model=ScriptedLlm(script=[f"from the {name}"])) for name in ("primary", "fallback")]
    routed = RoutedAgent(name="r", agents=agents, router=to(*keys))
    faults = (Fault(kind=kind, target="primary", seconds=0),)
    played = await play(routed, config=RunConfig(streaming_mode=mode, faults=faults))
    assert type(played.error) is (error or type(None))
    assert [event.text for event in played.events if event.text and not event.partial] == texts
    assert [r["key"] for r in played.records("route_decided")] == keys
    assert [(r["agent"], r["fault"]) for r in played.records("fault_injected")] == [("primary", kind)]


# -- the tree


def test_the_agents_to_choose_from_are_sub_agents():
    a, b = Actor(name="a"), Actor(name="b")
    routed = RoutedAgent(name="r", agents={"x": a, "y": b}, router=to())
    assert (routed.sub_agents, a.parent_agent, routed.find_agent("b")) == ([a, b], routed, b)


def test_an_agent_of_another_parent_is_refused():
    a = Actor(name="a")
    SequentialAgent(name="s", sub_agents=[a])
    with pytest.raises(ValueError, match="'a' already has the parent 's'"):
        RoutedAgent(name="r", agents=[a], router=to())


def test_one_agent_under_two_keys_is_refused():
    a = Actor(name="a")
    with pytest.raises(ValueError, match="'a' under two keys, 'x' and 'y'"):
        RoutedAgent(name="r", agents={"x": a, "y": a}, router=to())
    assert a.parent_agent is None


def test_two_agents_of_one_name_need_keys():
    with pytest.raises(ValueError, match="named 'a'"):
        RoutedAgent(name="r", agents=[Actor(name="a"), Actor(name="a")], router=to())


def test_sub_agents_cannot_be_given_beside_the_agents():
    with pytest.raises(ValueError, match="give agents"):
        RoutedAgent(name="r", agents=[], sub_agents=[Actor(name="a")], router=to())


def test_new_agents_to_choose_from_are_assigned():
    a, b = Actor(name="a"), Actor(name="b")
    routed = RoutedAgent(name="r", agents=[a], router=to())
    routed.agents = {"x": b}
    assert (routed.sub_agents, routed.routes, a.parent_agent, b.parent_agent) == ([b], {"x": b}, None, routed)
    with pytest.raises(ValueError, match="assign agents"):
        routed.sub_agents = [a]
    with pytest.raises(ValueError, match="under two keys"):
        routed.agents = {"x": a, "y": a}
    assert (routed.sub_agents, routed.routes) == ([b], {"x": b})


def test_what_is_given_is_not_held():
    given: dict[str, BaseAgent] = {"x": Actor(name="a")}
    routed = RoutedAgent(name="r", agents=given, router=to())
    given.clear()
    assert list(routed.routes) == ["x"]


class Team(RoutedAgent):
    """Its router is a method of its own."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(router=self.choose, **fields)

    favourite: str = "x"

    def choose(self, agents, context, error_context=None):
        return self.favourite


@pytest.mark.parametrize("as_mapping", [True, False])
async def test_a_clone_routes_among_copies_under_the_same_keys(as_mapping):
    a, b = Actor(name="a", lines=["from a"]), Actor(name="b", lines=["from b"])
    routed = RoutedAgent(name="r", agents={"x": a, "y": b} if as_mapping else [a, b], router=to("y" if as_mapping else "b"))
    copy = SequentialAgent(name="s", sub_agents=[routed]).clone().sub_agents[0]
    assert isinstance(copy, RoutedAgent)
    assert list(copy.routes) == list(routed.routes)
    assert list(copy.routes.values()) == copy.sub_agents
    assert [agent.name for agent in copy.sub_agents] == ["a", "b"]
    assert not {*copy.sub_agents} & {a, b}
    assert {agent.parent_agent for agent in copy.sub_agents} == {copy}
    assert (a.parent_agent, routed.sub_agents) == (routed, [a, b])
    assert (await play(copy)).texts == [("b", "from b")]


async def test_a_router_that_is_a_method_is_that_of_the_copy_in_a_clone():
    team = Team(name="r", agents={"x": Actor(name="a", lines=["a"]), "y": Actor(name="b", lines=["b"])})
    copy = team.clone(update={"favourite": "y", "name": "t"})
    assert ((await play(copy)).texts, (await play(team)).texts) == ([("b", "b")], [("a", "a")])


async def test_a_clone_may_have_other_agents():
    a, b = Actor(name="a"), Actor(name="b", lines=["x"])
    routed = RoutedAgent(name="r", agents=[a], router=lambda agents, context: next(iter(agents)))
    copy = routed.clone(update={"agents": (b,)})
    assert (copy.sub_agents, b.parent_agent, routed.sub_agents) == ([b], copy, [a])
    assert (await play(copy)).texts == [("b", "x")]
    with pytest.raises(ValueError, match="it can set agents"):
        routed.clone(update={"sub_agents": [b]})


# -- models


class Playing(ScriptedLlm):
    """Gives the outputs of a `Work`: pieces, if it fails or streams on, then the whole."""

    lines: tuple[Any, ...] = ()

    def __init__(self, name: str, *lines: Any) -> None:
        super().__init__(model=name)
        self.lines = lines

    async def generate_content_async(self, llm_request, stream=False):
        self.requests.append(llm_request)
        for place, line in enumerate(self.lines):
            if isinstance(line, Exception):
                raise line
            is_last = place == len(self.lines) - 1
            yield LlmResponse(content=say("x", line).content, stop_reason="end_turn") if is_last else piece(line)


class Watcher:
    """Follows a model call."""

    def __init__(self, *faults: Fault) -> None:
        self.notes: list[tuple[str, dict[str, Any]]] = []
        self.faults = faults

    def note(self, kind: str, **data: Any) -> None:
        self.notes.append((kind, data))

    def fault_for(self, model: str) -> Fault | None:
        return next((fault for fault in self.faults if fault.target == model), None)


def request(*texts: str, observer: Any = None) -> LlmRequest:
    return LlmRequest(model="asked", contents=[user(text) for text in texts], observer=observer)


async def answers(model: RoutedLlm, asked: LlmRequest, *, stream: bool = True) -> list[LlmResponse]:
    return [response async for response in model.generate_content_async(asked, stream=stream)]


async def take(into, responses):
    async for response in responses:
        into.append(response)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.what)
async def test_a_model_is_called_by_a_routers_answers(scenario):
    router, watcher, asked = to(*scenario.answers), Watcher(), request("hi")
    asked.observer = watcher
    models = {key: Playing(f"model_{key}", *work.of(key)) for key, work in scenario.works.items()}
    routed = RoutedLlm(models=models, router=router)
    given: list[LlmResponse] = []
    error = None
    try:
        await take(given, routed.generate_content_async(asked, stream=True))
    except Exception as failure:
        error = failure
    scenario.check(error)
    assert " ".join(response.text for response in given) == scenario.gives
    assert {kind for kind, _ in watcher.notes} == {"route_decided"}
    notes = [note for _, note in watcher.notes]
    assert [note["key"] for note in notes] == scenario.decided
    assert {(note["router"], note["level"]) for note in notes} == {("routed(a,b,c)", "model")}
    assert all(offered is asked for _, offered in router.offered)
    assert max(len(model.requests) for model in models.values()) <= 1


async def test_models_of_a_sequence_are_known_by_their_names():
    routed = RoutedLlm(models=[ScriptedLlm(model="m1"), ScriptedLlm(model="m2", script=["x"])], router=to("m2"))
    assert list(routed.routes) == ["m1", "m2"]
    assert [response.text for response in await answers(routed, request("hi"), stream=False)] == ["x"]


def test_two_models_of_one_name_need_keys():
    with pytest.raises(ValueError, match="named 'scripted'"):
        RoutedLlm(models=[ScriptedLlm(), ScriptedLlm()], router=to())


async def test_one_model_under_two_keys_is_fine():
    model = ScriptedLlm(script=[ConnectionError("busy"), "x"])
    routed = RoutedLlm(models={"first": model, "again": model}, router=to("first", "again"))
    assert [response.text for response in await answers(routed, request("hi"), stream=False)] == ["x"]


async def test_the_response_says_which_model_answered():
    own = LlmResponse(content=say("x", "y").content, model_version="m2-2026-01")
    models = {"a": ScriptedLlm(model="m1", script=["x"]), "b": ScriptedLlm(model="m2", script=[own])}
    routed = RoutedLlm(models=models, router=to("a", "b"))
    assert [(await answers(routed, request("hi")))[-1].model_version for _ in range(2)] == ["m1", "m2-2026-01"]


async def test_the_response_of_a_model_is_not_changed():
    whole = LlmResponse(content=say("x", "y").content)
    model = Playing("m")

    async def give(llm_request, stream=False):
        yield whole

    object.__setattr__(model, "generate_content_async", give)
    [response] = await answers(RoutedLlm(models={"a": model}, router=to("a")), request("hi"))
    assert (response.model_version, whole.model_version) == ("m", None)


class Meddler(ScriptedLlm):
    """Changes all it can of its request, and fails."""

    async def generate_content_async(self, llm_request, stream=False):
        llm_request.contents[0].parts.append(types.Part(text="meddled"))
        llm_request.contents.append(user("meddled"))
        llm_request.append_instructions(["meddled"])
        llm_request.append_tools([Declared("meddled")])
        llm_request.config.labels["meddled"] = "yes"
        llm_request.config.temperature = 2.0
        llm_request.tools_dict["also"] = "meddled"
        raise ConnectionError("meddled")
        yield LlmResponse()


class Declared:
    def __init__(self, name: str) -> None:
        self.name = name

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name)


async def test_what_one_model_changes_in_its_request_nobody_else_sees():
    honest = ScriptedLlm(script=["x"], model="honest")
    routed = RoutedLlm(models={"a": Meddler(), "b": honest}, router=to("a", "b"))
    asked = request("hi")
    asked.config = types.GenerateContentConfig(system_instruction="Be kind.", labels={"adk_agent_name": "agent"})
    asked.append_tools([Declared("given")])
    before = (asked.config.model_dump(), [content.model_dump() for content in asked.contents], dict(asked.tools_dict))
    await answers(routed, asked)
    assert (asked.config.model_dump(), [content.model_dump() for content in asked.contents], asked.tools_dict) == before
    [sent] = honest.requests
    assert (sent.config.model_dump(), [content.model_dump() for content in sent.contents], sent.tools_dict) == before
    assert (asked.model, sent.model) == ("asked", "honest")


class PairsById(ScriptedLlm):
    @property
    def pairs_calls_by_id(self) -> bool:
        return True


class Simulated(ScriptedLlm):
    @property
    def simulated(self) -> bool:
        return True


async def test_only_a_model_that_needs_the_ids_that_we_made_up_is_sent_them():
    models = {"plain": ScriptedLlm(script=["x"]), "pairing": PairsById(script=["x"])}
    routed = RoutedLlm(models=models, router=to("plain", "pairing"))
    assert routed.pairs_calls_by_id
    made = types.Part(function_call=types.FunctionCall(id="adk-1", name="f", args={}))
    given = types.Part(function_call=types.FunctionCall(id="its-own", name="f", args={}))
    asked = LlmRequest(contents=[types.Content(role="model", parts=[made, given]), types.Content(role="user")])
    for _ in range(2):
        await answers(routed, asked)
    sent = {
        key: [part.function_call.id for part in model.requests[0].contents[0].parts or () if part.function_call]
        for key, model in models.items()
    }
    assert sent == {"plain": [None, "its-own"], "pairing": ["adk-1", "its-own"]}
    assert not RoutedLlm(models=[ScriptedLlm()], router=to()).pairs_calls_by_id


@pytest.mark.parametrize(("kinds", "is_simulated"), [("ss", True), ("sr", False), ("rr", False)])
def test_it_is_simulated_if_all_its_models_are(kinds, is_simulated):
    models = {f"m{place}": Simulated() if kind == "s" else ScriptedLlm() for place, kind in enumerate(kinds)}
    assert RoutedLlm(models=models, router=to()).simulated is is_simulated


def test_it_has_a_name_of_its_own_or_one_made_of_its_keys():
    models = {"fast": ScriptedLlm(), "smart": ScriptedLlm()}
    assert RoutedLlm(models=models, router=to()).model == "routed(fast,smart)"
    assert RoutedLlm(models=models, router=to(), model="any").model == "any"
    assert Fault.parse("routed(fast,smart):refuse").target == "routed(fast,smart)"


async def test_without_an_observer_it_works_as_well():
    routed = RoutedLlm(models=[ScriptedLlm(script=["x"])], router=to(RouteDecision("scripted", "why not")))
    assert [response.text for response in await answers(routed, request("hi"), stream=False)] == ["x"]


async def test_a_fault_hits_a_model_inside_and_another_takes_over():
    watcher = Watcher(Fault(kind="fail_before", target="m1"))
    models = [ScriptedLlm(model="m1"), ScriptedLlm(model="m2", script=["x"])]
    responses = await answers(RoutedLlm(models=models, router=to("m1", "m2")), request("hi", observer=watcher), stream=False)
    assert [response.text for response in responses] == ["x"]
    assert [(kind, note.get("key"), note.get("model")) for kind, note in watcher.notes] == [
        ("route_decided", "m1", None),
        ("fault_injected", None, "m1"),
        ("route_decided", "m2", None),
    ]
    assert watcher.notes[-1][1]["error"].startswith("InjectedFaultError: ")


@pytest.mark.parametrize("stream", [True, False])
async def test_a_fault_after_the_first_piece_is_no_reason_for_another_model(stream):
    watcher = Watcher(Fault(kind="fail_after", target="m1"))
    models = [ScriptedLlm(model="m1", script=["one two"]), ScriptedLlm(model="m2")]
    seen: list[LlmResponse] = []
    routed = RoutedLlm(models=models, router=to("m1"))
    with pytest.raises(InjectedFaultError):
        await take(seen, routed.generate_content_async(request("hi", observer=watcher), stream=stream))
    assert [(response.text, response.partial) for response in seen] == [("one", True)]


async def test_a_routed_model_in_a_routed_model_fails_as_a_whole():
    inner = RoutedLlm(
        models={"a": ScriptedLlm(script=[ConnectionError("a")]), "b": ScriptedLlm(script=[ConnectionError("b")])},
        router=to("a", "b", None),
    )
    last = ScriptedLlm(model="m", script=["x"])
    watcher = Watcher()
    outer = RoutedLlm(models={"inner": inner, "last": last}, router=to("inner", "last"))
    assert [response.model_version for response in await answers(outer, request("hi", observer=watcher))] == [None, "m"]
    assert [(note["router"], note["key"]) for _, note in watcher.notes] == [
        ("routed(inner,last)", "inner"),
        ("routed(a,b)", "a"),
        ("routed(a,b)", "b"),
        ("routed(a,b)", None),
        ("routed(inner,last)", "last"),
    ]


async def test_an_agent_works_with_a_routed_model():
    def add(a: int, b: int) -> int:
        return a + b

    models = [
        ScriptedLlm(model="m1", script=[ConnectionError("busy"), "3"]),
        ScriptedLlm(model="m2", script=[[call("add", a=1, b=2)]]),
    ]
    routed = RoutedLlm(models=models, router=to("m1", RouteDecision("m2", "m1 is busy"), "m1"))
    played = await play(LlmAgent(name="a", model=routed, tools=[add]))
    assert played.error is None
    assert played.texts == [("a", "3")]
    assert [event.model_version for event in played.events if event.author == "a"] == ["m2", None, "m1"]
    decisions = played.records("route_decided")
    assert decisions == [
        {
            "kind": "route_decided",
            "agent": "a",
            "call": number,
            "router": "routed(m1,m2)",
            "level": "model",
            "candidates": ["m1", "m2"],
            "key": key,
            "failed": failed,
            **more,
        }
        for number, key, failed, more in [
            (1, "m1", [], {}),
            (1, "m2", ["m1"], {"reason": "m1 is busy", "error": "ConnectionError: busy"}),
            (2, "m1", [], {}),
        ]
    ]


async def test_a_model_that_is_chosen_is_seen_while_it_is_waited_for():
    waiting, go_on = asyncio.Event(), asyncio.Event()

    async def wait(llm_request):
        waiting.set()
        await go_on.wait()
        return "x"

    async def router(models, llm_request, error_context=None):
        for _ in range(5):
            await asyncio.sleep(0)  # what was pending at the start of the call is stored here
        return "b"

    service = InMemorySessionService()
    routed = RoutedLlm(models={"a": ScriptedLlm(), "b": ScriptedLlm(script=[wait])}, router=router)
    task = asyncio.create_task(play(LlmAgent(name="a", model=routed), service=service))
    await asyncio.wait_for(waiting.wait(), 5)
    for _ in range(5):
        await asyncio.sleep(0)
    seen = Play()
    await look(seen, service)
    assert [r["key"] for r in seen.records("route_decided")] == ["b"]
    go_on.set()
    await task


@pytest.mark.parametrize("where", ["router", "model"])
async def test_a_model_call_that_is_stopped_tries_no_other(where):
    reached = asyncio.Event()

    async def router(models, llm_request):
        if where == "router":
            await waiting_for_ever(reached)
        return "a"

    def wait(llm_request):
        return waiting_for_ever(reached)

    models = {"a": ScriptedLlm(script=[wait]), "b": ScriptedLlm()}
    agent = LlmAgent(name="a", model=RoutedLlm(models=models, router=router))
    task = asyncio.create_task(play(agent, config=RunConfig(streaming_mode=StreamingMode.SSE)))
    await asyncio.wait_for(reached.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert other_tasks() == set()
    assert models["b"].requests == []


# -- the run's model


def chosen_first(default: Any = None) -> LlmAgent:
    """An agent whose router takes the run's model, and another one if that fails."""

    def router(models, llm_request, error_context=None):
        return "other" if error_context else "run's"

    models = {"run's": ChosenModel(default=default), "other": ScriptedLlm(script=["stood in"], model="other")}
    return LlmAgent(name="a", model=RoutedLlm(models=models, router=router))


async def test_the_model_of_the_run_is_one_to_choose_from():
    played = await play(chosen_first(), config=RunConfig(model=ScriptedLlm(script=["mine"], model="the-runs")))

    assert played.texts == [("a", "mine")]
    assert played.records("model_finished")[0]["answered_by"] == "the-runs"


async def test_the_model_of_the_run_may_fail_and_be_stood_in_for():
    model = ScriptedLlm(script=[ProviderError("Down.", code="503")], model="the-runs")

    played = await play(chosen_first(), config=RunConfig(model=model))

    assert played.texts == [("a", "stood in")]
    assert [record["key"] for record in played.records("route_decided")] == ["run's", "other"]


@pytest.mark.parametrize("run_model", [None, SimulatedLlm()])
async def test_a_default_answers_where_the_run_has_no_real_model(run_model):
    played = await play(chosen_first(ScriptedLlm(script=["default"])), config=RunConfig(model=run_model))

    assert played.texts == [("a", "default")]


async def test_a_simulated_run_without_a_default_is_answered_by_its_simulation():
    simulated = SimulatedLlm(simulation={"a": lambda _request: "worked out"})

    played = await play(chosen_first(), config=RunConfig(model=simulated))

    assert played.texts == [("a", "worked out")]


async def test_a_run_without_any_model_says_what_to_do():
    agent = LlmAgent(name="a", model=ChosenModel())

    played = await play(agent)

    assert isinstance(played.error, ModelNotFoundError)
    assert "RunConfig(model=…)" in str(played.error)


async def test_a_fault_of_the_runs_model_strikes_it_behind_the_router():
    model = ScriptedLlm(script=["never said"], model="the-runs")
    fault = Fault(kind="fail_before", target="the-runs")

    played = await play(chosen_first(), config=RunConfig(model=model, faults=(fault,)))

    assert played.texts == [("a", "stood in")]
    assert model.requests == []


@pytest.mark.parametrize("pairs", [True, False])
async def test_the_runs_model_is_sent_the_ids_of_calls_only_if_it_needs_them(pairs):
    class Pairing(ScriptedLlm):
        @property
        def pairs_calls_by_id(self):
            return pairs

    def look() -> str:
        """Looks."""
        return "seen"

    model = Pairing(script=[[call("look")], "done"], model="the-runs")
    agent = LlmAgent(name="a", model=ChosenModel(), tools=[look])

    await play(agent, config=RunConfig(model=model))

    made = model.requests[1].contents[1].parts[0].function_call
    assert bool(made.id) == pairs


# -- routers that take less than they are offered


class Settings:
    """What a router is to go by, and the router."""

    def __init__(self, which: str) -> None:
        self.which = which

    def chosen(self) -> str:
        return self.which

    async def chosen_later(self) -> str:
        return self.which


ROUTERS = [
    lambda: "b",
    lambda items: "b",
    Settings("b").chosen,
    Settings("b").chosen_later,
    partial(lambda which, *_: which, "b"),
]


@pytest.mark.parametrize("router", ROUTERS)
async def test_a_router_of_agents_may_take_nothing(router):
    agents = [Actor(name="a", lines=["from a"]), Actor(name="b", lines=["from b"])]
    played = await play(RoutedAgent(name="r", agents=agents, router=router))
    assert played.texts == [("b", "from b")]


@pytest.mark.parametrize("router", ROUTERS)
async def test_a_router_of_models_may_take_nothing(router):
    models = {"a": ScriptedLlm(model="m1"), "b": ScriptedLlm(model="m2", script=["from m2"])}
    (response,) = await answers(RoutedLlm(models=models, router=router), request("hi"), stream=False)
    assert (response.text, response.model_version) == ("from m2", "m2")


async def test_an_empty_key_after_a_failure_is_an_unknown_one():
    agents = [Actor(name="a", lines=[ValueError("broken")]), Actor(name="b", lines=["from b"])]
    played = await play(RoutedAgent(name="r", agents=agents, router=to("a", "")))
    assert isinstance(played.error, RoutingError)
    assert isinstance(played.error.__cause__, ValueError)
    assert "a, b, or None to give up" in str(played.error)
