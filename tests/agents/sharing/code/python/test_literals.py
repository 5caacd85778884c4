"""Literals: any text comes back as it was, and no character of it is anything but text."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sharing.code.python.literals import NoLiteralError, block, call, literal, quoted, remark

ANY_CHARACTER = st.characters(codec=None, exclude_categories=())
TEXTS = st.one_of(
    st.text(ANY_CHARACTER),
    st.text(st.sampled_from("\"'\\\n\r\t {}#\x00\u2028\u2029\x85\x0c\ud800\udfff\ufeff\u202e日本")),
    st.lists(st.sampled_from(['"""', "'''", "\\", "\n", '"', "\\n", "x ", "\\\n", '\\"""'])).map("".join),
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(TEXTS, inner)
        | st.frozensets(st.integers() | TEXTS)
        | st.sets(st.integers() | TEXTS)
    ),
    max_leaves=12,
)


def evaluated(text: str) -> object:
    tree = ast.parse(text, mode="eval")
    names = {"frozenset": frozenset, "set": set, "float": float, "__builtins__": {}}
    return eval(compile(tree, "<test>", "eval"), names)


@given(TEXTS)
def test_a_text_is_a_literal_of_printable_characters(text):
    for written in (quoted(text), block(text)):
        assert ast.literal_eval(written) == text
        assert all(line.isprintable() for line in written.split("\n"))
        assert written.encode("utf-8")
    assert "\n" not in quoted(text)


@given(TEXTS)
def test_a_block_has_no_line_that_an_editor_would_trim(text):
    assert all(line == line.rstrip(" ") for line in block(text).split("\n")[:-1])


@given(TEXTS)
def test_a_comment_stays_on_its_line(text):
    assert ast.dump(ast.parse(f"# {remark(text)}\nx = 1")) == ast.dump(ast.parse("x = 1"))


@given(PLAIN)
def test_a_plain_value_is_an_expression_of_the_same_value(value):
    assert evaluated(literal(value)) == value


def test_a_hundred_kilobytes_of_one_character():
    for character in ('"', "\\", "\n", "\ud800", "日", "'"):
        text = character * 100_000
        assert ast.literal_eval(block(text)) == text


@pytest.mark.parametrize("value", [float("inf"), float("-inf")])
def test_numbers_that_have_no_literal(value):
    assert evaluated(literal(value)) == value


def test_a_number_of_thousands_of_digits():
    assert evaluated(literal(10**5000)) == 10**5000


@pytest.mark.parametrize("value", [object(), {"x": object()}, [lambda: None], 1j])
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(NoLiteralError):
        literal(value)


def test_what_is_nested_too_deeply_is_refused():
    value: list[object] = []
    for _ in range(1000):
        value = [value]
    with pytest.raises(NoLiteralError, match="nested"):
        literal(value)


def test_a_long_call_has_an_argument_a_line():
    assert call("f", ["a=1", "b=2"]) == "f(a=1, b=2)"
    assert call("f", ["a" * 60, "b" * 60]) == f"f(\n    {'a' * 60},\n    {'b' * 60},\n)"
