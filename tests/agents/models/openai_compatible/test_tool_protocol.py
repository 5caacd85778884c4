"""The JSON protocol: what is written reads back, what small models do wrong is put right, hostile replies harm nothing."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import Any, Literal

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from agents.models.openai_compatible.tool_protocol import (
    MOST_CHARACTERS,
    MOST_ITEMS,
    Reply,
    added_limits,
    bounded,
    instruction_of,
    parameters_of,
    read_calls,
    read_reply,
    result_text,
    schema_of,
    written,
)
from agents.models.openai_compatible.tool_protocol_reader import ResponseReader
from agents.models.openai_compatible.tool_protocol_streams import reader_for
from agents.models.tool_arguments.unreadable_call import why_unreadable

AT = {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}
LOOK = types.FunctionDeclaration(name="look", description="Looks\n  somewhere.", parameters_json_schema=AT)
STOP = types.FunctionDeclaration(name="stop")
TOOLS = [LOOK, STOP]

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
calls = st.builds(
    types.FunctionCall, name=st.sampled_from(["look", "stop"]), args=st.dictionaries(texts, values, max_size=3)
)
HEAD = '{"response": "'
MARKS = (
    '{"response": "|{|}|"|"}|",}|\\|\\u|d83d|\\ude42|,|:|[|]|tool_call|name|look|\'|\n|```json\n|```|'
    "<tool_call>|</tool_call>|NaN| "
)
pieces_of_json = st.sampled_from([*MARKS.split("|"), '{"tool_call": {"name": "look", "arguments": {}}}'])
hostile = st.lists(pieces_of_json | texts, max_size=12).map("".join)


def made(reply: Reply) -> list[tuple[str | None, dict[str, Any] | None]]:
    return [(call.name, call.args) for call in reply.calls]


def cut_up(text: str, places: list[int]) -> list[str]:
    bounds = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


# -- laws


@given(texts, st.lists(calls, max_size=3))
def test_what_is_written_reads_back(text, called):
    reply = read_reply(written(text, called) or written("", []), TOOLS)

    assert reply.text == text
    assert made(reply) == [(call.name, call.args) for call in called]


@given(texts, st.lists(calls, max_size=2), st.sampled_from([None, 0, 2]))
def test_it_reads_back_however_the_json_is_set(text, called, indent):
    objects = [{"response": text}, *({"tool_call": {"name": call.name, "arguments": call.args}} for call in called)]
    reply = read_reply("\n".join(json.dumps(one, indent=indent) for one in objects), TOOLS)

    assert (reply.text, made(reply)) == (text, [(call.name, call.args) for call in called])


@given(
    hostile,
    st.lists(st.integers(0, 200), max_size=8),
    st.sampled_from([TOOLS, []]),
    st.sampled_from(["native", "json"]),
    st.booleans(),
    st.booleans(),
)
def test_a_stream_means_what_the_whole_means_wherever_it_is_cut(text, places, tools, protocol, asks_for_json, is_cut_off):
    at_once, streamed = (reader_for(tools, protocol, asks_for_json=asks_for_json) for _ in range(2))
    at_once.add(text)
    shown = "".join([streamed.add(piece) for piece in cut_up(text, places)])

    reply = streamed.end(cut=is_cut_off)

    assert reply == at_once.end(cut=is_cut_off)
    assert reply.text.startswith(shown)


@given(st.lists(pieces_of_json | texts, max_size=6).map("".join), st.lists(st.integers(0, 99), max_size=8))
def test_the_response_grows_the_same_in_any_pieces(text, places):
    text = '{"response": "' + text
    whole, parts = ResponseReader(), ResponseReader()
    said = whole.add(text) + whole.end()

    assert "".join([parts.add(piece) for piece in cut_up(text, places)]) + parts.end() == said
    assert (parts.found, parts.rest) == (True, whole.rest)


@given(hostile)
def test_any_reply_is_read_and_can_be_stored(text):
    reply = read_reply(text, TOOLS)

    reply.text.encode()
    json.dumps([call.model_dump() for call in reply.calls], allow_nan=False).encode()


@given(texts.filter(lambda text: "{" not in text))
def test_prose_stays_as_it_is(text):
    assert read_reply(text, TOOLS) == read_calls(text, TOOLS) == Reply(text)


# -- what small models write


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"tool_call": {"name": "look", "arguments": {"at": "sea"}}}\n```',
        'Sure, I look.\n{"tool_call": {"name": "look", "arguments": {"at": "sea"}}}\nIs that right?',
        '{"tool_call": {"name": "look", "arguments": {"at": "sea",},},}',
        "{'tool_call': {'name': 'look', 'arguments': {'at': 'sea'}}}",
        '{"tool_call": {"name": "look", "arguments": {"at": "sea"}}',
        '{tool_call: {name: "look", arguments: {at: "sea"}}}',
        '{"tool_call": {"name": "look", "arguments": "{\\"at\\": \\"sea\\"}"}}',
        '{"tool_call": {"name": "look", "parameters": {"at": "sea"}}}',
        '{"tool_call": "look", "arguments": {"at": "sea"}}',
        '{"tool_calls": [{"type": "function", "function": {"name": "look", "arguments": {"at": "sea"}}}]}',
        '{"name": "look", "arguments": {"at": "sea"}}',
        '<tool_call>\n{"name": "look", "arguments": {"at": "sea"}}\n</tool_call>',
        '{"response": "", "tool_call": {"name": "look", "arguments": {"at": "sea"}}}',
        '{"tool_call": {"name": "look", "input": {"at": "sea"}}}',
        '{"tool_call": {"name": "look", "args": "{\\"at\\": \\"sea\\"}"}}',
        '{"tool_call": {"name": "look", "at": "sea"}}',
        '{"tool_call": {"tool": "look", "input": {"at": "sea"}}}',
        '{"tool_call": "look", "at": "sea"}',
        '{"tool_calls": [{"name": "look", "input": {"at": "sea"}}]}',
        '{"name": "look", "input": {"at": "sea"}}',
        '{"name": "look", "arguments": "{\\"at\\": \\"sea\\"}"}',
        '{"function": {"name": "look", "input": {"at": "sea"}}}',
        '{"function": "look", "arguments": {"at": "sea"}}',
        '{"tool": {"name": "look", "parameters": {"at": "sea"}}}',
        '{"tool": "look", "input": {"at": "sea"}}',
        '{"function_call": {"name": "look", "arguments": "{\\"at\\": \\"sea\\"}"}}',
        '{"type": "tool_use", "id": "x", "name": "look", "input": {"at": "sea"}}',
    ],
    ids=[
        *(
            "fence",
            "prose",
            "trailing commas",
            "single quotes",
            "not closed",
            "bare keys",
            "arguments as text",
            "parameters",
        ),
        *("name as the call", "as OpenAI", "bare call", "tags", "beside a response"),
        *("input", "args as text", "arguments beside the name", "tool in a call", "name as the call, arguments beside it"),
        *("input in a list", "bare input", "bare arguments as text", "function", "function by name", "tool", "tool by name"),
        *("function_call", "as Anthropic"),
    ],
)
def test_a_call_is_read_whatever_is_around_it_and_wrong_with_it(reply):
    assert made(read_reply(reply, TOOLS)) == [("look", {"at": "sea"})]


@pytest.mark.parametrize(
    "reply",
    [
        '{"tool_call": {"name": "look", "input": {"at": "sea"}}}',
        '{"tool": {"name": "look", "input": {"at": "sea"}}}',
        '{"function_call": {"name": "look", "args": {"at": "sea"}}}',
        '{"type": "tool_use", "name": "look", "input": {"at": "sea"}}',
        '{"name": "look", "input": {"at": "sea"}}',
    ],
)
def test_a_call_that_a_model_with_tools_of_its_own_wrote_out_is_never_shown(reply):
    shown, read = streamed(reply)

    assert (shown, read.text, made(read)) == ("", "", [("look", {"at": "sea"})])


def test_a_text_for_a_tool_whose_only_parameter_is_called_input_is_its_argument():
    assert made(read_reply('{"tool_call": {"name": "look", "input": "the sea"}}', TOOLS)) == [("look", {"input": "the sea"})]


@pytest.mark.parametrize(
    "reply",
    [
        '{"tool": "hammer", "input": {"wood": 1}}',
        '{"function": {"name": "sinus", "parameters": {"x": 1}}}',
        '{"name": "Ada", "input": {"at": "sea"}}',
        '{"name": "look"}',
        '{"tool": "look"}',
        '{"name": "look", "input": "the sea"}',
        '{"function": 4, "arguments": {}}',
    ],
)
def test_json_that_only_looks_like_a_call_stays(reply):
    assert read_reply(reply, TOOLS) == read_calls(reply, TOOLS) == Reply(reply)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('{"response": "He said "hi" to me"}', 'He said "hi" to me'),
        ('```json\n{"response": "It is so."}\n```', "It is so."),
        ('Here it is: {"response": "It is so."} Good?', "It is so."),
        ("{'response': 'It is so.'}", "It is so."),
        ('{"response": "{"stars": "four"}"}', '{"stars": "four"}'),
        ('{"response": "one\ntwo"}', "one\ntwo"),
        ('{"response": "\\ud83d\\ude42 \\u00e9\\n"}', "🙂 é\n"),
        ('{"response": "half of a \\ud83d"}', "half of a \N{REPLACEMENT CHARACTER}"),
        ('{"response": {"stars": 4}}', '{"stars": 4}'),
        ('{"response": "ok",}', "ok"),
        ('{"response": "ok", \n }\n', "ok"),
        ('```json\n{"response": "ok",}\n```', "ok"),
        ('```\n{"response": "ok" ,}\n```', "ok"),
        ('{"response": "ok"}}', "ok"),
        ('{"response": "ok",}}\n```', "ok"),
        ('{"response": "ok",} Good?', "ok"),
        ('{"response": "a set {"a": "b",}: all"}', 'a set {"a": "b",}: all'),
        ('{"stars": 4}', '{"stars": 4}'),
        ("No JSON at all.", "No JSON at all."),
    ],
)
def test_an_answer_in_words_is_read(reply, text):
    assert read_reply(reply, TOOLS) == Reply(text)


def test_what_is_said_beside_a_call_is_kept():
    reply = read_reply('I look.\n```json\n{"tool_call": {"name": "stop"}}\n```', TOOLS)

    assert (reply.text, made(reply)) == ("I look.", [("stop", {})])


def test_a_call_of_a_tool_that_there_is_not_is_a_call_so_that_the_model_is_told():
    assert made(read_reply('{"tool_call": {"name": "lok", "arguments": {}}}', TOOLS)) == [("lok", {})]


def test_a_model_with_tools_of_its_own_calls_declared_ones_only():
    assert made(read_calls('{"name": "look", "arguments": {"at": "sea"}}', TOOLS)) == [("look", {"at": "sea"})]
    for text in (
        '{"name": "Ada", "arguments": {}}',
        '{"name": "look"}',
        '{"tool_call": {"name": "lok"}}',
        '{"response": "x"}',
    ):
        assert read_calls(text, TOOLS) == Reply(text)


# -- responses of models that were not told of the protocol


def streamed(text: str, tools=TOOLS, *, cut: bool = False, **how) -> tuple[str, Reply]:
    """What is shown on the way of a text that comes character by character, and what it means in the end."""
    reader = reader_for(tools, "native", **how)
    return "".join([reader.add(character) for character in text]), reader.end(cut=cut)


@pytest.mark.parametrize("tools", [TOOLS, []])
@pytest.mark.parametrize(
    "reply",
    [
        '{"response": "It is so."}',
        ' {\n  "response": "It is so."\n}\n',
        '```json\n{"response": "It is so."}\n```',
        '```\n{"response": "It is so."}\n```\n',
        '{"response": "It is so.",}',
        "{'response': 'It is so.'}",
        '{response: "It is so."}',
        "```json\n{'response': 'It is so.',}\n```",
    ],
)
def test_a_response_is_read_as_its_text_without_a_flicker(reply, tools):
    assert streamed(reply, tools) == ("", Reply("It is so."))


@pytest.mark.parametrize("tools", [TOOLS, []])
@pytest.mark.parametrize(
    "reply",
    [
        '{"response": "x", "status": 3}',
        '{"status": 3, "response": "x"}',
        '{"response": 4}',
        '{"response": {"text": "x"}}',
        '{"responses": "x"}',
        '[{"response": "x"}]',
        'It is: {"response": "x"}',
        '{"response": "x"} Good?',
        '{"response": "x"}\n{"response": "y"}',
        '```python\nprint({"response": "x"})\n```',
        '```json\n{"stars": 4}\n```',
        "{}",
        "",
    ],
)
def test_any_other_json_that_was_asked_for_stays(reply, tools):
    shown, read = streamed(reply, tools)

    assert read == Reply(reply)
    assert reply.startswith(shown)


@pytest.mark.parametrize("tools", [TOOLS, []])
def test_where_json_was_asked_for_a_response_stays_the_object_that_it_is(tools):
    reply = '{"response": "x"}'

    assert streamed(reply, tools, asks_for_json=True)[1] == Reply(reply)


def test_a_response_that_was_cut_off_is_shown_as_far_as_it_goes():
    assert streamed('{"response": "Once upon a ti', cut=True) == ("", Reply("Once upon a ti"))


def test_a_response_beside_a_call_is_what_the_model_says():
    _, read = streamed('{"response": "I look."}\n{"tool_call": {"name": "look", "input": {"at": "sea"}}}')

    assert (read.text, made(read)) == ("I look.", [("look", {"at": "sea"})])


def test_prose_is_shown_as_it_comes():
    assert streamed("So {it} is.") == ("So {it} is.", Reply("So {it} is."))
    assert streamed('{"stars": 4}') == ('{"stars": 4}', Reply('{"stars": 4}'))


# -- what must not happen


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('{"tool_call": {"name": "look", "arguments": {"at": "se', ""),
        ('{"response": "Once upon a ti', "Once upon a ti"),
        ('{"response": "Once \\ud83', "Once "),
        ("Once upon a ti", "Once upon a ti"),
    ],
)
def test_a_reply_that_was_cut_off_makes_no_call(reply, text):
    assert read_reply(reply, TOOLS, cut=True) == Reply(text)


def test_a_call_that_was_whole_before_the_cut_is_made():
    reply = '{"tool_call": {"name": "stop", "arguments": {}}}\n{"tool_call": {"name": "look", "argu'

    assert made(read_reply(reply, TOOLS, cut=True)) == [("stop", {})]


@pytest.mark.parametrize(
    "reply",
    [
        '{"tool_call": {"name": "look", "arguments": {"at": "sea", "depth": 10',
        '{"tool_call": {"name": "look", "arguments": {"at": "sea", "depth": 10}',
        "{'tool_call': {'name': 'look', 'arguments': {'at': 'sea', 'at': 'sky'}}}",
        '{"tool_call": {"name": "look", "arguments": "{\\"at\\": \\"sea"}}',
        '{"tool_call": {"name": "look", "arguments": [1]}}',
        '{"tool_call": {"name": "look", "arguments": {"at": "sea" "depth": 10}}}',
        '{"name": "look", "arguments": {"at": "sea", "depth": 1',
        '{"tool_call": "look", "at": {"x": 1}',
        '<tool_call>{"name": "look", "arguments": {"at": "sea',
    ],
)
def test_a_call_that_would_have_to_be_guessed_is_told_to_the_model(reply):
    for read in (read_reply(reply, TOOLS), read_calls(reply, TOOLS)):
        assert [(call.name, bool(why_unreadable(call))) for call in read.calls] == [("look", True)]


@pytest.mark.parametrize(
    "unit", ["{", '{"a":', "[", '{"a" ', "{'a': ", '"a" ', "\"'", '{"x": 1} ', "\\", '{"response": "\\']
)
@pytest.mark.timeout(60)
def test_a_reply_that_is_meant_to_hurt_is_left_as_text(unit):
    reply = '{"x": ' + unit * 20_000

    assert read_reply(reply, TOOLS).calls == ()


def test_numbers_that_are_none_and_nesting_without_end_are_not_taken():
    reply = '{"tool_call": {"name": "look", "arguments": {"at": 1e999}}}'
    deep = '{"tool_call": {"name": "look", "arguments": {"at": ' + "[" * 90 + "]" * 90 + "}}}"

    assert "too large" in (why_unreadable(read_reply(reply, TOOLS).calls[0]) or "")
    assert read_reply(deep, TOOLS) == Reply(deep)


# -- what a model is told, and held to


def test_the_instruction_names_tools_arguments_and_both_ways_to_answer():
    told = instruction_of(TOOLS)

    assert f"- look: Looks somewhere. Arguments: {json.dumps(AT)}" in told
    assert "- stop: no description. Arguments: none" in told
    assert '{"tool_call": {"name":' in told
    assert '{"response":' in told
    assert '{"response":' not in instruction_of(TOOLS, must_call=True)


def test_a_result_begins_as_the_model_was_told():
    text = result_text(types.FunctionResponse(name="look", response={"seen": "é"}))

    assert text == 'Result of look: {"seen": "é"}'
    assert '"Result of"' in instruction_of(TOOLS)


def test_the_schema_has_a_branch_for_each_tool_and_one_for_words():
    look, stop, response = schema_of(TOOLS)["anyOf"]

    call = look["properties"]["tool_call"]
    assert call["properties"]["name"] == {"const": "look"}
    assert call["properties"]["arguments"]["properties"] == {"at": {"type": "string", "maxLength": MOST_CHARACTERS}}
    assert stop["properties"]["tool_call"]["properties"]["arguments"] == {"type": "object", "properties": {}}
    assert response["properties"] == {"response": {"type": "string"}}
    assert [one["required"] for one in (look, stop, response)] == [["tool_call"], ["tool_call"], ["response"]]


def test_words_may_be_forbidden_and_may_have_a_schema():
    stars = {"type": "object", "properties": {"stars": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "integer"}}}

    assert "anyOf" not in schema_of([STOP], must_call=True)
    schema = schema_of([STOP], stars)
    assert schema["anyOf"][1]["properties"]["response"]["properties"]["stars"] == {"$ref": "#/$defs/response.N"}
    assert schema["$defs"] == {"response.N": {"type": "integer"}}


def test_definitions_of_different_tools_do_not_meet():
    def tool(name: str, kind: str) -> types.FunctionDeclaration:
        inner = {"type": "object", "properties": {"next": {"$ref": "#/$defs/X"}, "value": {"type": kind}}}
        schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": inner}}
        return types.FunctionDeclaration(name=name, parameters_json_schema=schema)

    schema = schema_of([tool("a", "integer"), tool("b", "boolean")])

    assert {name: held["properties"]["value"]["type"] for name, held in schema["$defs"].items()} == {
        "a.X": "integer",
        "b.X": "boolean",
    }
    assert schema["$defs"]["a.X"]["properties"]["next"] == {"$ref": "#/$defs/a.X"}
    arguments = schema["anyOf"][1]["properties"]["tool_call"]["properties"]["arguments"]
    assert arguments["properties"]["x"] == {"$ref": "#/$defs/b.X"}


def test_what_stands_before_a_required_property_is_required_so_that_their_order_stays():
    schema = {
        "type": "object",
        "properties": {
            "why": {"type": "null"},
            "ids": {"type": "null"},
            "answer": {"type": "null"},
            "note": {"type": "null"},
        },
        "required": ["answer", "elsewhere"],
    }

    assert bounded(schema)["required"] == ["why", "ids", "answer", "elsewhere"]
    assert bounded({**schema, "required": []})["required"] == []
    assert "required" not in bounded({"type": "object", "properties": schema["properties"]})


def test_bounds_are_added_only_where_there_are_none():
    schema = {
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "enum": {"type": "string", "enum": ["a"]},
            "short": {"type": "string", "maxLength": 3},
            "day": {"type": "string", "format": "date"},
            "many": {"type": "array", "items": {"type": ["string", "null"]}},
            "few": {"type": "array", "maxItems": 2},
        },
    }

    assert bounded(schema)["properties"] == {
        "type": {"type": "string", "maxLength": MOST_CHARACTERS},
        "enum": {"type": "string", "enum": ["a"]},
        "short": {"type": "string", "maxLength": 3},
        "day": {"type": "string", "format": "date"},
        "many": {
            "type": "array",
            "items": {"type": ["string", "null"], "maxLength": MOST_CHARACTERS},
            "maxItems": MOST_ITEMS,
        },
        "few": {"type": "array", "maxItems": 2},
    }


def test_parameters_that_are_given_as_a_schema_of_geminis_are_json_schema():
    parameters = types.Schema(
        type=types.Type.OBJECT, properties={"at": types.Schema(type=types.Type.STRING)}, required=["at"]
    )

    assert parameters_of(types.FunctionDeclaration(name="look", parameters=parameters)) == AT


# -- costs


def reading_time(text: str, protocol: Literal["native", "json"]) -> float:
    """Seconds of work for a text that comes in one piece."""
    reader = reader_for(TOOLS, protocol)
    begun = time.process_time()
    reader.add(text)
    reader.end(cut=False)
    return time.process_time() - begun


@pytest.mark.parametrize("protocol", ["native", "json"])
@pytest.mark.parametrize("unit", ['"a', '"}', '"} '], ids=["quotes", "ends", "gaps"])
def test_reading_costs_as_much_as_there_is_to_read(unit, protocol):
    short, long = (min(reading_time(HEAD + unit * count, protocol) for _ in range(3)) for count in (20_000, 80_000))

    assert long < 10 * short, "four times as much to read; what is quadratic costs sixteen times as much"


@pytest.mark.parametrize(
    ("schema", "limits"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}}, {"characters": 2000}),
        ({"type": "object", "properties": {"maxLength": {"type": "array", "items": {"type": "integer"}}}}, {"items": 50}),
        ({"type": "array", "items": {"type": "string"}}, {"characters": 2000, "items": 50}),
        ({"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 5}}, {}),
        ({"type": "object", "properties": {"a": {"enum": ["x"]}, "b": {"type": "integer"}}}, {}),
        (None, {}),
    ],
)
def test_only_limits_that_were_added_are_said(schema, limits):
    assert added_limits(schema, bounded(schema)) == limits
