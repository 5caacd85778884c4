"""The section on prices: an editable table of prices and fees, and the models of recent runs without a price."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import streamlit as st

from agents import ModelFinished, SessionNotFoundError
from agents.models import Price, list_prices, price_of, price_source, priced_names
from agents.runs import Preferences, RunManager
from ui.settings import problems
from ui.settings.actions import LONGEST_NAME, SettingError, action, can_be_name, change, preferences
from ui.state.quick_input import if_chosen, key_for
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
SESSIONS, ENTRIES = 20, 300
"""Most sessions that are read, and most entries of each; the newest ones."""
FEES = {"grounded_prompts": "grounded prompts", "search_queries": "search queries"}
"""The parts of a price that are not for tokens, in words."""


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
        name = f"price_{model}_{part}"
        key = key_for(name, getattr(price, part))
        with column:
            _amount(f"{PARTS[part]}, {model}", key, part, on_change=if_chosen(set_price), args=(name, "prices", model, part))
    with columns[-1]:
        if not is_own:
            st.caption("The list", help=price_source(model) or None)
            return
        label = "Reset yours" if model in list_prices() else "Remove yours"
        st.button(label, key=f"reset_{model}", type="tertiary", on_click=reset_price, args=("prices", model))


def _amount(label: str, key: str, part: str, *, is_labelled: bool = False, **callback: Any) -> None:
    st.number_input(
        label,  # for screen readers, also if it is not drawn
        min_value=0.0,
        max_value=DEAREST,
        value=None,
        step=0.05,
        format="%g",
        key=key,
        placeholder="as sent" if part == "cached" else None,
        label_visibility="visible" if is_labelled else "collapsed",
        **callback,
    )


def _unknown(manager: RunManager, preferences: Preferences) -> None:
    """Draws the models of recent runs that have no price."""
    names = without_price(manager, preferences.price_table)
    if not names:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="unpriced"):
        st.caption("Asked in recent runs, without a price:", width="content")
        for name in names:
            st.button(plain(name), key=f"unpriced_{name}", on_click=name_to_price, args=(name, _NAME))


def _new() -> None:
    keys = {part: f"new_price_{part}" for part in PARTS}
    with st.form("new_price", border=True):
        columns = st.columns(_WIDTHS, gap="xsmall", vertical_alignment="bottom")
        columns[0].text_input("One more model", key=_NAME, placeholder="e.g. llama/qwen3", max_chars=LONGEST_NAME)
        for column, part in zip(columns[_PRICED], PARTS, strict=True):
            with column:
                _amount(PARTS[part], keys[part], part, is_labelled=True)
        with columns[-1]:
            st.form_submit_button("Add it", key="add_price", on_click=add_price, args=("prices", _NAME, keys))


def without_price(manager: RunManager, table: Mapping[str, Price]) -> list[str]:
    """Names of models, last used first."""
    sessions = [(found.app_name, found.id) for found in manager.sessions.page(limit=SESSIONS).rows]
    asked = asyncio.run(_asked(manager, sessions))
    unpriced = [names[0] for names in asked if all(price_of(name, table) is None for name in names)]
    return list(dict.fromkeys(unpriced))


async def _asked(manager: RunManager, sessions: list[tuple[str, str]]) -> list[tuple[str, ...]]:
    """The two names of each called model: first the one that prices the call, as in the session view."""
    found: dict[tuple[str, ...], None] = {}
    for pipeline, session in sessions:
        try:
            log = await manager.sessions.newest(pipeline, session, limit=ENTRIES)
        except SessionNotFoundError:  # just deleted
            continue
        for entry in reversed(log):
            if entry.kind == ModelFinished.kind and (names := _names(entry.fields())):
                found.setdefault(names)
    return list(found)


def _names(call: Mapping[str, Any]) -> tuple[str, ...]:
    asked, answered = call.get("model"), call.get("answered_by")
    if not isinstance(asked, str) or not asked:
        return (answered,) if isinstance(answered, str) and answered else ()
    return priced_names(asked, answered if isinstance(answered, str) else None)


@action
def set_price(_where: str, model: str, part: str, value: float | None) -> None:
    """Sets one of a model's prices."""
    known = preferences()
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
