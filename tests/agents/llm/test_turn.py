"""An answer as an event: the one that pydantic would make of it, and a wrong one is refused before it is stored."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types
from pydantic import ValidationError

from agents import BaseLlm, Event, LlmAgent, LlmResponse
from agents.model import copy_with
from tests.agents.stage import play

TEXT = types.Content(role="model", parts=[types.Part(text="x")])
TOKENS = types.GenerateContentResponseUsageMetadata(prompt_token_count=3, candidates_token_count=1)


class SubclassOfResponse(LlmResponse):
    """A custom model's response, with a field of its own and another default."""

    model_version: str | None = "v0"
    speed: float = 1.0


class Given(BaseLlm):
    """A model that gives one response."""

    model: str = "given"
    response: Any

    async def generate_content_async(self, llm_request, stream=False):
        yield self.response


RESPONSES = [
    LlmResponse(content=TEXT),
    LlmResponse(content=TEXT, usage_metadata=TOKENS, model_version="v1", finish_reason=types.FinishReason.STOP),
    LlmResponse(content=TEXT, stop_reason="max_tokens"),
    LlmResponse(content=TEXT, stop_reason="end_turn", custom_metadata={"a": [1]}, turn_complete=True),
    LlmResponse(content=TEXT, partial=False, stop_reason=None),
    LlmResponse(error_code="SAFETY", error_message="No."),
    copy_with(LlmResponse(content=TEXT), usage_metadata=TOKENS),
    SubclassOfResponse(content=TEXT),
]


@pytest.mark.anyio
@pytest.mark.parametrize("response", RESPONSES, ids=range(len(RESPONSES)))
async def test_it_is_the_event_that_pydantic_makes(response):
    played = await play(LlmAgent(name="a", model=Given(response=response)))
    (made,) = played.events
    said = {name: value for name, value in vars(response).items() if value is not None and name in Event.model_fields}
    own = {name: getattr(made, name) for name in ("id", "invocation_id", "author", "branch", "actions", "stop_reason")}
    pydantics = Event(**{**said, **own}, timestamp=made.timestamp)
    assert made == pydantics
    assert made.model_dump_json() == pydantics.model_dump_json()
    assert made.stop_reason == (response.stop_reason or ("error" if response.error_code else "end_turn"))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stop_reason", "stop"),
        ("finish_reason", 3.5),
        ("model_version", 5),
        ("custom_metadata", "junk"),
        ("usage_metadata", "junk"),
        ("error_code", 404),
    ],
)
async def test_a_wrong_value_that_a_model_assigned_ends_the_run_and_is_not_stored(field, value):
    response = LlmResponse(content=TEXT)
    setattr(response, field, value)
    played = await play(LlmAgent(name="a", model=Given(response=response)))
    assert isinstance(played.error, (ValidationError, AttributeError))
    assert [event.error_code for event in played.events] == [type(played.error).__name__]
