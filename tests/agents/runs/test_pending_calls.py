"""Answers to calls that wait."""

from __future__ import annotations

import json

from agents.runs.pending_calls import answer_to
from agents.runs.values import PendingCall

ARGS = {"account": 1234567890123456789, "amount": 5.0, "é": "ü", "more": {"z": [1.0, None, 2**70], "a": -0.0}, "note": None}


def waiting(*, is_confirmation: bool) -> PendingCall:
    return PendingCall("p", "s", "i", "", "adk-1", "Clerk", "pay", ARGS, "", is_confirmation, 0.0)


def said(call: PendingCall, response: dict[str, object]) -> str:
    [part] = answer_to(call, response).parts or []
    assert part.function_response is not None
    return json.dumps(part.function_response.response)


def test_edited_arguments_change_nothing_that_was_not_edited():
    text = said(waiting(is_confirmation=True), {"confirmed": True, "args": {"amount": 6.0}})
    assert text == json.dumps({"confirmed": True, "args": {**ARGS, "amount": 6.0}})
    assert '"account": 1234567890123456789, "amount": 6.0, "' in text


def test_without_edits_no_arguments_are_sent():
    assert said(waiting(is_confirmation=True), {"confirmed": True}) == '{"confirmed": true}'


def test_an_answer_that_is_no_confirmation_is_left_as_it_is():
    assert said(waiting(is_confirmation=False), {"args": {"a": 1}}) == '{"args": {"a": 1}}'
