"""JSON that a user types: what is accepted can be stored and read again, and what is not says why."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import StateInputError
from ui.text.json_text import MAX_BYTES, MAX_DEPTH, read_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
)


@given(VALUES, st.booleans())
def test_every_value_comes_back(value, ascii_only):
    assert read_json(json.dumps(value, ensure_ascii=ascii_only)) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1, column 1: Expecting value"),
        ("猫", "line 1, column 1: Expecting value"),
        ('{"a":\n', "line 2, column 1: Expecting value"),
        ("{'a': 1}", "line 1, column 2"),
        ("1 2", "line 1, column 3: Extra data"),
        ("NaN", "NaN is no number in JSON"),
        ('{"a": [-Infinity]}', "-Infinity is no number in JSON"),
        ("1e999", "1e999 is too large for a number"),
        ("9" * 5000, "4300 digits"),
        ('{"a": 1, "b": {"x": 1, "x": 1}}', "the key 'x' is there twice"),
        ('"\\ud83d"', "half a character"),
        ('{"\\ud83d": 1}', "half a character"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested too deep"),
        ("[" * 50_000 + "]" * 50_000, "nested too deep"),
        ('{"a":' * 12_000, "nested too deep"),
        ("x" * MAX_BYTES, "line 1, column 1"),
        (f'"{"x" * MAX_BYTES}"', "larger than 100 kB"),
        (f'"{"猫" * (MAX_BYTES // 3)}"', "larger than 100 kB"),
        ("\ud800", "line 1, column 1"),
    ],
)
def test_what_is_no_json_says_why_and_what_to_write(text, why):
    with pytest.raises(StateInputError) as raised:
        read_json(text, what="The value", cure="Write 1.")
    said = str(raised.value)
    assert said.startswith("The value is not JSON: ")
    assert why in said
    assert said.endswith(". Write 1.")
    assert len(said) < 250


def test_what_just_fits_is_read():
    assert len(read_json(f'"{"x" * (MAX_BYTES - 2)}"')) == MAX_BYTES - 2
    value = read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    for _ in range(MAX_DEPTH - 1):
        [value] = value
    assert value == []


def test_a_pair_of_escapes_is_one_character():
    assert read_json('"\\ud83d\\ude00"') == "😀"
