"""A limit that is reached is 429 with a time in all protocols, each in its own form of an error; MCP has no status."""

from __future__ import annotations

import pytest
from mcp import Client
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agents.access import visitor
from agents.workspace import Workspace
from ui.access import identity
from ui.api.adk.routes import adk_routes
from ui.api.ag_ui.routes import ag_ui_routes
from ui.api.mcp.server import PlaygroundServer
from ui.api.openai.routes import openai_routes
from ui.state import runs

ANN = visitor("ann")
SAID = "You have used 0 of 0 model calls a day: that is the limit 'model_calls'. It is free again at 00:00 UTC, in "
CHAT = {"model": "iterative_writing", "messages": [{"role": "user", "content": "a lighthouse"}]}
AG_UI = {"threadId": "t", "runId": "r", "tools": [], "context": [], "state": {}, "forwardedProps": {}}
AG_UI["messages"] = [{"id": "m", "role": "user", "content": "a lighthouse"}]


@pytest.fixture
def limited(tmp_path, monkeypatch, quiet_world):
    def limited(text: str) -> TestClient:
        (tmp_path / "limits.toml").write_text(text)
        monkeypatch.setenv("PLAYGROUND_LIMITS", str(tmp_path / "limits.toml"))
        monkeypatch.setattr(identity, "current", lambda: ANN)
        runs.adopt(Workspace(None))
        return TestClient(Starlette(routes=[*openai_routes(), *ag_ui_routes(), *adk_routes()]))

    yield limited
    runs.close()


def refused(answer) -> dict:
    assert answer.status_code == 429, answer.text
    assert 0 < int(answer.headers["retry-after"]) <= 86_400
    return answer.json()


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
def test_openai(limited, path):
    body = CHAT if "chat" in path else {"model": "iterative_writing", "input": "a lighthouse"}
    error = refused(limited("[user]\nmodel_calls = 0").post(path, json=body))["error"]
    assert error["message"].startswith(SAID)
    assert (error["type"], error["code"]) == ("rate_limit_error", "limit_reached")


def test_openai_when_it_is_used_up_in_the_middle(limited):
    answer = limited("[user]\nmodel_calls = 2").post("/v1/chat/completions", json=CHAT)
    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "limit_reached"
    assert "You have used 2 of 2 model calls a day" in answer.json()["error"]["message"]


def test_ag_ui(limited):
    told = refused(limited("[user]\nmodel_calls = 0").post("/ag-ui/iterative_writing", json=AG_UI))
    assert told["detail"].startswith(SAID)
    assert told["error"]["code"] == "limit_reached"


def test_adk(limited):
    client = limited("[user]\nmodel_calls = 0\nsessions = 1")
    home = "/apps/iterative_writing/users/user/sessions"
    session = client.post(home).json()["id"]
    about = {"appName": "iterative_writing", "userId": "user", "sessionId": session}
    about["newMessage"] = {"role": "user", "parts": [{"text": "a lighthouse"}]}
    for path in ("/run", "/run_sse"):
        assert refused(client.post(path, json=about))["detail"].startswith(SAID)
    answer = client.post(home)  # where nothing but the user makes room
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "30")
    assert "You have used 1 of 1 sessions" in answer.json()["detail"]


@pytest.mark.anyio
async def test_mcp(limited):
    limited("[user]\nmodel_calls = 0")
    async with Client(PlaygroundServer(lambda: runs.workspace().as_user(ANN))) as client:
        result = await client.call_tool("run_pipeline", {"pipeline": "iterative_writing", "message": "a lighthouse"})
    assert result.is_error
    assert SAID in result.content[0].text
