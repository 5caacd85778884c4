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


TEAM = {
    "root_agent.yaml": """\
# The team.
agent_class: LoopAgent
name: loop
sub_agents:
  - config_path: writer.yaml
  - config_path: critic.yaml
""",
    "writer.yaml": "name: writer\ninstruction: Write by {verdikt}. # what the critic said\noutput_key: draft\n",
    "critic.yaml": "name: critic\nmodel: gpt-nine\ninstruction: Judge {draft}, or call exit_loop.\noutput_key: verdict\n",
}


def test_what_is_mechanical_is_put_right_in_yaml(tmp_path, capsys):
    team = tmp_path / "team"
    team.mkdir()
    for name, text in TEAM.items():
        (team / name).write_text(text, encoding="utf-8")
    assert cli.main(["review", str(tmp_path), "--fix"]) == 0
    said = capsys.readouterr()
    assert "playground: team, critic: Add the tool exit_loop." in said.err
    assert said.out == "✓ team: nothing was found.\n"
    assert (team / "root_agent.yaml").read_text(encoding="utf-8").startswith("# The team.\n")
    writer = (team / "writer.yaml").read_text(encoding="utf-8")
    assert "Write by {verdict?}." in writer
    assert "# what the critic said" in writer
    assert "model" not in (team / "critic.yaml").read_text(encoding="utf-8")
    assert sorted(path.name for path in team.iterdir() if path.suffix != ".pyc") == sorted(TEAM)


def test_agents_in_python_are_left_as_they_are(agents, capsys):
    assert cli.main(["review", str(agents), "--fix"]) == 1
    assert (agents / "endless" / "agent.py").read_text(encoding="utf-8") == BAD
    assert capsys.readouterr().err == ""


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
