"""What a call costs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agents.pricing import NOTHING, PRICES, Price, cost, price_of

TABLE = {"m": Price(input=1, output=2), "m-lite": Price(input=0.5, output=1), "x/y": Price(input=3, output=3)}
COUNTS = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("model", "listed"),
    [
        ("m", "m"),
        ("models/m", "m"),
        ("m-001", "m"),
        ("m-lite", "m-lite"),
        ("m-lite-preview", "m-lite"),
        ("x/y:7b", "x/y"),
        ("m@5", "m"),
    ],
)
def test_the_longest_name_that_begins_a_models_counts(model, listed):
    assert price_of(model, TABLE) is TABLE[listed]


@pytest.mark.parametrize("model", ["mm", "", "other", "llama/m"])
def test_a_model_that_is_not_listed_has_no_price(model):
    assert price_of(model, TABLE) is None


@pytest.mark.parametrize("model", ["simulated", "local/m", "ollama/m", "replay/p/s", "/here/m.gguf"])
def test_what_runs_on_this_machine_costs_nothing_unless_the_table_says_so(model):
    assert price_of(model, TABLE) is NOTHING
    assert price_of(model, {model: TABLE["m"]}) is TABLE["m"]


def test_each_kind_of_token_has_its_price():
    price = Price(input=1.0, output=10.0, cached=0.25)

    assert cost({"input": 1_000_000}, price) == 1.0
    assert cost({"input": 1_000_000, "cached": 400_000}, price) == pytest.approx(0.6 + 0.1)
    assert cost({"output": 100_000, "thoughts": 100_000}, price) == 2.0
    assert cost({"input": 10, "cached": 10}, Price(input=1, output=1)) == cost({"input": 10}, Price(input=1, output=1))
    assert cost({}, price) == 0


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_a_cost_is_never_negative_and_more_tokens_never_cost_less(sent, received, cached, more):
    price = PRICES["gemini-2.5-flash"]
    tokens = {"input": sent, "output": received, "cached": cached}

    assert 0 <= cost(tokens, price) <= cost({**tokens, "output": received + more}, price)


@pytest.mark.parametrize("value", [-1, float("inf"), float("nan"), 100_001])
def test_a_price_is_a_sensible_number(value):
    with pytest.raises(ValidationError):
        Price(input=value, output=0)
