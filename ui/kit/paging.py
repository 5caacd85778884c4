"""Pages of a long list.

Streamlit cannot turn the pages of a pager that is drawn, so a list goes back to its first page by getting another pager.
"""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from ui.text.labels import many

_TURN = "first_page_of"


class Page(NamedTuple):
    """The open page of a list.

    Attributes:
        start: Index of its first item.
        end: Index after its last item.
        number: Its number, from 1.
        pages: The number of pages.
    """

    start: int
    end: int
    number: int
    pages: int


def page_of(name: str, count: int, size: int) -> Page:
    """The open page of a list.

    Args:
        name: The list's name, as in `back_to_first`.
        count: The number of items.
        size: Items on a page.
    """
    pages = max(1, -(-count // size))
    asked: int = st.session_state.get(_key(name)) or 1
    number = asked if 1 <= asked <= pages else 1  # the widget does the same when pages disappear
    return Page((number - 1) * size, min(number * size, count), number, pages)


def draw(name: str, page: Page, count: int, noun: str) -> None:
    """Draws the pager, if there is more than one page."""
    if page.pages == 1:
        return
    with st.container(key=f"pager_{name}", horizontal=True, vertical_alignment="center", gap="small"):
        st.pagination(page.pages, key=_key(name))
        st.caption(f"{page.start + 1:,} to {page.end:,} of {many(count, noun)}", width="content")


def back_to_first(name: str) -> None:
    """Goes back to the first page of a list."""
    st.session_state[f"{_TURN}_{name}"] = st.session_state.get(f"{_TURN}_{name}", 0) + 1


def _key(name: str) -> str:
    return f"page_of_{name}_{st.session_state.get(f'{_TURN}_{name}', 0)}"
