"""The `openai` client against this server: what it parses strictly, and which session a request goes on with."""

from __future__ import annotations

import json

import httpx2
import pytest
from openai import AsyncOpenAI, BadRequestError, ConflictError, NotFoundError
from pydantic import BaseModel
from starlette.applications import Starlette

from agents import EVENT_KIND
from ui.api.openai.conversation import response_id
from ui.api.openai.routes import openai_routes

pytestmark = pytest.mark.anyio

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
FLAT_WEATHER = {"type": "function", **WEATHER["function"]}


@pytest.fixture
async def client(manager):
    transport = httpx2.ASGITransport(Starlette(routes=openai_routes()))
    async with httpx2.AsyncClient(transport=transport) as http:
        yield AsyncOpenAI(
            base_url="http://127.0.0.1/v1", api_key="none", http_client=http, max_retries=0, _strict_response_validation=True
        )


def sessions(manager):
    return list(manager.sessions.each())


def user(text):
    return {"role": "user", "content": text}


async def test_each_pipeline_is_a_model(client, manager):
    listed = [model.id async for model in client.models.list()]
    assert listed == manager.catalog.names()
    assert (await client.models.retrieve("ace")).id == "ace"
    assert (await client.models.retrieve("ace/simulated")).id == "ace/simulated"
    with pytest.raises(NotFoundError):
        await client.models.retrieve("nobody")


@pytest.mark.parametrize("model", ["ace", "complexity_router", "iterative_writing", "help_desk", "fact_check"])
async def test_a_completion_and_its_stream_say_the_same(client, model):
    given = [user("What is 17 + 25?")]
    whole = await client.chat.completions.create(model=model, messages=given)
    text, finish, usage = "", None, None
    stream = await client.chat.completions.create(
        model=model, messages=given, stream=True, stream_options={"include_usage": True}
    )
    async for chunk in stream:
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
        usage = chunk.usage or usage
    assert whole.choices[0].message.content == text != ""
    assert whole.choices[0].finish_reason == finish == "stop"
    assert whole.usage is not None
    assert usage is not None
    assert whole.usage.total_tokens == usage.total_tokens > 0


async def test_the_answer_of_ace_is_the_answer_alone(client):
    answer = await client.chat.completions.create(model="ace", messages=[user("What is 17 + 25?")])
    assert answer.choices[0].message.content == "42"


async def test_a_conversation_by_its_history_is_one_session(client, manager):
    said = [user("What is 17 + 25?")]
    for question in ("What is 3 + 4?", "What is 5 + 6?"):
        answer = await client.chat.completions.create(model="ace", messages=said)
        said += [{"role": "assistant", "content": answer.choices[0].message.content}, user(question)]
    await client.chat.completions.create(model="ace", messages=said)
    assert len(sessions(manager)) == 1


async def test_a_history_that_is_not_known_begins_a_session_that_holds_it(client, manager):
    said = [user("My name is Ada."), {"role": "assistant", "content": "Hello Ada."}, user("What is 3 + 4?")]
    for _ in range(2):  # the second is a replay
        answer = await client.chat.completions.with_raw_response.create(model="complexity_router", messages=said)
        log = manager.sessions.log("complexity_router", answer.headers["x-playground-session"])
        texts = [entry.event().text for entry in log if entry.kind == EVENT_KIND]
        assert texts[:3] == ["My name is Ada.", "Hello Ada.", "What is 3 + 4?"]
    assert len(sessions(manager)) == 2


async def test_a_history_that_went_on_is_not_given_out_twice(client, manager):
    said = [user("What is 17 + 25?")]
    answer = await client.chat.completions.create(model="ace", messages=said)
    said += [{"role": "assistant", "content": answer.choices[0].message.content}]
    for question in ("What is 3 + 4?", "What is 5 + 6?"):
        await client.chat.completions.create(model="ace", messages=[*said, user(question)])
    assert len(sessions(manager)) == 2


@pytest.mark.parametrize("by", [{"metadata": {"session_id": "my chat"}}, {"user": "ann"}], ids=["metadata", "user"])
async def test_a_session_that_the_client_names_is_gone_on_with(client, manager, by):
    for question in ("What is 17 + 25?", "What is 3 + 4?"):
        await client.chat.completions.create(model="ace", messages=[user(question)], **by)
    [session] = sessions(manager)
    assert session.id == ("my chat" if "metadata" in by else "user ann")


