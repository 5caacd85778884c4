"""Quick copies are the copies that pydantic makes."""

from __future__ import annotations

import pytest
from google.genai import types

from agents.model import copy_with, unchecked

CASES = [
    (
        types.GenerateContentConfig(temperature=0.5, labels={"a": "b"}),
        {"labels": {"c": "d"}, "system_instruction": "Be brief."},
    ),
    (types.GenerateContentConfig(), {"system_instruction": None}),
    (types.Part(text="one"), {"text": "two"}),
    (types.Part(), {"function_call": types.FunctionCall(name="f", args={"n": 1})}),
    (types.Content(role="user", parts=[types.Part(text="one")]), {"parts": []}),
    (types.FunctionResponse(id="1", name="f"), {"response": {"result": None}}),
    (types.FunctionDeclaration(name="f", description="g"), {}),
    (types.Tool(), {"function_declarations": [types.FunctionDeclaration(name="f")]}),
]


@pytest.mark.parametrize(("model", "values"), CASES, ids=[f"{type(m).__name__}-{n}" for n, (m, _) in enumerate(CASES)])
def test_it_is_the_copy_that_pydantic_makes(model, values):
    before = model.model_copy(deep=True)
    made, pydantics = copy_with(model, **values), model.model_copy(update=values)
    assert made == pydantics
    assert made.model_fields_set == pydantics.model_fields_set
    assert made.model_dump(exclude_unset=True) == pydantics.model_dump(exclude_unset=True)
    assert made.model_dump_json() == pydantics.model_dump_json()
    assert (made.model_extra, made.__pydantic_private__) == (pydantics.model_extra, pydantics.__pydantic_private__)
    assert model == before


def test_a_copy_can_be_changed_alone():
    model = types.Part(text="one")
    made = copy_with(model)
    made.text = "two"
    assert (model.text, made.text) == ("one", "two")
    assert copy_with(types.Part()).model_fields_set == set()


def test_an_unchecked_model_is_the_one_that_pydantic_makes():
    values = {"name": "f", "args": {"n": 1}}
    made, pydantics = unchecked(types.FunctionCall, **values), types.FunctionCall(**values)
    assert made == pydantics
    assert made.model_fields_set == pydantics.model_fields_set
    assert made.model_dump_json() == pydantics.model_dump_json()
    assert (made.model_extra, made.__pydantic_private__) == (pydantics.model_extra, pydantics.__pydantic_private__)
    assert unchecked(types.FunctionCall) == types.FunctionCall()
