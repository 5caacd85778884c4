"""Turns as a session's log tells them."""

from __future__ import annotations

import json
from typing import Any

from agents.log import LogEntry
from ui.demo.turns import Delta, turns_in

ADD = {"type": "ADD", "bullet_id": "f-00001", "section": "FORMULAS", "content": "a = b / c"}
TAG = {"type": "TAG", "bullet_id": "f-00001", "tag": "harmful"}


class Log:
    """A log that is written line by line."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []

    def write(self, kind: str, **body: Any) -> Log:
        self.entries.append(LogEntry(len(self.entries) + 1, kind, json.dumps(body)))
        return self

    def event(self, invocation: str, author: str, text: str = "", **delta: Any) -> Log:
        content = {"parts": [{"text": text}]} if text else {}
        keys = {key.replace("app_", "app:"): value for key, value in delta.items()}
        return self.write("event", invocation_id=invocation, author=author, content=content, actions={"state_delta": keys})

    def end(self, invocation: str, status: str = "completed") -> Log:
        return self.write("run_finished", invocation_id=invocation, status=status)


def commit(by: str, revision: int, *applied: dict[str, Any]) -> dict[str, Any]:
    return {"playbook": "p", "revision": revision, "by": by, "reasoning": "", "applied": list(applied), "rejected": []}


def asked(invocation: str, text: str, log: Log | None = None) -> Log:
    log = (log or Log()).event(invocation, "user", text)
    return log.event(invocation, "StateInitializer", "read", ground_truth="1.5", generator_output=None)


def test_a_turn_is_a_question_its_answer_and_what_was_learned():
    log = asked("i1", "What is it?")
    log.event("i1", "Generator", generator_output={"final_answer": "2", "bullet_ids": ["f-00001"]})
    log.event("i1", "TagBullets", app_playbook=commit("reflector", 2, TAG))
    log.event("i1", "ApplyDelta", app_playbook=commit("curator", 3, ADD)).end("i1")
    [turn] = turns_in(log.entries)
    assert (turn.message, turn.status, turn.answer, turn.answered_at) == ("What is it?", "completed", "2", 3)
    assert (turn.cited, turn.expected) == (["f-00001"], "1.5")
    assert turn.deltas == [Delta(4, 2, "reflector", [TAG]), Delta(5, 3, "curator", [ADD])]
    assert turn.learned == turn.deltas[1]
    assert turn.changes == [TAG, ADD]


def test_a_run_at_work_has_no_end_and_a_paused_one_goes_on_when_it_is_answered():
    log = asked("i1", "x")
    assert turns_in(log.entries)[0].status == "running"
    assert turns_in(log.end("i1", "paused").entries)[0].status == "paused"
    assert turns_in(log.event("i1", "user").entries)[0].status == "running"
    assert turns_in(log.end("i1", "failed").entries)[0].status == "failed"


def test_a_commit_that_changed_nothing_taught_nothing():
    log = asked("i1", "x").event("i1", "ApplyDelta", app_playbook=commit("curator", 1))
    assert turns_in(log.entries)[0].learned is None


def test_turns_stand_in_order_and_what_a_person_sets_between_them_is_none():
    log = asked("i1", "first").end("i1").event("", "user", reflector_rounds=2)
    asked("i2", "second", log).end("i2", "stopped")
    assert [(turn.message, turn.status) for turn in turns_in(log.entries)] == [
        ("first", "completed"),
        ("second", "stopped"),
    ]


def test_what_a_model_may_have_written_instead_does_no_harm():
    log = asked("i1", "x").event("i1", "Generator", generator_output="no JSON", app_playbook="?")
    [turn] = turns_in(log.entries)
    assert (turn.answer, turn.deltas) == (None, [])
