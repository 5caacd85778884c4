"""How a provider is reached: the fields for a key and for the address of its server.

A key is never shown, not in part. It leaves its field when it is used. Knows the connections and the deeds.
"""

from __future__ import annotations

import zlib

import streamlit as st

from agents.config import GEMINI_URL
from agents.models.connections import Connection, Provider, connection
from agents.storage.preferences import Preferences
from ui.settings import actions
from ui.settings.models import status
from ui.state.model_choices import PROVIDERS
from ui.text.labels import plain

_URL_LABEL = {
    "gemini": "Another server than Google's (base URL)",
    "llama": "Base URL, with /v1 at its end",
    "ollama": "Base URL",
}


def show(provider: Provider, preferences: Preferences) -> None:
    """Draws the fields."""
    known = connection(provider)
    if provider != "ollama":
        _key(provider, known)
    _url(provider, preferences, known)
    _withheld(provider, known)


def _key(provider: Provider, known: Connection) -> None:
    field = f"key_{provider}_{st.session_state.get(actions.TAKEN, 0)}"
    name = f"{PROVIDERS[provider]} key" if provider == "gemini" else "Key, if the server wants one"
    with (
        st.form(f"key_form_{provider}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False),
    ):
        st.text_input(
            name,
            key=field,
            type="password",
            placeholder=_there(provider, known),
            autocomplete="off",
            help="It is kept in the memory of this process, and nowhere else.",
        )
        st.form_submit_button(
            "Use it",
            key=f"use_key_{provider}",
            on_click=actions.use_key,
            args=(provider, field, known.base_url or GEMINI_URL),
        )
        if known.typed_key or (known.withheld and known.withheld.typed):
            st.form_submit_button(
                "Forget it", key=f"forget_key_{provider}", on_click=actions.forget_key, args=(provider, field)
            )


def _withheld(provider: Provider, known: Connection) -> None:
    """Asks whether a key that was given for another server may be sent to this one, by its URL."""
    if known.withheld is None:
        return
    here = known.base_url or GEMINI_URL
    whose = "that you typed" if known.withheld.typed else f"in {status.KEY_FROM[provider]}"
    st.warning(
        f"The key {whose} was given for {status.code(known.withheld.given_for)}. It is not sent to "
        f"{status.code(here)}, unless you allow it. Whoever runs that server can read and use the key.",
        icon=":material/key:",
    )
    st.button(
        f"Send the key to {plain(here)}",
        key=f"allow_key_{provider}",
        on_click=actions.allow_key,
        args=(provider, here),
        help="Until the playground ends. Taking another key or another server asks again.",
    )


def _there(provider: Provider, known: Connection) -> str:
    if known.api_key is None:
        return "Paste it here" if provider == "gemini" else "None"
    return status.key_source(provider, known)


def _url(provider: Provider, preferences: Preferences, known: Connection) -> None:
    saved = preferences.base_urls.get(provider, "")
    taken = st.session_state.get(actions.TAKEN, 0)
    field = f"url_{provider}_{zlib.crc32(saved.encode())}_{taken}"  # another saved, another field
    st.text_input(
        _URL_LABEL[provider],
        value=saved,
        key=field,
        placeholder=known.base_url or GEMINI_URL,
        on_change=actions.use_url,
        args=(provider, field),
        help="Enter takes it. Empty goes back to what the environment says, or to the default.",
    )
