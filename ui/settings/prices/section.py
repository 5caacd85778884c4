"""The section on prices: an editable table of prices and fees, and the models of recent runs without a price."""

from __future__ import annotations

from typing import Any

import streamlit as st

from agents.models import Price, list_prices, price_source
from agents.runs import Preferences, RunManager
from ui.settings import problems
from ui.settings.actions import LONGEST_NAME
from ui.settings.prices import actions, used_models
from ui.state.quick_input import show_value
from ui.text.labels import plain

PARTS = {
    "input": "Sent",
    "output": "Received",
    "cached": "Sent, cached",
    "grounded_prompts": "Grounded prompts",
    "search_queries": "Search queries",
}
DEAREST = 100_000.0
_WIDTHS = [5, 3, 3, 3, 3, 3, 3]
_PRICED = slice(1, 1 + len(PARTS))
_NAME = "price_name"


def show(manager: RunManager, preferences: Preferences) -> None:
    """Draws the table and the form for a new row."""
    st.caption(
        "US dollars for a million tokens. The cost of a run is computed from these. A name counts for all models that begin "
        "with it, e.g. gemini-3.8-flash for gemini-3.8-flash-001. Models on this machine are free unless you set a price. "
        "Google also charges for searches, by the thousand: for Gemini 2.5 by grounded prompt, for Gemini 3 by search "
        "query. Free searches are not subtracted."
    )
    problems.show("prices")
    table = preferences.price_table
    with st.container(key="prices", gap="xsmall"):
        _heads()
        for model in sorted(table):
            _row(model, table[model], is_own=model in preferences.prices)
        listed = (price_source(model) for model in sorted(table) if model not in preferences.prices)
        for source in dict.fromkeys(filter(None, listed)):
            st.caption(plain(source))
    _unknown(manager, preferences)
    _new()


def _heads() -> None:
    for column, words in zip(st.columns(_WIDTHS, gap="xsmall"), ["Model", *PARTS.values(), "From"], strict=True):
        column.caption(words)


def _row(model: str, price: Price, *, is_own: bool) -> None:
    columns = st.columns(_WIDTHS, gap="xsmall", vertical_alignment="center")
    columns[0].markdown(plain(model))
    for column, part in zip(columns[_PRICED], PARTS, strict=True):
        key = f"price_{model}_{part}"
        show_value(key, getattr(price, part))
        with column:
            _amount(f"{PARTS[part]}, {model}", key, on_change=actions.set_price, args=("prices", model, part, key))
    with columns[-1]:
        if not is_own:
            st.caption("The list", help=price_source(model) or None)
            return
        label = "Reset yours" if model in list_prices() else "Remove yours"
        st.button(label, key=f"reset_{model}", type="tertiary", on_click=actions.reset_price, args=("prices", model))


def _amount(label: str, key: str, *, is_labelled: bool = False, **callback: Any) -> None:
    st.number_input(
        label,  # for screen readers, also if it is not drawn
        min_value=0.0,
        max_value=DEAREST,
        value=None,
        step=0.05,
        format="%g",
        key=key,
        placeholder="as sent" if key.endswith("cached") else None,
        label_visibility="visible" if is_labelled else "collapsed",
        **callback,
    )


def _unknown(manager: RunManager, preferences: Preferences) -> None:
    """Draws the models of recent runs that have no price."""
    names = used_models.without_price(manager, preferences.price_table)
    if not names:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="unpriced"):
        st.caption("Asked in recent runs, without a price:", width="content")
        for name in names:
            st.button(plain(name), key=f"unpriced_{name}", on_click=actions.name_to_price, args=(name, _NAME))


def _new() -> None:
    keys = {part: f"new_price_{part}" for part in PARTS}
    with st.form("new_price", border=True):
        columns = st.columns(_WIDTHS, gap="xsmall", vertical_alignment="bottom")
        columns[0].text_input("One more model", key=_NAME, placeholder="e.g. llama/qwen3", max_chars=LONGEST_NAME)
        for column, part in zip(columns[_PRICED], PARTS, strict=True):
            with column:
                _amount(PARTS[part], keys[part], is_labelled=True)
        with columns[-1]:
            st.form_submit_button("Add it", key="add_price", on_click=actions.add_price, args=("prices", _NAME, keys))
