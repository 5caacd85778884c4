"""What is above a conversation: pipeline, model, setup, Run or Stop; below it the session's title."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from agents import SessionSummary
from agents.access import Action, permits
from ui.access import owner
from ui.access.identity import current
from ui.cases import actions as case_actions
from ui.cases import dialog as case_dialog
from ui.playground import actions, setup
from ui.sharing import dialogs, links
from ui.shell.page_scripts import mark_pressed
from ui.state import navigation, run_actions
from ui.state.banners import missing_models
from ui.state.notices import NOTICE, Notice
from ui.state.options import agent_models, families, model_choices
from ui.state.places import Place
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import plain, status_words, title_of
from ui.text.visible_text import visible_directions

AGAIN = {
    "failed": "↻ Retry",
    "interrupted": "↻ Run again",
    "stopped": "↻ Run again",
    "completed": "↻ Run again",
}


def show(place: Place) -> None:
    """Draws the row, and below it what prevents a run."""
    with st.container(key="header", horizontal=True, vertical_alignment="center", gap="small"):
        _pipeline_picker(place)
        _model_picker(place)
        setup.show(place)
        _badges(place)
        with st.container(key="session_actions", width="content", horizontal=True, gap="xsmall", wrap=False):
            if place.session is not None:
                _session_menu(place)
            _run_or_stop(place)
    _title(place)
    mark_pressed()
    setup.show_problems(place)
    missing_models.show(place)
    _replayed(place)
    _notice(place)
    dialogs.show(place.manager, actions.open_imported)
    links.show(place.manager)
    case_dialog.show()


def _pipeline_picker(place: Place) -> None:
    names = dict.fromkeys([*place.pipelines, place.pipeline.name])  # an imported session's pipeline is not listed
    titles = {name: visible_directions(_title_and_family(place, name)) for name in names}
    st.selectbox(
        "Pipeline",
        families.in_order(place.manager.catalog, list(names)),
        key=key_for("pipeline_choice", place.pipeline.name),
        format_func=titles.__getitem__,
        on_change=if_chosen(actions.open_session),
        args=("pipeline_choice",),
        label_visibility="collapsed",
        width=280,
    )


def _title_and_family(place: Place, name: str) -> str:
    """A pipeline in the picker: its family follows the title, so that typing either finds it."""
    title = place.pipelines.get(name) or place.manager.catalog.get(name).card.title
    return f"{title} · {families.family_of(place.manager.catalog.get(name))}"


def _model_picker(place: Place) -> None:
    is_asked = place.options.model in place.options.models
    is_of_fork = place.options.fork_models[0] is not None
    shown = model_choices.shown if is_asked else model_choices.shown_unasked
    models = {model: shown(model) for model in model_choices.offered(place.preferences, place.options.model)}
    st.selectbox(
        "Model",
        list(models),
        key=key_for("model_choice", place.options.model),
        disabled=is_of_fork,
        format_func=models.__getitem__,
        on_change=if_chosen(actions.choose_model),
        args=("model_choice", place.preferences.model),
        label_visibility="collapsed",
        width=195,
    )


def _badges(place: Place) -> None:
    """Draws badges of a model that is a fork's own, simulated or a replay; of the last two, a narrow picker says so."""
    if place.options.fork_models[0] is not None:
        st.badge(
            "fork's model",
            color="blue",
            help="This fork was made with that model, which holds for its whole life. For another model, fork it again.",
        )
    with st.container(key="model_badges", width="content", horizontal=True, gap="xsmall"):
        if any(map(model_choices.is_simulated, place.options.models)):
            st.badge(
                "simulated", color="orange", help="Answers are computed on this machine. No model is asked, no key needed."
            )
        if own := agent_models.own_models(place.pipeline.root_agent, place.options.agent_models):
            named = ", ".join(f"{agent}: {model}" for agent, model in own.items())
            st.badge("own models", color="blue", help=plain(f"Agents that ask a model of their own, at its price: {named}."))
        if any(map(model_choices.is_replay, place.options.models)):
            st.badge("replayed", color="orange", help="Answers come from a recorded session. No model is asked.")


def _replayed(place: Place) -> None:
    """Draws the next recorded message of a replay, with a button that sends it."""
    if not model_choices.is_replay(place.options.model) or place.running or place.is_paused or place.is_missing:
        return
    with st.container(key="replayed", horizontal=True, vertical_alignment="center", gap="small"):
        said = place.next_recorded
        if said is None:
            st.caption("This replay has no message left: a new message has no recorded answer.", width="content")
            return
        st.caption(f"Recorded next: “{plain(title_of(said, length=90))}”", width="content")
        if place.session is not None:
            order = (place.pipeline.name, place.session.id, said)
            st.button("▶ Say it", key="say_recorded", type="tertiary", on_click=actions.run, args=order)


