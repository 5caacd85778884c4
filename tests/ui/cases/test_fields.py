"""The fields of expectations as texts: what is shown is read as it was, and a text that cannot be read is named."""

from __future__ import annotations

import pytest
from hypothesis import given

from agents import StateInputError
from agents.cases import AgentsInOrder, AnswerEquals, AnswerNumber, AtMost, StateEquals, ToolCalled
from tests.agents.cases.test_file import EXPECTATIONS
from ui.cases.fields import KINDS, expectation_of, texts_of


@given(EXPECTATIONS)
def test_what_is_read_is_shown_as_it_was_read(expectation):
    texts = texts_of(expectation)
    assert set(texts) == {field.name for field in KINDS[expectation.kind][1]}
    try:
        read = expectation_of(expectation.kind, texts)
    except StateInputError:
        assert any(text != text.strip() or not text for text in texts.values()) or isinstance(expectation, AgentsInOrder)
        return
    assert expectation_of(expectation.kind, texts_of(read)) == read


@pytest.mark.parametrize(
    "expectation",
    [
        AnswerEquals(text="答え\n 42 "),
        AnswerEquals(text=""),
        AnswerNumber(value=-1.5, tolerance=1e-6, agent="Generator"),
        AgentsInOrder(agents=("A", "B")),
        ToolCalled(tool="look", args={"city": "Oslo", "days": [1, 2]}),
        StateEquals(key="k", value=None),
        StateEquals(key="k", value={"ä": True}),
        AtMost(calls=0, seconds=0.5),
    ],
)
def test_an_expectation_comes_back(expectation):
    assert expectation_of(expectation.kind, texts_of(expectation)) == expectation


@pytest.mark.parametrize(
    ("kind", "texts", "told"),
    [
        ("answer_contains", {}, "“The answer contains”, Text: Type something there."),
        ("answer_number", {"value": "many"}, "“The answer has the number”, Number: 'many' is no number. Write e.g. 1.5."),
        ("answer_number", {"value": "inf"}, "Number: Input should be a finite number."),
        ("answer_number", {"value": "１"}, ""),
        ("answer_number", {"value": "1", "tolerance": "-1"}, "“The answer has the number”, Give or take: Input should be"),
        ("agents_in_order", {"agents": " , "}, "“Agents in this order”, Names, with commas between: "),
        ("tool_called", {"tool": "x", "args": "city=Oslo"}, "Arguments, as JSON: this is not JSON: line 1, column 1: Exp"),
        ("state_equals", {"key": "k", "value": "NaN"}, "this is not JSON: NaN is no number in JSON. Text needs quotation"),
        ("state_equals", {"key": "k", "value": "-Infinity"}, "-Infinity is no number in JSON"),
        ("state_equals", {"key": "k", "value": '{"a": 1e999}'}, "1e999 is too large"),
        ("tool_called", {"tool": "x", "args": "[1]"}, "“A tool is called”, Arguments, as JSON: "),
        ("tool_called", {"tool": "x", "args": "[" * 100_000}, "this is not JSON"),
        ("loop_ended", {"loop": "L", "within": "1.5"}, "“A loop ends”, Most passes: "),
        ("at_most", {}, "“At most”: give at least one of calls, cost and seconds."),
    ],
)
def test_a_text_that_cannot_be_read_is_named(kind, texts, told):
    if not told:
        assert expectation_of(kind, texts).value == 1
        return
    with pytest.raises(StateInputError) as raised:
        expectation_of(kind, texts)
    assert told in str(raised.value)
