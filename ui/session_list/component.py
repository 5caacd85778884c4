"""A list of sessions as a Streamlit component: compact in a sidebar, full on a page of its own.

The page gives the compact list the rows to draw at once; it keeps them fresh over the WebSocket of `ui.web.routes.sessions`.
The full list asks `ui.web.routes.collection`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from streamlit.components import v2

from agents import SessionSummary, SummaryPage
from ui.browser.component_script import component_script
from ui.dependencies import streamlit_private
from ui.session_list.act import Act, read_act
from ui.session_list.rows import row_of
from ui.text.visible_text import visible_directions

_FOLDER = Path(__file__).parent

_mount = v2.component(
    "session_list",
    js=component_script(_FOLDER / "js" / "component.js", "session_list"),
    css=(_FOLDER / "css" / "list.css").read_text(encoding="utf-8"),
)


def compact_list(
    *,
    pipeline: str,
    session: str | None,
    sessions: SummaryPage,
    opened: SessionSummary | None,
    pipelines: Mapping[str, str],
    on_open: Callable[[str, str], None],
    key: str = "session_list",
) -> None:
    """Draws the list with a choice of whose sessions, and a search of titles.

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
    rows = tuple(map(row_of, given))
    data = {"look": "compact", "pipeline": pipeline, "session": session, "rows": rows, "total": sessions.found}
    _draw(data, pipelines, partial(_open, on_open), key)


def full_list(
    *, pipelines: Mapping[str, str], version: int, on_act: Callable[[Act], None], key: str = "full_session_list"
) -> None:
    """Draws the list with search and filters, and with what can be done to selected sessions.

    Args:
        pipelines: All pipelines, name → title.
        version: Another number after each change that the page made, so that the browser asks for the rows again.
        on_act: Called with what is to be done, before the script run that it causes.
        key: Identity of the list on the page.
    """
    _draw({"look": "full", "version": version}, pipelines, on_act, key)


def _draw(data: Mapping[str, Any], pipelines: Mapping[str, str], on_act: Callable[[Act], None], key: str) -> None:
    titles = tuple((name, visible_directions(str(title))) for name, title in pipelines.items())
    _mount(key=key, data={**data, "pipelines": titles}, height="content", on_act_change=partial(_forward, key, on_act))


def _open(on_open: Callable[[str, str], None], act: Act) -> None:
    if act.kind == "open":
        on_open(*act.sessions[0])


def _forward(key: str, on_act: Callable[[Act], None]) -> None:
    act = read_act(streamlit_private.sent_with(key, "act"))
    if act is not None:
        on_act(act)
