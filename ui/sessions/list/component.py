"""The list of all sessions as a Streamlit component: search, filters, what can be done to sessions, rows.

The browser asks `ui.web.routes.collection` for the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.components import v2

from ui.browser.bundle import bundle
from ui.sessions.list.act import Act, read_act
from ui.text.visible_text import visible_directions

_FOLDER = Path(__file__).parent

_mount = v2.component(
    "collection_list",
    js=bundle(_FOLDER / "js" / "component.js"),
    css=(_FOLDER / "css" / "list.css").read_text(encoding="utf-8"),
)


def collection_list(
    *,
    pipelines: Mapping[str, str],
    version: int,
    on_act: Callable[[Act], None],
    key: str = "collection_list",
) -> None:
    """Draws the list.

    Args:
        pipelines: All pipelines, name → title.
        version: Another number after each change that the page made, so that the browser asks for the rows again.
        on_act: Called with what is to be done, before the script run that it causes.
        key: Identity of the list on the page.
    """
    _mount(
        key=key,
        data={
            "version": version,
            "pipelines": tuple((name, visible_directions(str(title))) for name, title in pipelines.items()),
        },
        height="content",
        on_act_change=partial(_forward, key, on_act),
    )


def _forward(key: str, on_act: Callable[[Act], None]) -> None:
    act = read_act(st.session_state[key].get("act"))
    if act is not None:
        on_act(act)
