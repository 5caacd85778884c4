"""Possible duplicates: pairs of bullets that the user can merge. Nothing is merged automatically.

A large playbook is searched only on request.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from agents.ace import MAX_DUPLICATE_PAIRS, StoredBullet, duplicates
from ui.kit import paging
from ui.kit.elements import element
from ui.playbook import markup, view_state
from ui.playbook.shown_playbook import ShownPlaybook
from ui.text.labels import many, plain

AT_ONCE = 1000
"""Most bullets that are searched without a request."""
PAGE = 10
ALIKE = {0.95: "Nearly word for word", 0.85: "Very alike", 0.7: "Alike"}
"""Least likeness of a pair → its label."""
TIERS = {"exact": "the same text", "normalised": "the same but for case, spacing and punctuation"}
_FOUND, _ALIKE, _LIST = "duplicates_found", "duplicates_alike", "duplicates"


def show(found: ShownPlaybook) -> None:
    """Draws the pairs."""
    with st.container(horizontal=True, vertical_alignment="center"):
        threshold: float = st.segmented_control(
            "How alike",
            list(ALIKE),
            key=_ALIKE,
            default=0.85,
            required=True,
            format_func=ALIKE.__getitem__,
            on_change=paging.back_to_first,
            args=(_LIST,),
            label_visibility="collapsed",
        )
        large = len(found.shown) > AT_ONCE
        asked = large and st.button(f"Search {many(len(found.shown), 'bullet')}", key="search_duplicates", type="primary")
    pairs = _known(found, threshold)
    if pairs is None and (asked or not large):
        with st.spinner("Comparing bullets …"):
            pairs = _search(found, threshold)
    if pairs is None:
        st.caption("This takes a moment in a playbook of this size.")
    elif not pairs:
        st.info("**No two bullets look like one.** Try a lower likeness.", icon=":material/task_alt:")
    else:
        _pairs(found, pairs)


def _known(found: ShownPlaybook, threshold: float) -> list[dict[str, Any]] | None:
    """The last search's result, if it was over the same bullets."""
    known = st.session_state.get(_FOUND) or {}
    return known.get("pairs") if known.get("of") == _of(found, threshold) else None


def _search(found: ShownPlaybook, threshold: float) -> list[dict[str, Any]]:
    pairs = [pair._asdict() for pair in duplicates(found.shown, threshold)]
    st.session_state[_FOUND] = {"of": _of(found, threshold), "pairs": pairs}
    return pairs


def _of(found: ShownPlaybook, threshold: float) -> list[Any]:
    return [found.name, found.shown.revision, threshold]


def _pairs(found: ShownPlaybook, pairs: list[dict[str, Any]]) -> None:
    said = f"The {MAX_DUPLICATE_PAIRS} first pairs" if len(pairs) >= MAX_DUPLICATE_PAIRS else many(len(pairs), "pair")
    st.caption(f"{said}, the most alike first. A merge adds the counters up and keeps the lineage.")
    page = paging.page_of(_LIST, len(pairs), PAGE)
    for number, pair in enumerate(pairs[page.start : page.end]):
        one, other = found.shown.get(pair["a"]), found.shown.get(pair["b"])
        if one is not None and other is not None:
            _pair(found, number, pair, one, other)
    paging.draw(_LIST, page, len(pairs), "pair")


def _pair(found: ShownPlaybook, number: int, pair: dict[str, Any], one: StoredBullet, other: StoredBullet) -> None:
    with st.container(key=f"pair_{number}", border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            alike = TIERS.get(pair["tier"]) or f"{pair['score']:.0%} alike"
            st.markdown(f":blue-badge[{alike}]", width="stretch")
            st.button(
                "Merge …",
                key=f"merge_{pair['a']}_{pair['b']}",
                disabled=bool(found.locked),
                help=found.locked or "Write the text of the one bullet that stays",
                on_click=view_state.ask,
                args=("merge",),
                kwargs={"ids": [one.id, other.id]},
            )
        if pair["disagreement"]:
            st.markdown(f":orange[:material/warning: Look twice: {plain(pair['disagreement'])}]")
        texts = (one.content, markup.difference(one.content, other.content))
        for column, bullet, text in zip(st.columns(2, gap="medium"), (one, other), texts, strict=True):
            parts = element("code", bullet.id), element("div.said", text, dir="auto"), markup.facts(bullet, section=True)
            column.html(element("div.panel.operation", *parts))
