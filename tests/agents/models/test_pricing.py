"""What a model costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from google.genai import types
from pydantic import ValidationError

from agents.models.pricing import (
    NOTHING,
    call_cost,
    google_searches,
    list_prices,
    price_of,
    price_rows,
    priced_names,
)
from agents.models.provider import Price
from agents.models.providers import all_providers

CASES = json.loads((Path(__file__).parent / "price_cases.json").read_text(encoding="utf-8"))
"""The browser's rule is tested against the same cases, in `tests/ui/test_session_view_prices.py`."""
TABLE = {name: Price(**dict(zip(Price.model_fields, row, strict=True))) for name, row in CASES["table"].items()}


@pytest.mark.parametrize(("model", "listed"), CASES["prices"].items())
def test_the_longest_name_that_begins_a_models_counts_and_what_runs_on_this_machine_is_free(model, listed):
    assert price_of(model, TABLE) is {**TABLE, "free": NOTHING, None: None}[listed]


@pytest.mark.parametrize("model", [model for model, listed in CASES["prices"].items() if listed == "free"])
def test_what_runs_on_this_machine_costs_what_the_table_says(model):
    assert price_of(model, {model: TABLE["m"]}) is TABLE["m"]


@pytest.mark.parametrize("case", CASES["names"], ids=lambda case: case["asked"])
def test_a_call_is_priced_by_who_answered_unless_the_name_asked_has_a_prefix(case):
    assert priced_names(case["asked"], case["answered"]) == tuple(case["names"])


def test_rows_are_in_the_order_in_which_they_count():
    rows = price_rows({"m": TABLE["m"], "m-lite": TABLE["m-lite"]})
    assert rows[:2] == [("m-lite", 0.5, 1, 0.1, None, 14), ("m", 1, 2, None, 35, None)]
    assert ("simulated*", 0, 0, None, 0, 0) in rows[2:]


def test_free_names_stand_for_anything_at_one_end_only():
    free = [name for provider in all_providers() for name in provider.free]
    assert free
    assert [name for name in free if "*" in name[1:-1] or name.count("*") > 1] == []


@pytest.mark.parametrize("case", CASES["searches"], ids=lambda case: json.dumps(case["grounding"]))
def test_different_queries_are_billed_and_empty_ones_are_not(case):
    grounding = None if case["grounding"] is None else types.GroundingMetadata(**case["grounding"])
    assert google_searches(grounding) == case["searches"]


def test_gemini_2_is_billed_by_the_prompt_and_gemini_3_by_the_query():
    fees = {name: (price.grounded_prompts, price.search_queries) for name, price in list_prices().items()}
    assert {fee for name, fee in fees.items() if name.startswith("gemini-2")} == {(35, None)}
    assert {fee for name, fee in fees.items() if name.startswith("gemini-3")} == {(None, 14)}


@pytest.mark.parametrize("value", [-1, float("inf"), float("nan"), 100_001])
def test_a_price_is_a_sensible_number(value):
    with pytest.raises(ValidationError):
        Price(input=value, output=0)
    with pytest.raises(ValidationError):
        Price(input=0, output=0, grounded_prompts=value)


@pytest.mark.parametrize("case", CASES["costs"], ids=lambda case: f"{case['model']}-{case['calls']}")
def test_a_call_costs_tokens_and_searches(case):
    tokens = {"input": 1_000_000, "output": 900_000, "thoughts": 100_000}
    costs = [call_cost(case["model"], None, tokens, searches, TABLE) for searches in case["calls"]]
    if "unpriced" in case:
        assert None in costs
    else:
        assert sum(costs) == pytest.approx(case["cost"])


def test_a_call_is_priced_by_who_answered_cached_tokens_by_theirs_and_nothing_costs_nothing():
    assert call_cost("quick-or-careful", "m-lite", {"input": 1_000_000, "cached": 2_000_000}, 0, TABLE) == pytest.approx(0.1)
    assert call_cost("m", None, {"input": 1_000_000, "cached": 500_000}, 0, TABLE) == pytest.approx(1)
    assert call_cost("m", None, {}, 2, TABLE) == pytest.approx(0.035)
    assert call_cost("other", None, {}, 0, TABLE) == 0
