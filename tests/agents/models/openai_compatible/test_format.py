"""Requests and answers in OpenAI's format, without a server."""

from __future__ import annotations

import base64
import json

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.errors import EmptyResponseError, ProviderError
from agents.model import LlmRequest, LlmResponse
from agents.models.openai_compatible.format import answer_schema, body_of, messages_of
from agents.models.openai_compatible.format_answer import DONE, OpenAIAnswer, usage_of
from agents.models.tool_arguments.unreadable_call import why_unreadable
from tests.agents.models.providers import request
from tests.standins.openai_server import chunk, says, usage


class Stars(BaseModel):
    """What a review gives."""

    stars: int


def look(at: str) -> None:
    """Looks."""


def stop() -> None:
    """Stops."""


def of_model(*parts: types.Part) -> types.Content:
    return types.Content(role="model", parts=list(parts))


def of_user(*parts: types.Part) -> types.Content:
    return types.Content(role="user", parts=list(parts))


def text(said: str) -> types.Part:
    return types.Part(text=said)


def call(name: str, call_id: str | None = None, **args: object) -> types.Part:
    return types.Part(function_call=types.FunctionCall(id=call_id, name=name, args=args))


def result(name: str, call_id: str | None = None, **response: object) -> types.Part:
    return types.Part(function_response=types.FunctionResponse(id=call_id, name=name, response=response))


def conversation(*contents: types.Content, **config: object) -> LlmRequest:
    made = request(functions=[look, stop], **config)
    made.contents = list(contents)
    return made


TURN = (
    of_user(text("Where?")),
    of_model(text("I look."), call("look", "adk-1", at="sea"), call("look", "c-2", at="sky")),
    of_user(result("look", "adk-1", seen="ship"), result("look", "c-2", seen="gull")),
)


# -- requests


def test_a_conversation_with_native_tools():
    system, user, asked, first, second = messages_of(conversation(*TURN))

    assert (system, user) == ({"role": "system", "content": "Answer."}, {"role": "user", "content": "Where?"})
    own, theirs = asked["tool_calls"]
    assert (asked["role"], asked["content"]) == ("assistant", "I look.")
    assert (theirs["id"], theirs["type"], theirs["function"]) == (
        "c-2",
        "function",
        {"name": "look", "arguments": '{"at": "sky"}'},
    )
    assert len(own["id"]) == 9
    assert own["id"].isalnum()
    assert first == {"role": "tool", "tool_call_id": own["id"], "content": '{"seen": "ship"}'}
    assert second == {"role": "tool", "tool_call_id": "c-2", "content": '{"seen": "gull"}'}


def test_a_conversation_in_the_json_protocol_takes_turns():
    system, *messages = messages_of(conversation(*TURN), protocol="json")

    assert system["content"].startswith("Answer.\n\nYou can call these tools:\n- look: Looks.")
    assert messages == [
        {"role": "user", "content": "Where?"},
        {
            "role": "assistant",
            "content": '{"response": "I look."}\n{"tool_call": {"name": "look", "arguments": {"at": "sea"}}}\n'
            '{"tool_call": {"name": "look", "arguments": {"at": "sky"}}}',
        },
        {"role": "user", "content": 'Result of look: {"seen": "ship"}\n\nResult of look: {"seen": "gull"}'},
    ]


def test_calls_without_ids_are_paired_with_their_results_by_name_and_order():
    contents = (
        of_user(text("Where?")),
        of_model(call("look", at="sea"), call("stop"), call("look", at="sky")),
        of_user(result("stop"), result("look", seen="ship"), result("look", seen="gull")),
    )
    *_, asked, stopped, first, second = messages_of(conversation(*contents))

    ids = [made["id"] for made in asked["tool_calls"]]
    assert len(set(ids)) == 3
    assert [stopped["tool_call_id"], first["tool_call_id"], second["tool_call_id"]] == [ids[1], ids[0], ids[2]]


