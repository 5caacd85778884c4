"""Rows of a comparison as HTML."""

from __future__ import annotations

import json
from dataclasses import replace

from agents import LogEntry, SessionSummary
from agents.comparison import compare
from agents.history.turns import COMPARED
from ui.sessions import comparison_markup as markup

HOSTILE = "<img src=x onerror=alert(1)>\"'</td>\u202e"


def session(session_id: str, **more) -> SessionSummary:
    return SessionSummary("p", "person", session_id, more.pop("title", "title"), 0.0, 0.0, 1, "completed", **more)


def log(*events: dict) -> list[LogEntry]:
    return [LogEntry(seq, "event", json.dumps({"author": "A", **event})) for seq, event in enumerate(events, start=1)]


def said(text: str, **more) -> dict:
    return {"content": {"parts": [{"text": text}]}, **more}


def table(*logs: list[LogEntry], **more) -> str:
    compared = compare(logs)
    sessions = [session(f"s{number}", **more) for number in range(len(logs))]
    rows = [(row, index == compared.divergence) for index, row in enumerate(compared.rows)]
    return markup.table(sessions, compared, rows)


def test_every_text_of_a_session_stays_text():
    call = {"function_call": {"name": HOSTILE, "args": {HOSTILE: HOSTILE}}}
    hostile = {
        "author": HOSTILE,
        "content": {"parts": [{"text": HOSTILE}, {"text": HOSTILE, "thought": True}, call]},
        "actions": {"state_delta": {HOSTILE: HOSTILE}, "transfer_to_agent": HOSTILE, "artifact_delta": {HOSTILE: 1}},
        "error_code": HOSTILE,
        "error_message": HOSTILE,
    }
    shown = table(log(hostile), log(said("x", author=HOSTILE)), title=HOSTILE, model=HOSTILE)
    assert "<img" not in shown
    assert "\u202e" not in shown
    assert shown.count("<td>") == shown.count("</td>") == 2


def test_a_fork_says_what_was_changed():
    forked = LogEntry(9, "forked", json.dumps({"origin": "s0", "what": f"state {HOSTILE}"}))
    shown = table(log(said("x")), [*log(said("x")), forked])
    assert "fork: state &lt;img" in shown
    assert "<img" not in shown
    assert "fork" not in table(log(said("x")), log(said("x")))
    assert "fork" not in table(log(said("x")), log(said("x")), origin="s0"), "imported"
    assert "fork, nothing changed" in table(log(said("x")), log(said("x")), origin="s0", fork=True)


def test_what_a_running_session_has_not_reached_yet_is_no_difference():
    ended, running = session("s0"), replace(session("s1"), status="running")
    behind = compare([log(said("x"), said("y")), log(said("x"))])
    assert markup.first_difference([ended, running], behind) is None
    assert markup.first_difference([running, ended], behind) == 1, "nothing more comes from the second"
    parted = compare([log(said("x"), said("y")), log(said("z"))])
    assert markup.first_difference([ended, running], parted) == 0
    assert markup.first_difference([ended, ended], compare([log(said("x"))] * 2)) is None
    assert "not there yet" in markup.table([ended, running], behind, [(behind.rows[1], False)])
    assert "not there yet" not in markup.table([running, ended], behind, [(behind.rows[1], False)])


def test_what_only_one_has_is_marked_in_words():
    shown = table(log(said("x")), log(said("x"), said("y")))
    assert "first difference" in shown
    assert "only in 1 of 2" in shown
    assert "not there" in shown
    assert "<ins>" not in shown


def test_a_long_text_is_cut_and_says_by_how_much():
    shown = table(log(said("a" * 100_000)), log(said("a" * 100_000)))
    assert len(shown) < 5000
    assert "99,760 characters" in shown
    shown = table(log(said("a" * 100_000)), log(said("b" * 100_000)))
    assert len(shown) < 15_000
    assert "97,000 more characters" in shown


def test_a_key_that_is_set_to_the_text_does_not_repeat_it():
    shown = table(*[log(said("x" * 50, actions={"state_delta": {"draft": "x" * 50}}))] * 2)
    assert shown.count("x" * 50) == 2
    assert "to this text" in shown


def test_places_are_said_in_words():
    entries = [
        LogEntry(1, "session_created", "{}"),
        LogEntry(2, "run_started", '{"invocation_id": "i"}'),
        LogEntry(3, "agent_started", '{"agent": "Loop"}'),
        LogEntry(4, "loop_iteration", '{"agent": "Loop", "iteration": 2}'),
        LogEntry(5, "event", '{"author": "Critic"}'),
        LogEntry(6, "event", '{"author": "Critic"}'),
        LogEntry(11, "agent_started", '{"agent": "Finder", "branch": "Finder:a"}'),
        LogEntry(12, "agent_started", '{"agent": "Finder", "branch": "Finder:b"}'),
        LogEntry(13, "event", '{"author": "Finder", "branch": "Finder:b"}'),
        LogEntry(7, "run_finished", '{"invocation_id": "i", "status": "completed"}'),
        LogEntry(8, "run_started", '{"invocation_id": "j"}'),
        LogEntry(9, "event", '{"author": "user"}'),
        LogEntry(10, "run_finished", '{"invocation_id": "j", "status": "paused"}'),
    ]
    assert [markup.place_words(row.place) for row in compare([entries, entries]).rows] == [
        "Start state",
        "Loop, pass 2 → Critic",
        "Loop, pass 2 → Critic, turn 2",
        "Loop, pass 2 → Finder, call 2",
        "End of run 1",
        "Run 2: user",
        "Pause of run 2",
    ]


def test_each_field_that_may_differ_has_words():
    assert set(markup.WORDS) == {*COMPARED, "order"}


def test_the_models_that_were_asked_are_named_and_not_the_one_chosen_for_the_run():
    def asking(model: str) -> list[LogEntry]:
        began = {"agent": "A", "call": 1, "model": model, "instruction": None}
        started = LogEntry(1, "model_started", json.dumps(began))
        ended = LogEntry(2, "model_finished", json.dumps({"agent": "A", "call": 1, "model": model, "usage": {}}))
        return [started, ended, LogEntry(3, "event", json.dumps({"author": "A", **said("x", stop_reason="end_turn")}))]

    shown = table(asking("simulated"), asking("gemini-flash-latest"), model="simulated", simulated=True)
    first, second = shown.split("</th>")[:2]
    assert " simulated " in first
    assert " gemini-flash-latest " in second
    assert " simulated " not in second
