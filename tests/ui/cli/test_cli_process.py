"""The command line as a process: signals, pipes, and how much it imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agents.runs import RunManager
from tests.forks import Fork

ROOT = Path(__file__).parents[3]
STAGES = ROOT / "tests" / "agents" / "runs" / "stages"


@pytest.fixture
def database(tmp_path):
    """There already: a process that has to make one takes twice as long."""
    path = tmp_path / "playground.db"
    with RunManager(database=path) as manager:
        assert manager.sessions.summaries() == []
    return path


@pytest.fixture
def start(database):
    def start(*arguments: str) -> Fork:
        return Fork(["-m", "ui.cli", *arguments, "--db", str(database), "--agents", str(STAGES)], cwd=ROOT)

    return start


def status_in(database: Path) -> str:
    with RunManager(database=database, agents_dir=STAGES) as manager:
        [found] = manager.sessions.summaries()
        return found.status


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_the_run_and_the_log_says_so(start, database, number, code):
    with start("run", "rehearsal", "hang 2", "--json") as process:
        for _ in range(3):
            process.stdout.readline()
        process.send_signal(number)
        output, errors = process.communicate()
    assert (process.returncode, errors) == (code, "")
    assert json.loads(output)["status"] == "stopped"
    assert status_in(database) == "stopped"


def test_a_run_whose_tool_blocks_a_thread_can_be_stopped(start, database):
    with start("run", "rehearsal", "block", "--json") as process:
        for _ in range(2):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
    assert process.returncode == 130
    assert json.loads(output)["status"] == "stopped"
    assert status_in(database) == "stopped"


def test_a_reader_that_goes_away_stops_the_run(start, database):
    with start("run", "rehearsal", "talk 20000") as process:
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (1, "")
    assert status_in(database) == "stopped"


def test_the_end_of_a_pipe_is_no_traceback(start):
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        [sys.executable, "-m", "ui.cli", "--version"], cwd=ROOT, stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert (process.returncode, process.stderr) == (1, "")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"], ["demo", "--help"]])
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys\nfrom ui.cli.main import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "heavy = {'streamlit', 'google.genai', 'sqlite_utils', 'pydantic', 'uvicorn', 'starlette', 'asyncio', 'PIL'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stderr == "[]\n"


def test_running_and_listing_do_not_import_the_front_end(tmp_path):
    code = (
        "import sys\nimport ui.cli.running.run\nfrom ui.cli.main import main\n"
        "assert not any(main([command, '--db', sys.argv[1]]) for command in ('pipelines', 'sessions', 'pending'))\n"
        "assert not {'streamlit', 'uvicorn', 'starlette'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "none.db")], cwd=ROOT, check=True)