def test_ids_are_the_same_when_the_conversation_goes_on():
    before = messages_of(conversation(*TURN))
    after = messages_of(conversation(*TURN, of_model(text("A ship."), call("stop")), of_user(result("stop"))))

    assert after[: len(before)] == before


def test_texts_of_one_role_become_one_and_thoughts_are_not_sent():
    contents = (
        of_user(text("One")),
        of_user(text("Two")),
        of_model(types.Part(text="hm", thought=True), text("Yes.")),
        of_model(types.Part(text="hm", thought=True)),
        of_user(text("Go on")),
    )

    _, *messages = messages_of(conversation(*contents))

    assert messages == [
        {"role": "user", "content": "One\n\nTwo"},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": "Go on"},
    ]


@pytest.mark.parametrize("contents", [(), (of_user(text("Hi")), of_model(text("Yes.")))])
def test_a_conversation_always_ends_with_the_user(contents):
    assert messages_of(conversation(*contents))[-1] == {"role": "user", "content": "Continue with your task as instructed."}


def test_images_are_sent_and_what_cannot_be_is_said_to_be_missing():
    image = types.Part(inline_data=types.Blob(data=b"\x89PNG", mime_type="image/png"))
    sound = types.Part(inline_data=types.Blob(data=b"x", mime_type="audio/wav"))
    file = types.Part(file_data=types.FileData(file_uri="gs://x", mime_type="application/pdf"))

    pieces = messages_of(conversation(of_user(text("See:"), image, sound, file)))[-1]["content"]

    url = pieces[1]["image_url"]["url"]
    assert base64.b64decode(url.removeprefix("data:image/png;base64,")) == b"\x89PNG"
    assert pieces[0] == {"type": "text", "text": "See:"}
    assert ["left out here (audio/wav)" in pieces[2]["text"], "(application/pdf)" in pieces[3]["text"]] == [True, True]


def test_settings_have_their_names():
    asked = request(
        temperature=0.5,
        top_p=0.9,
        top_k=40,
        seed=7,
        stop_sequences=["END"],
        presence_penalty=0.1,
        frequency_penalty=0.2,
        max_output_tokens=99,
    )

    body = body_of(asked, model="small", stream=True, max_output_tokens=2048)

    del body["messages"]
    assert body == {
        "model": "small",
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 40,
        "seed": 7,
        "stop": ["END"],
        "presence_penalty": 0.1,
        "frequency_penalty": 0.2,
        "max_tokens": 99,
    }


def test_an_agent_that_sets_nothing_has_a_limit_and_no_more():
    body = body_of(request(), model="small", stream=False, max_output_tokens=2048)

    assert set(body) == {"model", "messages", "stream", "max_tokens"}
    assert body["max_tokens"] == 2048


def test_native_tools_are_declared_and_others_told_and_constrained():
    native = body_of(conversation(), model="m", stream=False)
    in_words = body_of(conversation(), model="m", stream=False, protocol="json")

    parameters = {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}
    assert native["tools"][0] == {
        "type": "function",
        "function": {"name": "look", "description": "Looks.", "parameters": parameters},
    }
    assert native["tools"][1]["function"]["parameters"] == {"type": "object", "properties": {}}
    assert "response_format" not in native
    assert "tools" not in in_words
    assert len(in_words["response_format"]["json_schema"]["schema"]["anyOf"]) == 3
    assert "response_format" not in body_of(conversation(), model="m", stream=False, protocol="json", constrained=False)


@pytest.mark.parametrize(("mode", "choice", "branches"), [("ANY", "required", 2), ("AUTO", None, 3)])
def test_calls_may_be_demanded(mode, choice, branches):
    calling = types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode=mode))

    native = body_of(conversation(tool_config=calling), model="m", stream=False)
    in_words = body_of(conversation(tool_config=calling), model="m", stream=False, protocol="json")

    assert native.get("tool_choice") == choice
    assert len(in_words["response_format"]["json_schema"]["schema"]["anyOf"]) == branches


