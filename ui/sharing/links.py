"""The dialog that shares a session or a playbook by a link: role, end, the link to copy, and the list of links.

A page opens it by `ask`, as the callback of a button, and calls `show` in each run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Literal, ParamSpec
from urllib.parse import urlsplit

import streamlit as st

from agents import PlaygroundError
from agents.access import MOST_LINK_DAYS, Link, LinkRole, Thing, of_playbook
from agents.runs import RunManager
from ui.access.guard import current_reach
from ui.access.ways_in import configured
from ui.state import runs
from ui.state.quick_input import uninterrupted
from ui.text.browser_time import local_time
from ui.text.labels import many, plain

P = ParamSpec("P")
ROLE, END = "link_role", "link_end"
"""Keys of the fields."""
ROLES = {LinkRole.READ: "may read", LinkRole.CONTINUE: "may continue"}
_ABOUT = {
    "session": "Whoever has the link sees this session, its files and what happens in it, and nothing else. "
    "Who may continue sends messages, answers what it waits for, and stops its runs, at your cost and with your state.",
    "playbook": "Whoever has the link reads this playbook with its revisions, and nothing else.",
}
_OPEN, _MADE, _PROBLEM, _REVOKED = "links_of", "link_made", "links_problem", "link_revoked"
_OPENED = "links_opened"
_WEEK = 7


def ask(kind: Literal["session", "playbook"], pipeline: str, name: str) -> None:
    """Opens the dialog for a session, or for a playbook, whose pipeline is ""."""
    _close()
    st.session_state[_OPEN] = (kind, pipeline, name)
    st.session_state[_OPENED] = times_opened() + 1


def times_opened() -> int:
    """How often the dialog was opened in this tab; see `dialogs.times_opened`."""
    return st.session_state.get(_OPENED, 0)


def show(manager: RunManager) -> None:
    """Draws the dialog, if it is open."""
    if (asked := st.session_state.get(_OPEN)) is None:
        return

    @st.dialog(f"Share this {asked[0]} by a link", width="medium", on_dismiss=_close)
    def body() -> None:
        if problem := st.session_state.get(_PROBLEM):
            st.error(plain(problem), icon=":material/block:")
        try:
            thing = _thing(manager)
            links = manager.links.of(manager.user, thing)
        except PlaygroundError as error:
            st.error(plain(str(error)), icon=":material/block:")
            return
        st.caption(_ABOUT[thing.kind])
        if current_reach().is_shared and not (configured().are_configured or manager.accounts.are_in_use):
            st.warning(
                "Nobody signs in here, so everybody who reaches this playground reads all sessions and playbooks, with a "
                "link or without one. Invite users in Settings › Users first.",
                icon=":material/warning:",
            )
        if not current_reach().is_shared:
            st.caption(
                "This playground serves this machine only. Others can open the link once it is started with `--host`: see "
                "Help › Operate."
            )
        _form(thing)
        _made()
        _list(links)

    body()


def _thing(manager: RunManager) -> Thing:
    kind, pipeline, name = st.session_state[_OPEN]
    return manager.shared_session(pipeline, name) if kind == "session" else of_playbook(name)


def _form(thing: Thing) -> None:
    today = local_time(time.time()).date()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        roles = list(ROLES) if thing.kind == "session" else [LinkRole.READ]
        st.segmented_control(
            "Who has it", roles, key=ROLE, default=LinkRole.READ, format_func=ROLES.__getitem__, required=True
        )
        st.date_input(
            "Until",
            today + timedelta(_WEEK),
            min_value=today + timedelta(1),
            max_value=today + timedelta(MOST_LINK_DAYS),
            key=END,
            width=150,
        )
        st.button("Make a link", key="make_link", type="primary", on_click=make)


def _made() -> None:
    if (text := st.session_state.get(_MADE)) is None:
        return
    page = urlsplit(st.context.url or "http://127.0.0.1:8501")
    below = (st.get_option("server.baseUrlPath") or "").strip("/")
    path = "".join(f"/{part}" for part in (below, "shared", text) if part)
    st.markdown("Copy the link now: it is shown this once, and only its hash is kept.")
    st.code(f"{page.scheme}://{page.netloc}{path}", language=None, wrap_lines=True)


def _list(links: list[Link]) -> None:
    if (revoked := st.session_state.get(_REVOKED)) is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(":green[✓] The link is revoked: it opens nothing any more.", width="content")
            st.button("Undo", key="undo_revoke", type="tertiary", on_click=restore, args=(revoked,))
    if not links:
        st.caption("There is no link to it.")
    for link in links:
        about, end = st.columns([8, 1.6], gap="xsmall", vertical_alignment="center")
        last = f"{local_time(link.ends_at):%d %b %Y, %H:%M}"
        until = f"until {last}" if link.ends_at > time.time() else f"ended {last}"
        opened = f"opened by {many(len(link.opened), 'user')}" if link.opened else "not opened yet"
        about.markdown(f"**{ROLES[link.role]}** · {until} · {opened}")
        end.button("Revoke", key=f"revoke_link_{link.id}", type="tertiary", on_click=revoke, args=(link.id,))


def _callback(do: Callable[P, None]) -> Callable[P, None]:
    """Clears what the last action said, and keeps the reason why this one failed."""

    @wraps(do)
    def callback(*args: P.args, **kwargs: P.kwargs) -> None:
        for key in (_MADE, _PROBLEM, _REVOKED):
            st.session_state.pop(key, None)
        try:
            do(*args, **kwargs)
        except PlaygroundError as error:
            st.session_state[_PROBLEM] = str(error)

    return callback


@uninterrupted
@_callback
def make() -> None:
    """Makes the link that the form describes, and shows it once."""
    manager = runs.manager()
    role, today = LinkRole(st.session_state.get(ROLE) or LinkRole.READ), local_time(time.time()).date()
    days = (st.session_state[END] - today).days
    _, st.session_state[_MADE] = manager.links.make(manager.user, _thing(manager), role, days=days)


@uninterrupted
@_callback
def revoke(link_id: str) -> None:
    """Ends a link."""
    manager = runs.manager()
    manager.links.revoke(manager.user, link_id)
    st.session_state[_REVOKED] = link_id


@uninterrupted
@_callback
def restore(link_id: str) -> None:
    """Undoes `revoke`."""
    manager = runs.manager()
    manager.links.restore(manager.user, link_id)


def _close() -> None:
    for key in (_OPEN, _MADE, _PROBLEM, _REVOKED):
        st.session_state.pop(key, None)
