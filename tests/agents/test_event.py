from __future__ import annotations

import os
import uuid

import pytest
from google.genai import types
from pydantic import ValidationError

from agents.event import Event, EventActions, NodeInfo, ToolConfirmation, new_uuid
from agents.log import event_to_json

CALL = types.Part(function_call=types.FunctionCall(id="c", name="f", args={}))
RESPONSE = types.Part(function_response=types.FunctionResponse(id="c", name="f", response={}))


def event(*parts, **fields):
    return Event(author="a", content=types.Content(role="model", parts=list(parts)), **fields)


def test_ids_are_unique():
    ids = {Event().id for _ in range(100)}
    assert len(ids) == 100
    assert all(len(i) == 32 and int(i, 16) >= 0 for i in ids)


def test_an_event_knows_its_place_once_it_is_stored():
    found = Event()
    assert found.seq is None
    found.stored_as(7)
    assert found.seq == 7


def test_events_compare_by_value_not_by_place():
    one = event(types.Part(text="x"))
    two = one.model_copy(deep=True)
    one.stored_as(7)
    assert one == two
    assert one != event(types.Part(text="x"), id=one.id, timestamp=one.timestamp, branch="b")


@pytest.mark.parametrize(
    ("found", "final"),
    [
        (event(types.Part(text="x")), True), (Event(), True), (event(types.Part(text="x"), partial=True), False),
        (event(CALL), False), (event(RESPONSE), False), (event(types.Part(text="x"), CALL), False),
        (event(RESPONSE, actions=EventActions(skip_summarization=True)), True),
        (event(CALL, long_running_tool_ids={"c"}), True),
    ],
)  # fmt: skip
def test_final_responses(found, final):
    assert found.is_final_response() is final


def test_text_is_what_was_said_not_what_was_thought():
    found = event(types.Part(text="think", thought=True), types.Part(text="a"), CALL, types.Part(text="b"))
    assert found.text == "ab"
    assert [call.name for call in found.get_function_calls()] == ["f"]
    assert found.get_function_responses() == []
    assert (Event().text, Event().parts) == ("", [])
    assert found.final_text() is None
    assert [event(*parts).final_text() for parts in [(types.Part(text="x", thought=True), types.Part(text="a")), ()]] == [
        "a",
        "",
    ]
    assert event(types.Part(text="a"), RESPONSE, actions=EventActions(skip_summarization=True)).final_text() == "a"


def test_unknown_fields_are_refused():
    with pytest.raises(ValidationError):
        Event(state_delta={})
    with pytest.raises(ValidationError):
        EventActions(escalated=True)


def test_what_a_person_is_asked_is_kept():
    asked = {"c-1": ToolConfirmation(hint="Sure?", payload={"n": 1})}
    found = event(CALL, actions=EventActions(requested_tool_confirmations=asked), long_running_tool_ids={"c-2"})
    assert Event.model_validate_json(event_to_json(found)) == found
    assert "requested_tool_confirmations" not in event_to_json(event(CALL))


def test_a_uuid_is_one_of_version_4():
    made = {new_uuid() for _ in range(100)}
    assert len(made) == 100
    assert {(uuid.UUID(text).version, uuid.UUID(text).variant) for text in made} == {(4, uuid.RFC_4122)}


def test_a_forked_process_gives_ids_of_its_own():
    read, write = os.pipe()
    if not (child := os.fork()):
        os.write(write, Event.new_id().encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 32).decode() != Event.new_id()
    os.close(read)
    os.close(write)


def test_an_event_names_its_node():
    inside = Event(author="graph", node_info=NodeInfo(path="graph@1/writer@2"))
    assert (inside.node_name, Event(author="writer").node_name) == ("writer", "")