def test_calls_may_be_forbidden():
    calling = types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode="NONE"))

    for protocol in ("native", "json"):
        body = body_of(conversation(tool_config=calling), model="m", stream=False, protocol=protocol)
        assert not body.keys() & {"tools", "response_format"}


@pytest.mark.parametrize(
    "schema",
    [
        {"response_schema": Stars},
        {"response_schema": {"type": "OBJECT", "properties": {"stars": {"type": "INTEGER"}}, "required": ["stars"]}},
        {
            "response_schema": types.Schema(
                type="OBJECT", properties={"stars": types.Schema(type="INTEGER")}, required=["stars"]
            )
        },
        {"response_json_schema": {"type": "object", "properties": {"stars": {"type": "integer"}}, "required": ["stars"]}},
    ],
    ids=["type", "Gemini's", "Schema", "JSON schema"],
)
def test_a_schema_is_sent_and_told_however_it_is_given(schema):
    body = body_of(request(response_mime_type="application/json", **schema), model="m", stream=False)

    sent = body["response_format"]["json_schema"]["schema"]
    assert sent["properties"]["stars"]["type"] == "integer"
    assert sent["required"] == ["stars"]
    assert "fitting this JSON schema" in body["messages"][0]["content"]


def test_a_list_of_models_is_a_schema_and_json_without_one_is_asked_for():
    assert answer_schema(types.GenerateContentConfig(response_schema=list[Stars]))["type"] == "array"
    body = body_of(request(response_mime_type="application/json"), model="m", stream=False)
    assert body["response_format"] == {"type": "json_object"}


# -- answers


def read(*chunks: dict, streamed: bool = True, **given: object):
    answer = OpenAIAnswer("llama/m", prefix="llama/", **given)
    pieces = [shown for one in chunks for shown in answer.add(one)]
    return pieces, answer.whole(streamed=streamed)


def function(name: str | None = None, arguments: object = None) -> dict:
    return {"function": {"name": name, "arguments": arguments}}


def test_parallel_calls_are_told_apart_by_their_numbers():
    _, whole = read(
        chunk(
            tool_calls=[
                {"index": 0, "id": "a", **function("look", '{"at"')},
                {"index": 1, "id": "b", **function("stop", "")},
            ]
        ),
        chunk(tool_calls=[{"index": 0, **function(arguments=': "sea"}')}]),
        chunk("tool_calls"),
    )

    assert [(made.id, made.name, made.args) for made in whole.get_function_calls()] == [
        ("a", "look", {"at": "sea"}),
        ("b", "stop", {}),
    ]
    assert whole.stop_reason == "tool_use"


@pytest.mark.parametrize("numbered", [{"index": 0}, {}], ids=["all 0", "none"])
def test_calls_that_are_not_numbered_are_told_apart_by_their_ids(numbered):
    _, whole = read(
        chunk(tool_calls=[{**numbered, "id": "a", **function("look", '{"at": "sea"}')}]),
        chunk(tool_calls=[{**numbered, "id": "b", **function("look", '{"at": "sky"}')}]),
        chunk("stop"),
    )

    assert [made.args for made in whole.get_function_calls()] == [{"at": "sea"}, {"at": "sky"}]


def test_ids_that_two_calls_have_are_left_to_the_agent():
    _, whole = read(
        chunk(tool_calls=[{"index": n, "id": "same", **function("stop", {})} for n in range(2)]), chunk("tool_calls")
    )

    assert [made.id for made in whole.get_function_calls()] == ["same", None]


