"""Malformed, huge, unknown, cut and hostile requests: each has an answer in OpenAI's shape, and starts nothing."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agents.access import OWNER, TokenScope
from ui.access import identity
from ui.api import json_body
from ui.api.openai.routes import openai_routes

ASK = [{"role": "user", "content": "What is 17 + 25?"}]


@pytest.fixture
def client(manager):
    return TestClient(Starlette(routes=openai_routes()))


def chat(**more):
    return {"model": "ace", "messages": ASK, **more}


def message(content, **more):
    return chat(messages=[{"role": "user", "content": content, **more}])


BAD = [
    ({}, 400, "model"),
    ({"model": "ace"}, 400, "messages"),
    (chat(model="nobody"), 404, None),
    (chat(model="../ace"), 404, None),
    (chat(model=7), 400, "model"),
    (chat(model="ace/no-such-model"), 400, None),
    (chat(messages=[]), 400, "messages"),
    (chat(messages="hello"), 400, "messages"),
    (chat(messages=[{"role": "wizard", "content": "x"}]), 400, "messages.0.role"),
    (chat(messages=[*ASK, {"role": "assistant", "content": "42"}]), 400, "messages"),
    (chat(messages=ASK * 2001), 400, "messages"),
    (message(""), 400, "messages"),
    (message("   "), 400, "messages"),
    (message(7), 400, "messages.0.content"),
    (message("\ud800"), 400, None),
    (message("x" * 70_000), 400, None),
    (message([{"type": "input_audio", "input_audio": {}}]), 400, "messages.0.content.0"),
    (message([{"type": "image_url", "image_url": {"url": "http://169.254.169.254/x"}}]), 400, "messages.0.content.0"),
    (message([{"type": "image_url", "image_url": {"url": "data:image/png;base64,%%%"}}]), 400, "messages.0.content.0"),
    (chat(messages=[{"role": "tool", "tool_call_id": "x", "content": "y"}]), 400, "messages"),
    (chat(messages=[{"role": "tool", "content": "y"}]), 400, "messages.0"),
    (chat(n=2), 400, "n"),
    (chat(temperature="hot"), 400, "temperature"),
    (chat(max_tokens=0), 400, "max_tokens"),
    (chat(tools=[{"type": "web_search"}]), 400, "tools.0"),
    (chat(tools=[{"type": "function", "function": {"name": "a b"}}]), 400, "tools.0"),
    (chat(tools=[{"type": "function", "function": {"name": "a", "parameters": []}}] * 2), 400, "tools.1"),
    (chat(tools=[{"type": "function", "function": {"name": f"f{n}"}} for n in range(200)]), 400, "tools"),
    (chat(tool_choice="required"), 400, "tool_choice"),
    (chat(tool_choice={"type": "function", "function": {"name": "x"}}), 400, "tool_choice"),
    (chat(response_format={"type": "json_schema", "json_schema": {"name": "x"}}), 400, "response_format"),
    (chat(metadata={"session_id": "../../etc"}), 400, "conversation"),
    (chat(user=["x"]), 400, "user"),
]


@pytest.mark.parametrize(
    ("body", "status", "param"), BAD, ids=lambda value: str(value)[:60].encode("ascii", "replace").decode()
)
def test_what_cannot_be_done_says_why_and_starts_nothing(client, manager, body, status, param):
    answer = client.post("/v1/chat/completions", content=json.dumps(body))
    error = answer.json()["error"]
    assert (answer.status_code, error["param"]) == (status, param), error
    assert error.keys() == {"message", "type", "param", "code"}
    assert len(error["message"]) > 10
    assert manager.sessions.page(limit=0).found == 0


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"null",
        b"\xff\xfe",
        b'{"a": NaN}',
        b"[" * 100_000,
        b'{"model": "ace", "messages": [{"role"',
    ],
)
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
def test_what_is_no_json_object_says_so(client, path, content):
    answer = client.post(path, content=content)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")


def test_a_body_without_end_is_refused_before_it_is_read(client, monkeypatch):
    monkeypatch.setattr(json_body, "MOST_BYTES", 1000)
    sent = 0

    def chunks():
        nonlocal sent
        for _ in range(1000):
            sent += 1
            yield b" " * 500

    answer = client.post("/v1/chat/completions", content=chunks())
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        {"model": "ace", "input": []},
        {"model": "ace", "input": [{"type": "computer_call"}]},
        {"model": "ace", "input": "x", "background": True},
        {"model": "ace", "input": "x", "tools": [{"type": "file_search"}]},
        {"model": "ace", "input": [{"type": "function_call_output", "output": "x"}]},
        {"model": "ace", "input": "x", "text": {"format": {"type": "grammar"}}},
    ],
)
def test_responses_say_what_they_do_not_take(client, manager, body):
    answer = client.post("/v1/responses", json=body)
    assert answer.status_code == 400, answer.text
    assert manager.sessions.page(limit=0).found == 0


@pytest.mark.parametrize("previous", ["resp_x", "resp_", "resp_WzFd", "x" * 1000, "resp_" + "W" * 1900])
def test_a_response_that_was_never_given_is_not_there(client, previous):
    answer = client.post("/v1/responses", json={"model": "ace", "input": "x", "previous_response_id": previous})
    assert (answer.status_code, answer.json()["error"]["type"]) == (404, "not_found_error")
    assert client.get(f"/v1/responses/{previous}").status_code == 404


def test_a_token_that_only_reads_starts_nothing(client, manager, monkeypatch):
    token, _ = manager.tokens.make(OWNER, "reader", {TokenScope.READ})
    monkeypatch.setattr(identity, "current", lambda: token.user)
    assert client.get("/v1/models").status_code == 200
    answer = client.post("/v1/chat/completions", json=chat())
    assert (answer.status_code, "lacks the scope run" in answer.json()["error"]["message"]) == (403, True)
    assert manager.sessions.page(limit=0).found == 0


def test_what_a_token_without_administer_teaches_waits_for_approval(client, manager, monkeypatch):
    token, _ = manager.tokens.make(OWNER, "chat", {TokenScope.RUN})
    lesson = "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?\nAnswer: 1.50"
    taught = {"model": "ace", "messages": [{"role": "user", "content": lesson}]}
    monkeypatch.setattr(identity, "current", lambda: token.user)
    answer = client.post("/v1/chat/completions", json=taught).json()
    assert "Answer it in the playground" in answer["choices"][0]["message"]["content"]
    assert manager.playbooks("ace").playbook().bullets == ()
    monkeypatch.undo()
    client.post("/v1/chat/completions", json=taught)
    assert len(manager.playbooks("ace").playbook().bullets) == 1


def test_a_failing_run_is_an_error_and_in_a_stream_its_last_event(client, manager):
    manager.models.change(model="gemini-pro-latest")
    answer = client.post("/v1/chat/completions", json=chat())
    assert (answer.status_code, answer.json()["error"]["type"]) == (500, "server_error")
    streamed = client.post("/v1/chat/completions", json=chat(stream=True))
    events = [json.loads(line[6:]) for line in streamed.text.splitlines() if line.startswith("data: {")]
    assert events[-1]["error"]["type"] == "server_error"
    assert streamed.text.endswith("data: [DONE]\n\n")
    typed = client.post("/v1/responses", json={"model": "ace", "input": "x", "stream": True})
    last = json.loads(typed.text.strip().splitlines()[-1][6:])
    assert (last["type"], last["response"]["status"]) == ("response.failed", "failed")
    assert last["response"]["error"]["message"]
