"""What a row of the list says of a session."""

from __future__ import annotations

import pytest

from agents.session_list import SessionSummary
from ui.session_list.rows import LONGEST_TITLE, row_of


def session(**more) -> SessionSummary:
    fields = {"app_name": "ace", "user_id": "user", "id": "s", "title": "tea", "created_at": 1.0, "updated_at": 2.0}
    return SessionSummary(**(fields | {"events": 3, "status": "completed"} | more))


def test_a_row():
    assert row_of(session()) == {
        "pipeline": "ace",
        "id": "s",
        "title": "tea",
        "status": "completed",
        "outcome": "✓ completed",
        "model": "",
        "updated": 2.0,
        "fork": "",
    }


@pytest.mark.parametrize(
    ("changed", "words"),
    [("", "fork, nothing changed"), ("playbook off", "fork: playbook off"), ("state \u202ex", "fork: state \\u202ex")],
)
def test_a_fork_says_what_it_changed(changed, words):
    assert row_of(session(origin="o", fork=True, changed=changed))["fork"] == words
    assert row_of(session(origin="o"))["fork"] == "", "imported"


@pytest.mark.parametrize(
    ("model", "simulated", "words"),
    [
        ("simulated", True, ""),
        ("", False, ""),
        ("gemini-flash-latest", False, "gemini-flash-latest"),
        ("gemini-flash-latest", True, "partly simulated, gemini-flash-latest"),
        ("replay/ace/s", True, "replayed, simulated"),
        ("simulated", False, "the agents' own models"),
    ],
)
def test_the_model_is_named_unless_it_is_the_simulated_one(model, simulated, words):
    assert row_of(session(model=model, simulated=simulated))["model"] == words


@pytest.mark.parametrize(
    ("models", "words"),
    [("gemini-x\nsimulated", "gemini-x, simulated"), ("gemini-x", "gemini-x"), ("simulated", "")],
)
def test_the_models_that_answered_are_named_whatever_the_run_was_started_with(models, words):
    assert row_of(session(model="simulated", simulated=True, models=models))["model"] == words


def test_a_hostile_title_or_model_is_short_and_on_one_line_and_reorders_nothing():
    row = row_of(session(title="a\n\u202eb " + "x" * 65_536, model="m\u2066" + "x" * 65_536))
    assert row["title"].startswith("a \\u202eb x")
    assert len(row["title"]) < LONGEST_TITLE + 20
    assert row["model"].startswith("m\\u2066x")
    assert len(row["model"]) < 80


def test_a_session_without_a_title_has_one():
    assert row_of(session(title=""))["title"] == "Untitled session"