def test_arguments_with_mistakes_are_put_right_and_others_are_told_to_the_model():
    _, mended = read(chunk(tool_calls=[{"index": 0, **function("look", "{'at': 'sea',}")}]), chunk("tool_calls"))
    _, broken = read(chunk(tool_calls=[{"index": 0, **function("look", "the sea")}]), chunk("tool_calls"))

    assert mended.get_function_calls()[0].args == {"at": "sea"}
    (call,) = broken.get_function_calls()
    assert (broken.stop_reason, broken.error_code, call.name) == ("tool_use", None, "look")
    assert "the sea" in str(call.args)
    assert "cannot be read" in (why_unreadable(call) or "")


@pytest.mark.parametrize(
    "arguments",
    [
        '{"at": "sea", "depth": 10',
        '{"at": "sea"}{"at": "sky"}',
        '{"at": "sea", "at": "sky"}',
        '{"at": "sea"} and so on',
        '{"at": 1e400}',
        "[1]",
    ],
)
@pytest.mark.parametrize("old", [False, True], ids=["tool_calls", "function_call"])
def test_arguments_that_would_have_to_be_guessed_are_told_to_the_model(arguments, old):
    made = function("look", arguments)
    delta = {"function_call": made["function"]} if old else {"tool_calls": [{"index": 0, **made}]}
    _, whole = read(chunk(**delta), chunk("stop"))

    assert whole.stop_reason == "tool_use"
    assert why_unreadable(whole.get_function_calls()[0])


def test_arguments_that_are_json_in_a_json_string_are_read():
    _, whole = read(chunk(tool_calls=[function("look", json.dumps(json.dumps({"at": "sea"})))]), chunk("tool_calls"))

    assert whole.get_function_calls()[0].args == {"at": "sea"}


def test_numbers_keep_their_digits():
    _, whole = read(chunk(tool_calls=[function("look", '{"at": 1000000000000000000000000000001}')]), chunk("tool_calls"))

    stored = LlmResponse.model_validate_json(whole.model_dump_json())
    assert stored.get_function_calls()[0].args == {"at": 10**30 + 1}


# -- servers that write an answer otherwise


@pytest.mark.parametrize("finish", ["STOP", "eos_token", "end_turn", "stop_sequence", "EOS", "completed", "tool_use"])
def test_any_name_of_an_end_is_one(finish):
    _, whole = read(chunk(content="Yes."), chunk(finish))

    assert (whole.text, whole.stop_reason, whole.error_code) == ("Yes.", "end_turn", None)


@pytest.mark.parametrize(
    ("finish", "stop"), [("LENGTH", "max_tokens"), ("max_tokens", "max_tokens"), ("abort", "error"), ("error", "error")]
)
def test_an_answer_that_is_not_whole_is_not_taken_for_one(finish, stop):
    _, whole = read(chunk(content="Ye"), chunk(finish))

    assert (whole.text, whole.stop_reason) == ("Ye", stop)


