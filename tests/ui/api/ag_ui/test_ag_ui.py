"""AG-UI: every stream is read by the protocol's own models, and by the rules that its clients hold it to."""

from __future__ import annotations

import json

import pytest
from ag_ui.core import Event
from pydantic import TypeAdapter
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agents import Fault
from ui.api.ag_ui.routes import ag_ui_routes

EVENT = TypeAdapter(Event)
OPENED = {"TEXT_MESSAGE": "messageId", "REASONING_MESSAGE": "messageId", "REASONING": "messageId", "TOOL_CALL": "toolCallId"}
LIGHTS = {
    "name": "set_lights",
    "description": "Sets the lights of the page.",
    "parameters": {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]},
}


@pytest.fixture
def client(manager):
    with TestClient(Starlette(routes=ag_ui_routes())) as made:
        yield made


def asked(thread="t-1", text="a lighthouse", **more):
    message = {"id": "m-1", "role": "user", "content": text}
    return {"threadId": thread, "runId": "r-1", "messages": [message], "tools": [], "context": [], **more}


def events(client, pipeline, body):
    with client.stream("POST", f"/ag-ui/{pipeline}", json=body) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        found = [json.loads(line.removeprefix("data: ")) for line in answer.iter_lines() if line.startswith("data: ")]
    hold_to_the_rules(found)
    return found


def hold_to_the_rules(found):
    for event in found:
        read = EVENT.validate_python(event)
        assert read.model_dump(by_alias=True, mode="json", exclude_none=True).keys() >= event.keys() - {"snapshot"}
        assert not getattr(read, "model_extra", None), event
    assert found[0]["type"] == "RUN_STARTED"
    assert found[-1]["type"] in {"RUN_FINISHED", "RUN_ERROR"}
    opened = {kind: set() for kind in (*OPENED, "STEP")}
    for event in found:
        for kind, key in OPENED.items():
            if event["type"] == f"{kind}_START":
                assert event[key] not in opened[kind]
                opened[kind].add(event[key])
            elif event["type"] in {f"{kind}_CONTENT", f"{kind}_ARGS"}:
                assert event[key] in opened[kind]
                assert event["delta"]
            elif event["type"] == f"{kind}_END":
                opened[kind].remove(event[key])
        if event["type"] == "STEP_STARTED":
            assert event["stepName"] not in opened["STEP"]
            opened["STEP"].add(event["stepName"])
        elif event["type"] == "STEP_FINISHED":
            opened["STEP"].remove(event["stepName"])
    assert not any(opened.values())


def state_after(found):
    state = {}
    for event in found:
        if event["type"] == "STATE_SNAPSHOT":
            state = dict(event["snapshot"])
        for change in event["delta"] if event["type"] == "STATE_DELTA" else ():
            state[change["path"].removeprefix("/").replace("~1", "/").replace("~0", "~")] = change["value"]
    return state


def kinds(found):
    return [event["type"] for event in found]


@pytest.mark.parametrize("speed", ["0", "400"])
def test_a_run_is_told_by_messages_steps_and_state(client, manager, monkeypatch, speed):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", speed)
    found = events(client, "iterative_writing", asked())
    assert found[-1]["outcome"] == {"type": "success"}
    assert found[-1]["usage"][0]["totalTokens"] > 0
    assert {"STEP_STARTED", "TEXT_MESSAGE_CONTENT", "STATE_DELTA"} <= set(kinds(found))
    said = {}
    for event in found:
        if event["type"] == "TEXT_MESSAGE_CONTENT":
            said[event["messageId"]] = said.get(event["messageId"], "") + event["delta"]
    log = [entry.event() for entry in manager.sessions.log("iterative_writing", "t-1") if entry.kind == "event"]
    assert said == {event.id: event.text for event in log if event.author != "user" and event.text}
    assert state_after(found) == manager.sessions.state("iterative_writing", "t-1")


def test_a_thread_goes_on(client, manager):
    events(client, "iterative_writing", asked())
    again = asked(text="a harbour", runId="r-2")
    again["messages"] = [{"id": "m-0", "role": "user", "content": "a lighthouse"}, *again["messages"]]
    events(client, "iterative_writing", again)
    log = [entry.event() for entry in manager.sessions.log("iterative_writing", "t-1") if entry.kind == "event"]
    assert [event.text for event in log if event.author == "user" and event.text] == ["a lighthouse", "a harbour"]


