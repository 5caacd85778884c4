"""The script that loads and runs packages of other repositories counts what runs, and says why the others do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.foreign_packages import main, packages_in, reason_of

RUNS = """
from google.adk.agents import Agent, LoopAgent
from google.adk.tools import exit_loop
from pydantic import BaseModel
class Note(BaseModel):
    title: str
    pages: int
writer = Agent(name="writer", model="gemini-2.5-pro", output_schema=Note, output_key="note")
checker = Agent(name="checker", model="gemini-2.5-pro", instruction="Check {note}.", tools=[exit_loop])
root_agent = LoopAgent(name="loop", sub_agents=[writer, checker])
"""
NEEDS = "from google.adk.agents.remote_a2a_agent import RemoteA2aAgent\nroot_agent = RemoteA2aAgent(name='far')\n"
PART = "from google.adk.agents import Agent\nroot_agent = Agent(name='part')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "first/agents/runs": RUNS,
        "first/agents/runs/sub_agents/part": PART,
        "second/needs": NEEDS,
        "second/tests/no": PART,
    }
    for name, text in files.items():
        package = tmp_path / name
        package.mkdir(parents=True)
        (package / "agent.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_packages_are_run_and_counted(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert [found.name for repository in ("first", "second") for found in packages_in(folder / repository)] == [
        "runs",
        "needs",
    ]
    assert main([folder]) == 0
    said = capsys.readouterr().out
    assert "first/agents/runs: runs\n" in said
    assert "second/needs: ImportError: google.adk.agents.remote_a2a_agent.RemoteA2aAgent is not here" in said
    assert said.endswith("2 packages, 1 run\n   1 do not: it needs a service (remote)\n1 of 1 that need nothing else run\n")


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        ("needs fastapi, which is not installed: run `uv pip install fastapi`.", "it needs a package that is not installed"),
        ("ValueError: GITHUB_TOKEN environment variable not set", "it needs a key or an account"),
        ("AssertionError: URL is not set (config.py, line 12)", "it needs settings of its environment"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a.json'", "it needs a file that is not there"),
        ("ValidationError of LoopAgent: sub_agent: Extra inputs are not permitted", ""),
    ],
)
def test_a_reason_is_found_in_an_outcome(outcome: str, reason: str):
    assert reason_of(outcome) == reason
