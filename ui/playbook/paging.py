"""Pages of a long list: which one is open, and the way to the others. Knows no list.

A list goes back to its first page by getting another pager: Streamlit lets nobody turn the pages of one that is drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from ui.playbook.marks import many

_TURN = "first_page_of"


class Page(NamedTuple):
    """The part of a list that is open.

    Attributes:
        start: Where it begins.
        end: Where it ends, not included.
        number: Which page it is, counted from 1.
        pages: How many there are.
    """

    start: int
    end: int
    number: int
    pages: int


def page_of(name: str, count: int, size: int) -> Page:
    """The open page of a list.

    Args:
        name: The list's, as in `back_to_first`.
        count: How long it is.
        size: How long a page is.
    """
    pages = max(1, -(-count // size))
    asked: int = st.session_state.get(_key(name)) or 1
    number = asked if 1 <= asked <= pages else 1  # as the widget does once pages are gone
    return Page((number - 1) * size, min(number * size, count), number, pages)


def draw(name: str, page: Page, count: int, noun: str) -> None:
    """Draws the way to the other pages, if there are any."""
    if page.pages == 1:
        return
    with st.container(key=f"pager_{name}", horizontal=True, vertical_alignment="center", gap="small"):
        st.pagination(page.pages, key=_key(name))
        st.caption(f"{page.start + 1:,} to {page.end:,} of {many(count, noun)}", width="content")


def back_to_first(name: str) -> None:
    """Shows the first page of a list from now on."""
    st.session_state[f"{_TURN}_{name}"] = st.session_state.get(f"{_TURN}_{name}", 0) + 1


def _key(name: str) -> str:
    return f"page_of_{name}_{st.session_state.get(f'{_TURN}_{name}', 0)}"