def test_what_was_said_elsewhere_before_is_kept(client, manager):
    body = asked(text="And again?")
    body["messages"] = [
        {"id": "a", "role": "system", "content": "Be kind."},
        {"id": "b", "role": "user", "content": "こんにちは"},
        {"id": "c", "role": "assistant", "content": "Hello"},
        *body["messages"],
    ]
    events(client, "iterative_writing", body)
    texts = [e.event().text for e in manager.sessions.log("iterative_writing", "t-1") if e.kind == "event"]
    assert texts[:3] == ["こんにちは", "Hello", "And again?"]


@pytest.mark.parametrize(
    ("answer", "paid"),
    [
        ({"status": "resolved", "payload": {"confirmed": True}}, True),
        ({"status": "resolved", "payload": {"approved": True}}, True),
        ({"status": "resolved", "payload": True}, True),
        ({"status": "resolved", "payload": {"confirmed": False}}, False),
        ({"status": "resolved", "payload": False}, False),
        ({"status": "cancelled"}, False),
    ],
)
def test_a_confirmation_is_an_interrupt_and_its_answer_resumes(client, answer, paid):
    first = events(client, "approval", asked(text="Pay 250 euros to the boat builder"))
    [interrupt] = first[-1]["outcome"]["interrupts"]
    assert (interrupt["reason"], interrupt["metadata"]["tool"]) == ("confirmation", "send_payment")
    resumed = asked(runId="r-2", messages=[], resume=[{"interruptId": interrupt["id"], **answer}])
    second = events(client, "approval", resumed)
    assert second[-1]["outcome"] == {"type": "success"}
    assert ("R-0001" in json.dumps(second)) is paid
    late = client.post("/ag-ui/approval", json=resumed)
    assert (late.status_code, "None of these interrupts" in late.text) == (400, True)


def test_a_function_of_the_page_is_called_and_its_result_resumes(client):
    body = asked(text="Please call set_lights with on = true", tools=[LIGHTS])
    first = events(client, "help_desk", body)
    calls = [event for event in first if event["type"] == "TOOL_CALL_START" and event["toolCallName"] == "set_lights"]
    assert first[-1]["outcome"] == {"type": "success", "pendingToolCallIds": [call["toolCallId"] for call in calls]}
    assert calls
    result = {"id": "m-2", "role": "tool", "content": "The lights are on.", "toolCallId": calls[0]["toolCallId"]}
    second = events(client, "help_desk", {**body, "runId": "r-2", "messages": [*body["messages"], result]})
    assert second[-1]["outcome"] == {"type": "success"}


def test_a_front_end_changes_the_sessions_own_state_alone(client, manager):
    state = {"topic": "灯台", "app:note": "x", "user:name": "y", "temp:z": 1}
    found = events(client, "iterative_writing", asked(state=state))
    assert state_after(found)["topic"] == "灯台"
    assert not {key for key in manager.sessions.state("iterative_writing", "t-1") if ":" in key}
    events(client, "iterative_writing", asked(state={**state, "topic": "sea"}, runId="r-2"))
    assert manager.sessions.state("iterative_writing", "t-1")["topic"] == "sea"


def test_a_failed_run_is_an_error(client, manager, monkeypatch):
    start = type(manager).start
    broken = [Fault(kind="refuse", call=0)]
    monkeypatch.setattr(type(manager), "start", lambda self, *given, **more: start(self, *given, **more, faults=broken))
    found = events(client, "iterative_writing", asked())
    assert found[-1]["type"] == "RUN_ERROR"
    assert found[-1]["message"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ([], 400),
        (asked(thread=""), 422),
        (asked(thread="x" * 201), 422),
        (asked(messages=[]), 400),
        (asked(messages=[{"id": "a", "role": "assistant", "content": "x"}]), 400),
        (asked(text=" "), 400),
        (asked(text=[{"type": "image", "source": {}}]), 400),
        (asked(text=[5]), 400),
        (asked(text="x" * 300_000), 400),
        (asked(tools=[{"name": ""}]), 422),
        (asked(resume=[{"interruptId": "nope", "status": "resolved"}]), 400),
        (asked(resume=[{"interruptId": "nope", "status": "perhaps"}]), 422),
    ],
)
def test_what_cannot_be_run_is_refused_before_the_stream(client, body, status):
    answer = client.post("/ag-ui/iterative_writing", json=body)
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)


def test_there_is_no_such_agent(client):
    assert client.post("/ag-ui/nope", json=asked()).status_code == 404
