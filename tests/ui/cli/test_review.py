"""`playground review`: findings as text and as JSON, broken pipelines, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ui.cli import main as cli

BAD = """
from agents import LlmAgent, LoopAgent
root_agent = LoopAgent(name="loop", sub_agents=[LlmAgent(name="writer", instruction="Write about {topik}.")])
"""


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    folder = tmp_path / "agents" / "endless"
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(BAD, encoding="utf-8")
    return folder.parent


def test_findings_are_listed_and_the_code_is_one(agents, capsys):
    assert cli.main(["review", str(agents)]) == 1
    said = capsys.readouterr()
    assert "✗ endless, loop, max_iterations: Nothing in this loop can end it" in said.out
    assert "endless-loop: A loop runs until" in said.out
    assert "✗ endless, writer, instruction: Nobody writes the state key {topik}" in said.out
    assert said.err == ""


def test_findings_as_json(agents, capsys):
    assert cli.main(["review", "--json", "--agents", str(agents)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["rule"], row["level"], row["agent"], row["field"]) for row in rows] == [
        ("endless-loop", "error", "loop", "max_iterations"),
        ("unwritten-state", "error", "writer", "instruction"),
    ]
    assert all(row["pipeline"] == "endless" and row["text"] and row["why"] for row in rows)


def test_the_built_in_pipelines_have_nothing(capsys):
    assert cli.main(["review"]) == 0
    assert "✓ iterative_writing: nothing was found." in capsys.readouterr().out


def test_a_broken_pipeline_is_named(agents, capsys):
    (agents / "endless" / "agent.py").write_text("root_agent = 3", encoding="utf-8")
    assert cli.main(["review", str(agents)]) == 1
    assert "the pipeline endless cannot be loaded" in capsys.readouterr().err


def test_an_empty_folder_says_what_it_needs(tmp_path, capsys):
    assert cli.main(["review", str(tmp_path)]) == 1
    assert "There is no agent in" in capsys.readouterr().err


def test_a_folder_that_is_not_there(tmp_path, capsys):
    assert cli.main(["review", str(tmp_path / "none")]) == 2
    assert "There is no folder" in capsys.readouterr().err
