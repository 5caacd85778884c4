"""What models write as JSON: mistakes that change no value are put right, nothing is guessed, reading takes linear time."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.tool_arguments.exact_json import UnreadableJsonError, checked
from agents.models.tool_arguments.lenient_json import read_json, read_object

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(texts, values, max_size=4)


@given(objects, st.sampled_from([None, 2]), st.booleans())
def test_json_is_read_as_it_is(value, indent, is_ascii):
    assert read_object(json.dumps(value, indent=indent, ensure_ascii=is_ascii)) == value


@given(objects, st.data())
def test_no_beginning_of_an_object_is_read(value, data):
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]

    with pytest.raises(UnreadableJsonError):
        read_object(cut)


@given(objects, objects)
def test_two_objects_are_none(first, second):
    with pytest.raises(UnreadableJsonError, match="more after the end"):
        read_object(json.dumps(first) + json.dumps(second))


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"a": "x", "b": [1, true, null]}\n```',
        '```\n{"a": "x", "b": [1, true, null]}',
        '{"a": "x", "b": [1, true, null,],}',
        "{'a': 'x', 'b': [1, True, None]}",
        "{“a”: “x”, ‘b’: [1, true, null]}",
        '{a: "x", b: [1, true, null]}',
        '{"a": "x", // one\n /* two */ "b": [1, true, null] # three\n}',
        json.dumps('{"a": "x", "b": [1, true, null]}'),
        json.dumps(json.dumps('{"a": "x", "b": [1, true, null]}')),
        '\ufeff{"a": "x", "a": "x", "b": [1, true, null]}',
    ],
    ids=[
        *("fence", "open fence", "trailing commas", "single quotes", "curly quotes", "bare keys", "comments"),
        *("a string of it", "a string of a string of it", "a mark before it, and a key twice with one value"),
    ],
)
def test_mistakes_that_change_no_value_are_put_right(text):
    assert read_object(text) == {"a": "x", "b": [1, True, None]}


def test_lines_and_other_marks_in_a_string_stay():
    assert read_object('{"a": "one\n\ttwo", \'b\': "it\'s", “c”: “a "b"”}') == {"a": "one\n\ttwo", "b": "it's", "c": 'a "b"'}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "said "hi" once"}',
        "{'a': 'it's'}",
        '{"a": 1 "b": 2}',
        '{"a": 1,, "b": 2}',
        '{"a": x}',
        '{"a": 007}',
        '{"a": +1}',
        '{"a": 0x10}',
        '{"a": 1_000}',
        '{"a": "\\d"}',
        '{"a": 1} thanks',
        '{"a": 1, "a": 2}',
        '{"a": 1, "a": 1.0}',
        "{\"a\": 1, 'a': true}",
        "[1]",
        '"words"',
        "words",
        '{"a": ' + "[" * 99 + "]" * 99 + "}",
    ],
)
def test_what_would_have_to_be_guessed_is_an_error(text):
    with pytest.raises(UnreadableJsonError):
        read_object(text)


@pytest.mark.parametrize("text", ["1e400", "-1e400", "NaN", "Infinity", "-Infinity", "12345678901234567.0", "9" * 5000])
def test_a_number_that_would_lose_digits_is_an_error(text):
    for written in (f'{{"a": {text}}}', f"{{'a': {text},}}"):
        with pytest.raises(UnreadableJsonError):
            read_object(written)


@pytest.mark.parametrize("number", [10**30, -(10**30), 2**53 + 1, 1e300, 0.1, 12345678901234568.0])
def test_a_number_keeps_its_digits(number):
    for written in (f'{{"a": {number!r}}}', f"{{'a': {number!r},}}"):
        assert read_object(written) == {"a": number}
        assert type(read_object(written)["a"]) is type(number)


@pytest.mark.parametrize("text", ["", "  ", "null", "None", "{}"])
def test_no_arguments_are_an_empty_object(text):
    assert read_object(text) == {}


def test_values_that_json_cannot_hold_are_found_in_objects_that_are_read_already():
    assert checked({"a": [1, "\ud83d\ude42"]}) == {"a": [1, "🙂"]}
    with pytest.raises(UnreadableJsonError):
        checked({"a": [float("inf")]})


def test_what_is_too_early_is_told_from_what_is_wrong():
    for text, is_cut in [('{"a": "x', True), ('{"a": 1', True), ('{"a" 1}', False)]:
        with pytest.raises(UnreadableJsonError) as raised:
            read_json(text)
        assert raised.value.is_cut is is_cut
