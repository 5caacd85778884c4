"""Python in the documents runs, and prints what the text below it says; the commands for the terminal work."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents.blocks import BLOCKS, COMMANDS, ROOT
from ui.cli import main as cli

FILE = re.compile(r"# (my_agents/\S+\.py)")
"""The first line of a block that is a file of the reader's: `test_tutorial.py` and `test_readme.py` run those."""
EXAMPLES = [block for block in BLOCKS if block.language == "python" and not FILE.match(block.code)]
ELSEWHERE = (
    "--agents",
    "~/",
    "--figures",
    " pull ",
    " trace ",
    " grade ",
    " export ",
    " import ",
    " review ./",
    " code ",
    " copy ",
    " backup ",
    " restore ",
    " lab r",
    " lab compare",
    " demo ",
    " class ",
    "--users ",
)
"""What needs a folder, file or session of the reader's, a network, or time; it has tests of its own."""
OURS = [command for command in COMMANDS if re.match(r"uv run (?:--extra \w+ )?playground\b", command)]
TRIED = [
    command for command in OURS if command.startswith("uv run playground ") and not any(w in command for w in ELSEWHERE)
]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: block.place)
def test_an_example_runs_and_prints_what_it_says(block, tmp_path):
    ran = subprocess.run([sys.executable, "-c", block.code], capture_output=True, text=True, cwd=tmp_path, check=True)

    assert ran.stderr == ""
    assert ran.stdout == block.prints


@pytest.mark.parametrize("command", TRIED)
def test_commands_for_the_terminal_work(command, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PLAYGROUND_DB", str(tmp_path / "readme.db"))
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")

    code = cli.main(shlex.split(command)[3:])

    assert (code, capfd.readouterr().err) == (0, "")


@pytest.mark.parametrize("command", OURS)
def test_the_parser_reads_every_command(command):
    arguments = shlex.split(command)
    cli.parser().parse_args(arguments[arguments.index("playground") + 1 :])


def test_every_command_is_of_a_tool_that_is_known():
    others = {command.split()[0] for command in COMMANDS} - {"uv"}
    ours = {" ".join(command.split()[:3]) for command in COMMANDS if command.startswith("uv run")}
    assert others == set()
    assert ours <= {"uv run playground", "uv run --extra", "uv run pytest", "uv run poe"}


def test_the_tasks_and_tests_that_are_named_exist():
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in {ROOT / "README.md", *Path(ROOT / "ui" / "docs").glob("*.md")}
    )
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    tasks = set(re.findall(r"uv run poe ([\w-]+)", text))
    paths = {path.rstrip(".") for path in re.findall(r"(?<![\w/-])(?:tests|agents|ui)/[\w/.-]+", text)}

    assert tasks
    assert [task for task in sorted(tasks) if not re.search(rf"(?m)^(?:\[tool\.poe\.tasks\.)?{task}\b", project)] == []
    assert [path for path in sorted(paths) if not (ROOT / path).exists() and "NAME" not in path] == []
