"""What only the owner may do on a page, and how a visitor shows the owner's token.

A browser of the same machine is the owner's, unless the app is open to others, on a network or through a proxy. Then a token
is printed at the start. The link with the token sets a cookie that makes a browser the owner's; typing the token on the
Settings page does the same for one tab. What visitors may do is in `agents.access.RIGHTS`.
"""

from __future__ import annotations

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from agents.access import ACCOUNT_PREFIX, Action, Role, permits
from ui.access import door
from ui.access.identity import current, is_https
from ui.access.owner_token import IS_OWNER, PATH, cookie_name, is_token, token

FIELD = "owner_token"
"""Key of the field in which the token is typed."""
_REJECTED = "owner_token_rejected"


def is_owner() -> bool:
    """Whether the browser tab whose script runs may change settings, playbooks and stored sessions."""
    return current().is_owner


def may(action: Action) -> bool:
    """Whether the browser tab whose script runs may do something of its own, e.g. make a team."""
    return permits(current(), action)


def show_form() -> None:
    """Draws the field for the token on a visitor's Settings page; others are told that it is the owner's."""
    if current().id.startswith(ACCOUNT_PREFIX):
        st.info(f"The role {current().role} changes no settings here: they are the owner's.", icon=":material/lock:")
        return
    st.info(
        "This playground is open to the network. Its settings can be read and changed only with the token that was printed "
        "in the terminal when it was started. Open the link that was printed with it, or type the token here.",
        icon=":material/lock:",
    )
    with st.form("owner_form", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Token", key=FIELD, type="password", autocomplete="off")
        st.form_submit_button("Unlock", key="owner_unlock", on_click=_unlock)
    if st.session_state.pop(_REJECTED, False):
        st.error("This is not the token that was printed when the playground was started.", icon=":material/block:")


def show_notice(action: Action) -> None:
    """Tells that the page is read-only, to those who may not do what it is for."""
    if may(action):
        return
    cure = "another role: ask the owner"
    if current().role is Role.VIEWER:
        cure = "a role here: it is shared with you by a link"
    elif not current().id.startswith(ACCOUNT_PREFIX):
        cure = "the owner's token, which is typed on the Settings page"
    st.caption(f":material/lock: Read only: changes need {cure}.")


def owner_route() -> Route:
    """The route of the link: checks the token, sets the cookie, and redirects to Settings, or to the class that is held."""
    return Route(PATH, _enter)


async def _enter(request: Request) -> Response:
    if not is_token(request.query_params.get("token", "")):
        return PlainTextResponse(
            "This is not the token of this playground. It prints a new one at every start: open the link from there.",
            status_code=403,
        )
    answer = RedirectResponse("settings" if door.current() is None else "class", status_code=303)
    answer.set_cookie(cookie_name(), token(), httponly=True, samesite="strict", secure=is_https(request))
    return answer


def _unlock() -> None:
    typed: str = st.session_state.get(FIELD) or ""
    st.session_state[FIELD] = ""
    st.session_state[IS_OWNER] = is_token(typed.strip())
    st.session_state[_REJECTED] = not st.session_state[IS_OWNER]
