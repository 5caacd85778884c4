"""`playground export` and `playground import`: files there and back, and everything that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ui.cli.test_main import STAGES, database, lines, playground, run  # noqa: F401  fixtures
from ui.cli.sharing.export_command import FORMATS as COMMAND_FORMATS
from ui.sharing.formats import FORMATS


@pytest.fixture
def session(run) -> str:  # noqa: F811
    return lines(run("talk 2", "--json")[1])[-1]["session_id"]


def test_a_session_goes_to_a_file_and_comes_back(playground, session, tmp_path):  # noqa: F811
    first, second = str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")
    code, output, errors = playground("export", session, "-o", first)
    assert (code, output) == (0, "")
    assert errors.startswith(f"Wrote {first}: ")
    code, output, errors = playground("import", first, "--agents", str(STAGES))
    assert (code, errors) == (0, "")
    added = output.split()[1].rstrip(":")
    assert added != session
    assert output.startswith(f"Imported {added}: 3 events of rehearsal, talk 2\n")
    assert f"--session {added} --agents " in output
    assert playground("export", added, "-o", second)[0] == 0
    assert Path(first).read_bytes() == Path(second).read_bytes()
    rows = lines(playground("sessions", "--json")[1])
    assert [(row["id"], row["events"], row["status"]) for row in rows] == [
        (added, 3, "completed"),
        (session, 3, "completed"),
    ]


def test_standard_output_has_the_file_alone(playground, session):  # noqa: F811
    code, output, errors = playground("export", session)
    assert (code, errors) == (0, "")
    assert lines(output)[0]["includes"]["entry"] == len(lines(output)) - 1


@pytest.mark.parametrize("name", COMMAND_FORMATS)
def test_every_format(playground, session, name):  # noqa: F811
    code, output, errors = playground("export", session, "--format", name, "--agents", str(STAGES))
    assert (code, errors) == (0, "")
    assert "line 1" in output
    assert name in FORMATS


def test_adk_s_json_comes_back_as_a_session_of_a_pipeline(playground, session, tmp_path):  # noqa: F811
    path = tmp_path / "s.json"
    assert playground("export", session, "--format", "adk", "-o", str(path))[0] == 0
    path.write_text(json.dumps({**json.loads(path.read_text()), "appName": "my_app"}))
    code, _, errors = playground("import", str(path), "--agents", str(STAGES))
    assert code == 2
    assert "the pipeline 'my_app', which is not here" in errors
    code, output, _ = playground("import", str(path), "--pipeline", "rehearsal", "--agents", str(STAGES))
    assert code == 0
    assert "3 events of rehearsal" in output


def test_scopes(playground, run):  # noqa: F811
    session = lines(run("talk 0", "--json", "--state", 'user:phone="555-0100"')[1])[-1]["session_id"]
    assert "555-0100" in playground("export", session)[1]
    for name in COMMAND_FORMATS:
        assert "555-0100" not in playground("export", session, "--scopes", "session, app", "--format", name)[1]
    assert lines(playground("export", session, "--scopes", "")[1])[0]["scopes"] == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export", "nope"], "There is no session 'nope' here. `playground sessions` lists all"),
        (["export", "nope", "--scopes", "temp"], "no state scope 'temp'"),
        (["export", "nope", "--format", "pdf"], "invalid choice: 'pdf'"),
        (["import", "/nowhere/at/all"], "cannot be read: No such file"),
        (["import", "{folder}"], "There is no session of a coding agent in"),
        (["import", "/dev/zero"], "cannot be read: It is a device or a pipe, not a file. Name"),
        (["import", "{empty}"], "The file is empty"),
        (["import", "{text}"], "its first line is no header"),
        (["import", "{html}"], "a page to look at"),
        (["import", "{cut}"], "cut off"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(playground, session, tmp_path, arguments, says):  # noqa: F811
    (tmp_path / "folder").mkdir()
    cut = playground("export", session)[1][:-200]
    for name, content in {"empty": "", "text": "日本語\n", "html": "\n<!DOCTYPE html>", "cut": cut}.items():
        (tmp_path / name).write_text(content)
    code, output, errors = playground(*[one.replace("{", f"{tmp_path}/").rstrip("}") for one in arguments])
    assert (code, output) == (2, "")
    assert says in errors
    assert "Traceback" not in errors
    assert len(lines(playground("sessions", "--json")[1])) == 1


def test_a_file_that_cannot_be_written(playground, session, tmp_path):  # noqa: F811
    code, output, errors = playground("export", session, "-o", str(tmp_path))
    assert (code, output) == (2, "")
    assert "cannot be written: Is a directory" in errors


def test_without_a_database_nothing_is_made(playground, database):  # noqa: F811
    code, _, errors = playground("export", "s")
    assert (code, database.exists()) == (2, False)
    assert "There is no session 's' here" in errors
