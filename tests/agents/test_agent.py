"""The tree, and what every agent's run has around it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st
from pydantic import PrivateAttr, ValidationError

from agents import (
    BaseAgent,
    CallbackContext,
    Event,
    InvocationContext,
    LlmAgent,
    LoopAgent,
    ParallelAgent,
    SequentialAgent,
    exit_loop,
)
from agents.models.scripted import ScriptedLlm
from tests.agents.stage import Actor, play

# -- names


@pytest.mark.parametrize("name", ["a", "Writer_2", "_x", "größe"])
def test_an_identifier_is_a_name(name):
    assert Actor(name=name).name == name


@pytest.mark.parametrize("name", ["", "two words", "2nd", "a-b", "a.b", "user"])
def test_other_names_are_refused_with_the_reason(name):
    with pytest.raises(ValueError, match=r"[aA]n agent") as refused:
        Actor(name=name)
    assert repr(name) in str(refused.value)


def test_an_unknown_field_is_refused():
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Actor(name="a", instructions="x")  # type: ignore[call-arg]


# -- parents and children


def test_children_know_their_parent_and_root():
    leaf = Actor(name="leaf")
    middle = SequentialAgent(name="middle", sub_agents=[leaf])
    root = LoopAgent(name="root", sub_agents=[middle])
    assert (leaf.parent_agent, middle.parent_agent, root.parent_agent) == (middle, root, None)
    assert leaf.root_agent is middle.root_agent is root.root_agent is root


def test_a_second_parent_is_refused_and_the_cure_is_named():
    child = Actor(name="child")
    first = SequentialAgent(name="first", sub_agents=[child])
    with pytest.raises(ValueError) as refused:
        SequentialAgent(name="second", sub_agents=[child])
    for word in ("'child'", "'first'", "'second'", "child.clone("):
        assert word in str(refused.value)
    assert child.parent_agent is first
    assert SequentialAgent(name="second", sub_agents=[child.clone()]).sub_agents[0].name == "child_clone"


def test_a_child_is_not_taken_twice_by_one_parent():
    child = Actor(name="child")
    with pytest.raises(ValueError, match="already has the parent 'p'"):
        SequentialAgent(name="p", sub_agents=[child, child])


def test_a_parent_that_cannot_be_made_takes_no_children():
    free, taken = Actor(name="free"), Actor(name="taken")
    SequentialAgent(name="owner", sub_agents=[taken])
    with pytest.raises(ValueError):
        SequentialAgent(name="second", sub_agents=[free, taken])
    assert free.parent_agent is None


def test_assigned_sub_agents_get_their_parent_and_those_left_out_lose_it():
    old, kept, new = Actor(name="old"), Actor(name="kept"), Actor(name="new")
    root = SequentialAgent(name="root", sub_agents=[old, kept])
    root.sub_agents = [kept, new]
    assert (old.parent_agent, kept.parent_agent, new.parent_agent) == (None, root, root)
    assert root.find_agent("new") is new
    assert root.find_agent("old") is None


def test_assigning_a_child_of_another_parent_changes_nothing():
    old, free, taken = Actor(name="old"), Actor(name="free"), Actor(name="taken")
    SequentialAgent(name="owner", sub_agents=[taken])
    root = SequentialAgent(name="root", sub_agents=[old])
    with pytest.raises(ValueError, match="'owner'"):
        root.sub_agents = [free, taken]
    assert root.sub_agents == [old]
    assert (old.parent_agent, free.parent_agent) == (root, None)


def test_a_model_can_be_assigned_after_construction():
    agent = LlmAgent(name="a")
    agent.model = model = ScriptedLlm()
    assert agent.canonical_model is model


def test_shared_names_warn():
    with pytest.warns(UserWarning, match="share the names twin"):
        SequentialAgent(name="root", sub_agents=[Actor(name="twin"), Actor(name="twin")])
    inner = SequentialAgent(name="inner", sub_agents=[Actor(name="root")])
    with pytest.warns(UserWarning, match="share the names root"):
        LoopAgent(name="root", sub_agents=[inner])


def test_find_agent_is_depth_first():
    deep, shallow = Actor(name="x", description="deep"), Actor(name="x", description="shallow")
    middle = SequentialAgent(name="m", sub_agents=[deep])
    with pytest.warns(UserWarning, match="share the names x"):
        root = SequentialAgent(name="root", sub_agents=[middle, shallow])
    assert root.find_agent("x") is root.find_sub_agent("x") is deep
    assert root.find_agent("root") is root
    assert root.find_sub_agent("root") is None
    assert root.find_agent("nobody") is None


def test_agents_compare_by_identity_and_can_be_keys():
    one, other = Actor(name="a"), Actor(name="a")
    assert one != other
    assert {one: 1, other: 2}[one] == 1


# -- clone


class Story(BaseAgent):
    """An agent with an `__init__` of its own that holds its sub-agents in fields, grandchildren too."""

    writer: Actor
    critic: Actor
    loop: LoopAgent
    by_name: dict[str, BaseAgent]
    pair: tuple[BaseAgent, BaseAgent]
    _favourite: BaseAgent = PrivateAttr()

    def __init__(self, name: str, writer: Actor, critic: Actor):
        loop = LoopAgent(name="loop", sub_agents=[critic], max_iterations=2)
        super().__init__(
            name=name,
            writer=writer,
            critic=critic,
            loop=loop,
            by_name={"critic": critic},
            pair=(writer, critic),
            sub_agents=[writer, loop],
        )
        self._favourite = critic
        self.before_agent_callback = [self.greet]

    def greet(self, callback_context: CallbackContext) -> None:
        callback_context.state["greeted_by"] = self.name

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        async for event in self.writer.run_async(ctx):
            yield event
        async for event in self.loop.run_async(ctx):
            yield event


def story() -> Story:
    return Story("story", Actor(name="writer", lines=["draft"]), Actor(name="critic", lines=["hm"]))


def test_clone_is_detached_and_has_a_new_name():
    root = SequentialAgent(name="root", sub_agents=[Actor(name="child", lines=["x"])])
    top = SequentialAgent(name="top", sub_agents=[root])
    copy = root.clone()
    assert (copy.name, copy.parent_agent, root.parent_agent) == ("root_clone", None, top)
    assert [child.name for child in copy.sub_agents] == ["child"]
    assert copy.sub_agents[0] is not root.sub_agents[0]
    assert copy.sub_agents[0].parent_agent is copy
    assert root.sub_agents[0].parent_agent is root


def test_clone_takes_new_values():
    loop = LoopAgent(name="loop", max_iterations=2, sub_agents=[Actor(name="a")])
    other = Actor(name="b")
    copy = loop.clone(update={"name": "second", "max_iterations": 9, "sub_agents": [other]})
    assert (copy.name, copy.max_iterations, copy.sub_agents) == ("second", 9, [other])
    assert other.parent_agent is copy
    assert loop.max_iterations == 2
    assert [child.parent_agent for child in loop.sub_agents] == [loop]


@pytest.mark.parametrize(
    ("update", "word"), [({"parent_agent": None}, "parent_agent"), ({"colour": 1}, "colour"), ({"name": "a b"}, "'a b'")]
)
def test_clone_refuses_what_cannot_be_set(update, word):
    with pytest.raises(ValueError, match=word):
        Actor(name="a").clone(update=update)


def test_clone_does_not_share_lists():
    agent = LlmAgent(name="a", tools=[exit_loop])
    copy = agent.clone()
    copy.tools.append(max)
    assert agent.tools == [exit_loop]


def test_clone_of_a_custom_agent_holds_copies_everywhere():
    original = story()
    copy = original.clone(update={"name": "copy"})
    assert copy.writer is copy.sub_agents[0] is copy.pair[0]
    assert copy.critic is copy.loop.sub_agents[0] is copy.by_name["critic"] is copy.pair[1] is copy._favourite
    assert copy.loop is copy.sub_agents[1]
    assert {id(agent) for agent in copy._walk()}.isdisjoint(id(agent) for agent in original._walk())
    assert copy.critic.root_agent is copy
    assert original.critic.root_agent is original


@pytest.mark.anyio
async def test_a_method_as_callback_is_the_copys_own():
    original = story()
    copy = original.clone(update={"name": "copy"})
    assert (await play(copy)).state["greeted_by"] == "copy"
    assert (await play(original)).state["greeted_by"] == "story"


@st.composite
def trees(draw: Any) -> BaseAgent:
    names = iter(f"n{number}" for number in range(1000))

    def build(depth: int) -> BaseAgent:
        kinds = [Actor] if depth == 0 else [Actor, SequentialAgent, LoopAgent, ParallelAgent]
        kind = draw(st.sampled_from(kinds))
        if kind is Actor:
            return Actor(name=next(names), lines=["x"])
        children = [build(depth - 1) for _ in range(draw(st.integers(0, 3)))]
        return kind(name=next(names), sub_agents=children)

    return build(3)


def shape(agent: BaseAgent) -> Any:
    return type(agent).__name__, agent.name, [shape(child) for child in agent.sub_agents]


@given(trees())
def test_a_clone_has_the_same_shape_and_shares_no_agent(root):
    copy = root.clone(update={"name": root.name})
    assert shape(copy) == shape(root)
    assert {id(agent) for agent in copy._walk()}.isdisjoint(id(agent) for agent in root._walk())
    for agent in copy._walk():
        assert agent.root_agent is copy
        assert copy.find_agent(agent.name) is agent


# -- a run: callbacks, signatures, trace


def words(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])


@pytest.mark.anyio
async def test_a_before_agent_answer_replaces_the_agent_and_its_after_callback():
    agent = Actor(
        name="a",
        lines=["never"],
        before_agent_callback=lambda callback_context: words(f"no, {callback_context.agent_name}"),
        after_agent_callback=lambda callback_context: words("never"),
    )
    assert (await play(agent)).texts == [("a", "no, a")]


@pytest.mark.anyio
async def test_an_after_agent_answer_is_one_more_event():
    agent = Actor(name="a", lines=["one"], after_agent_callback=lambda callback_context: words("two"))
    assert (await play(agent)).texts == [("a", "one"), ("a", "two")]


@pytest.mark.anyio
async def test_callbacks_run_in_order_sync_and_async_until_one_answers():
    calls: list[str] = []

    def first(callback_context):
        calls.append("first")

    async def second(callback_context):
        await asyncio.sleep(0)
        calls.append("second")
        return words("mine")

    def third(callback_context):
        calls.append("third")

    played = await play(Actor(name="a", lines=["never"], before_agent_callback=[first, second, third]))
    assert (played.texts, calls) == ([("a", "mine")], ["first", "second"])


@pytest.mark.anyio
async def test_state_set_in_agent_callbacks_has_events_of_its_own():
    def before(callback_context):
        callback_context.state["a"] = 1

    def after(callback_context):
        callback_context.state["list"].append(2)

    played = await play(
        Actor(name="x", lines=["x"], before_agent_callback=before, after_agent_callback=after), state={"list": [1]}
    )
    assert [(event.text, event.actions.state_delta) for event in played.events] == [
        ("", {"a": 1}),
        ("x", {}),
        ("", {"list": [1, 2]}),
    ]
    assert played.state == {"a": 1, "list": [1, 2]}


@pytest.mark.anyio
async def test_events_are_signed_as_far_as_their_author_did_not():
    agent = ParallelAgent(name="p", sub_agents=[Actor(name="a", lines=[Event(), Event(author="guest", branch="else")])])
    played = await play(agent)
    run = {body["invocation_id"] for _, body in played.log}
    assert len(run) == 1
    assert [(e.author, e.branch, e.invocation_id) for e in played.events] == [
        ("a", "p.a", *run),
        ("guest", "else", *run),
    ]


@pytest.mark.anyio
async def test_agents_are_traced_around_their_events():
    tree = SequentialAgent(name="s", sub_agents=[Actor(name="a", lines=["x"]), Actor(name="b", lines=[ValueError("no")])])
    played = await play(tree)
    assert [(kind, body.get("agent") or body.get("author")) for kind, body in played.log] == [
        ("run_started", "s"),
        ("event", "user"),
        ("agent_started", "s"),
        ("agent_started", "a"),
        ("event", "a"),
        ("agent_finished", "a"),
        ("agent_started", "b"),
        ("agent_finished", "b"),
        ("agent_finished", "s"),
        ("event", "b"),
        ("run_finished", "s"),
    ]
    assert played.records("agent_started", "agent_finished") == [
        {"kind": "agent_started", "agent": "s", "type": "SequentialAgent"},
        {"kind": "agent_started", "agent": "a", "type": "Actor"},
        {"kind": "agent_finished", "agent": "a", "outcome": "ok"},
        {"kind": "agent_started", "agent": "b", "type": "Actor"},
        {"kind": "agent_finished", "agent": "b", "outcome": "error"},
        {"kind": "agent_finished", "agent": "s", "outcome": "error"},
    ]


@pytest.mark.anyio
async def test_an_agent_that_does_nothing_says_what_is_missing():
    played = await play(BaseAgent(name="a"))
    assert isinstance(played.error, NotImplementedError)
    assert "BaseAgent must define _run_async_impl(self, ctx)" in str(played.error)


@pytest.mark.anyio
async def test_a_run_changes_no_agent():
    tree = story()
    before = tree.model_dump(), [(agent.name, agent.parent_agent) for agent in tree._walk()]
    await play(tree)
    assert (tree.model_dump(), [(agent.name, agent.parent_agent) for agent in tree._walk()]) == before


@pytest.mark.anyio
async def test_end_invocation_set_in_a_callback_ends_the_whole_run():
    def stop(callback_context):
        callback_context._invocation_context.end_invocation = True

    tree = SequentialAgent(
        name="s",
        sub_agents=[
            Actor(name="a", lines=["one"]),
            Actor(name="b", lines=["never"], before_agent_callback=stop),
            Actor(name="c", lines=["never"]),
        ],
    )
    played = await play(tree)
    assert played.texts == [("a", "one")]
    assert [r["status"] for r in played.records("run_finished")] == ["completed"]
