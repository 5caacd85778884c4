"""The browser's URL after a link from a page to itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.state import address

if TYPE_CHECKING:
    from ui.state.address import Address


def arrive(page: str, here: Address) -> None:
    """Puts the run and demo that a page shows into the browser's address bar, also after a link from that page.

    After such a link the browser shows the old URL, and its next request would lead back there.

    Args:
        page: The page's name.
        here: What it shows.
    """
    key, place = f"{page}_place", (here.run, here.demo)
    if st.session_state.get(key, place) != place:
        address.go(here, said_already=False)
    st.session_state[key] = place
