"""The section on models: a card for each provider, with its status, its connection, and a test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from agents import SessionFilter, SummaryPage
from agents.models import (
    INSTALL_LOCAL,
    MODEL_CATALOGUE,
    Endpoint,
    LoadedModel,
    ModelFiles,
    Provider,
    all_providers,
    endpoints,
    lacks_extra,
    models_folder,
)
from agents.runs import Preferences, RunManager
from ui.settings import problems, questions
from ui.settings.models import actions, answer_limit, connection_check, connection_form, status
from ui.settings.models.status import Status
from ui.state import navigation
from ui.state.address import Address
from ui.state.options import model_choices
from ui.text.amounts import bytes_in_words, seconds_in_words
from ui.text.labels import plain, title_of

_SHOWN = 3
_RECORDED = SessionFilter(statuses=frozenset({"completed", "paused", "stopped", "failed"}))
_PULL = "playground models pull"


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
            return status.of_records(_recorded(manager, limit=0).found)
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
            _files(provider.name, access.found(), manager.models.loaded())
            if not lacks_extra():
                connection_check.show(provider, preferences, manager.models.lessons())
            _more_files(access.found())
        case "recordings":
            _replays(manager)
        case "person":
            answer_limit.show(provider.name, preferences)


def _recorded(manager: RunManager, *, limit: int) -> SummaryPage:
    """The last changed sessions that can be replayed, at most `limit`, and how many there are."""
    return manager.sessions.page(_RECORDED, limit=limit)


def _replays(manager: RunManager) -> None:
    """Draws the explanation, and links to replays of the newest sessions."""
    st.markdown(
        "Open a session, and choose **Replay this session** in its **⋯** menu. A new session of the same pipeline then gets "
        "the recorded answers in order, and is marked where its requests differ from the recorded ones."
    )
    for found in _recorded(manager, limit=_SHOWN).rows:
        model = model_choices.replay_of(found.app_name, found.id)
        label = f"▶ Replay “{plain(title_of(found.title, length=60))}” · {plain(found.app_name)}"
        navigation.to_new_session(label, found.app_name, Address(model=model))


def _files(provider: str, found: Mapping[str, int], loaded: Iterable[LoadedModel]) -> None:
    """Draws the files with their sizes, those that are in memory, and what is missing to run one."""
    if lacks_extra():
        st.markdown("Model files need an extra. Start the playground with it:")
        st.code(INSTALL_LOCAL, language=None)
    elif not found:
        st.markdown("No model file is in the models folder yet. Fetch one, or put a `.gguf` file there.")
    in_memory = {model.name: model for model in loaded}
    for name in dict.fromkeys([*found, *in_memory]):
        _file(provider, name, found.get(name), in_memory.get(name))


def _file(provider: str, name: str, size: int | None, held: LoadedModel | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"file_{name}"):
        said = f" &ensp;:gray[{bytes_in_words(size)}]" if size is not None else ""
        st.markdown(f"{plain(name)}{said}", width="content")
        if held is not None:
            st.badge("in memory", icon=":material/memory:", color="blue")
            st.caption(_in_words(held), width="content")
            st.button("Unload", key=f"unload_{name}", type="tertiary", on_click=actions.unload, args=(provider, name))


def _in_words(held: LoadedModel) -> str:
    """Memory and speed of a loaded model, e.g. "1.2 GB of memory, loaded in 2.2 s, reads 28, writes 11 tokens/s"."""
    said = [f"{bytes_in_words(held.memory_bytes)} of memory", f"loaded in {seconds_in_words(held.loaded_in)}"]
    said.append(f"{held.n_ctx:,} tokens of context")
    speeds = [("reads", held.prompt_tokens_per_second), ("writes", held.tokens_per_second)]
    if measured := [f"{does} {speed:.0f}" for does, speed in speeds if speed is not None]:
        said.append(f"{', '.join(measured)} tokens/s")
    if held.running:
        said.append("at work")
    return ", ".join(said)


def _more_files(found: Mapping[str, int]) -> None:
    """Draws how to get a file."""
    with st.expander("Get a model file", expanded=not found, icon=":material/download:"):
        ways = {name: f"**{plain(name)}**, {_size(name)}: {plain(MODEL_CATALOGUE[name].about)}" for name in MODEL_CATALOGUE}
        ways["OWNER/REPOSITORY/FILE.gguf"] = "**Any other** GGUF file of a public repository on the hub."
        for name, said in ways.items():
            st.caption(said)
            st.code(f"{_PULL} {name}", language=None, wrap_lines=True)
        st.caption("Or put a file into the **models folder**:")
        st.code(str(models_folder()), language=None, wrap_lines=True)


def _size(name: str) -> str:
    known = MODEL_CATALOGUE[name].file_bytes
    return bytes_in_words(known) if known else "of unknown size"
