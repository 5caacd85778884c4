"""The functions that read text from outside take linear time: what is quadratic there need not be a pattern."""

from __future__ import annotations

import pytest

from tests.architecture.growth import assert_linear

# -- the measure itself


def eaten_from_the_front(text: str) -> None:
    while text:
        text = text[1:]


def looked_for_from_every_quote(text: str) -> None:
    at = text.find('"')
    while at >= 0:
        text.find("'", at)
        at = text.find('"', at + 1)


@pytest.mark.parametrize("read", [eaten_from_the_front, looked_for_from_every_quote])
def test_a_function_that_is_not_linear_is_found(read):
    with pytest.raises(AssertionError, match="times half of them"):
        assert_linear(read)


@pytest.mark.parametrize("read", [str.split, str.casefold, "\n".join, sorted])
def test_a_linear_function_passes(read):
    assert_linear(read)