def test_a_content_in_parts_is_read():
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    parts = [thinking, {"type": "text", "text": "It "}, {"type": "text", "text": "is."}]
    whole_answer = {"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}

    for whole in (read(chunk(content=parts), chunk("stop"))[1], read(whole_answer, streamed=False)[1]):
        assert [(part.text, bool(part.thought)) for part in whole.parts] == [("Hm.", True), ("It is.", False)]


def test_the_end_mark_ends_a_stream_that_gave_no_reason():
    _, whole = read(chunk(content="Yes."), DONE)

    assert (whole.text, whole.stop_reason) == ("Yes.", "end_turn")
    with pytest.raises(ProviderError, match="cut"):
        read(chunk(content="Yes."))


def test_the_one_call_of_old_servers_is_a_call():
    pieces = [{"name": "look", "arguments": ""}, {"arguments": '{"at"'}, {"arguments": ': "sea"}'}]
    _, streamed = read(*(chunk(function_call=one) for one in pieces), chunk("function_call"))
    message = {"content": None, "function_call": {"name": "look", "arguments": '{"at": "sea"}'}}
    _, at_once = read({"choices": [{"message": message, "finish_reason": "function_call"}]}, streamed=False)

    for whole in (streamed, at_once):
        assert [(made.name, made.args) for made in whole.get_function_calls()] == [("look", {"at": "sea"})]
        assert whole.stop_reason == "tool_use"


@pytest.mark.parametrize("call_id", [None, "c"])
def test_a_call_whose_name_is_in_every_piece_is_one(call_id):
    pieces = ['{"at"', ': "sea"', "}"]
    _, whole = read(*(chunk(tool_calls=[{"id": call_id, **function("look", one)}]) for one in pieces), chunk("stop"))

    assert [made.args for made in whole.get_function_calls()] == [{"at": "sea"}]


def test_whole_calls_without_number_or_id_are_told_apart():
    made = [function("look", '{"at": "sea"}'), function("look", '{"at": "sky"}'), function("stop", "")]
    _, whole = read(*(chunk(tool_calls=[{"index": 0, **one}]) for one in made), chunk("stop"))

    assert [call.name for call in whole.get_function_calls()] == ["look", "look", "stop"]


def test_a_whole_call_beside_a_length_limit_is_made_and_half_a_one_is_not():
    made = [{"index": 0, **function("look", '{"at": "sea"}')}, {"index": 1, **function("look", '{"at": "s')}]
    _, whole = read(chunk(tool_calls=made), chunk("length"))

    assert [call.args for call in whole.get_function_calls()] == [{"at": "sea"}]
    assert (whole.stop_reason, whole.error_code) == ("tool_use", None)


def test_a_refusal_is_told_as_one():
    _, whole = read(chunk(refusal="I cannot "), chunk(refusal="do that."), chunk("stop"))

    assert (whole.text, whole.stop_reason, whole.error_code) == ("I cannot do that.", "safety", "SAFETY")


def test_half_a_call_at_the_limit_is_not_made():
    _, whole = read(chunk(tool_calls=[{"index": 0, **function("look", '{"at": "se')}]), chunk("length"))

    assert (whole.stop_reason, whole.error_code, whole.parts) == ("max_tokens", "MAX_TOKENS", [])
    assert "max_output_tokens" in whole.error_message


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "look", "arguments": {"at": "sea"}}',
        '<tool_call>\n{"name": "look", "arguments": {"at": "sea"}}\n</tool_call>',
        '```json\n{"name": "look", "arguments": {"at": "sea"}}\n```',
    ],
)
def test_a_call_that_was_written_as_text_is_a_call_and_never_shown(written):
    pieces, whole = read(*(chunk(content=c) for c in written), chunk("stop"), tools=_declared())

    assert pieces == []
    assert [(made.name, made.args) for made in whole.get_function_calls()] == [("look", {"at": "sea"})]
    assert (whole.text, whole.stop_reason) == ("", "tool_use")


def test_text_before_a_written_call_is_shown():
    said = 'I look.\n<tool_call>{"name": "look", "arguments": {}}</tool_call>'
    pieces, whole = read(*(chunk(content=c) for c in said), chunk("stop"), tools=_declared())

    assert "".join(piece.text for piece in pieces) == whole.text == "I look.\n"
    assert len(whole.get_function_calls()) == 1


@pytest.mark.parametrize("said", ['{"stars": 4}', '{"name": "Ada"}', "```python\nx\n```", "a < b <tool", "{", "<tool_call>"])
def test_text_that_only_looks_like_a_call_is_all_shown(said):
    pieces, whole = read(*(chunk(content=c) for c in said), chunk("stop"), tools=_declared())

    assert "".join(piece.text for piece in pieces) == whole.text == said


def test_the_json_protocol_shows_the_response_as_it_grows_and_nothing_else():
    reply = json.dumps({"response": 'It is "so".'})
    pieces, whole = read(*(chunk(content=c) for c in reply), chunk("stop"), tools=_declared(), protocol="json")

    assert "".join(piece.text for piece in pieces) == whole.text == 'It is "so".'
    assert len(pieces) > 5


