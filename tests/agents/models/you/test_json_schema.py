"""Whether a value fits a JSON schema, in words."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, TypeAdapter

from agents.models.you.json_schema import misfit


class Stop(BaseModel):
    city: str
    nights: int | None = None


class Trip(BaseModel):
    stops: list[Stop]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"stops": [{"city": "Oslo"}]}, ""),
        ({"stops": [{"city": "Oslo", "nights": None}, {"city": "Bergen", "nights": 2}]}, ""),
        ({}, "stops is missing"),
        ({"stops": {}}, "stops has to be a list"),
        ({"stops": [{"city": "Oslo"}, {"city": 3}]}, "stops[1].city has to be a text"),
        ({"stops": [{"city": "Oslo", "nights": "two"}]}, "stops[0].nights has to be a whole number"),
    ],
)
def test_the_schema_of_a_model_is_read_with_its_references(value, problem):
    assert misfit(value, TypeAdapter(Trip).json_schema()) == problem


@pytest.mark.parametrize(
    ("value", "schema", "problem"),
    [
        ("x", {"type": "STRING"}, ""),
        (None, {"type": "string", "nullable": True}, ""),
        (None, {"type": "string"}, "it has to be a text"),
        (2.0, {"type": "integer"}, ""),
        (2.5, {"type": "integer"}, "it has to be a whole number"),
        ({"a": 1}, {"properties": {"b": {}}, "additionalProperties": False}, "a is not known; known are: b"),
        ({"a": 1}, {"additionalProperties": {"type": "string"}}, "a has to be a text"),
        (1, {"const": 2}, "it has to be 2"),
        (1, {"allOf": [{"type": "integer"}, {"enum": [2]}]}, "it has to be one of 2"),
        (1, {"type": "something new"}, ""),
        ({"x1": 1}, {"patternProperties": {"x.": {}}, "additionalProperties": False}, ""),
        ({"a": 1}, {"properties": ["a"], "required": [["a"]], "enum": 5}, ""),
        (1, "no schema", ""),
    ],
)
def test_the_keywords_that_tools_use_are_checked(value, schema, problem):
    assert misfit(value, schema) == problem


def test_a_schema_that_refers_to_itself_ends():
    twice = {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}
    assert misfit({}, {"$defs": {"A": twice}, **twice}) == ""
    assert misfit({}, {"$defs": {"A": {"$ref": "#/$defs/A"}}, "$ref": "#/$defs/A"}) == ""
