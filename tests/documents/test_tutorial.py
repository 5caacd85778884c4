"""The path through *Write an agent*: its files are written, its commands run, and they print what the page shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents.blocks import DOCS, ROOT, Block, blocks_of, command_of
from ui.cli import main as cli

FILE = re.compile(r"# (my_agents/\S+\.py)(, continued)?\n")
CASE = re.compile(r"Save it as `(my_agents/\S+\.json)`")


def write(block: Block, folder: Path) -> Path:
    """Writes a block with a file's name in its first line, or adds it to that file."""
    named = FILE.match(block.code)
    assert named, f"{block.place} names no file"
    path = folder / named[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if named[2] else ""
    path.write_text(before + block.code[named.end() :], encoding="utf-8")
    return path


def run(command: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> str:
    arguments = shlex.split(command)
    if arguments[:3] == ["uv", "run", "pytest"]:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments[3:]],
            cwd=folder, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        return done.stdout
    assert cli.main(arguments[3:]) == 0
    printed = capfd.readouterr()
    assert printed.err == ""
    return printed.out


def test_the_tutorial_leads_to_a_tested_agent_with_a_tool(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLAYGROUND_DB", str(tmp_path / "tutorial.db"))
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    [case] = CASE.findall((DOCS / "write-an-agent.md").read_text(encoding="utf-8"))
    ran = 0
    for block in blocks_of(DOCS / "write-an-agent.md"):
        if block.language == "python":
            write(block, tmp_path)
        elif block.language == "json":
            (tmp_path / case).parent.mkdir()
            (tmp_path / case).write_text(block.code, encoding="utf-8")
        elif block.language == "console":
            [command] = map(command_of, block.code.strip().splitlines())
            if command == "uv run playground --agents ./my_agents":  # serves until it is stopped
                continue
            printed = run(command, tmp_path, capfd)
            ran += 1
            assert [line for line in block.prints.splitlines() if line not in printed.splitlines()] == [], block.place
    assert ran == 7


def test_the_agent_of_the_readme_is_listed(tmp_path, monkeypatch, capfd):
    [block] = [block for block in blocks_of(ROOT / "README.md") if block.language == "python"]
    write(block, tmp_path)
    monkeypatch.setenv("PLAYGROUND_DB", str(tmp_path / "readme.db"))

    assert cli.main(["pipelines", "--agents", str(tmp_path / "my_agents")]) == 0
    printed = capfd.readouterr()
    assert "\ngreeter\n" in printed.out
    assert printed.err == ""
