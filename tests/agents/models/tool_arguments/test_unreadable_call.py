"""Calls whose arguments cannot be read."""

from __future__ import annotations

from google.genai import types

from agents.models.tool_arguments.unreadable_call import unreadable_call, why_unreadable


def test_the_model_is_told_what_it_wrote_and_why_it_cannot_be_read_also_after_it_was_stored():
    call = unreadable_call("pay", '{"to": "Ann', "it ends too early", call_id="c")
    stored = types.FunctionCall.model_validate_json(call.model_dump_json())

    assert (stored.id, stored.name) == ("c", "pay")
    assert '{"to": "Ann' in (stored.args or {}).values()
    assert why_unreadable(stored) == (
        "pay was not run, because its arguments cannot be read: it ends too early. Call it again, with all arguments as one "
        "whole JSON object."
    )


def test_any_other_call_can_be_read():
    for args in ({}, {"to": "Ann"}, {"(why)": "x"}):
        assert why_unreadable(types.FunctionCall(name="pay", args=args)) is None


def test_a_long_text_is_shortened():
    call = unreadable_call("pay", "x" * 100_000, "it is no value")

    assert len(str(call.args)) < 5000