def _notice(place: Place) -> None:
    """Draws the reason why the last action failed."""
    notice: Notice | None = st.session_state.get(NOTICE)
    if notice is None:
        return
    (st.error if notice.kind == "error" else st.info)(plain(notice.text))
    if notice.code in model_choices.MENDED_IN_SETTINGS:
        navigation.to_settings(missing_models.TO_SETTINGS, place.address)
    if notice.code == case_actions.KEPT:
        navigation.to_cases("→ All cases", place.address)


def _title(place: Place) -> None:
    """Draws the title on its own line, with the session's status, which the view repeats with more detail."""
    if place.session is None:
        return
    status = "running" if place.running and not place.is_waiting else place.session.status
    with st.container(key="session_title", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f"**{plain(title_of(place.session.title, length=300))}**", width="content")
        words = status_words(status)
        if status == "running" and not place.manager.runs_here(place.pipeline.name, place.session.id):
            words += " in another process, so texts appear when they are whole"
        st.markdown(f":small[:gray[{words}]]", width="content")


def _session_menu(place: Place) -> None:
    session = place.session
    assert session is not None
    with st.popover(
        "⋯",
        help="Rename, replay, export, keep or delete this session",
        key=f"menu_{session.id}_{dialogs.times_opened()}_{links.times_opened()}_{case_actions.opened()}",
    ):
        owner.show_notice(Action.USE_CASES)
        may_change = permits(current(), Action.RENAME, of=session.user_id)
        key = f"title_{session.id}"
        st.text_input(
            "Title",
            value=title_of(session.title, length=200),
            key=key,
            max_chars=200,
            disabled=not may_change,
            on_change=actions.rename,
            args=(place.pipeline.name, session.id, key),
        )
        st.button(
            "Replay this session",
            key=f"replay_{session.id}",
            help="A new session in which the recorded answers come again. No model is asked.",
            disabled=place.running or session.status == "idle",
            on_click=actions.replay,
            args=(place.pipeline.name, session.id),
            width="stretch",
        )
        _give_buttons(place.pipeline.name, session)
        st.button(
            "Keep as a case …",
            key=f"case_{session.id}",
            help="This session as a test: it can be run again, and guard a playbook.",
            disabled=not owner.may(Action.USE_CASES) or place.running or session.status in {"idle", "failed"},
            on_click=case_actions.open_dialog,
            args=(place.pipeline.name, session.id),
            width="stretch",
        )
        confirm = f"confirm_{session.id}"
        if not st.session_state.get(confirm):
            st.button(
                "Delete session …",
                key=f"delete_{session.id}",
                disabled=not may_change,
                on_click=_set,
                args=(confirm, True),
                width="stretch",
            )
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


def _present_button(pipeline: str, session: SessionSummary) -> None:
    st.link_button(
        "Present …",
        f"class?{urlencode({'pipeline': pipeline, 'session': session.id})}",
        help="The wall in large type for a projector, and your desk with notes: → and ← lead through the session.",
        disabled=not permits(current(), Action.HOLD_CLASS) or session.status == "idle",
        width="stretch",
    )


def _give_buttons(pipeline: str, session: SessionSummary) -> None:
    """Draws what shows a session to others: on a wall, by a link, as a file."""
    _present_button(pipeline, session)
    st.button(
        "Share …",
        key=f"share_{session.id}",
        help="A link for others: to read this session, or to continue it",
        disabled=not permits(current(), Action.SHARE, of=session.user_id),
        on_click=links.ask,
        args=("session", pipeline, session.id),
        width="stretch",
    )
    with st.container(horizontal=True):
        st.button(
            "Export …",
            key=f"export_{session.id}",
            help="As a page that replays it, as JSON lines, or for google-adk",
            on_click=dialogs.ask_export,
            args=(pipeline, session.id),
        )
        st.button(
            "Import …",
            key="import_session",
            help="A session from a file",
            on_click=dialogs.ask_import,
            args=(pipeline,),
        )


def _run_or_stop(place: Place) -> None:
    """Draws the button of the next action: stop, answer, run again, or run the first sample."""
    name, session = place.pipeline.name, place.session
    blocked = place.is_blocked
    with st.container(key="run_or_stop", width="content"):
        if session is not None and place.running:
            st.button("■ Stop", key="stop", on_click=run_actions.stop, args=(name, session.id))
        elif place.is_paused:
            st.badge("answer below", color="violet")
        elif session is not None and session.status in AGAIN:
            st.button(
                AGAIN[session.status],
                key="again",
                type="primary" if session.status != "completed" else "secondary",
                disabled=blocked,
                on_click=run_actions.run_again,
                args=(name, session.id),
            )
        else:
            sample = next(iter(place.samples), "")
            st.button(
                "▶ Run",
                key="run",
                type="primary",
                disabled=blocked or place.is_missing or not sample,
                on_click=actions.run,
                args=(name, session.id if session else None, sample),
            )


def _set(key: str, value: bool) -> None:
    st.session_state[key] = value
