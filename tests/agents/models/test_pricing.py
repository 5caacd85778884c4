"""What a model costs."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agents.models.pricing import NOTHING, price_of
from agents.models.provider import Price

TABLE = {"m": Price(input=1, output=2), "m-lite": Price(input=0.5, output=1), "x/y": Price(input=3, output=3)}


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


@pytest.mark.parametrize("model", ["simulated", "simulated-quick", "local/m", "ollama/m", "replay/p/s", "/here/m.gguf"])
def test_what_runs_on_this_machine_costs_nothing_unless_the_table_says_so(model):
    assert price_of(model, TABLE) is NOTHING
    assert price_of(model, {model: TABLE["m"]}) is TABLE["m"]


@pytest.mark.parametrize("value", [-1, float("inf"), float("nan"), 100_001])
def test_a_price_is_a_sensible_number(value):
    with pytest.raises(ValidationError):
        Price(input=value, output=0)
