"""What the user answers in a model's place: what is refused, and with which words, and what becomes of the rest."""

from __future__ import annotations

import pytest

from agents.errors import AnswerError
from agents.models.you.answer import check_answer, response_of

ASKED = {
    "tools": [
        {
            "name": "pay",
            "parameters": {
                "type": "object",
                "properties": {"amount": {"type": "integer"}, "to": {"type": "string", "enum": ["Ana", "Bo"]}},
                "required": ["amount"],
            },
        }
    ]
}
SCHEMA = {"type": "object", "properties": {"score": {"type": "number"}}, "required": ["score"]}


def pay(**args):
    return {"calls": [{"name": "pay", "args": args}]}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({}, "The answer is empty"),
        ({"text": " \n"}, "The answer is empty"),
        ({"text": 5}, '"text" has to be a text'),
        ({"say": "hello"}, "'say' is no part of an answer"),
        ({"calls": [{"name": "refund"}]}, "There is no tool 'refund' here. This model may call: pay."),
        ({"calls": ["pay"]}, '"calls" has to be a list'),
        ({"calls": {"name": "pay"}}, '"calls" has to be a list'),
        ({"calls": [{"name": "pay", "args": [1]}]}, 'A call has a "name"'),
        (pay(), "amount is missing"),
        (pay(amount="ten"), "amount has to be a whole number"),
        (pay(amount=True), "amount has to be a whole number"),
        (pay(amount=1, to="Cem"), "to has to be one of 'Ana', 'Bo'"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_in_words(answer, why):
    with pytest.raises(AnswerError) as refused:
        check_answer(ASKED, answer)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    "answer",
    [
        {"text": "Yes."},
        {"result": "Yes."},
        pay(amount=5, to="Bo"),
        {"pass": True},
        {"refuse": ""},
        {**pay(amount=5), "text": "!"},
    ],
)
def test_an_answer_that_fits_is_taken(answer):
    check_answer(ASKED, answer)


@pytest.mark.parametrize(("text", "why"), [("nine", "it is no JSON"), ('{"score": "nine"}', "score has to be a number")])
def test_a_text_has_to_fit_the_output_schema(text, why):
    with pytest.raises(AnswerError, match=why):
        check_answer({"schema": SCHEMA}, {"text": text})
    check_answer({"schema": SCHEMA}, {"text": '{"score": 9}'})


def test_an_answer_is_the_response_of_a_model_and_marked():
    said = response_of({**pay(amount=5), "text": "I pay."}, "you")
    assert (said.text, said.stop_reason, said.model_version) == ("I pay.", "tool_use", "you")
    assert [(call.name, call.args) for call in said.get_function_calls()] == [("pay", {"amount": 5})]
    assert said.custom_metadata == {"typed_by_person": True}
    assert response_of({"result": {"a": 1}}, "you").text == '{"a": 1}'


def test_a_refusal_is_the_error_that_a_model_gives():
    said = response_of({"refuse": "too private"}, "you")
    assert (said.content, said.stop_reason, said.error_code) == (None, "safety", "SAFETY")
    assert "too private" in (said.error_message or "")
