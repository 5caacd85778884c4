"""Actions on prices: the callbacks of the price table."""

from __future__ import annotations

from typing import Any

import streamlit as st

from agents.models import Price
from agents.runs import Preferences
from ui.settings.actions import SettingError, action, can_be_name, change, preferences

FEES = {"grounded_prompts": "grounded prompts", "search_queries": "search queries"}
"""The parts of a price that are not for tokens, in words."""


@action
def set_price(_where: str, model: str, part: str, key: str) -> None:
    """Sets one of a model's prices."""
    known, value = preferences(), st.session_state[key]
    old = known.price_table.get(model)
    if old is None or (value is None and part in {"input", "output"}):  # an emptied field goes back to the old price
        return
    new = _price({**old.model_dump(), part: value})
    if new != old:
        change(f"{model}: {_in_words(part, value)}.", prices=_prices(known, model, new))


@action
def add_price(_where: str, name_key: str, keys: dict[str, str]) -> None:
    """Adds the price of a model."""
    known = preferences()
    name = (st.session_state.get(name_key) or "").strip()
    if not can_be_name(name):
        raise SettingError("Type the name of the model, as a run shows it, e.g. llama/qwen3.")
    if name in known.price_table:
        raise SettingError(f"{name} has a price already. Change it in its row.")
    values = {part: st.session_state.get(key) for part, key in keys.items()}
    if values["input"] is None or values["output"] is None:
        raise SettingError("Type what a million tokens cost, sent and received; 0 if they cost nothing.")
    change(f"{name} has a price.", prices=_prices(known, name, _price(values)))
    st.session_state.update({name_key: "", **dict.fromkeys(keys.values())})


@action
def reset_price(_where: str, model: str) -> None:
    """Removes the user's price of a model."""
    prices = {name: price.model_dump() for name, price in preferences().prices.items() if name != model}
    change(f"The price that you gave {model} is taken back.", prices=prices)


def name_to_price(model: str, key: str) -> None:
    """Puts a model's name into the form for a new price."""
    st.session_state[key] = model


def _in_words(part: str, value: float | None) -> str:
    if part in FEES:
        return f"no fee for {FEES[part]}" if value is None else f"${value:g} for a thousand {FEES[part]}"
    return "cached tokens cost as any other" if value is None else f"${value:g} for a million tokens, {part}"


def _prices(known: Preferences, model: str, price: Price) -> dict[str, Any]:
    return {name: given.model_dump() for name, given in {**known.prices, model: price}.items()}


def _price(values: dict[str, Any]) -> Price:
    try:
        return Price(**values)
    except ValueError:
        raise SettingError("A price is a number of US dollars from 0 to 100,000.") from None
