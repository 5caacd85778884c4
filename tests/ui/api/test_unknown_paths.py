"""What is not there is 404, and what is there is found as before."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

ASK = """
import json, sys
from starlette.testclient import TestClient
from streamlit import config
config.set_option("server.enableAgentApi", True)
config.set_option("server.baseUrlPath", sys.argv[1])
from ui.app import app
client = TestClient(app._build_starlette_app(), base_url="http://127.0.0.1", follow_redirects=False)
answers = {}
for line in json.load(sys.stdin):
    method, path = line.split(" ")
    answer = client.request(method, path)
    kind = answer.headers.get("content-type", "").partition(";")[0]
    answers[line] = [answer.status_code, kind, answer.headers.get("allow")]
print("answers:", json.dumps([answers, config.get_option("server.enableAgentApi")]))
"""
PAGES = ["/", "/gallery", "/lessons", "/build", "/playbook", "/sessions", "/lab", "/settings", "/demo", "/help"]
UNKNOWN = ["/nothing", "/gallery/nothing", "/v2/models", "/v1/nothing", "/index", "/_stcore/nothing",
           "/_stcore/agent/mcp", "/_stcore/agent/interact", "/_stcore/agent/openapi.json", "/gallery/_stcore/agent/mcp",
           "/static/nothing.js", "/static/js/nothing.js", "/api/nothing", "/llms.txt.bak", "/.env"]  # fmt: skip


def answers(base: str, lines: list[str]) -> tuple[dict[str, list[str]], bool]:
    """What the app answers. It is asked in a process of its own: Streamlit's routes exist beside a runtime."""
    given = json.dumps(lines)
    printed = subprocess.run(
        [sys.executable, "-c", ASK, base], input=given, capture_output=True, text=True, check=True
    ).stdout
    return json.loads(printed.partition("answers: ")[2])


@pytest.fixture(scope="module", params=["", "/play"])
def asked(request):
    base = request.param
    lines = [f"GET {base}{path}" for path in [*PAGES, *UNKNOWN, "/llms.txt", "/favicon.png", "/_stcore/health", "/gallery/"]]
    lines += [f"POST {base}{path}" for path in ("/nothing", "/_stcore/agent/mcp", "/gallery")]
    found, agent_api = answers(base, lines)
    return {line.replace(f" {base}/", " /"): answer for line, answer in found.items()}, agent_api


def test_pages_and_files_are_found(asked):
    found, _ = asked
    assert [path for path in PAGES if found[f"GET {path}"][:2] != [200, "text/html"]] == []
    assert [found[f"GET {path}"][0] for path in ("/llms.txt", "/favicon.png")] == [200, 200]
    assert found["GET /_stcore/health"][1] == "text/plain"  # 503 without a running runtime
    assert found["GET /gallery/"][0] == 301


def test_everything_else_is_not_there(asked):
    found, _ = asked
    assert [path for path in UNKNOWN if found[f"GET {path}"][0] != 404] == []
    assert [found[f"POST {path}"][0] for path in ("/nothing", "/_stcore/agent/mcp")] == [404, 404]


def test_another_method_says_which_there_are(asked):
    found, _ = asked
    assert found["POST /gallery"][::2] == [405, "GET, HEAD"]


def test_streamlits_agent_api_is_off_whatever_a_setting_says(asked):
    assert asked[1] is False
