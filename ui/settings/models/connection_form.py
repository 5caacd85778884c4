"""The connection of a provider: the fields for a key and for the URL of its server.

No part of a key is ever shown. It leaves its field when it is used.
"""

from __future__ import annotations

import zlib

import streamlit as st

from agents.models import Connection, Endpoint, Provider
from agents.runs import Preferences
from ui.access import owner
from ui.settings.models import actions, status
from ui.text.labels import plain


def show(provider: Provider, endpoint: Endpoint, preferences: Preferences, known: Connection) -> None:
    """Draws the fields."""
    if endpoint.key_variables:
        _key(provider.name, endpoint, known)
    _url(provider.name, endpoint, preferences, known)
    _withheld(provider.name, endpoint, known)


def _key(provider: str, endpoint: Endpoint, known: Connection) -> None:
    field = f"key_{provider}_{st.session_state.get(actions.TAKEN, 0)}"
    with (
        st.form(f"key_form_{provider}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False),
    ):
        st.text_input(
            endpoint.key_label,
            key=field,
            type="password",
            placeholder=_there(endpoint, known),
            autocomplete="off",
            help="It is kept in the memory of this process, and nowhere else.",
        )
        st.form_submit_button(
            "Use it",
            key=f"use_key_{provider}",
            on_click=actions.use_key,
            args=(provider, field, known.base_url),
        )
        if known.typed_key or (known.withheld and known.withheld.typed):
            st.form_submit_button(
                "Forget it", key=f"forget_key_{provider}", on_click=actions.forget_key, args=(provider, field)
            )


def _withheld(provider: str, endpoint: Endpoint, known: Connection) -> None:
    """Asks whether a key that was given for another server may be sent to this one; names both URLs."""
    if known.withheld is None:
        return
    here = known.base_url
    whose = "that you typed" if known.withheld.typed else f"in {status.key_variables(endpoint)}"
    st.warning(
        f"The key {whose} was given for {status.code(known.withheld.given_for)}. It is not sent to "
        f"{status.code(here)}, unless you allow it. Its operator can read and use the key.",
        icon=":material/key:",
    )
    st.button(
        f"Send the key to {plain(here)}",
        key=f"allow_key_{provider}",
        on_click=actions.allow_key,
        args=(provider, here),
        help="Until the playground ends. Taking another key or another server asks again.",
    )


def _there(endpoint: Endpoint, known: Connection) -> str:
    if known.api_key is None:
        return "Paste it here" if endpoint.needs_key else "None"
    return status.key_source(endpoint, known)


def _url(provider: str, endpoint: Endpoint, preferences: Preferences, known: Connection) -> None:
    saved = preferences.base_urls.get(provider, "")
    taken = st.session_state.get(actions.TAKEN, 0)
    field = f"url_{provider}_{zlib.crc32(saved.encode())}_{taken}"  # a new field for each saved URL
    st.text_input(
        endpoint.url_label,
        value=saved,
        key=field,
        placeholder=known.base_url,
        disabled=not owner.is_owner(),
        on_change=actions.use_url,
        args=(provider, field),
        help="Enter takes it. Empty goes back to what the environment says, or to the default.",
    )
