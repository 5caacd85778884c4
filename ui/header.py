"""The row above a conversation: what is run, with which model and faults, what this session is called, and Run or Stop.

Knows a `Place` and which actions there are; does nothing itself.
"""

from __future__ import annotations

import streamlit as st

from ui import actions, families, fault_panel, model_choices, navigation
from ui.labels import plain, status_words, title_of
from ui.places import Place

AGAIN = {
    "failed": "↻ Retry",
    "interrupted": "↻ Run again",
    "stopped": "↻ Run again",
    "completed": "↻ Run again",
}


def show(place: Place) -> None:
    """Draws the row, and below it what stands in the way of a run."""
    with st.container(key="header", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        _pipeline_picker(place)
        _about(place)
        _model_picker(place)
        if model_choices.is_simulated(place.model):
            st.badge(
                "simulated", color="orange", help="Answers are computed on this machine. No model is asked, no key needed."
            )
        fault_panel.show(place)
        _title(place)
        if place.session is not None:
            _session_menu(place)
        _run_or_stop(place)
    fault_panel.show_problems(place)
    if model_choices.lacks_key(place.model):
        st.info(model_choices.HOW_TO_GET_A_KEY, icon=":material/key:")
    if notice := st.session_state.get(actions.NOTICE):
        (st.error if notice.kind == "error" else st.info)(plain(notice.text))


def _pipeline_picker(place: Place) -> None:
    st.session_state["pipeline_choice"] = place.pipeline.name

    def picked() -> None:
        actions.open_session(st.session_state["pipeline_choice"], None)

    st.selectbox(
        "Pipeline",
        families.in_order(place.manager.catalog, list(place.pipelines)),
        key="pipeline_choice",
        format_func=lambda name: str(place.pipelines.get(name, name)),
        on_change=picked,
        label_visibility="collapsed",
        width=190,
    )


def _about(place: Place) -> None:
    card = place.pipeline.card
    with st.popover("About", help="What this pipeline does and teaches", type="tertiary", key="about"):
        st.markdown(f"#### {card.title}")
        st.badge(card.pattern, color="blue")
        st.markdown(card.summary)
        navigation.to_pattern(place.pipeline.name, place.address, "→ In the Gallery: diagram, source, and what to break")
        st.markdown(card.lesson)
        st.caption(f"It ends when {card.ends_when[:1].lower()}{card.ends_when[1:]}")


def _model_picker(place: Place) -> None:
    st.session_state["model_choice"] = place.model
    st.selectbox(
        "Model",
        model_choices.offered(place.address.model),
        key="model_choice",
        format_func=model_choices.shown,
        on_change=actions.choose_model,
        args=("model_choice", model_choices.SIMULATED),
        label_visibility="collapsed",
        width=180,
    )


def _title(place: Place) -> None:
    if place.session is None:
        st.space("stretch")
        return
    with st.container(key="session_title", width="stretch"):
        status = "running" if place.running else place.session.status
        title = plain(title_of(place.session.title, length=120))
        st.markdown(f"**{title}**  \n:small[:gray[{status_words(status)}]]")


def _session_menu(place: Place) -> None:
    session = place.session
    assert session is not None
    with st.popover("⋯", help="Rename or delete this session", key=f"menu_{session.id}"):
        key = f"title_{session.id}"
        st.text_input(
            "Title",
            value=title_of(session.title, length=200),
            key=key,
            max_chars=200,
            on_change=actions.rename,
            args=(place.pipeline.name, session.id, key),
        )
        confirm = f"confirm_{session.id}"
        if not st.session_state.get(confirm):
            st.button("Delete session …", key=f"delete_{session.id}", on_click=_set, args=(confirm, True), width="stretch")
            return
        st.caption("It disappears from the list. You can undo this.")
        with st.container(horizontal=True):
            st.button(
                "Delete it",
                type="primary",
                key=f"really_{session.id}",
                on_click=actions.delete,
                args=(place.pipeline.name, session.id, title_of(session.title)),
            )
            st.button("Keep it", key=f"keep_{session.id}", on_click=_set, args=(confirm, False))


def _run_or_stop(place: Place) -> None:
    """One place for the one thing to do next: stop what runs, answer it, run it again, or run the first sample."""
    name, session = place.pipeline.name, place.session
    blocked = model_choices.lacks_key(place.model)
    with st.container(key="run_or_stop", width="content"):
        if session is not None and place.running:
            st.button("■ Stop", key="stop", on_click=actions.stop, args=(name, session.id))
        elif place.is_paused:
            st.badge("answer below", color="violet")
        elif session is not None and session.status in AGAIN:
            st.button(
                AGAIN[session.status],
                key="again",
                type="primary" if session.status != "completed" else "secondary",
                disabled=blocked,
                on_click=actions.run_again,
                args=(name, session.id, place.terms),
            )
        else:
            sample = place.pipeline.card.samples[0] if place.pipeline.card.samples else ""
            st.button(
                "▶ Run",
                key="run",
                type="primary",
                disabled=blocked or place.is_missing or not sample,
                on_click=actions.run,
                args=(name, session.id if session else None, sample, place.terms),
            )


def _set(key: str, value: bool) -> None:
    st.session_state[key] = value
