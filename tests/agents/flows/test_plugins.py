"""Plugins on a runner: which callback is asked when, and what its answer does; names and rules are ADK's."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import (
    AgentTool,
    BasePlugin,
    Event,
    InMemoryRunner,
    LlmAgent,
    LlmResponse,
    RunConfig,
    SequentialAgent,
    StreamingMode,
)
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import user

pytestmark = pytest.mark.anyio


def content(text):
    return types.Content(role="model", parts=[types.Part(text=text)])


class Diary(BasePlugin):
    """Writes down each callback, and gives the answers that it was told to give."""

    def __init__(self, name="diary", said=None, **answers):
        super().__init__(name)
        self.said = [] if said is None else said
        self.answers = answers

    def _note(self, callback, **seen):
        self.said.append((self.name, callback, *seen.values()))
        answer = self.answers.get(callback)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def on_user_message_callback(self, *, invocation_context, user_message):
        return self._note("on_user_message", text=user_message.parts[0].text)

    async def before_run_callback(self, *, invocation_context):
        return self._note("before_run")

    async def on_event_callback(self, *, invocation_context, event):
        return self._note("on_event", author=event.author)

    async def after_run_callback(self, *, invocation_context):
        return self._note("after_run")

    async def before_agent_callback(self, *, agent, callback_context):
        return self._note("before_agent", agent=agent.name)

    async def after_agent_callback(self, *, agent, callback_context):
        return self._note("after_agent", agent=agent.name)

    async def before_model_callback(self, *, callback_context, llm_request):
        return self._note("before_model", model=llm_request.model)

    async def after_model_callback(self, *, callback_context, llm_response):
        return self._note("after_model", text=llm_response.text)

    async def on_model_error_callback(self, *, callback_context, llm_request, error):
        return self._note("on_model_error", error=str(error))

    async def before_tool_callback(self, *, tool, tool_args, tool_context):
        return self._note("before_tool", tool=tool.name, args=dict(tool_args))

    async def after_tool_callback(self, *, tool, tool_args, tool_context, result):
        return self._note("after_tool", result=result)

    async def on_tool_error_callback(self, *, tool, tool_args, tool_context, error):
        return self._note("on_tool_error", error=str(error))

    async def on_run_error_callback(self, *, invocation_context, error):
        return self._note("on_run_error", error=str(error))

    async def close(self):
        self._note("close")


def double(n: int) -> dict:
    """Doubles."""
    if n < 0:
        raise ValueError("too small")
    return {"twice": 2 * n}


async def run(agent, *plugins, message="go", **config):
    """The runner, its session and the events of one run."""
    runner = InMemoryRunner(agent, app_name="play", plugins=list(plugins))
    session = await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    events = [
        event
        async for event in runner.run_async(
            user_id="u", session_id="s", new_message=user(message), run_config=RunConfig(**config)
        )
    ]
    session = await runner.session_service.get_session(app_name="play", user_id="u", session_id="s")
    return runner, session, events


def agent_with(*script, **more):
    return LlmAgent(name="Ada", model=ScriptedLlm(script=script), **more)


async def test_the_order_of_all_callbacks():
    plugin = Diary()
    agent = agent_with([call("double", n=4)], "Eight.", tools=[double])

    runner, _, _ = await run(agent, plugin)
    await runner.close()

    assert [entry[1:] for entry in plugin.said] == [
        ("on_user_message", "go"),
        ("before_run",),
        ("before_agent", "Ada"),
        ("before_model", "scripted"),
        ("after_model", ""),
        ("on_event", "Ada"),
        ("before_tool", "double", {"n": 4}),
        ("after_tool", {"twice": 8}),
        ("on_event", "Ada"),
        ("before_model", "scripted"),
        ("after_model", "Eight."),
        ("on_event", "Ada"),
        ("after_agent", "Ada"),
        ("after_run",),
        ("close",),
    ]


async def test_plugins_are_asked_in_turn_and_before_the_agent_until_one_answers():
    said = []
    first, second = Diary("first", said), Diary("second", said, before_model=LlmResponse(content=content("Cached.")))
    agent = agent_with(before_model_callback=lambda callback_context, llm_request: said.append("own"))

    _, _, events = await run(agent, first, second, Diary("third", said))

    assert [event.text for event in events] == ["Cached."]
    assert [entry[0] for entry in said if entry[1:2] == ("before_model",)] == ["first", "second"]
    assert "own" not in said


async def test_a_callback_of_the_agent_is_asked_where_no_plugin_answers():
    agent = agent_with("A.", after_model_callback=lambda callback_context, llm_response: LlmResponse(content=content("B.")))

    _, _, events = await run(agent, Diary())

    assert events[-1].text == "B."


async def test_the_user_message_is_replaced_before_it_is_stored():
    _, session, _ = await run(agent_with("Yes."), Diary(on_user_message=types.Content(parts=[types.Part(text="changed")])))

    assert [(event.author, event.text) for event in session.events] == [("user", "changed"), ("Ada", "Yes.")]
    assert session.events[0].content.role == "user"


async def test_an_answer_before_the_run_is_the_run():
    plugin = Diary(before_run=content("Closed today."))

    _, session, events = await run(agent_with(), plugin)

    assert [(event.author, event.text) for event in events] == [("model", "Closed today.")]
    assert [event.author for event in session.events] == ["user", "model"]
    assert [entry[1] for entry in plugin.said] == ["on_user_message", "before_run", "on_event", "after_run"]


async def test_a_changed_event_is_stored_and_yielded_under_its_own_id():
    changed = Event(author="", content=content("Redacted."), custom_metadata={"by": "plugin"})

    _, session, events = await run(agent_with("Secret."), Diary(on_event=changed))

    assert (events[0].text, events[0].author) == ("Redacted.", "Ada")
    assert events[0].id != changed.id
    assert session.events[-1].text == "Redacted."
    assert session.events[-1].custom_metadata == {"by": "plugin"}


async def test_partial_events_are_offered_too_and_inner_events_of_agents_as_tools():
    plugin = Diary()
    inner = LlmAgent(name="Inner", description="Helps.", model=ScriptedLlm(script=["Help."]))
    agent = agent_with([call("Inner", request="x")], "Done well.", tools=[AgentTool(inner)])

    await run(agent, plugin, streaming_mode=StreamingMode.SSE)

    authors = [entry[2] for entry in plugin.said if entry[1] == "on_event"]
    assert authors.count("Inner") == 1
    assert authors.count("Ada") > 3


async def test_agents_answered_by_a_plugin_are_skipped():
    plugin = Diary(before_agent=content("Not you."))
    tree = SequentialAgent(name="Tree", sub_agents=[agent_with()])

    _, _, events = await run(tree, plugin)

    assert [(event.author, event.text) for event in events] == [("Tree", "Not you.")]


async def test_a_model_that_fails_is_answered_for():
    plugin = Diary(on_model_error=LlmResponse(content=content("Sorry.")))

    _, _, events = await run(agent_with(RuntimeError("down")), plugin)

    assert events[-1].text == "Sorry."
    assert ("diary", "on_model_error", "down") in plugin.said


@pytest.mark.parametrize(
    ("answers", "n", "result"),
    [
        ({"before_tool": {"twice": 0}}, 4, {"twice": 0}),
        ({"after_tool": {"twice": 99}}, 4, {"twice": 99}),
        ({"on_tool_error": {"twice": None}}, -1, {"twice": None}),
    ],
)
async def test_tools_are_answered_for(answers, n, result):
    agent = agent_with([call("double", n=n)], "Done.", tools=[double])

    _, _, events = await run(agent, Diary(**answers))

    assert events[1].get_function_responses()[0].response == result


async def test_what_a_plugin_changes_in_the_arguments_reaches_the_tool():
    class Plus(BasePlugin):
        def before_tool_callback(self, *, tool, tool_args, tool_context):  # sync is fine too
            tool_args["n"] += 1

    agent = agent_with([call("double", n=4)], "Done.", tools=[double])

    _, _, events = await run(agent, Plus("plus"))

    assert events[1].get_function_responses()[0].response == {"twice": 10}


async def test_a_plugin_that_raises_ends_the_run_and_is_named():
    plugin = Diary(before_agent=KeyError("oh"))

    with pytest.raises(RuntimeError, match="Error in plugin 'diary' during 'before_agent_callback' callback"):
        await run(agent_with(), plugin)

    assert [entry[1] for entry in plugin.said][-1] == "on_run_error"


async def test_two_plugins_of_one_name_are_refused():
    with pytest.raises(ValueError, match="'diary' already registered"):
        InMemoryRunner(agent_with(), plugins=[Diary(), Diary()])
