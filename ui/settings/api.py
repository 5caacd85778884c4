"""The section on other programs: how they connect, the tokens with which they ask, and what happens when they leave."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from agents.access import LONGEST_NAME, ApiToken, TokenScope, User
from agents.runs import Preferences, RunManager
from ui.settings import problems
from ui.settings.actions import action, change, say
from ui.state import runs
from ui.state.quick_input import if_chosen, key_for
from ui.text.browser_time import local_time
from ui.text.labels import plain

SCOPES = {
    TokenScope.READ: "read sessions and playbooks",
    TokenScope.RUN: "run agents and cases",
    TokenScope.PROPOSE: "propose changes of playbooks",
    TokenScope.ADMINISTER: "administer: all that you may",
}
NAME, CHOSEN = "new_token_name", "new_token_scopes"
MADE = "new_token"
"""The token that was just made, in this tab's memory, until it is put away."""
_LEAVES = "stops_with_client"
_PYTHON = """from openai import OpenAI

client = OpenAI(base_url="{url}", api_key="…")
answer = client.chat.completions.create(
    model="ace", messages=[{{"role": "user", "content": "What is 17 + 25?"}}]
)
print(answer.choices[0].message.content)"""
_CURL = """curl {url}/chat/completions \\
  -H "Authorization: Bearer …" -H "Content-Type: application/json" \\
  -d '{{"model": "ace", "messages": [{{"role": "user", "content": "What is 17 + 25?"}}]}}'"""
_WORDS = {False: "Its run goes on", True: "Its run stops"}


def show(manager: RunManager, preferences: Preferences) -> None:
    """Draws the section."""
    show_tokens(manager)
    with st.container(border=True, key="api_leaves"):
        st.subheader("When a program leaves before its run has ended", anchor=False)
        st.segmented_control(
            "When a program leaves",
            list(_WORDS),
            key=key_for(_LEAVES, preferences.stops_with_client),
            format_func=_WORDS.__getitem__,
            required=True,
            on_change=if_chosen(set_leaving),
            args=(_LEAVES, "api"),
            label_visibility="collapsed",
        )


def show_tokens(manager: RunManager) -> None:
    """Draws how a program connects, and the user's tokens."""
    problems.show("api")
    with st.container(border=True, key="api_connect"):
        _connect()
    with st.container(border=True, key="api_tokens"):
        _tokens(manager.tokens.all(manager.user), manager.user)


def _connect() -> None:
    url = base_url(st.context.url)
    st.subheader("Connect a program", anchor=False)
    st.markdown(
        "Each pipeline is a model of OpenAI's protocol. A program of this machine needs no token, any other one does. "
        "While it chats, its sessions are on the page Sessions, and with `ace` the playbook grows on the page Playbook. "
        f"MCP clients use `{url.removesuffix('/v1')}/mcp`, and ADK's clients `{url.removesuffix('/v1')}`."
    )
    python, curl = st.tabs(["Python", "curl"])
    python.code(_PYTHON.format(url=url), language="python")
    curl.code(_CURL.format(url=url), language="bash", wrap_lines=True)


def base_url(page: str | None) -> str:
    """The base URL for clients, by the address of this page in the browser."""
    parts = urlsplit(page or "http://127.0.0.1:8501/settings")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').rpartition('/')[0]}/v1"


def _tokens(tokens: list[ApiToken], user: User) -> None:
    st.subheader("Tokens", anchor=False)
    if (made := st.session_state.get(MADE)) is not None:
        st.markdown("Copy the token now: it is shown this once, and only its hash is kept.")
        st.code(made, language=None, wrap_lines=True)
        st.button("I have copied it", key="token_copied", type="primary", on_click=put_away, args=("api",))
    for token in tokens:
        _row(token, is_own=token.of.id == user.id)
    if not tokens:
        st.caption("There is none.")
    with st.form("new_token_form", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Program", key=NAME, max_chars=LONGEST_NAME, placeholder="e.g. my editor", width=220)
        st.multiselect("May", list(SCOPES), default=[TokenScope.RUN], key=CHOSEN, format_func=SCOPES.__getitem__, width=420)
        st.form_submit_button("Make a token", key="make_token", on_click=make_token, args=("api",))


def _row(token: ApiToken, *, is_own: bool) -> None:
    name, scopes, used, revoke = st.columns([3, 3, 4, 1.4], gap="xsmall", vertical_alignment="center")
    name.markdown(plain(token.name))
    if not is_own and (account := runs.manager().accounts.account(token.of.id)) is not None:
        name.caption(f"of {plain(account.name)}")
    scopes.caption(", ".join(sorted(token.scopes)))
    made = f"made {local_time(token.made_at):%d %b %Y}"
    last = f"last used {local_time(token.used_at):%d %b %Y, %H:%M}" if token.used_at else "never used"
    used.caption(f"{made}, {last}")
    revoke.button(
        "Revoke", key=f"revoke_{token.id}", type="tertiary", on_click=revoke_token, args=("api", token.id, token.name)
    )


@action
def make_token(_where: str) -> None:
    """Makes the token that the form describes, and shows it once."""
    manager = runs.manager()
    chosen = [TokenScope(scope) for scope in st.session_state.get(CHOSEN) or ()]
    made, text = manager.tokens.make(manager.user, st.session_state.get(NAME) or "", chosen)
    st.session_state[MADE] = text
    st.session_state[NAME] = ""
    say(f"{made.name} has a token.")


@action
def put_away(_where: str) -> None:
    """Shows the new token no longer."""
    st.session_state.pop(MADE, None)


@action
def revoke_token(_where: str, token_id: str, name: str) -> None:
    """Ends a token."""
    manager = runs.manager()
    manager.tokens.revoke(manager.user, token_id)
    st.session_state.pop(MADE, None)
    say(f"{name} is let in no more.")


@action
def set_leaving(_where: str, stops: bool | None) -> None:
    """Sets whether a run stops when the program that began it leaves."""
    if stops is not None:
        change(_WORDS[stops] + " when a program leaves.", stops_with_client=stops)
