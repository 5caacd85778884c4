"""The Help page, top to bottom: the list of topics or one of them, and the search through all."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import streamlit as st
from streamlit.components import v2

from ui.dependencies.streamlit_private import SELECTORS
from ui.shell import styles
from ui.shell.page_scripts import top_of_page
from ui.state import address, navigation
from ui.state.address import Address
from ui.text import documents
from ui.text.documents import Found, Page
from ui.text.labels import plain

WORDS = "words"
"""Key of the search and its query parameter."""
LONGEST = 100
"""Characters of a search."""
MOST = 40
"""Places that are listed."""

_STYLE = Path(__file__).with_name("help.css")
_SCRIPT = """
const PATIENCE = 3000;  // milliseconds in which what is above the heading may still be drawn
let shown = null;

function lead(block) {
  const heading = decodeURIComponent(location.hash.slice(1));
  if (!heading || !block) return;
  const drawn = new ResizeObserver(() => document.getElementById(heading)?.scrollIntoView());
  const leave = () => drawn.disconnect();
  drawn.observe(block);
  for (const name of ["wheel", "keydown", "pointerdown", "touchmove"]) addEventListener(name, leave, { once: true });
  setTimeout(leave, PATIENCE);
}

export default function ({ data }) {
  const stay = ({ target }) => {
    const link = target.closest?.("a[target=_blank]");
    if (link && new URL(link.href).origin === location.origin) link.target = "_self";
  };
  document.addEventListener("click", stay, true);
  if (data.topic !== shown) lead(document.querySelector(data.block));
  shown = data.topic;
  return () => document.removeEventListener("click", stay, true);
}
"""

_mount = v2.component("reading", js=_SCRIPT)


def show(here: Address) -> None:
    """Draws the page."""
    styles.apply(_STYLE)
    follow(here.topic or "")
    top_of_page(here.topic or "")
    page = documents.pages().get(here.topic or "")
    with st.container(key="help_head", horizontal=True, vertical_alignment="center", gap="medium"):
        title = st.empty()
        words = st.text_input(
            "Search the documents",
            key=WORDS,
            placeholder="Search all pages",
            label_visibility="collapsed",
            type="search",
            live=True,
            max_chars=LONGEST,
            bind="query-params",
            width=290,
        )
    looked_for = " ".join((words or "").split())
    title.title(page.title if page and not looked_for else "Help", anchor=False, width="stretch")
    if looked_for:
        _found(looked_for)
    elif page:
        _page(page, here)
    else:
        if here.topic is not None:
            st.warning(f"There is no page **{plain(here.topic[:LONGEST])}**. These are all.", icon=":material/search_off:")
        _list(here)


def _list(here: Address) -> None:
    for group, pages in groupby(documents.pages().values(), key=lambda page: page.group):
        with st.container(key=f"help_group_{group.replace(' ', '_')}", gap="xsmall"):
            st.header(group, anchor=False)
            for page in pages:
                with st.container(key=f"help_line_{page.topic}", horizontal=True, vertical_alignment="center", gap="small"):
                    navigation.to_help(page.title, here, topic=page.topic)
                    st.caption(page.about, width="stretch")


def _page(page: Page, here: Address) -> None:
    with st.container(key="help_page", horizontal=True, gap="large"):
        with st.container(key="help_topics", gap="xxsmall", width=200):
            navigation.to_help("All topics", here)
            for group, pages in groupby(documents.pages().values(), key=lambda one: one.group):
                st.caption(group)
                for one in pages:
                    with st.container(key="help_here" if one == page else None):
                        navigation.to_help(one.title, here, topic=one.topic)
        with st.container(key="help_text", width="stretch", gap="small"):
            for section in documents.sections_of(page.topic):
                if section.level > 1:
                    draw = st.header if section.level == 2 else st.subheader  # noqa: PLR2004  ranks of headings
                    draw(section.title, anchor=section.anchor)
                if section.text:
                    st.markdown(documents.with_links(section.text, _link))


def _found(words: str) -> None:
    found = documents.search(words)
    with st.container(key="help_found", gap="small"):
        if not found:
            st.info(
                f"**No page has “{plain(words)}”.** Try fewer words, or a part of one. To find an error, take a few words "
                "of it, without names and numbers.",
                icon=":material/search_off:",
            )
        else:
            pages = len({one.page for one in found})
            places = f"{len(found)} place{'s' * (len(found) != 1)} on {pages} page{'s' * (pages != 1)}"
            st.caption(f"{places}; the first {MOST} are listed: add a word." if len(found) > MOST else f"{places}.")
            st.markdown("\n".join(map(_item, found[:MOST])))
        st.button("All topics", key="all_topics", on_click=_clear)


def _item(found: Found) -> str:
    page, section = found.page, found.section
    where = page.title if section.level == 1 else f"{page.title} › {section.title}"
    link = _link(page.topic, "" if section.level == 1 else section.anchor)
    return f"- [{plain(where)}]({link})  \n  {plain(found.line or page.about)}"


def _link(topic: str, anchor: str) -> str:
    return f"help?topic={topic}{f'#{anchor}' if anchor else ''}"


def _clear() -> None:
    st.session_state[WORDS] = ""
    address.go(Address(model=address.current().model))


def follow(topic: str) -> None:
    """Has links to other pages open in the same tab, where Streamlit opens a new one, and scrolls to the URL's heading.

    Args:
        topic: The page; "" for their list.
    """
    _mount(key="reading", data={"topic": topic, "block": SELECTORS["main-block"]})
