"""When two requests are the same, and what is said of two that are not."""

from __future__ import annotations

import json
import uuid

import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.model import LlmRequest
from agents.models.replay.request import SentRequest, content_key, drift
from tests.agents.models.providers import request

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
KEYS = st.builds(lambda text: content_key(types.Content(role="user", parts=[types.Part(text=text)])), TEXTS)
SENT = st.builds(
    SentRequest,
    TEXTS,
    st.lists(KEYS, max_size=3).map(tuple),
    st.lists(st.sampled_from(["look", "stop", "roll"]), unique=True).map(tuple),
    st.dictionaries(st.sampled_from(["temperature", "top_p"]), st.sampled_from([0.1, 0.2]), max_size=2),
)


def sent(*texts, **config) -> SentRequest:
    return SentRequest.of(request(*texts, **config))


def of_contents(*contents: types.Content) -> SentRequest:
    return SentRequest.of(LlmRequest(contents=list(contents)))


@settings(max_examples=60, deadline=None)
@given(SENT, SENT)
def test_a_drift_is_named_exactly_where_something_differs(one, other):
    words, detail = drift(one, other)

    differ = {
        "instruction": one.instruction != other.instruction,
        "conversation": one.contents != other.contents,
        "tools": one.tools != other.tools,
        "settings": one.settings != other.settings,
    }
    assert words == tuple(what for what, is_so in differ.items() if is_so)
    assert bool(words) == bool(detail) == (one != other)
    assert not detail or (
        detail.startswith("The " if words[0] != "conversation" else ("The ", "Mess")) and detail[-1] == "."
    )
    assert "\n" not in detail
    assert len(detail) < 200


@pytest.mark.parametrize(
    ("recorded", "now", "words", "detail"),
    [
        (
            sent(system_instruction="You are to write a letter. Be brief."),
            sent(system_instruction="You are to write a letter. Be long."),
            ("instruction",),
            "The instruction differs: “…write a letter. Be brief.” was recorded, now it is “…write a letter. Be long.”.",
        ),
        (sent(system_instruction=None), sent(), ("instruction",), "The instruction differs: “Answer.” is new."),
        (
            sent("Paint a boat."),
            sent("Paint a house."),
            ("conversation",),
            "Message 1 of the conversation differs: “Paint a boat.” was recorded, now it is “Paint a house.”.",
        ),
        (sent("One"), sent("One", "Two"), ("conversation",), "The conversation has 2 messages where 1 was recorded."),
        (
            sent(temperature=0.2),
            sent(temperature=0.7),
            ("settings",),
            "The settings differ: temperature was 0.2, it is 0.7.",
        ),
        (sent(), sent(top_k=4), ("settings",), "The settings differ: top_k was not set, it is 4.0."),
        (
            SentRequest(tools=("look", "stop")),
            SentRequest(tools=("look", "roll")),
            ("tools",),
            "The tools differ: roll was not there; stop is missing.",
        ),
        (
            SentRequest(tools=("look", "stop")),
            SentRequest(tools=("stop", "look")),
            ("tools",),
            "The tools differ: they are in another order.",
        ),
    ],
)
def test_the_first_difference_is_a_sentence(recorded, now, words, detail):
    assert drift(recorded, now) == (words, detail)


def test_a_long_text_is_shown_around_the_place_where_it_differs():
    _, detail = drift(sent("a" * 500 + " boat " + "b" * 500), sent("a" * 500 + " house " + "b" * 500))

    assert "“…boat bbb" in detail
    assert "“…house bbb" in detail
    assert len(detail) < 250


def call_and_result(call_id: str | None, text: str = "a") -> tuple[types.Content, types.Content]:
    made = types.FunctionCall(id=call_id, name="look", args={"at": [1, None], "by": {"b": 1, "a": text}})
    result = types.FunctionResponse(id=call_id, name="look", response={"seen": text})
    return (
        types.Content(role="model", parts=[types.Part(function_call=made)]),
        types.Content(role="user", parts=[types.Part(function_response=result)]),
    )


def test_ids_of_calls_make_no_difference():
    assert (
        of_contents(*call_and_result("adk-1")) == of_contents(*call_and_result(None)) == of_contents(*call_and_result("7"))
    )
    assert of_contents(*call_and_result("adk-1")) != of_contents(*call_and_result("adk-1", "b"))


def test_ids_in_texts_make_no_difference():
    def text():
        return f"Ticket {uuid.uuid4()}, event {uuid.uuid4().hex}."

    assert sent(text(), system_instruction=text()) == sent(text(), system_instruction=text())
    assert sent("Ticket 1") != sent("Ticket 2")


def test_calls_and_results_that_differ_are_shown_as_such():
    _, detail = drift(of_contents(*call_and_result("1")), of_contents(*call_and_result("1", "b")))
    assert detail.startswith("Message 1 of the conversation differs: “")
    was, now = call_and_result("1")[1], call_and_result("1", "b")[1]
    assert drift(of_contents(was), of_contents(now))[1] == (
        'Message 1 of the conversation differs: “look → {"seen": "a"}” was recorded, now it is “look → {"seen": "b"}”.'
    )


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=20))
def test_a_message_is_the_same_after_it_was_written_down(text):
    content = types.Content(role="user", parts=[types.Part(text=text), *(call_and_result("1", text)[1].parts or ())])
    written = json.loads(json.dumps(content.model_dump(mode="json", exclude_none=True)))

    assert content_key(content) == content_key(written)
    assert content.parts[1].function_response.id == "1", "it is not changed"


def test_half_a_character_is_compared_as_a_log_holds_it():
    assert sent("x\ud83d") == sent("x�")


def test_a_file_is_a_difference_too():
    def picture(data: bytes) -> SentRequest:
        blob = types.Blob(mime_type="image/png", data=data)
        return of_contents(types.Content(role="user", parts=[types.Part(inline_data=blob)]))

    assert picture(b"\xff1") == picture(b"\xff1")
    words, detail = drift(picture(b"\xff1"), picture(b"\xff2"))
    assert words == ("conversation",)
    assert "inline_data" in detail or "…" in detail
