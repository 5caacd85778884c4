"""The connection test of a provider, its models, and which of them the picker offers.

Text from servers is shown as plain text.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from agents.models import Endpoint, Lesson, Provider, provider_of
from agents.runs import Preferences
from ui.settings import questions
from ui.settings.models import actions
from ui.state.quick_input import if_chosen, key_for
from ui.text.amounts import seconds_in_words
from ui.text.labels import many, plain, title_of

SHOWN_TEXT = 200
"""Characters shown of an answer."""


def show(provider: Provider, preferences: Preferences, lessons: Iterable[Lesson]) -> None:
    """Draws the test, its result, what the picker offers, and what errors of servers said."""
    found = _found(provider.name)
    chosen = [name for name in preferences.models if provider_of(name) == provider]
    always = provider.offered
    _test(provider, list(dict.fromkeys([*always, *chosen, *found])))
    _tested(provider.name)
    if provider.access == "simulation":
        return
    _picker(provider, chosen, [name for name in found if name not in always])
    _listed(provider.name, always)
    _lessons(provider, lessons)


def _test(provider: Provider, names: list[str]) -> None:
    key = f"test_model_{provider.name}"
    busy = (asked := questions.asked(f"test_{provider.name}")) is not None and asked.progress is None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
        if provider.access == "simulation":
            st.session_state[key] = names[0]
        else:
            st.selectbox(
                "Model to test",
                names,
                key=key,
                accept_new_options=True,
                placeholder="Type a name",
                index=0 if names else None,
            )
        st.button("Test", key=f"test_{provider.name}", disabled=busy, on_click=actions.test, args=(provider.name, key))


def _tested(provider: str) -> None:
    name = f"test_{provider}"
    asked = questions.asked(name)
    if asked is None:
        return
    result = asked.progress
    if result is None:
        questions.progress(name, f"Asking {plain(asked.name)}")
    elif not result["ok"]:
        st.error(f"**{plain(asked.name)}:** {plain(result['error'])}", icon=":material/error:")
    else:
        st.success(f"**{plain(asked.name)}:** {plain(in_words(result))}", icon=":material/check:")


def in_words(result: questions.Result) -> str:
    """The result of a test, e.g. "OK in 0.8 s, first word after 0.3 s, 12 tokens: “ready”"."""
    said = [f"OK in {seconds_in_words(result['seconds'])}"]
    if result["first_token"] is not None:
        said.append(f"first word after {seconds_in_words(result['first_token'])}")
    if result["tokens"] is not None:
        said.append(many(result["tokens"], "token"))
    text = title_of(result["text"], length=SHOWN_TEXT) if result["text"].strip() else ""
    return f"{', '.join(said)}: “{text}”" if text else f"{', '.join(said)}, without a word"


def _found(provider: str) -> list[str]:
    asked = questions.asked(f"list_{provider}")
    return list((asked.progress or {}).get("names") or []) if asked else []


def _picker(provider: Provider, chosen: list[str], found: list[str]) -> None:
    key = f"offered_{provider.name}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
        st.multiselect(
            "In the picker",
            list(dict.fromkeys([*chosen, *found])),
            key=key_for(key, chosen),
            accept_new_options=True,
            placeholder=provider.name_hint,
            on_change=if_chosen(actions.offer),
            args=(key, provider.name),
            help="Models that every page offers to run with.",
        )
        if isinstance(provider.access, Endpoint):
            st.button("List models", key=f"list_{provider.name}", on_click=actions.list_models, args=(provider.name,))


def _lessons(provider: Provider, lessons: Iterable[Lesson]) -> None:
    """Draws what errors of the provider's servers said about its models, with a way to forget it."""
    for lesson in lessons:
        if provider_of(lesson.model) == provider:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption(plain(f"{lesson.model} at {lesson.address}: {lesson.words}"))
                st.button("Ask anew", key=f"forget_{lesson.model}", on_click=actions.forget, args=(lesson.model,))


def _listed(provider: str, always: list[str]) -> None:
    """Draws the result of a request for model names."""
    name = f"list_{provider}"
    asked = questions.asked(name)
    if asked is not None:
        result = asked.progress
        if result is None:
            questions.progress(name, "Asking for its models")
            return
        if result.get("error"):
            if result["code"] == "CONNECTION_FAILED":  # a server is optional
                st.caption(plain(result["error"]))
            else:
                st.error(plain(result["error"]), icon=":material/error:")
            return
        count = len(result["names"])
        st.caption(
            f"It has {many(count, 'model')}. Choose above which of them the picker offers." if count else "It has none."
        )
    if always:
        st.caption(f"Always offered: {plain(', '.join(always))}")
