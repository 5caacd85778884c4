"""User packages that misbehave, from the command line."""

from __future__ import annotations

import functools
import json
import signal
import sys
import threading
import types
from pathlib import Path

import pytest

from agents.pipelines.catalog import Catalog
from agents.pipelines.loading.package_import import ImportThread
from tests.forks import Fork
from ui.cli import diagnostics
from ui.cli import main as cli

ROOT = Path(__file__).parents[3]
AGENT = "from agents import LlmAgent\nroot_agent = LlmAgent(name='Greeter', description={about!r})\n"
ENOUGH = 30
"""Seconds after which a process that should have ended is taken to hang."""


@pytest.fixture
def package(tmp_path):
    home = tmp_path / "mine"
    home.mkdir()

    def write(name: str, agent: str) -> Path:
        (home / name).mkdir()
        (home / name / "agent.py").write_text(agent)
        return home

    return write


def started(*arguments: str) -> Fork:
    return Fork(["-m", "ui.cli", *arguments], cwd=ROOT)


def ended(process: Fork) -> tuple[str, str]:
    """What it has said, to its end; one that hangs is killed."""
    try:
        process.wait(ENOUGH)
    except TimeoutError:
        process.kill()
        raise
    return process.communicate()


SEARCHER = """\
from agents import LlmAgent, google_search
from agents.pipelines import LibrarySearch
root_agent = LlmAgent(name="Searcher", tools=[google_search])
"""
QUESTION = ("run", "searcher", "When was the Suez Canal opened?", "--model", "simulated")


@pytest.fixture
def ask(package, tmp_path, capsys):
    def ask(line: str) -> tuple[int, str]:
        home = package("searcher", SEARCHER + line)
        code = cli.main([*QUESTION, "--agents", str(home), "--db", str(tmp_path / "a.db")])
        return code, " ".join("".join(capsys.readouterr()).split())

    return ask


def test_a_package_lets_the_simulated_model_search_the_library_by_one_line(ask):
    code, output = ask('SIMULATION = {"Searcher": LibrarySearch()}\n')
    assert code == 0
    assert "(Simulated: the built-in library was searched, not the web.) - The Suez Canal [suez-canal]:" in output


@pytest.mark.parametrize("line", ["", "SIMULATION = True\n", 'SIMULATION = {"Searcher": 5}\n'])
def test_without_that_line_the_stand_in_says_that_it_did_not_search(ask, line):
    code, output = ask(line)
    assert code == 0
    assert "It did not use google_search, which only Gemini models run: see Models in Help." in output


def test_a_run_imports_no_other_package(package, ask, tmp_path):
    for name, rest in (("broken", "1 / 0"), ("zebra", AGENT.format(about=""))):
        package(name, f"from pathlib import Path\nPath({str(tmp_path / name)!r}).touch()\n{rest}\n")
    assert ask('SIMULATION = {"Searcher": LibrarySearch()}\n')[0] == 0
    for thread in threading.enumerate():
        if thread.name == "imports":
            thread.join(ENOUGH)
    assert not (tmp_path / "broken").exists()
    assert not (tmp_path / "zebra").exists()


SLEEPS, LOOPS = "time.sleep(3600)", "for _ in iter(int, 1): pass"


@pytest.mark.parametrize(
    ("command", "number", "wait"),
    [
        ("run", signal.SIGINT, SLEEPS),
        ("run", signal.SIGTERM, LOOPS),
        ("answer", signal.SIGINT, LOOPS),
        ("answer", signal.SIGTERM, SLEEPS),
        ("pipelines", signal.SIGINT, SLEEPS),
        ("pending", signal.SIGINT, LOOPS),
    ],
)
def test_a_signal_ends_a_command_while_a_package_is_being_imported(package, tmp_path, command, number, wait):
    home = package("hanging", f"import sys, time\nprint('begun', file=sys.stderr, flush=True)\n{wait}\n")
    (tmp_path / "play.db").touch()
    more = {"run": ["hanging", "hello"], "answer": ["s", "c", "--approve"], "pending": ["--pipeline", "hanging"]}
    with started(command, *more.get(command, []), "--agents", str(home), "--db", str(tmp_path / "play.db")) as process:
        assert process.stderr.readline() == "begun\n"
        process.send_signal(number)
        output, errors = ended(process)
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGTERM)
    assert (output, errors) == ("", "")


