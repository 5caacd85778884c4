"""The dialog of a missing state key: its value is asked for, and what failed is done again in a fork."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from agents import StateInputError
from agents.forks import StateChange
from ui.forks import actions
from ui.text.json_text import read_json
from ui.text.labels import plain

if TYPE_CHECKING:
    from ui.state.places import Place

_LONGEST = 20_000
_BEGIN_JSON = ("{", "[", '"')


def draw(place: Place, wanted: dict[str, Any]) -> None:
    """Draws the field and the button; the button runs the fork and leads to it."""
    key, point = wanted["about"], actions.point_of(wanted)
    st.markdown(
        f"A new session runs on in place of **{plain(point.where)}**, with the state key **{plain(key)}**. "
        "This session stays as it is."
    )
    typed = st.text_area(
        "Value",
        key=f"missing_key_{point.seq}",
        max_chars=_LONGEST,
        placeholder='A text, or JSON: 3, true, ["a", "b"], {"name": "Ann"}',
        help='JSON is read as JSON, all else as text. A number as text is written in quotes: "3".',
    )
    if not st.button("▶ Set and retry", type="primary", key="missing_key_run"):
        return
    changes = [StateChange(key=key, value=_value(typed))]
    actions.do(partial(actions.run, place.pipeline.name, wanted["session"], point.seq, changes))


def _value(typed: str) -> Any:
    """The value of a text or of JSON.

    Raises:
        StateInputError: It is empty, or begins like JSON and is none.
    """
    text = typed.strip()
    if not text:
        raise StateInputError('Type a value. An empty text is written "".')
    try:
        return read_json(text)
    except StateInputError:
        if text.startswith(_BEGIN_JSON):
            raise
        return text
