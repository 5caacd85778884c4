"""The command line, called in this process."""

from __future__ import annotations

import io
import json
import signal
import socket
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.runs import RunManager
from ui.cli import main as cli

STAGES = Path(__file__).parents[2] / "agents" / "runs" / "stages"


@pytest.fixture
def database(tmp_path, monkeypatch):
    path = tmp_path / "playground.db"
    monkeypatch.setenv("PLAYGROUND_DB", str(path))
    return path


@pytest.fixture
def playground(database, capsys):
    """Runs the command; gives exit code, standard output and standard error."""

    def playground(*arguments: str) -> tuple[int, str, str]:
        try:
            code = cli.main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, *capsys.readouterr()

    return playground


@pytest.fixture
def run(playground):
    def run(*arguments: str) -> tuple[int, str, str]:
        return playground("run", "rehearsal", *arguments, "--agents", str(STAGES))

    return run


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_a_run_is_printed(run):
    code, output, errors = run("talk 2")
    assert (code, errors) == (0, "")
    assert (
        "● you\n  talk 2\n  event 1 · state: order\n◆ Rehearser\n  line 0\n  event 2\n  line 1\n  event 3\n"
        "\ncompleted · 0 model calls"
    ) in output
    assert "/?pipeline=rehearsal&session=" in output
    assert "\x1b" not in output


def test_json_gives_each_stored_event_and_a_summary(run):
    code, output, errors = run("talk 2", "--json")
    assert (code, errors) == (0, "")
    *events, summary = lines(output)
    assert [event["content"]["parts"][0]["text"] for event in events] == ["talk 2", "line 0", "line 1"]
    assert [event["number"] for event in events] == [1, 2, 3]
    assert set(summary) == {"session_id", "status", "calls", "tokens", "model", "simulated"}
    assert summary["status"] == "completed"
    assert summary["tokens"] == {"input": 0, "output": 0}


def test_a_session_is_continued(run, playground):
    session = lines(run("talk 1", "--json")[1])[-1]["session_id"]
    code, output, _ = run("talk 3", "--session", session, "--json")
    assert code == 0
    assert lines(output)[-1]["session_id"] == session
    assert len(lines(output)) == 1 + 3 + 1, "events of the run before were printed"
    assert [event["number"] for event in lines(output)[:-1]] == [3, 4, 5, 6], "numbers go on in the session"
    assert [row["events"] for row in lines(playground("sessions", "--json")[1])] == [6]


def test_state_is_set(run, database):
    assert run("talk 0", "--state", 'stage={"lights": [1, 2]}', "--state", 'app:who="Ada=Eve"')[0] == 0
    with RunManager(database=database, agents_dir=STAGES) as manager:
        [found] = manager.sessions.summaries()
        session = manager._thread.call(
            manager._service.get_session, app_name="rehearsal", user_id="person", session_id=found.id
        )
    assert session.state == {"stage": {"lights": [1, 2]}, "lines": [], "app:who": "Ada=Eve", "order": "talk 0"}


def test_a_run_that_fails_ends_with_1_and_tells_why(run):
    code, output, errors = run("fail 1")
    assert code == 1
    assert "✗ ValueError" in output
    assert "the curtain is stuck" in output
    assert "\nfailed · " in output
    assert errors == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nope", "hi"], "nope"),
        (["rehearsal", ""], "The message is empty"),
        (["rehearsal", "x" * 100_000], "97.7 KiB; at most 64 KiB"),
        (["rehearsal", "hi", "--model", "nope"], "'nope'"),
        (["rehearsal", "hi", "--model", "replay/rehearsal/nope"], "no session 'nope' of 'rehearsal' that could be replayed"),
        (["rehearsal", "hi", "--model", "replay/rehearsal"], "names no recorded session"),
        (["rehearsal", "hi", "--session", "nope"], "`playground sessions` lists all"),
        (["rehearsal", "hi", "--state", "topic"], "--state takes KEY=JSON, not 'topic'"),
        (["rehearsal", "hi", "--state", "=3"], "--state takes KEY=JSON"),
        (["rehearsal", "hi", "--state", "topic=sea"], """--state 'topic="some text"'"""),
        (["rehearsal", "hi", "--state", "topic=NaN"], "the number nan"),
        (["rehearsal", "hi", "--state", "topic=" + "[" * 100_000], "is not JSON"),
        (["rehearsal", "hi", "--agents", "/nowhere/at/all"], "There is no folder '/nowhere/at/all'"),
    ],
)
def test_bad_input_ends_with_2_one_line_and_no_session(playground, arguments, says):
    code, output, errors = playground("run", "--agents", str(STAGES), *arguments)
    assert (code, output) == (2, "")
    assert errors.startswith("playground: ")
    assert says in errors
    assert "Traceback" not in errors
    assert lines(playground("sessions", "--json")[1]) == []


