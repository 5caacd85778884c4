"""Values that fit a schema, whatever the schema asks for."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from typing import Annotated, Any, Literal

import pytest
from pydantic import AnyUrl, BaseModel, Field, TypeAdapter

from agents.models.simulated.pattern_sample import sample_of
from agents.models.simulated.placeholders import MOST_VALUES, Placeholders

TEXT = 'Book 3 nights for 12.5 euros in Paris at the "Grand Hotel", see https://x.org/a or bob@x.org'


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Node(BaseModel):
    name: str
    left: Node | None
    children: list[Node]


class Base(BaseModel):
    kind: Literal["base"] = "base"


class Nested(BaseModel):
    base: Base
    note: str | None
    pair: tuple[int, str]
    by_name: dict[str, int]
    when: dt.date
    at: dt.datetime
    key: uuid.UUID
    site: AnyUrl


SCHEMAS: list[Any] = [
    str,
    int,
    bool,
    float,
    list[str],
    dict[str, str],
    dict,
    None,
    Colour,
    Node,
    Nested,
    Literal["a", "b"],
    Annotated[int, Field(ge=5, le=9)],
    Annotated[int, Field(gt=5, lt=7)],
    Annotated[float, Field(gt=0, lt=1)],
    Annotated[int, Field(multiple_of=7, ge=10)],
    Annotated[str, Field(min_length=300)],
    Annotated[str, Field(max_length=4)],
    Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{2,4}$")],
    Annotated[str, Field(pattern=r"^#(?:[0-9a-f]{3}){1,2}$")],
    Annotated[list[int], Field(min_length=3, max_length=4)],
    Annotated[set[str], Field(min_length=2)],
    Annotated[set[Colour], Field(min_length=2)],
    Annotated[set[int], Field(min_length=3)],
    int | str,
]


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("mark", ["", "[stand-in: A 1.1]"])
def test_a_value_fits_its_schema(schema, is_late, mark):
    adapter = TypeAdapter(schema)
    adapter.validate_python(Placeholders(TEXT, mark=mark, is_late=is_late).fill(adapter.json_schema()))


def test_arguments_are_taken_from_the_text_in_its_order():
    def given(**properties: Any) -> Any:
        return Placeholders(TEXT).fill({"type": "object", "properties": properties, "required": list(properties)})

    text, number = {"type": "string"}, {"type": "number"}
    assert given(nights={"type": "integer"}, price=number, city=text, hotel=text) == {
        "nights": 3,
        "price": 12.5,
        "city": "Paris",
        "hotel": "Grand Hotel",
    }
    assert given(link={"type": "string", "format": "uri"}, mail={"type": "string", "format": "email"}) == {
        "link": "https://x.org/a",
        "mail": "bob@x.org",
    }
    assert given(numbers={"type": "array", "items": number}, query=text) == {"numbers": [3, 12.5], "query": TEXT}
    assert given(place={"enum": ["rome", "paris"]}) == {"place": "paris"}


def test_arguments_that_may_be_left_out_are_left_out():
    assert Placeholders(TEXT).fill({"type": "object", "properties": {"days": {"type": "integer"}}}) == {}


def test_only_the_first_text_has_the_whole_mark():
    made = Placeholders("Hi", mark="[stand-in: A 1.1]").fill({"prefixItems": [{"type": "string"}, {"type": "string"}]})
    assert made == ["[stand-in: A 1.1] Hi", "[stand-in] Hi"]


@pytest.mark.parametrize(
    "schema",
    [
        {
            "$ref": "#/$defs/A",
            "$defs": {"A": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/A"}}}},
        },
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}},
        {"type": "array", "minItems": 10**9, "items": {"type": "array", "minItems": 10**9}},
        {"type": "array", "items": 5},
        {"allOf": [3], "enum": []},
        {"type": "string", "pattern": "(" * 200},
        {},
    ],
)
def test_a_schema_that_no_value_fits_ends_too(schema):
    made = Placeholders(TEXT, mark="[stand-in]").fill(schema)
    assert len(str(made)) < 200 * MOST_VALUES


@pytest.mark.parametrize("pattern", ["[^a]", "(?=x)y", "[", "a{999}", r"\1", "(a", "*", "a" * 400])
def test_a_pattern_that_is_not_read_has_no_sample(pattern):
    assert sample_of(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "sample"),
    [("a|b", "a"), (r"(ab)+?c*", "ab"), (r"\d{2}[.\]]x?$", "00."), (r"\bA\b", "A"), (r"^$", ""), (r"[\d-]{3}", "000")],
)
def test_a_sample_of_a_pattern(pattern, sample):
    assert sample_of(pattern) == sample
