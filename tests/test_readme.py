"""What the README promises: its commands exist, its example runs, its picture and its map are right."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ui.cli import main as cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
EXAMPLES = [code for language, code in BLOCKS if language == "python"]
SAYS = [
    [
        "1 units-00001 []",
        "## units",
        "[units-00001] helpful=0 harmful=0 :: Compare the units of both sides.",
    ],
    [
        "none: 2 of 60, 60 calls, 0 bullets",
        "online: 16 of 60, 226 calls, 46 bullets",
        "parallel: 16 of 60, 226 calls, 46 bullets",
        "True",
    ],
    ["40 10 10", "Everybody pays the whole tip, no longer a share of it", "True 0.03125"],
    ["formu-00001: +100% (+100% to +100%), 6 of 6 better"],
    ["Writer: A lamp in the dark.", "Critic: Too short.", "Critic: ", "Critic: "],
    [
        "{'draft': 'A lamp.'}",
        "['a lighthouse', 'A storm.', 'A wild storm.']",
        "Writer ('text', 'state') ['A lamp.', 'A storm.']",
    ],
    ["{'completed': 3} [3]"],
    ["failed “No major issues found.”"],
    ["invoke_workflow routed_ab", "invoke_workflow"],
    ["True True", '{"id":"first","appName":"team","'],
    [
        "BriefSummary: The lamp burned all night.",
        "SummaryExperiment is a RoutedAgent, which chooses between agents, and ADK has none.",
    ],
]
COMMANDS = [
    line.split("#")[0].strip() for language, code in BLOCKS if language == "console" for line in code.splitlines() if line
]


@pytest.mark.parametrize(("code", "says"), list(zip(EXAMPLES, SAYS, strict=True)))
def test_an_example_runs_and_prints_what_it_says(code, says, tmp_path):
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)

    assert ran.stderr == ""
    assert ran.stdout.splitlines() == says


ELSEWHERE = ("--agents", "--figures", " pull ", " trace ", " export ", " import ", " code ", " lab r", " lab compare")
TRIED = [c for c in COMMANDS if c.startswith("uv run playground ") and not any(word in c for word in ELSEWHERE)]
"""All but those that need a folder, file or session of the reader's, a network, or time, and have tests of their own."""


@pytest.mark.parametrize("command", TRIED)
def test_commands_for_the_terminal_work(command, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PLAYGROUND_DB", str(tmp_path / "readme.db"))
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")

    code = cli.main(shlex.split(command)[3:])

    assert (code, capfd.readouterr().err) == (0, "")


def test_the_two_commands_of_the_set_up_are_there():
    assert COMMANDS[:2] == ["uv run playground", "uv run pytest"]
    assert 'playground = "ui.cli.main:main"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_map_shows_what_is_there():
    [drawn] = [code for language, code in BLOCKS if language == "text" and "agents/" in code]
    mapped, root = set[str](), ""
    for line in drawn.splitlines():
        names = re.findall(r"[\w.]+(?:/|\.py)(?= |$)", line)
        if not line.startswith(" "):
            root = names[0]
            mapped.add(root)
        else:
            mapped |= {root + name for name in names}
    folders = {
        f"{package}/{path.name}/"
        for package in ("agents", "ui")
        for path in (ROOT / package).iterdir()
        if path.is_dir() and any(path.rglob("*.py"))
    }
    assert {name for name in mapped if not (ROOT / name).exists()} == set(), "the map shows what is not there"
    assert folders - mapped == set(), "the map leaves folders out"


def test_what_the_readme_points_at_exists():
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)

    assert pictures
    assert [name for name in pictures if not (ROOT / name).exists()] == []


def test_every_pipeline_is_in_the_readme():
    from agents.pipelines.catalog import Catalog

    assert [name for name in Catalog().names() if f"`{name}`" not in README] == []


def test_the_readme_says_what_a_visitor_may_do():
    from agents.access import RIGHTS, Role

    rows = {
        f"| {action.value.replace('this session', 'a session')} | {right[Role.OWNER]} | {right[Role.VISITOR]} |"
        for action, right in RIGHTS.items()
    }
    table = README.split("### What a visitor may do")[1].split("|---|---|---|")[1].split("\n\n")[0]
    assert set(table.strip().splitlines()) == rows