def test_a_session_of_another_pipeline_is_named_as_such(run, playground, tmp_path):
    session = lines(run("talk 1", "--json")[1])[-1]["session_id"]
    code, _, errors = playground("run", "iterative_writing", "hi", "--session", session)
    assert code == 2
    assert "It is a session of rehearsal." in errors


def test_the_message_can_come_from_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"talk 1\n")))
    code, output, _ = run("-", "--json")
    assert code == 0
    assert lines(output)[0]["content"]["parts"][0]["text"] == "talk 1"


def test_standard_input_must_be_text(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9")))
    code, _, errors = run("-")
    assert code == 2
    assert "not UTF-8 (byte 3)" in errors


def test_json_is_utf_8_whatever_the_terminal_speaks(run, monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert run("talk ☃", "--json")[0] == 1
    assert "☃" in raw.getvalue().decode()


def test_a_terminal_that_lacks_a_character_gets_another(run, monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert run("talk 1")[0] == 0
    assert b"? you\n  talk 1" in raw.getvalue()


def test_the_signals_are_as_before_after_a_run(run):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run("talk 1")
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def make_newer(path: Path) -> None:
    with RunManager(database=path) as manager:
        manager.sessions.summaries()
    connection = sqlite3.connect(path)
    connection.execute("pragma user_version = 9999")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.write_bytes(b"this is not a database at all" * 50), id="not a database"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
        pytest.param(make_newer, id="from a newer version"),
    ],
)
def test_a_database_that_cannot_be_used_ends_with_2(run, playground, database, spoil):
    spoil(database)
    for code, output, errors in (run("talk 1"), playground("sessions")):
        assert (code, output) == (2, "")
        assert errors.startswith("playground: ")
        assert str(database) in errors
        assert "Traceback" not in errors


def test_pipelines_are_listed(playground):
    code, output, errors = playground("pipelines", "--agents", str(STAGES))
    assert (code, errors) == (0, "")
    assert 'rehearsal\n    Rehearsal (none). Does what its message says.\n    playground run rehearsal "talk 3"\n' in output
    [row] = [
        row for row in lines(playground("pipelines", "--json", "--agents", str(STAGES))[1]) if row["name"] == "rehearsal"
    ]
    assert row == {
        "name": "rehearsal",
        "title": "Rehearsal",
        "pattern": "none",
        "summary": "Does what its message says.",
        "samples": ["talk 3"],
    }


def test_a_broken_pipeline_is_named_and_harms_no_other(playground, tmp_path):
    broken = tmp_path / "mine" / "broken_one"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("")
    (broken / "agent.py").write_text("root_agent = 1 / 0\n")
    code, output, errors = playground("pipelines", "--json", "--agents", str(tmp_path / "mine"))
    assert code == 0
    assert "broken_one" not in [row["name"] for row in lines(output)]
    assert "playground: the pipeline broken_one cannot be loaded: ZeroDivisionError" in errors


def test_sessions_are_listed_newest_first(run, playground):
    for count in (1, 2):
        run(f"talk {count}")
    code, output, errors = playground("sessions")
    assert (code, errors) == (0, "")
    first, second = output.splitlines()
    assert "completed" in first
    assert "3 events  rehearsal  talk 2" in first
    assert "2 events  rehearsal  talk 1" in second
    rows = lines(playground("sessions", "--json", "--pipeline", "rehearsal", "--agents", str(STAGES))[1])
    assert [(row["pipeline"], row["title"], row["status"], row["events"]) for row in rows] == [
        ("rehearsal", "talk 2", "completed", 3),
        ("rehearsal", "talk 1", "completed", 2),
    ]
    assert all(first.startswith(row["id"]) or second.startswith(row["id"]) for row in rows)


def test_a_listed_session_says_what_answered_it(run, playground):
    run("talk 1")
    assert playground("sessions")[1].rstrip().endswith("  talk 1  [simulated]")
    [row] = lines(playground("sessions", "--json")[1])
    assert (row["model"], row["simulated"]) == ("simulated", True)


def test_no_sessions_are_no_error_and_make_no_file(playground, database):
    code, output, _ = playground("sessions")
    assert code == 0
    assert output.startswith("There are no sessions yet.")
    assert not database.exists()
    assert playground("sessions", "--pipeline", "nope")[0] == 2


@pytest.fixture
def served(monkeypatch):
    from ui import server

    calls: list[dict[str, Any]] = []
    monkeypatch.setattr(server, "serve", lambda **options: calls.append(options))
    return calls


def test_serving_is_what_no_command_means(playground, served, database):
    assert playground()[0] == 0
    assert served == [
        {
            "host": "127.0.0.1",
            "port": 8501,
            "database": database,
            "agents_dir": None,
            "open_browser": True,
            "base": None,
            "isolate": False,
            "take_over": False,
        }
    ]


def test_options_reach_the_server(playground, served, tmp_path):
    assert (
        playground(
            *("--no-browser", "--port", "9000", "--host", "0.0.0.0", "--db", str(tmp_path / "x.db")),
            *("--agents", str(STAGES), "--base-path", "/play", "--isolate"),
        )[0]
        == 0
    )
    assert served == [
        {
            "host": "0.0.0.0",
            "port": 9000,
            "database": tmp_path / "x.db",
            "agents_dir": STAGES,
            "open_browser": False,
            "base": "/play",
            "isolate": True,
            "take_over": False,
        }
    ]


@pytest.fixture
def demo_off():
    from ui.demo import opening

    yield opening
    opening.begin(None)


def test_a_demo_is_served_like_the_app_itself(playground, served, demo_off, tmp_path):
    options = ("--no-browser", "--port", "9000", "--host", "0.0.0.0", "--db", str(tmp_path / "x.db"))
    for arguments in (("demo", "ace", *options), (*options, "demo", "ace"), (*options[:3], "demo", "ace", *options[3:])):
        assert playground(*arguments) == (0, "", "")
        assert demo_off.demo() == "ace"
        assert served.pop() == {
            "host": "0.0.0.0",
            "port": 9000,
            "database": tmp_path / "x.db",
            "agents_dir": None,
            "open_browser": False,
            "base": None,
            "isolate": False,
            "take_over": False,
        }
    assert playground("demo", "ace")[0] == 0
    assert (served[0]["port"], served[0]["host"], served[0]["open_browser"]) == (8501, "127.0.0.1", True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Which demo? There is `playground demo ace`"),
        (["nope"], "There is no demo 'nope'. There is `playground demo ace`"),
        (["learn", "--figures"], "--figures belongs to `playground demo ace`"),
        (["ace", "--seed", "3"], "--seed and --queries belong to --figures"),
        (["ace", "--queries", "3"], "--seed and --queries belong to --figures"),
        (["ace", "--figures", "--queries", "0"], "0 is too few"),
        (["ace", "--figures", "--seed", "-1"], "'-1' is no whole number"),
        (["ace", "--figures", "--seed", "two"], "'two' is no whole number"),
    ],
)
def test_a_demo_that_cannot_be_given_is_refused(playground, served, demo_off, arguments, says):
    code, output, errors = playground("demo", *arguments)
    assert (code, output) == (2, "")
    assert says in errors
    assert "Traceback" not in errors
    assert not served
    assert demo_off.demo() is None