@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=5), st.booleans())
def test_pieces_add_up_whatever_is_said(texts, with_tools):
    tools = _declared() if with_tools else ()
    pieces, whole = read(*says(*texts).steps, tools=tools)

    assert "".join(piece.text for piece in pieces) == whole.text
    if not with_tools:
        assert whole.text == "".join(texts)


def _declared() -> list[types.FunctionDeclaration]:
    return [declared for tool in conversation().config.tools for declared in tool.function_declarations]


@pytest.mark.parametrize(
    ("finish", "stop", "error"),
    [
        ("stop", "end_turn", None),
        ("eos", "end_turn", None),
        ("tool_calls", "end_turn", None),
        ("length", "max_tokens", None),
        ("content_filter", "safety", "SAFETY"),
        ("abort", "error", "OTHER"),
    ],
)
def test_every_finish_reason_has_a_stop_reason(finish, stop, error):
    _, whole = read(*says("So far", finish=finish).steps)

    assert (whole.text, whole.stop_reason, whole.error_code, bool(whole.error_message)) == (
        "So far",
        stop,
        error,
        bool(error),
    )


def test_a_stream_without_an_end_was_cut_and_one_without_a_choice_is_empty():
    with pytest.raises(ProviderError, match="was cut") as cut:
        read(chunk(content="Once"))
    with pytest.raises(EmptyResponseError):
        read(usage())

    assert (cut.value.code, cut.value.retryable) == ("CONNECTION_CUT", True)


def test_an_answer_in_one_may_lack_a_reason():
    _, whole = read({"choices": [{"message": {"content": "Yes."}}]}, streamed=False)

    assert (whole.text, whole.stop_reason, whole.usage_metadata, whole.model_version) == ("Yes.", "end_turn", None, None)


def test_thoughts_have_either_name_and_come_first():
    _, whole = read(chunk(reasoning="hm "), chunk(reasoning_content="well"), *says("Yes.").steps)

    assert [(part.text, bool(part.thought)) for part in whole.parts] == [("hm well", True), ("Yes.", False)]


def test_tokens_of_thoughts_and_of_what_was_known_are_told_apart():
    counted = usage_of(
        {
            "prompt_tokens": 100,
            "completion_tokens": 30,
            "completion_tokens_details": {"reasoning_tokens": 20},
            "prompt_tokens_details": {"cached_tokens": 60},
        }
    )

    assert (counted.prompt_token_count, counted.candidates_token_count, counted.thoughts_token_count) == (100, 10, 20)
    assert (counted.cached_content_token_count, counted.total_token_count) == (60, 130)


@pytest.mark.parametrize(
    ("reported", "named"),
    [("qwen", "llama/qwen"), ("/home/me/q.gguf", "llama/q.gguf"), ("a/q.gguf", "llama/q.gguf"), ("org/q", "llama/org/q")],
)
def test_who_answered_is_named_without_where_its_file_is(reported, named):
    _, whole = read({**chunk("stop", content="x"), "model": reported})

    assert whole.model_version == named


@pytest.mark.parametrize(
    "bad",
    [
        {"choices": None},
        {"choices": ["x"]},
        {"choices": [{"delta": "x"}]},
        {"choices": [{"delta": {"content": 5, "tool_calls": ["x", {"function": 3}]}}], "usage": {"prompt_tokens": "x"}},
        {"model": 5, "usage": []},
    ],
)
def test_chunks_of_a_wrong_shape_are_passed_over(bad):
    _, whole = read(bad, *says("Yes.").steps[1:3])

    assert (whole.text, whole.get_function_calls()) == ("Yes.", [])


def test_halves_of_characters_do_not_end_the_call():
    _, whole = read(*says("a \ud83d b").steps)

    assert whole.text == "a \N{REPLACEMENT CHARACTER} b"