def test_a_thread_that_a_package_leaves_behind_does_not_keep_the_process(package):
    left = "import threading, time\nthreading.Thread(target=time.sleep, args=(3600,)).start()\n"
    home = package("threaded", left + AGENT.format(about=""))
    with started("pipelines", "--agents", str(home)) as process:
        output, errors = ended(process)
    assert (process.returncode, errors) == (0, "")
    assert "\nthreaded\n" in output


def test_an_import_that_hangs_does_not_keep_the_process(package, monkeypatch):
    ended: list[int] = []
    monkeypatch.setattr("os._exit", ended.append)
    monkeypatch.setattr(cli.threading, "Timer", lambda *_: pytest.fail("there was a wait"))
    gate = threading.Event()
    thread = ImportThread(target=gate.wait, daemon=True)
    thread.start()

    with pytest.raises(pytest.fail.Exception):  # os._exit came back
        cli.end_in_time(3)
    gate.set()
    thread.join()

    assert ended == [3]


def test_what_hangs_is_listed_by_name(package, monkeypatch, capsys):
    gate = types.ModuleType("playground_test_gate")
    opened = threading.Event()
    gate.wait = opened.wait
    monkeypatch.setitem(sys.modules, gate.__name__, gate)
    monkeypatch.setattr("agents.workspace.Catalog", functools.partial(Catalog, patience=0.05))
    home = package("hanging", "import playground_test_gate\nplayground_test_gate.wait()\n")

    code = cli.main(["pipelines", "--agents", str(home)])
    output, errors = capsys.readouterr()
    opened.set()
    for thread in threading.enumerate():
        if isinstance(thread, ImportThread):  # at its end it puts this test's standard streams back
            thread.join(ENOUGH)

    assert (code, output.startswith("iterative_writing\n")) == (0, True)
    assert f"the pipeline hanging cannot be loaded: The import of {home / 'hanging'} has not ended" in errors
    assert errors.count("\n") == 1


def test_what_packages_say_of_themselves_is_text(package, capsys):
    package("spoof", AGENT.format(about="a \u202e\x1b[2Jb\u2028fake\n  line"))
    home = package("broken", "raise ValueError('\u202e\x1b[2J')")

    assert cli.main(["pipelines", "--agents", str(home)]) == 0
    output, errors = capsys.readouterr()
    assert "    Spoof (Single agent). a \\u202e␛[2Jb fake line\n" in output
    assert "cannot be loaded: ValueError: \\u202e␛[2J (agent.py, line 1)\n" in errors

    cli.main(["pipelines", "--agents", str(home), "--json"])
    output = capsys.readouterr().out
    assert not set(output) & {"\u202e", "\x1b", "\u2028"}
    assert json.loads(output.splitlines()[-1])["summary"] == "a \u202e\x1b[2Jb\u2028fake\n  line"


def test_errors_of_the_command_line_are_text(capsys):
    with pytest.raises(SystemExit):
        cli.main(["pipelines", "\x1b[2J\u202e"])
    assert cli.main(["run", "x\u202e\x1b", "hello"]) == 2
    assert not set(capsys.readouterr().err) & {"\u202e", "\x1b"}


def test_the_program_reports_nothing_with_keys(monkeypatch):
    done: list[str] = []
    monkeypatch.setattr(diagnostics, "install", lambda: done.append("install"))
    monkeypatch.setattr(cli, "end_in_time", lambda code: done.append(f"end {code}"))
    monkeypatch.setattr(sys, "argv", ["playground", "demo", "nothing"])
    assert cli.main() == 2
    assert done == ["install", "end 2"]
