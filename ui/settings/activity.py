"""The section Activity: who changed what, and which rights were refused; filtered, page by page, and as a file."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator

import streamlit as st

from agents.access import ACCOUNT_PREFIX, Activity, Record, Wanted
from agents.runs import RunManager
from ui.settings.actions import action
from ui.text.browser_time import local_time
from ui.text.user_names import name_of
from ui.text.visible_text import visible_line

SHOWN = 50
"""Entries on a page."""
WHO, WHAT, SINCE = "activity_who", "activity_what", "activity_since"
BEFORE = "activity_before"
"""The pages that were turned, as the numbers that they end before, in this tab."""
_ACCOUNT = re.compile(re.escape(ACCOUNT_PREFIX) + "[0-9a-f]{16}")
_DAY = 86_400
_TIMES = {"Last 24 hours": _DAY, "Last 7 days": 7 * _DAY, "Last 30 days": 30 * _DAY, "All": None}


def show(manager: RunManager) -> None:
    """Draws the section."""
    wanted = _filter(manager)
    turned: list[int] = st.session_state.get(BEFORE) or []
    rows, older = manager.audit.read(wanted, limit=SHOWN, before=turned[-1] if turned else None)
    if rows:
        widths = {"Who": st.column_config.TextColumn(width="medium"), "Of": st.column_config.TextColumn(width="medium")}
        told = [_row(manager, row) for row in rows]
        st.dataframe(told, column_config=widths, hide_index=True, key="activity_rows", height="content")
    else:
        st.caption("Nothing was changed or refused there." if wanted != Wanted() else "Nothing was changed or refused yet.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Newer", key="activity_newer", disabled=not turned, on_click=turn, args=("activity", None))
        st.button("Older", key="activity_older", disabled=older is None, on_click=turn, args=("activity", older))
        st.download_button(
            "Download",
            lambda: "".join(lines(manager, wanted)),
            "activity.jsonl",
            "application/jsonl",
            key="activity_download",
            help="All entries of this filter, one JSON object a line",
            on_click="ignore",
        )
    st.caption("This list is only ever added to, and nobody can switch it off. Keys and codes are never in it.")


def _filter(manager: RunManager) -> Wanted:
    users = [user for user, _ in manager.use.everyone().items()]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        who = st.selectbox(
            "User",
            users,
            index=None,
            key=WHO,
            placeholder="All",
            format_func=lambda user: name_of(manager, user),
            accept_new_options=True,
            on_change=to_first,
            args=("activity",),
            width=240,
        )
        what = st.selectbox(
            "What",
            list(Activity),
            index=None,
            key=WHAT,
            placeholder="All",
            on_change=to_first,
            args=("activity",),
            width=260,
        )
        since = st.selectbox("When", list(_TIMES), index=1, key=SINCE, on_change=to_first, args=("activity",), width=180)
    seconds = _TIMES[since]
    # whole minutes: a filter that moves with each drawing would be another one each time
    start = None if seconds is None else (time.time() - seconds) // 60 * 60
    return Wanted(who or None, what, start)


def _row(manager: RunManager, row: Record) -> dict[str, str]:
    who = name_of(manager, row.who) + (f" (token {row.via})" if row.via else "")
    return {
        "When": f"{local_time(row.at):%d %b %Y, %H:%M:%S}",
        "Who": visible_line(who),
        "What": row.what,
        "Of": visible_line(_ACCOUNT.sub(lambda found: name_of(manager, found[0]), row.of)),
        "From": visible_line(row.came_from),
        "Result": "" if row.ok else "refused",
    }


def lines(manager: RunManager, wanted: Wanted) -> Iterator[str]:
    """The entries as lines of JSON, the newest first."""
    before: int | None = None
    while True:
        rows, before = manager.audit.read(wanted, limit=1000, before=before)
        yield from (json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in rows)
        if before is None:
            return


@action
def turn(_where: str, before: int | None) -> None:
    """Turns to the page before a number; None for the page that was open before."""
    turned = [*(st.session_state.get(BEFORE) or [])]
    st.session_state[BEFORE] = turned[:-1] if before is None else [*turned, before]


@action
def to_first(_where: str) -> None:
    """Shows the newest entries of a changed filter."""
    st.session_state.pop(BEFORE, None)
