"""Answers that must fit a schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from agents import LlmAgent, LlmResponse
from agents.errors import OutputSchemaError
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.output import parse_answer
from tests.agents.stage import instruction_in, play


class City(BaseModel):
    name: str
    people: int = Field(ge=0)


async def ask(*script: Any, schema: Any = City, **more: Any) -> tuple[Any, ScriptedLlm]:
    with ScriptedLlm(script=script) as model:
        played = await play(LlmAgent(name="a", model=model, output_schema=schema, output_key="out", **more))
    return played, model


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("schema", "answer", "value"),
    [
        (City, '{"name": "Oslo", "people": 7}', {"name": "Oslo", "people": 7}),
        (City, '{"name": "Oslo", "people": "7"}', {"name": "Oslo", "people": 7}),
        (City, '```json\n{"name": "Oslo", "people": 7}\n```', {"name": "Oslo", "people": 7}),
        (City, '  ```\n{"name": "Oslo", "people": 7}\n```\n', {"name": "Oslo", "people": 7}),
        (list[City], '[{"name": "Oslo", "people": 7}]', [{"name": "Oslo", "people": 7}]),
        (list[str], '["a", "b"]', ["a", "b"]),
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (int, "3", 3),
    ],
)
async def test_the_parsed_answer_is_stored_as_plain_json(schema, answer, value):
    played, model = await ask(answer, schema=schema)
    assert (played.error, played.state) == (None, {"out": value})
    config = model.requests[0].config
    assert (config.response_schema, config.response_mime_type) == (schema, "application/json")


@pytest.mark.anyio
async def test_a_misfit_stays_in_the_log_and_the_model_is_told_once_why():
    played, model = await ask('{"name": "Oslo"}', '{"name": "Oslo", "people": 1}')
    assert (played.error, played.state) == (None, {"out": {"name": "Oslo", "people": 1}})
    assert [(event.text, event.actions.state_delta) for event in played.session.events[1:]] == [
        ('{"name": "Oslo"}', {}),
        ("The answer does not fit the schema: people: Field required. Answer again, with JSON only.", {}),
        ('{"name": "Oslo", "people": 1}', {"out": {"name": "Oslo", "people": 1}}),
    ]
    assert [(content.role, content.parts[0].text) for content in model.requests[1].contents] == [
        ("user", "go"),
        ("model", '{"name": "Oslo"}'),
        ("user", "The answer does not fit the schema: people: Field required. Answer again, with JSON only."),
    ]


@pytest.mark.anyio
@pytest.mark.parametrize(("retries", "answers"), [(0, 1), (1, 2), (3, 4)])
async def test_after_its_retries_a_misfit_is_an_error_and_every_answer_is_kept(retries, answers):
    bad = [f"not JSON {number}" for number in range(answers)]
    played, _ = await ask(*bad, output_retries=retries)
    assert isinstance(played.error, OutputSchemaError)
    assert "Agent 'a' was to answer with JSON that fits output_schema." in str(played.error)
    assert "Invalid JSON" in str(played.error)
    kept = [event.text for event in played.session.events if event.text.startswith("not JSON")]
    assert kept == bad
    assert played.session.events[-1].error_code == "OUTPUT_SCHEMA"
    assert played.state == {}


@pytest.mark.anyio
async def test_an_answer_cut_off_at_the_limit_is_said_to_be():
    cut = LlmResponse(content=types.Content(role="model", parts=[types.Part(text='{"name"')]), stop_reason="max_tokens")
    played, _ = await ask(cut, output_retries=0)
    assert "cut off at the length limit" in str(played.error)


@pytest.mark.anyio
async def test_schema_and_tools_work_together():
    def population(city: str) -> int:
        """People in a city."""
        return 7

    played, model = await ask(
        [call("population", city="Oslo")], '{"name": "Oslo", "people": 7}', tools=[population], instruction="Look it up."
    )
    assert (played.error, played.state) == (None, {"out": {"name": "Oslo", "people": 7}})
    config = model.requests[0].config
    assert (config.response_schema, config.response_mime_type) == (None, None)
    assert instruction_in(model.requests[0]).startswith("Look it up.\n\nWhen you need no more tools, answer with JSON")
    assert '"people"' in model.requests[0].system_instruction


@pytest.mark.anyio
async def test_a_misfit_without_output_key_is_still_one():
    with ScriptedLlm(script=["x", "y"]) as model:
        played = await play(LlmAgent(name="a", model=model, output_schema=City))
    assert isinstance(played.error, OutputSchemaError)


@pytest.mark.anyio
async def test_an_empty_answer_does_not_fit_a_schema():
    def nothing() -> None:
        """Does nothing."""

    played, _ = await ask([call("nothing")], LlmResponse(), '{"name": "Oslo", "people": 7}', tools=[nothing])
    assert (played.error, played.state) == (None, {"out": {"name": "Oslo", "people": 7}})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, st.booleans())
def test_any_json_comes_back_as_it_is_fenced_or_not(value, fenced):
    adapter = TypeAdapter(Any)
    text = TypeAdapter(Any).dump_json(value).decode()
    assert parse_answer(adapter, f"```json\n{text}\n```" if fenced else text) == value


def test_text_around_a_fence_is_left_out():
    city = {"name": "x", "people": 1}
    assert parse_answer(TypeAdapter(City), f"Here: ```json\n{json.dumps(city)}\n```") == city


ROW = TypeAdapter(dict[str, int])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('Here it is: {"a": 1}. Anything else?', {"a": 1}),
        ('Sure [of it]!\n```json\n{"a": 1}\n```\nDone {really}.', {"a": 1}),
        ('As in [1], the answer is {"a": 1}', {"a": 1}),
    ],
)
def test_prose_around_one_value_that_fits_is_left_out(text, value):
    assert parse_answer(ROW, text) == value


@pytest.mark.parametrize(
    "text",
    [
        'First {"a": 1}, then {"a": 2}.',
        'It is {"b": {"a": 1}',
        'It is {"b": oops, "c": {"a": 1}}.',
        "It is {'b': {\"a\": 1}}.",
        'It is {"a": 1',
        'No: {"a": "x"}',
        "[" * 5000,
        "none",
    ],
)
def test_no_value_is_guessed(text):
    with pytest.raises(ValidationError):
        parse_answer(ROW, text)
