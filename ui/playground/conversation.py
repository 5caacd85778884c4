"""The page below its header: the session as it happens, samples to run with one click, controls, and the input.

Knows a `Place`, the session view and the actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.components import v2

from agents.access import Action
from agents.models import price_rows
from agents.pipelines import truth_key
from agents.runs import MAX_FILE_BYTES
from ui.access import owner
from ui.dependencies.streamlit_private import SELECTORS
from ui.forks import actions as forks
from ui.playground import actions, attached_files, controls
from ui.playground.teaching import form, view
from ui.session_view import lesson_of, session_view
from ui.shell import script_turns
from ui.state import address, places
from ui.state.options import families, model_choices
from ui.state.places import Place
from ui.text.labels import plain, title_of

_SENT = "samples_sent"
"""How many samples were sent from their list in this browser tab."""
VIEW = "session_view"
"""One key whatever is shown: a view that stays mounted keeps its connection and never flickers."""
WIDTH = 230
"""Pixels."""
_ENTER = """
export default function ({ data: { field, message, send } }) {
  const enter = (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches?.(field)) return;
    setTimeout(() => {  // by then the field has told its value
      const button = document.querySelector(send);
      if (button?.disabled === false) button.click();
      else document.querySelector(message)?.focus();
    });
  };
  document.addEventListener("keydown", enter);
  return () => document.removeEventListener("keydown", enter);
}
"""
_mount = v2.component("right_answer_enter", js=_ENTER)


def show(place: Place) -> None:
    """Draws the session, or what it will be, and the input; or the list that is taught in their place."""
    if place.address.teach is not None and truth_key(place.pipeline.root_agent) is not None:
        view.show(place)
        return
    if place.is_missing:
        places.missing_session(place.pipeline)
    card = place.pipeline.card
    session_view(
        pipeline=place.pipeline.name,
        session=place.session.id if place.session else None,
        tree=families.tree_of(place.pipeline),
        written=address.written(),
        running=place.running and not place.is_waiting,
        empty=(card.title, card.summary),
        prices=price_rows(place.preferences.price_table),
        playbook=place.playbook,
        lesson=lesson_of(place.pipeline),
        key=VIEW,
        on_answer=partial(actions.answer, place.pipeline.name, place.session.id) if place.session else None,
        on_feedback=partial(actions.judge, place.pipeline.name, place.session.id) if place.session else None,
        on_what_if=partial(forks.ask, place.pipeline.name, place.session.id) if place.session else None,
        on_message=partial(actions.run, place.pipeline.name, place.session.id)
        if place.session and _may_send(place)
        else None,
    )
    script_turns.give_way()
    with st.bottom:
        samples = place.samples
        controls.show(place)
        if place.session is None and not place.is_missing:
            _samples(place, samples)
        with st.container(key="below", horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
            if place.session is not None:
                _samples_of_session(place, samples)
            _input(place, samples)
            if truth_key(place.pipeline.root_agent) is not None and not model_choices.is_replay(place.options.model):
                _right_answer(place)
                _to_list(place)


def _may_send(place: Place) -> bool:
    """Whether an example of a refusal may be sent to the session now."""
    session = place.session
    if session is None or place.running or place.is_blocked or model_choices.is_replay(place.options.model):
        return False
    return place.manager.may(Action.RUN, session.app_name, session.id)


def _samples(place: Place, samples: Sequence[str]) -> None:
    with st.container(key="samples", horizontal=True, gap="xsmall", wrap=False):
        for number, sample in enumerate(samples):
            st.button(
                f"▶ {plain(title_of(sample, length=60))}",
                key=f"sample_{place.pipeline.name}_{number}",
                disabled=place.is_blocked,
                on_click=actions.run,
                args=(place.pipeline.name, None, sample),
            )


def _samples_of_session(place: Place, samples: Sequence[str]) -> None:
    """Draws a button that opens the samples: each is sent to this session as its next message."""
    if not samples or model_choices.is_replay(place.options.model):
        return
    sent = st.session_state.get(_SENT, 0)  # a new key closes it
    with st.popover("Samples", key=f"more_samples_{sent}"), st.container(gap="xxsmall"):
        st.caption("Send one to this session:")
        for number, sample in enumerate(samples):
            st.button(
                f"▶ {plain(title_of(sample, length=90))}",
                key=f"more_sample_{place.pipeline.name}_{number}",
                type="tertiary",
                disabled=place.is_blocked or place.running,
                on_click=_send_sample,
                args=(place.pipeline.name, place.session.id if place.session else None, sample),
            )


def _send_sample(pipeline: str, session: str | None, sample: str) -> None:
    """Sends a sample to the session, and closes the list of samples."""
    st.session_state[_SENT] = st.session_state.get(_SENT, 0) + 1
    actions.run(pipeline, session, sample)


def _to_list(place: Place) -> None:
    st.button(
        "List",
        key="to_list",
        icon=":material/playlist_add:",
        help="Teach from a list of questions with right answers",
        disabled=place.is_missing,
        on_click=form.open_form,
        args=(place.pipeline.name, place.session.id if place.session else None),
    )


def _input(place: Place, samples: Sequence[str]) -> None:
    if place.running:
        hint = "Waiting for its turn … Stop takes it out" if place.is_waiting else "Running … Stop ends it"
    elif place.is_paused:
        hint = "Answer above to let it go on. A new message gives up the open question"
        if place.session is not None and any(call.takes_messages for call in place.manager.pending_in([place.session])):
            hint = "Your answer"
    elif samples and place.session is None:
        hint = f"Message, e.g. {title_of(samples[0], length=60)}"
    else:
        hint = "Message"
    st.chat_input(
        hint,
        key=actions.MESSAGE,
        disabled=place.running or place.is_missing or place.is_blocked,
        accept_file="multiple" if owner.may(Action.UPLOAD) else False,
        file_type=attached_files.OFFERED,
        max_upload_size=MAX_FILE_BYTES // 1024**2,
        on_submit=actions.send_message,
        args=(place.pipeline.name, place.session.id if place.session else None),
    )


def _right_answer(place: Place) -> None:
    """Draws it. Enter sends the message."""
    with st.container(key="right_answer", width=WIDTH):
        st.text_input(
            "Right answer (optional)",
            key=actions.truth_field(place.pipeline.name, place.session.id if place.session else None),
            placeholder="Right answer (optional)",
            label_visibility="collapsed",
            disabled=place.running or place.is_missing or place.is_blocked,
        )
        _mount(
            key="right_answer_enter",
            data={
                "field": ".st-key-right_answer input",
                "message": SELECTORS["chat-input"],
                "send": SELECTORS["chat-send"],
            },
        )
