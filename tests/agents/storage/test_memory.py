"""What is remembered across sessions: the service, the tools and the contexts' methods."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import Event, InMemoryMemoryService, InMemoryRunner, LlmAgent, Runner, load_memory, preload_memory
from agents.models.scripted import ScriptedLlm, call
from agents.session import Session
from agents.storage.sessions import InMemorySessionService
from tests.agents.stage import user

pytestmark = pytest.mark.anyio

WHO = {"app_name": "play", "user_id": "u"}


def said(text, author="user", **more):
    return Event(author=author, content=types.Content(role="user", parts=[types.Part(text=text)]), **more)


async def remembered(*texts, session_id="s1"):
    service = InMemoryMemoryService()
    await service.add_session_to_memory(Session(**WHO, id=session_id, events=[said(text) for text in texts]))
    return service


async def found(service, query, **who):
    response = await service.search_memory(**{**WHO, **who}, query=query)
    return [memory.content.parts[0].text for memory in response.memories]


@pytest.mark.parametrize(
    ("text", "query", "is_found"),
    [
        ("I like Python.", "python", True),
        ("I like Python.", "pyth", False),
        ("私はPythonを使う", "Python", True),
        ("効率的なタスク管理", "タスク", True),
        ("我無法登入", "登入", True),
        ("Größe ist 5", "größe", True),
        ("Cafe\u0301", "café", True),
        ("", "python", False),
    ],
)
async def test_what_a_query_finds(text, query, is_found):
    assert bool(await found(await remembered(text), query)) is is_found


async def test_the_best_come_first_and_ten_at_most():
    service = await remembered("red", *["red fox"] * 12, "a red fox jumps")

    texts = await found(service, "red fox jumps")

    assert len(texts) == 10
    assert texts[0] == "a red fox jumps"
    assert "red" not in texts


async def test_a_memory_is_its_users():
    service = await remembered("secret")

    assert await found(service, "secret", user_id="other") == []
    assert await found(service, "secret", app_name="other") == []


async def test_a_session_that_is_added_again_is_not_there_twice_and_events_can_be_added_and_deleted():
    service = InMemoryMemoryService()
    session = Session(**WHO, id="s1", events=[said("one fish")])
    await service.add_session_to_memory(session)
    session.events.append(said("two fish"))
    await service.add_session_to_memory(session)
    await service.add_events_to_memory(**WHO, events=[said("red fish")])

    assert sorted(await found(service, "fish")) == ["one fish", "red fish", "two fish"]

    await service.delete_memory(**WHO, memory_id=session.events[0].id)
    await service.add_session_to_memory(session)
    assert sorted(await found(service, "fish")) == ["red fish", "two fish"]


async def test_what_is_found_is_a_copy():
    service = await remembered("fish")
    response = await service.search_memory(**WHO, query="fish")
    response.memories[0].content.parts[0].text = "changed"

    assert await found(service, "fish") == ["fish"]


def remembering(*script, tools):
    async def keep(callback_context):
        await callback_context.add_session_to_memory()

    return LlmAgent(name="Ada", model=ScriptedLlm(script=script), tools=tools, after_agent_callback=keep)


async def talk(runner, session_id, text):
    await runner.session_service.create_session(app_name=runner.app_name, user_id="u", session_id=session_id)
    message = user(text)
    return [event async for event in runner.run_async(user_id="u", session_id=session_id, new_message=message)]


async def test_a_model_loads_what_was_said_in_another_session():
    agent = remembering("Noted.", [call("load_memory", query="dog name")], "Rex.", tools=[load_memory])
    runner = InMemoryRunner(agent)

    await talk(runner, "first", "My dog has the name Rex.")
    events = await talk(runner, "second", "What is it called?")

    (answer,) = events[1].get_function_responses()
    (memory,) = answer.response["result"]["memories"]
    assert memory["content"]["parts"][0]["text"] == "My dog has the name Rex."
    assert "load_memory" in agent.model.requests[0].system_instruction


async def test_what_fits_the_message_is_preloaded_and_the_log_has_what_was_sent():
    agent = remembering("Noted.", "Rex.", tools=[preload_memory])
    runner = InMemoryRunner(agent)

    await talk(runner, "first", "My dog is Rex.")
    events = await talk(runner, "second", "Who is my dog?")

    sent = agent.model.requests[1]
    texts = [part.text for content in sent.contents for part in content.parts]
    assert "<PAST_CONVERSATIONS>" in texts[0]
    assert "user: My dog is Rex." in texts[0]
    assert texts[-1] == "Who is my dog?"
    assert not sent.tools_dict
    assert [event.text for event in events] == ["Rex."]
    log = await runner.session_service.read_log(app_name=runner.app_name, user_id="u", session_id="second")
    (started,) = [entry.fields() for entry in log if entry.kind == "model_started"]
    assert "select" not in started["contents"]
    assert started["contents"]["count"] == 2


async def test_without_a_service_the_model_is_told_and_a_callback_fails():
    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=[[call("load_memory", query="x")], "No."]), tools=[load_memory])
    runner = Runner(app_name="play", agent=agent, session_service=InMemorySessionService())
    assert runner.memory_service is None

    events = await talk(runner, "s", "hi")

    assert "memory service is not available" in events[1].get_function_responses()[0].response["error"]
    with pytest.raises(ValueError, match="memory service is not available"):
        await talk(
            Runner(app_name="play", agent=remembering("x", tools=[]), session_service=InMemorySessionService()), "t", "hi"
        )


async def test_preloading_does_without_a_memory_that_fails():
    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=["Hello."]), tools=[preload_memory])

    events = await talk(Runner(app_name="play", agent=agent, session_service=InMemorySessionService()), "s", "hi")

    assert events[-1].text == "Hello."
