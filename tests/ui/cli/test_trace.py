"""`playground trace`, called in this process."""

from __future__ import annotations

import json
import sys

import pytest

from agents.runs import RunManager
from tests.agents.telemetry.stage import run
from tests.standins.collector import CollectorStandIn
from ui.cli import main as cli


@pytest.fixture
def session(tmp_path, monkeypatch):
    database = tmp_path / "playground.db"
    monkeypatch.setenv("PLAYGROUND_DB", str(database))
    with RunManager(database=database) as manager:
        return run(manager, "report_writer").session_id


@pytest.fixture
def trace(capsys):
    """Runs the command; gives exit code, standard output and standard error."""

    def trace(*arguments: str) -> tuple[int, str, str]:
        try:
            code = cli.main(("trace", *arguments))
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, *capsys.readouterr()

    return trace


def test_the_spans_are_shown_as_a_tree(session, trace):
    code, output, errors = trace(session)
    assert (code, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0].startswith("trace ")
    assert lines[0].endswith(" · completed")
    assert [line.split(" · ")[0] for line in lines[1:6]] == [
        "  invoke_workflow report_writer",
        "    invoke_agent ReportWriter",
        "      chat simulated",
        "      execute_tool ResearchAssistant",
        "        invoke_agent ResearchAssistant",
    ]
    assert " tokens" in lines[3]


def test_the_spans_are_written_as_otlp_json(session, trace, tmp_path):
    file = tmp_path / "日本語.json"
    assert trace(session, "--file", str(file)) == (0, "", "")
    [resource] = json.loads(file.read_text(encoding="utf-8"))["resourceSpans"]
    assert resource["scopeSpans"][0]["spans"][0]["name"] == "invoke_workflow report_writer"
    code, output, _ = trace(session, "--file", "-")
    assert (code, json.loads(output)) == (0, json.loads(file.read_text(encoding="utf-8")))
    assert "lighthouse" not in output
    assert "lighthouse" in trace(session, "--file", "-", "--content")[1]


def test_a_file_that_is_there_is_never_overwritten(session, trace, tmp_path):
    database = tmp_path / "playground.db"
    before = database.read_bytes()
    code, output, errors = trace(session, "--file", str(database))
    assert (code, output) == (2, "")
    assert "is there already and is not overwritten" in errors
    assert database.read_bytes()[:1000] == before[:1000]


@pytest.mark.parametrize("file", ["", "no/such/folder/trace.json", "\0"])
def test_a_file_that_cannot_be_written_is_told(session, trace, file):
    code, _, errors = trace(session, "--file", file)
    assert code == 2
    assert "Give --file another name." in errors


@pytest.mark.parametrize("how", ["endpoint", "environment"])
def test_the_spans_are_sent(session, trace, how, monkeypatch):
    with CollectorStandIn() as collector:
        if how == "endpoint":
            code, output, errors = trace(session, "--endpoint", collector.url)
        else:
            monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
            code, output, errors = trace(session, "--send")
    assert (code, errors) == (0, "")
    assert output == f"Sent 1 run, {len(collector.spans)} spans.\n"
    assert len(collector.spans) > 20


def test_what_is_wrong_is_told_with_the_cure(session, trace, monkeypatch):
    assert trace(session, "--endpoint", "localhost")[::2] == (
        2,
        "playground: 'localhost' is no address of a collector. Write e.g. http://localhost:4318.\n",
    )
    assert "`playground sessions` lists all there are" in trace("nope")[2]
    assert "`playground sessions` lists all there are" in trace(session, "--db", "/nowhere/else.db")[2]
    assert trace(session, "--send", "--file", "x")[0] == 2
    with CollectorStandIn(403) as collector:
        assert "it answered with status 403" in trace(session, "--endpoint", collector.url)[2]
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    assert "`uv run --extra otel playground`" in trace(session, "--send")[2]


def test_a_session_without_runs_says_so(tmp_path, trace, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_DB", str(tmp_path / "playground.db"))
    with RunManager(database=tmp_path / "playground.db") as manager:
        empty = manager.sessions.create("iterative_writing")
    assert trace(empty) == (0, "This session has no runs yet.\n", "")


def test_looking_at_spans_needs_no_extra(session, trace, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("opentelemetry")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    assert trace(session)[0] == 0
    assert trace(session, "--file", "-")[0] == 0