async def test_a_function_of_the_client_is_called_and_its_result_goes_on(client, manager):
    said = [user("What is the weather in Paris?")]
    forced = {"type": "function", "function": {"name": "get_weather"}}
    first = await client.chat.completions.create(model="ace", messages=said, tools=[WEATHER], tool_choice=forced)
    [call] = first.choices[0].message.tool_calls
    assert (first.choices[0].finish_reason, call.function.name) == ("tool_calls", "get_weather")
    assert json.loads(call.function.arguments)["city"]
    said += [first.choices[0].message.model_dump(exclude_none=True)]
    said += [{"role": "tool", "tool_call_id": call.id, "content": "18 degrees"}]
    second = await client.chat.completions.create(model="ace", messages=said, tools=[WEATHER])
    assert (second.choices[0].finish_reason, "18 degrees" in second.choices[0].message.content) == ("stop", True)
    said += [{"role": "assistant", "content": second.choices[0].message.content}, user("What is 3 + 4?")]
    await client.chat.completions.create(model="ace", messages=said)
    assert len(sessions(manager)) == 1
    with pytest.raises(BadRequestError, match="answered, or given up"):
        await client.chat.completions.create(model="ace", messages=said[:3], tools=[WEATHER])


async def test_calls_are_streamed_with_index_and_id(client):
    stream = await client.chat.completions.create(
        model="help_desk", messages=[user("weather")], tools=[WEATHER], tool_choice="required", stream=True
    )
    chunks = [choice async for chunk in stream for choice in chunk.choices]
    [call] = [call for choice in chunks for call in choice.delta.tool_calls or ()]
    assert (call.index, call.function.name, bool(call.id)) == (0, "get_weather", True)
    assert chunks[-1].finish_reason == "tool_calls"


async def test_a_function_that_fits_the_message_is_called_unforced_and_others_are_not(client):
    async def asked(text):
        answer = await client.chat.completions.create(model="ace", messages=[user(text)], tools=[WEATHER])
        return answer.choices[0].finish_reason

    assert await asked("Tell me the weather in Oslo.") == "tool_calls"
    assert await asked("What is 17 + 25?") == "stop"


class Sum(BaseModel):
    total: int
    in_words: str


@pytest.mark.parametrize("model", ["ace", "iterative_writing", "help_desk", "tool_loop", "complexity_router"])
async def test_an_answer_fits_the_schema_that_the_client_asks(client, model):
    parsed = await client.chat.completions.parse(model=model, messages=[user("What is 17 + 25?")], response_format=Sum)
    assert isinstance(parsed.choices[0].message.parsed, Sum)
    response = await client.responses.parse(model=model, input="What is 17 + 25?", text_format=Sum)
    assert isinstance(response.output_parsed, Sum)


async def test_a_response_is_followed_by_the_next_and_found_again(client, manager):
    first = await client.responses.create(model="ace", input="What is 17 + 25?")
    assert (first.output_text, first.status) == ("42", "completed")
    assert first.usage.input_tokens_details.cache_write_tokens == 0
    second = await client.responses.create(model="ace", input="What is 3 + 4?", previous_response_id=first.id)
    assert len(sessions(manager)) == 1
    found = await client.responses.retrieve(second.id)
    assert (found.output_text, found.usage.total_tokens) == (second.output_text, second.usage.total_tokens)
    with pytest.raises(NotFoundError):
        await client.responses.retrieve("resp_nothing")


async def test_a_response_that_is_not_the_last_begins_a_session_with_what_was_said_up_to_it(client, manager):
    first = await client.responses.create(model="complexity_router", input="What is 17 + 25?")
    for question in ("What is 3 + 4?", "What is 5 + 6?"):
        last = await client.responses.create(model="complexity_router", input=question, previous_response_id=first.id)
    assert len(sessions(manager)) == 2
    log = manager.sessions.log("complexity_router", last.conversation.id)
    asked = [entry.event().text for entry in log if entry.kind == EVENT_KIND and entry.event().author == "user"]
    assert asked == ["What is 17 + 25?", "What is 5 + 6?"]


