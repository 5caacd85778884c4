"""Reading JSON of which nothing is known yet."""

from __future__ import annotations

import pytest

from agents.ace.formats.shapes import expect, first_twice, load_json, quoted
from agents.errors import PlaybookFormatError


@pytest.mark.parametrize(
    ("value", "wanted"), [({}, dict), ([], list), ("", str), (0, int), (0.5, float), (5, float), (False, bool)]
)
def test_what_belongs_there_is_let_through(value, wanted):
    found = expect(value, wanted, "here")
    assert found == value
    assert type(found) is wanted


@pytest.mark.parametrize(
    ("value", "wanted", "message"),
    [
        (True, int, "here: a whole number belongs here, not true or false"),
        (True, float, "here: a number belongs here, not true or false"),
        (1, bool, "here: true or false belongs here, not a whole number"),
        (1.0, int, "here: a whole number belongs here, not a number"),
        (None, str, "here: a text belongs here, not nothing"),
        ("x", list, "here: a list belongs here, not a text"),
        (float("inf"), float, "here: this number is too large"),
        (-(10**400), float, "here: this number is too large"),
        ([], dict, "here: an object belongs here, not a list"),
    ],
)
def test_anything_else_is_refused_with_its_place(value, wanted, message):
    with pytest.raises(PlaybookFormatError, match=message):
        expect(value, wanted, "here")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n}', "Line 2, column 1: this is not JSON"),
        ("", "Line 1, column 1: this is not JSON"),
        ("NaN", "NaN: this is no JSON number"),
        ("[-Infinity]", "-Infinity: this is no JSON number"),
        ("1" * 5000, "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', "'b': this name is there twice in one object"),
    ],
)
def test_what_is_no_json_is_said(text, message):
    with pytest.raises(PlaybookFormatError, match=message):
        load_json(text)


def test_a_name_that_is_there_twice_may_be_let_through():
    assert load_json('{"a": 1, "a": 2}', strict=False) == {"a": 2}


def test_long_texts_are_cut_in_messages():
    assert quoted("x" * 60) == repr("x" * 60)
    assert quoted("x" * 61) == repr("x" * 59 + "…")


def test_the_first_name_that_comes_again():
    assert first_twice(["a", "b", "c", "b", "a"]) == "b"
    with pytest.raises(AssertionError):
        first_twice(["a", "b"])
