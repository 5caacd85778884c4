"""The section on models: a card for each provider, with its status, its connection, and a test."""

from __future__ import annotations

import streamlit as st

from agents.models import Endpoint, ModelFiles, Provider, all_providers, endpoints, lacks_extra
from agents.runs import Preferences, RunManager
from ui.settings import problems, questions
from ui.settings.models import actions, answer_limit, connection_check, connection_form, files, replays, status
from ui.settings.models.status import Status


def show(manager: RunManager, preferences: Preferences) -> None:
    """Draws the cards."""
    for name, endpoint in endpoints().items():
        if not endpoint.needs_key and questions.asked(f"list_{name}") is None:
            actions.ask_for_models(name)
    questions.settle()
    with st.container(key="provider_cards"):
        for provider in all_providers():
            with st.container(border=True, key=f"provider_{provider.name}", gap="small"):
                _head(provider, _status(manager, provider))
                problems.show(provider.name)
                _body(manager, preferences, provider)


def _head(provider: Provider, stands: Status) -> None:
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(provider.label, anchor=False, width="content")
            st.badge(stands.words, icon=stands.icon, color=stands.color)
            st.caption(stands.more, width="content")
        st.caption(provider.about)


def _status(manager: RunManager, provider: Provider) -> Status:
    match provider.access:
        case Endpoint(needs_key=True) as endpoint:
            return status.with_key(endpoint, manager.models.connection(provider.name), _last(provider.name))
        case Endpoint():
            return status.of_server(manager.models.connection(provider.name).base_url, _last(provider.name))
        case ModelFiles() as access:
            return status.of_files(lacks_extra=lacks_extra(), files=len(access.found()))
        case "recordings":
            return status.of_records(replays.recorded(manager, limit=0).found)
        case "simulation" | "person":
            return status.always("")


def _last(provider: str) -> questions.Result | None:
    """The result of the last question to a provider; None if there is none."""
    found = [asked for what in ("list", "test") if (asked := questions.asked(f"{what}_{provider}")) and asked.progress]
    return max(found, key=lambda asked: asked.began_at).progress if found else None


def _body(manager: RunManager, preferences: Preferences, provider: Provider) -> None:
    match provider.access:
        case "simulation":
            connection_check.show(provider, preferences, manager.models.lessons())
        case Endpoint() as endpoint:
            left, right = st.columns(2, gap="medium")
            with left:
                connection_form.show(provider, endpoint, preferences, manager.models.connection(provider.name))
            with right:
                connection_check.show(provider, preferences, manager.models.lessons())
        case ModelFiles() as access:
            files.show(provider.name, access.found(), manager.models.loaded())
            if not lacks_extra():
                connection_check.show(provider, preferences, manager.models.lessons())
            files.show_more(access.found())
        case "recordings":
            replays.show(manager)
        case "person":
            answer_limit.show(provider.name, preferences)
