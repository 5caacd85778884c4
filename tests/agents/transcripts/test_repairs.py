"""Failures and their repairs are found by the rules that `RULES` states, with their places."""

from __future__ import annotations

from io import BytesIO

import pytest

from agents.transcripts import read_transcript
from agents.transcripts.commands import essence, pattern_of, problem_in
from agents.transcripts.repairs import RULES, find_repairs
from tests.agents.transcripts.samples import Claude, text, tool_use


@pytest.fixture
def session():
    found = Claude()
    found.user("Fix the till")
    return found


def repairs(session):
    read = read_transcript(BytesIO(session.text().encode()), name="x.jsonl")
    try:
        found = find_repairs(read.log.log)
        seqs = {entry.seq for entry in read.log.log if entry.kind == "event"}
        assert all({one.failed_at, one.repaired_at} <= seqs and one.failed_at < one.repaired_at for one in found)
    finally:
        read.close()
    assert all(one.kind in RULES for one in found)
    return [(one.kind, one.tried, one.problem, one.repair) for one in found]


def test_a_command_that_failed_and_the_one_that_then_worked(session):
    session.run("a", "cd /x && pytest tests/a.py", "Exit code 1\nModuleNotFoundError: No module named 'till'", error=True)
    session.run("b", "git status", "clean")
    session.run("c", "python -m pytest tests/b.py", "3 passed")
    assert repairs(session) == [
        (
            "command",
            "cd /x && pytest tests/a.py",
            "ModuleNotFoundError: No module named 'till'",
            "python -m pytest tests/b.py",
        )
    ]


def test_another_script_of_the_same_runner(session):
    session.run("a", "npm test", 'npm error Missing script: "test"', error=True)
    session.run("b", "npm run check", "ok")
    assert [(kind, repair) for kind, _, _, repair in repairs(session)] == [("command", "npm run check")]


def test_tests_from_red_to_green_by_an_edit(session):
    session.run("a", "cargo test", "test result: FAILED. 1 passed; 2 failed")
    session.edit("b", "/src/till.rs", "x - 1", "x + 1")
    session.run("c", "cargo test", "test result: ok. 3 passed; 0 failed")
    assert [(kind, repair) for kind, _, _, repair in repairs(session)] == [("tests", "x + 1")]


def test_tests_that_run_repair_a_command_that_did_not(session):
    session.run("a", "pytest", "pytest: command not found", error=True)
    session.run("b", "uv run pytest", "1 failed, 2 passed")
    assert [(kind, repair) for kind, _, _, repair in repairs(session)] == [("command", "uv run pytest")]


def test_a_tool_that_failed_for_a_file_and_then_worked(session):
    edit = {"file_path": "/a.py", "old_string": "x", "new_string": "y"}
    session.answer(tool_use("a", "Edit", edit))
    session.result("a", "<tool_use_error>String to replace not found in file.</tool_use_error>", error=True)
    session.edit("b", "/a.py", "x ", "y")
    assert repairs(session) == [("tool", "Edit /a.py", "String to replace not found in file.", "Edit /a.py")]


@pytest.mark.parametrize("how", ["edit", "git"])
def test_an_edit_that_was_undone(session, how):
    session.edit("a", "/a.py", "x", "y")
    if how == "edit":
        session.edit("b", "/a.py", "y", "x")
    else:
        session.run("b", "git checkout -- a.py", "")
    assert [(kind, tried) for kind, tried, _, _ in repairs(session)] == [("undone", "/a.py")]


@pytest.mark.parametrize(
    "said",
    [
        "No, use uv instead of pip.",
        "don't commit that",
        "That's wrong",
        "I meant the other file",
        "Nein, nicht so",
        "違います",
    ],
)
def test_a_users_correction(session, said):
    session.answer(text("I did it with pip."))
    session.user(said)
    assert repairs(session) == [("correction", "Fix the till", said, said)]


@pytest.mark.parametrize(
    "said", ["Now add a test", "Notice the colour", "Nothing else, thanks", "Use of the till is up", "Nonsense"]
)
def test_another_message_is_no_correction(session, said):
    session.answer(text("Done."))
    session.user(said)
    assert repairs(session) == []


def test_what_only_looks_or_has_another_aim_is_no_failure(session):
    session.run("a", "grep -r till .", "", error=True)
    session.run("b", "grep -r shop .", "shop.py")
    session.run("c", "git push", "rejected", error=True)
    session.run("d", "ls", "till.py")
    assert repairs(session) == []


def test_a_first_message_is_no_correction():
    session = Claude()
    session.user("No tests please, just look")
    session.answer(text("ok"))
    assert repairs(session) == []


@pytest.mark.parametrize(
    ("command", "is_"),
    [
        ("cd /x/y && python -m pytest tests/test_a.py::test_b -x | tail -5", "python -m pytest -x"),
        ("npm run build 2>&1", "npm run build"),
        ("git commit -m 'a message'", "git commit -m"),
    ],
)
def test_what_a_command_is_without_what_changes(command, is_):
    assert essence(command) == is_


def test_the_problem_of_an_output():
    output = "Traceback (most recent call last):\n  File \"/a/b.py\", line 3\nValueError: no till 7 in 'shop'\n"
    assert problem_in(output) == "ValueError: no till 7 in 'shop'"
    assert pattern_of(problem_in(output)) == "ValueError: no till … in …"
