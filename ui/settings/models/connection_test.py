"""Whether a provider answers, which models it has, and which of them the picker offers.

Answers and names of servers are shown as plain text. Knows the questions that are under way, and the deeds.
"""

from __future__ import annotations

import streamlit as st

from agents.storage.preferences import Preferences
from ui.settings import actions
from ui.settings.amounts import many, seconds_in_words
from ui.settings.models import key_question as asking
from ui.state import model_choices
from ui.text.labels import plain, title_of

SHOWN_TEXT = 200
"""Characters of an answer."""
_BY_HAND = {
    "gemini": "Choose, or type a name: gemini-…",
    "llama": "Choose, or type a name",
    "ollama": "Choose, or type a name",
    "local": "The path of a .gguf file elsewhere",
}
_LISTS = frozenset({"gemini", "llama", "ollama"})


def show(provider: str, preferences: Preferences) -> None:
    """Draws the test, its result, and what the picker offers."""
    found = _found(provider)
    chosen = [name for name in preferences.models if model_choices.provider_of(name) == provider]
    always = [name for name in model_choices.offered(Preferences()) if model_choices.provider_of(name) == provider]
    _test(provider, list(dict.fromkeys([*always, *chosen, *found])))
    _tested(provider)
    if provider == "simulated":
        return
    _picker(provider, chosen, [name for name in found if name not in always])
    _listed(provider, always)


def _test(provider: str, names: list[str]) -> None:
    key = f"test_model_{provider}"
    busy = (asked := asking.asked(f"test_{provider}")) is not None and asked.result is None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
        if provider == "simulated":
            st.session_state[key] = model_choices.SIMULATED
        else:
            st.selectbox(
                "Model to test",
                names,
                key=key,
                accept_new_options=True,
                placeholder="Type a name",
                index=0 if names else None,
            )
        st.button("Test", key=f"test_{provider}", disabled=busy, on_click=actions.test, args=(provider, key))


def _tested(provider: str) -> None:
    name = f"test_{provider}"
    asked = asking.asked(name)
    if asked is None:
        return
    result = asked.result
    if result is None:
        asking.progress(name, f"Asking {plain(asked.about)}")
    elif not result["ok"]:
        st.error(f"**{plain(asked.about)}:** {plain(result['error'])}", icon=":material/error:")
    else:
        st.success(f"**{plain(asked.about)}:** {plain(in_words(result))}", icon=":material/check:")


def in_words(result: asking.Result) -> str:
    """What came of a test, e.g. "OK in 0.8 s, first word after 0.3 s, 12 tokens: “ready”"."""
    said = [f"OK in {seconds_in_words(result['seconds'])}"]
    if result["first_token"] is not None:
        said.append(f"first word after {seconds_in_words(result['first_token'])}")
    if result["tokens"] is not None:
        said.append(many(result["tokens"], "token"))
    text = title_of(result["text"], length=SHOWN_TEXT) if result["text"].strip() else ""
    return f"{', '.join(said)}: “{text}”" if text else f"{', '.join(said)}, without a word"


def _found(provider: str) -> list[str]:
    asked = asking.asked(f"list_{provider}")
    return list((asked.result or {}).get("names") or []) if asked else []


def _picker(provider: str, chosen: list[str], found: list[str]) -> None:
    key = f"offered_{provider}"
    st.session_state[key] = chosen
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
        st.multiselect(
            "In the picker",
            list(dict.fromkeys([*chosen, *found])),
            key=key,
            accept_new_options=True,
            placeholder=_BY_HAND[provider],
            on_change=actions.offer,
            args=(provider, key),
            help="Models that every page offers to run with.",
        )
        if provider in _LISTS:
            st.button("List models", key=f"list_{provider}", on_click=actions.look, args=(provider,))


def _listed(provider: str, always: list[str]) -> None:
    """What came of asking for names."""
    name = f"list_{provider}"
    asked = asking.asked(name)
    if asked is not None:
        result = asked.result
        if result is None:
            asking.progress(name, "Asking for its models")
            return
        if result.get("error"):
            if result["code"] == "CONNECTION_FAILED":  # nobody has to run a server
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
