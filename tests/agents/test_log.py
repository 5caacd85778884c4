from __future__ import annotations

import json
import sys

from google.genai import types

from agents.event import Event, EventActions
from agents.log import LogEntry, TraceRecord, event_to_json, text_hash


def test_a_record_is_one_flat_object():
    record = TraceRecord("loop_iteration", "i1", "loop", "a.b", {"iteration": 1, "max_iterations": None}, timestamp=2.0)
    assert json.loads(record.to_json()) == {
        "invocation_id": "i1", "agent": "loop", "branch": "a.b", "timestamp": 2.0, "iteration": 1, "max_iterations": None,
    }  # fmt: skip
    assert "branch" not in json.loads(TraceRecord("k").to_json())


def test_a_record_never_holds_what_a_browser_cannot_read():
    text = TraceRecord("k", data={"n": float("nan"), "u": "ü\u2028"}).to_json()
    assert json.loads(text, parse_constant=lambda name: f"constant {name}")["n"] is None


def test_an_event_leaves_out_what_is_not_set_and_keeps_none_that_is_said():
    part = types.Part(function_response=types.FunctionResponse(name="f", response={"result": None}))
    event = Event(
        id="e", author="a", timestamp=1.0, content=types.Content(parts=[part]),
        actions=EventActions(state_delta={"k": None}),
    )  # fmt: skip
    assert json.loads(event_to_json(event)) == {
        "id": "e", "author": "a", "timestamp": 1.0, "actions": {"state_delta": {"k": None}},
        "content": {"parts": [{"function_response": {"name": "f", "response": {"result": None}}}]},
    }  # fmt: skip


def test_an_entry_reads_back_what_was_written():
    event = Event(author="a", content=types.Content(parts=[types.Part.from_bytes(data=b"\xff\xfb\x00", mime_type="x/y")]))
    entry = LogEntry(3, "event", event_to_json(event))
    assert entry.event() == event
    assert entry.fields()["content"]["parts"][0]["inline_data"] == {"mime_type": "x/y", "data": "__sA"}
    assert json.loads(entry.to_json()) == {"seq": 3, "kind": "event", "body": entry.fields()}


def test_a_text_has_one_name():
    assert text_hash("a") == text_hash("a") != text_hash("b")
    assert len(text_hash("\ud83c")) == 32


def test_the_cache_of_names_keeps_no_long_text():
    text = "the prompt of a large playbook " * 10_000
    before = sys.getrefcount(text)
    text_hash(text)
    assert sys.getrefcount(text) == before
