"""The list of sessions as a Streamlit component: one call draws scope, search and rows.

The page gives the rows to draw at once; the list keeps them fresh itself, over the WebSocket of `ui.web.routes.sessions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.components import v2

from agents import SessionSummary, SummaryPage
from ui.browser.bundle import bundle
from ui.session_list.rows import row_of
from ui.text.visible_text import visible_directions

_FOLDER = Path(__file__).parent

_mount = v2.component(
    "session_list",
    js=bundle(_FOLDER / "js" / "component.js"),
    css=(_FOLDER / "css" / "list.css").read_text(encoding="utf-8"),
)


def session_list(
    *,
    pipeline: str,
    session: str | None,
    sessions: SummaryPage,
    opened: SessionSummary | None,
    pipelines: Mapping[str, str],
    on_open: Callable[[str, str], None],
    key: str = "session_list",
) -> None:
    """Draws the list.

    Args:
        pipeline: The pipeline that the page shows.
        session: The session that it shows; None for a new one.
        sessions: The first page of the pipeline's sessions; the list asks for more itself.
        opened: The row of `session`, which is listed wherever it stands.
        pipelines: All pipelines, name → title.
        on_open: Called with pipeline and session before the script run that a choice causes.
        key: Identity of the list on the page.
    """
    given = list(sessions.rows)
    if opened is not None and all(row.id != opened.id for row in given):
        given.append(opened)
    _mount(
        key=key,
        data={
            "pipeline": pipeline,
            "session": session,
            "rows": tuple(map(row_of, given)),
            "total": sessions.found,
            "pipelines": tuple((name, visible_directions(str(title))) for name, title in pipelines.items()),
        },
        height="content",
        on_open_change=partial(_forward_choice, key, on_open),
    )


def _forward_choice(key: str, on_open: Callable[[str, str], None]) -> None:
    """Passes a well-formed choice to the page; a browser may send anything."""
    match st.session_state[key].get("open"):
        case {"pipeline": str(pipeline), "session": str(session)} if pipeline and session:
            on_open(pipeline, session)
        case _:
            pass