def test_a_taken_port_is_told(playground):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, _, errors = playground("--no-browser", "--port", str(port))
    assert code == 2
    assert errors.startswith(f"playground: Port {port} is taken")
    assert "--port" in errors


@pytest.mark.parametrize("port", ["-1", "65536", "http", "", "８０"])
def test_a_port_is_a_number(playground, port):
    code, _, errors = playground("--port", port)
    assert code == 2
    assert "is no port" in errors


@pytest.mark.parametrize("before", [True, False])
def test_options_are_taken_before_and_after_the_command(playground, before, tmp_path):
    options = ("--db", str(tmp_path / "other.db"), "--agents", str(STAGES))
    command = ("run", "rehearsal", "talk 1")
    assert playground(*(options + command if before else command + options))[0] == 0
    assert (tmp_path / "other.db").exists()


def test_help_has_examples(playground):
    for arguments in (["--help"], ["run", "--help"], ["demo", "--help"]):
        code, output, _ = playground(*arguments)
        assert code == 0
        assert "examples:\n  playground" in output


def test_version(playground):
    code, output, _ = playground("--version")
    assert code == 0
    assert output.startswith("multi-agent-playground ")


def test_an_unknown_command_is_refused(playground):
    code, _, errors = playground("rnu")
    assert code == 2
    assert "'rnu'" in errors


def test_titles_and_state_cannot_spoof_a_terminal(run, playground):
    evil = "talk 1 \u202e\x1b[2J\u2066 end"
    output = run(evil, "--state", 'word="\u202e"', "--state", "\u202ekey=1")[1]
    listed = playground("sessions")[1]
    as_json = playground("sessions", "--json")[1] + run(evil, "--json", "--state", 'word="\u202e"')[1]
    for text in (output, listed, as_json):
        assert not set(text) & {"\u202e", "\u2066", "\x1b"}
    assert r"talk 1 \u202e␛[2J\u2066 end" in output
    assert r"talk 1 \u202e␛[2J\u2066 end" in listed
    assert {row.get("title") for row in lines(as_json)} >= {evil}
