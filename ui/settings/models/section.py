"""The section on models: a card for each provider, with how it stands, how it is reached, and whether it answers.

Knows what the provider's status is made of; the deeds do the rest.
"""

from __future__ import annotations

import streamlit as st

from agents.models.connections import Provider, connection
from agents.runs import RunManager
from agents.storage.preferences import Preferences
from ui.settings import actions, problems
from ui.settings.models import connection_form, files, replays, status
from ui.settings.models import connection_test as trying
from ui.settings.models import key_question as asking
from ui.settings.models.status import Status
from ui.state import model_choices
from ui.state.model_choices import PROVIDERS

SERVERS: tuple[Provider, ...] = ("llama", "ollama")
"""Providers that are looked for when the page is opened: they are on a machine of the person's own."""

_WHAT = {
    "simulated": "Works answers out on this machine, from what a model would read. No key, no network.",
    "gemini": "Google's models, over the network, with a key of your own from aistudio.google.com.",
    "llama": "Any server that speaks as OpenAI's does: llama.cpp's, vLLM, LM Studio and others.",
    "ollama": "Ollama, which fetches and runs models on a machine of yours.",
    "local": "A model file (GGUF) that runs inside the playground itself.",
    "replay": "A recorded session answers in place of models, e.g. for a demo without a network.",
}


def show(manager: RunManager, preferences: Preferences) -> None:
    """Draws the cards."""
    for provider in SERVERS:
        if asking.asked(f"list_{provider}") is None:
            actions.ask_for_models(provider)
    asking.settle()
    for provider in PROVIDERS:
        with st.container(border=True, key=f"provider_{provider}", gap="small"):
            _head(provider, _status(manager, provider))
            problems.show(provider)
            _body(manager, preferences, provider)


def _head(provider: str, stands: Status) -> None:
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(PROVIDERS[provider], anchor=False, width="content")
            st.badge(stands.words, icon=stands.icon, color=stands.color)
            st.caption(stands.more, width="content")
        st.caption(_WHAT[provider])


def _status(manager: RunManager, provider: str) -> Status:
    last = _last(provider)
    match provider:
        case "gemini":
            return status.of_gemini(connection("gemini"), last)
        case "llama":
            return status.of_server(str(connection("llama").base_url), last)
        case "ollama":
            return status.of_server(str(connection("ollama").base_url), last)
        case "local":
            return status.of_files(lacks_extra=model_choices.lacks_extra(), files=len(model_choices.local_files()))
        case "replay":
            return status.of_records(len(replays.recorded(manager)))
        case _:
            return status.always("")


def _last(provider: str) -> asking.Result | None:
    """What came of the last question to a provider that there is an answer to."""
    found = [asked for what in ("list", "test") if (asked := asking.asked(f"{what}_{provider}")) and asked.result]
    return max(found, key=lambda asked: asked.since).result if found else None


def _body(manager: RunManager, preferences: Preferences, provider: str) -> None:
    match provider:
        case "simulated":
            trying.show(provider, preferences)
        case "gemini" | "llama" | "ollama":
            left, right = st.columns(2, gap="medium")
            with left:
                connection_form.show(provider, preferences)
            with right:
                trying.show(provider, preferences)
        case "local":
            files.show()
            if not model_choices.lacks_extra():
                trying.show(provider, preferences)
            files.show_more()
        case _:
            replays.show(manager)
