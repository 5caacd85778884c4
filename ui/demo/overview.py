"""All demos as cards: what each shows, how long it takes, and the way in."""

from __future__ import annotations

import streamlit as st

from agents import PlaygroundError
from ui.access import owner
from ui.demo import bar
from ui.demo.preset import DEMOS, LAB, STORY, preset
from ui.demo.watch import entry
from ui.state import navigation, places
from ui.state.address import Address
from ui.text.labels import plain


def show(here: Address) -> None:
    """Draws the page."""
    with st.container(key="demos_head"):
        st.header("Demos", anchor=False)
        st.caption("Each runs here, on the simulated model unless you chose another, with a playbook or lab run of its own.")
    if here.demo is not None:
        st.warning(f"There is no demo “{plain(here.demo[:80])}”.", icon=":material/search_off:")
    with st.container(key="cards_demos"):
        for name in DEMOS:
            _card(name, here)


def _card(name: str, here: Address) -> None:
    card = preset(name)
    with st.container(key=f"demo_card_{name}", border=True, gap="xsmall"):
        st.subheader(f":material/{card.icon}: {card.title}", anchor=False)
        st.markdown(f"{card.about[:1].upper()}{card.about[1:]}.")
        st.caption(f":material/timer: {card.time}")
        if name in LAB:
            navigation.to_demo("Begin", here, demo=name)
        elif st.button("Begin", key=f"begin_{name}", disabled=not owner.is_owner()):
            _begin(name, here)


def _begin(name: str, here: Address) -> None:
    manager = places.manager()
    try:
        if name == STORY:
            navigation.to_playground(bar.beginning(manager, here))
        navigation.to_playbook_page(entry.begin(manager, here.model))
    except PlaygroundError as error:
        st.error(plain(str(error)), icon=":material/error:")