async def test_events_of_a_response_are_typed_and_numbered(client):
    events = [event async for event in await client.responses.create(model="ace", input="What is 17 + 25?", stream=True)]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert [event.type for event in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert events[-1].response.output_text == "42"


async def test_a_call_in_a_response_goes_on_by_its_id(client, manager):
    stream = await client.responses.create(
        model="ace", input="What is the weather in Paris?", tools=[FLAT_WEATHER], tool_choice="required", stream=True
    )
    events = [event async for event in stream]
    [call] = events[-1].response.output
    assert (call.type, call.name) == ("function_call", "get_weather")
    assert [event.arguments for event in events if event.type == "response.function_call_arguments.done"] == [call.arguments]
    answer = await client.responses.create(
        model="ace",
        previous_response_id=events[-1].response.id,
        input=[{"type": "function_call_output", "call_id": call.call_id, "output": "18 degrees"}],
        tools=[FLAT_WEATHER],
    )
    assert "18 degrees" in answer.output_text
    assert len(sessions(manager)) == 1


async def test_a_response_is_cancelled_while_it_is_made(client, manager):
    manager.models.change(simulated_speed=20)
    response = response_id(manager.start("iterative_writing", "a lighthouse"))
    cancelled = await client.responses.cancel(response)
    assert (cancelled.status, cancelled.error) == ("cancelled", None)
    assert (await client.responses.cancel(response)).status == "cancelled", "a second time changes nothing"
    done = await client.responses.create(model="ace", input="What is 17 + 25?")
    assert (await client.responses.cancel(done.id)).status == "completed"


async def test_what_was_sent_for_a_response_is_listed(client, manager):
    first = await client.responses.create(
        model="ace", input="What is the weather in Paris?", tools=[FLAT_WEATHER], tool_choice="required"
    )
    output = {"type": "function_call_output", "call_id": first.output[0].call_id, "output": "18 degrees"}
    await client.responses.create(model="ace", previous_response_id=first.id, input=[output], tools=[FLAT_WEATHER])
    items = [item async for item in client.responses.input_items.list(first.id, order="asc", limit=1)]
    assert (items[0].content[0].text, items[1].call_id) == ("What is the weather in Paris?", output["call_id"])
    assert "18 degrees" in items[1].output
    with pytest.raises(BadRequestError, match="limit is a number"):
        await client.get("/responses/" + first.id + "/input_items?limit=x", cast_to=object)
    with pytest.raises(BadRequestError, match="streamed once"):
        await client.responses.retrieve(first.id, stream=True)


async def test_a_response_is_deleted_unless_others_build_on_it(client, manager):
    first = await client.responses.create(model="ace", input="What is 17 + 25?")
    second = await client.responses.create(model="ace", input="What is 3 + 4?", previous_response_id=first.id)
    for one in (first, second):
        with pytest.raises(BadRequestError, match="Delete the conversation"):
            await client.responses.delete(one.id)
    alone = await client.responses.create(model="ace", input="What is 5 + 6?")
    await client.responses.delete(alone.id)
    assert [session.id for session in sessions(manager)] == [first.conversation.id]
    for gone in (alone.id, "resp_nothing"):
        with pytest.raises(NotFoundError):
            await client.responses.delete(gone)


async def test_a_conversation_is_made_gone_on_with_listed_and_deleted(client, manager):
    made = await client.conversations.create(metadata={"topic": "sums"})
    assert made.metadata == {"topic": "sums"}
    with pytest.raises(NotFoundError, match="no response yet"):
        await client.conversations.retrieve(made.id)
    for question in ("What is 17 + 25?", "What is 3 + 4?"):
        await client.responses.create(model="complexity_router", input=question, conversation=made.id)
    assert (await client.conversations.retrieve(made.id)).created_at > 0
    items = [item async for item in client.conversations.items.list(made.id, order="asc", limit=2)]
    assert [item.content[0].text for item in items if item.role == "user"] == ["What is 17 + 25?", "What is 3 + 4?"]
    assert "42" in " ".join(item.content[0].text for item in items if item.role == "assistant")
    newest = [item async for item in client.conversations.items.list(made.id)]
    assert newest == items[::-1]
    assert (await client.conversations.delete(made.id)).deleted
    assert sessions(manager) == []
    with pytest.raises(BadRequestError, match="Send the items as its input"):
        await client.conversations.create(items=[{"role": "user", "content": "hi"}])


async def test_a_session_at_work_is_not_run_twice(client, manager):
    manager.models.change(simulated_speed=20)
    run = manager.start("iterative_writing", "a lighthouse")
    with pytest.raises(ConflictError, match="being run already"):
        await client.chat.completions.create(
            model="iterative_writing", messages=[user("go on")], metadata={"session_id": run.session_id}
        )
    manager.stop(run.pipeline, run.session_id)
