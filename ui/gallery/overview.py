"""All patterns as cards, by family, with a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from agents.pipelines import LoadFailure, Pipeline
from ui.gallery import diagrams
from ui.state import imports, navigation, places
from ui.state.address import Address
from ui.state.options import families
from ui.text.labels import plain

FIND = "find"
"""Key of the search and its query parameter: Streamlit updates it in the URL without a history entry for each letter."""


def show(here: Address) -> None:
    """Draws the page."""
    manager = places.manager()
    with st.container(key="gallery_head", horizontal=True, vertical_alignment="center", gap="medium", wrap=False):
        with st.container(width="stretch", gap="xsmall"):
            st.header("Agent patterns", anchor=False)
            st.caption("What each is for, how it is built, and what it does when something breaks. All of them run here.")
        words = st.text_input(
            "Search patterns",
            key=FIND,
            placeholder="Search, e.g. loop, fallback, tools",
            label_visibility="collapsed",
            type="search",
            live=True,
            bind="query-params",
            width=290,
        )
    everything = families.by_family(manager.catalog)
    found = {family: [p for p in pipelines if matches(p, family, words or "")] for family, pipelines in everything.items()}
    broken = manager.catalog.broken
    if not words:
        imports.show(manager.catalog)
        _broken(broken)
    if not any(found.values()):
        _nothing(words or "")
    for family, pipelines in found.items():
        if pipelines:
            _family(family, pipelines, here)


def matches(pipeline: Pipeline, family: str, words: str) -> bool:
    """Whether every word is in a pipeline's card, in its lesson, or in the names of its agents."""
    card = pipeline.card
    text = " ".join(
        (pipeline.name, card.title, card.pattern, card.summary, card.lesson, family, *_names(families.tree_of(pipeline)))
    ).casefold()
    return all(word in text for word in words.casefold().split())


def _names(tree: Mapping[str, Any]) -> list[str]:
    below = (*tree["children"], *(tree.get("agent_tools") or {}).values())
    return [tree["name"], tree["kind"], *(name for child in below for name in _names(child))]


def _family(family: str, pipelines: list[Pipeline], here: Address) -> None:
    with st.container(key=f"family_{family.replace(' ', '_')}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
            st.subheader(family, anchor=False, width="content")
            st.caption(families.FAMILIES[family], width="content")
        with st.container(key=f"cards_{family.replace(' ', '_')}"):
            for pipeline in pipelines:
                _card(pipeline, here)


def _card(pipeline: Pipeline, here: Address) -> None:
    card = pipeline.card
    with st.container(key=f"card_{pipeline.name}", border=True, gap="xsmall"):
        navigation.to_pattern(pipeline.name, here, f"**{plain(card.title)}**")
        with st.container(horizontal_alignment="center"):
            diagrams.draw(pipeline)
        st.markdown(f":small[{plain(card.summary)}]")
        st.caption(f"{plain(card.pattern)}")


def _broken(broken: Mapping[str, LoadFailure]) -> None:
    for name, failure in broken.items():
        with st.expander(f"{plain(name)} cannot be used", icon=":material/warning:", key=f"broken_{name}"):
            places.broken_pipeline(name, failure)


def _nothing(words: str) -> None:
    with st.container(key="whole_page", horizontal_alignment="center").container(width=560):
        if not words:
            st.info("There is no pipeline that can be run. The reasons are above.", icon=":material/search_off:")
            return
        st.info(
            f"**No pattern has “{plain(words[:60])}”** in its title, its lesson or the names of its agents. "
            "Try one word, e.g. loop, routing, tools, approval.",
            icon=":material/search_off:",
        )
        st.button("Show all patterns", key="find_nothing", on_click=_clear)


def _clear() -> None:
    st.session_state[FIND] = ""
