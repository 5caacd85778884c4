"""The model contract as code written for ADK uses it: requests as values that are kept, copied and written down."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator

import pytest
from google.genai import types
from pydantic import BaseModel, ValidationError

from agents import BaseLlm, LlmAgent, LlmRequest, LlmResponse
from agents.models.scripted import ScriptedLlm
from tests.agents.stage import play, user


class RecordingLlm(BaseLlm):
    """A model as ADK's own tests write it: it keeps what it was asked in a field."""

    requests: list[LlmRequest] = []  # noqa: RUF012  pydantic copies it
    last: LlmRequest | None = None

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse]:
        self.requests.append(llm_request)
        self.last = llm_request
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="ok")]))


class Tool:
    """A tool that cannot be copied."""

    def __init__(self) -> None:
        self.name = "look"
        self.lock = threading.Lock()

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name)


def request(text: str = "hi") -> LlmRequest:
    return LlmRequest(model="m", contents=[user(text)], config=types.GenerateContentConfig(temperature=0.5))


@pytest.mark.anyio
async def test_a_model_may_keep_requests_in_its_fields():
    model = RecordingLlm(model="recording")
    played = await play(LlmAgent(name="a", model=model, instruction="Do."))
    assert played.error is None
    assert [asked.contents[0].parts[0].text for asked in model.requests] == ["go"]
    assert model.last is model.requests[0]
    assert RecordingLlm(model="other").requests == []


@pytest.mark.anyio
async def test_a_callback_may_keep_a_deep_copy_of_a_request_that_is_under_way():
    kept: list[LlmRequest] = []

    def keep(callback_context, llm_request):
        kept.append(llm_request.model_copy(deep=True))
        llm_request.contents.append(user("later"))

    def look() -> str:
        """Looks."""
        return "seen"

    model = ScriptedLlm(script=["x"])
    played = await play(LlmAgent(name="a", model=model, tools=[look], before_model_callback=keep))
    assert played.error is None
    (copy,), (sent,) = kept, model.requests
    assert [content.parts[0].text for content in copy.contents] == ["go"]
    assert [content.parts[0].text for content in sent.contents] == ["go", "later"]
    assert copy.tools_dict == sent.tools_dict


def test_a_deep_copy_is_its_own_but_for_the_tools_and_the_observer():
    one, tool = request(), Tool()
    one.append_tools([tool])
    one.observer = tool.lock
    other = one.model_copy(deep=True)
    assert other == one
    assert other.observer is one.observer
    other.contents[0].parts[0].text = "changed"
    other.config.temperature = 1.0
    other.append_instructions(["Be brief."])
    other.tools_dict.clear()
    other.config.tools.clear()
    assert (one.contents, one.config.temperature, one.system_instruction) == ([user("hi")], 0.5, "")
    assert one.tools_dict == {"look": tool}
    assert one.config.tools[0].function_declarations[0].name == "look"


def test_a_request_is_written_down_without_what_is_at_work_and_read_again():
    one = request()
    one.append_tools([Tool()])
    one.observer = object()
    written = one.model_dump(mode="json", exclude_none=True)
    assert written == {
        "model": "m",
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "config": {"temperature": 0.5, "tools": [{"function_declarations": [{"name": "look"}]}]},
    }
    read = LlmRequest.model_validate(written)
    assert (read.contents, read.config, read.tools_dict, read.observer) == (one.contents, one.config, {}, None)
    assert LlmRequest.model_validate_json(one.model_dump_json()) == read


def test_bytes_in_a_request_are_written_down_and_read_again():
    image = types.Part(inline_data=types.Blob(data=b"\xff\x00", mime_type="image/png"))
    one = LlmRequest(contents=[types.Content(role="user", parts=[image])])
    assert LlmRequest.model_validate_json(one.model_dump_json()) == one


def test_requests_are_equal_where_the_same_is_sent():
    one, other = request(), request()
    other.observer = object()
    assert one == other
    assert one != request("ho")
    assert one != "hi"


def test_a_request_checks_what_it_is_made_of_and_takes_plain_values():
    assert LlmRequest(contents=[{"role": "user", "parts": [{"text": "hi"}]}], config={"temperature": 0.5}) == LlmRequest(
        contents=[user("hi")], config=types.GenerateContentConfig(temperature=0.5)
    )
    with pytest.raises(ValidationError, match="contents"):
        LlmRequest(contents="hi")


def test_it_may_be_a_field_of_any_model():
    class Case(BaseModel):
        asked: LlmRequest
        answered: list[LlmResponse] = []

    case = Case(asked=request())
    assert Case.model_validate(case.model_dump()) == case
