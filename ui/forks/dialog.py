"""The dialogs of forks. *What if…*: where the session is point, what is to be different, and how often it is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from agents import PlaygroundError, StateInputError
from agents.forks import MOST_REPETITIONS, StateChange
from ui.forks import actions, forms
from ui.forks.fork_point import ForkPoint, changes_of_model, model_of
from ui.forks.forms import Sheet
from ui.state import navigation, runs
from ui.state.options import model_choices
from ui.text.json_text import read_json
from ui.text.labels import plain, status_words, title_of

if TYPE_CHECKING:
    from agents.forks import Change, SameAnswers
    from ui.state.places import Place

USUAL_REPETITIONS = 5
_LONGEST = 20_000
_BEGIN_JSON = ("{", "[", '"')
SECONDS = 1.0
"""Pause between two looks at runs that go on."""
_LENGTH = 300


def show(place: Place) -> None:
    """Draws the dialog that is open for the session on the page, if there is one."""
    wanted = actions.wanted(place.pipeline.name, place.session.id if place.session else None)
    if wanted is None:
        return

    title, draw = _DIALOGS[wanted["kind"]]

    @st.dialog(title, width="medium", on_dismiss=actions.close)
    def body() -> None:
        if not actions.is_open(wanted):  # a second click on what was done already
            st.rerun()
        try:
            draw(place, wanted)
        except PlaygroundError as error:
            st.error(plain(str(error)))

    body()


def _draw(place: Place, wanted: dict[str, Any]) -> None:
    if wanted["forks"]:
        _results(wanted["pipeline"], wanted["session"], wanted["forks"])
        return
    name, session = wanted["pipeline"], wanted["session"]
    point = actions.point_of(wanted)
    call = wanted["about"] if wanted["about"] in point.results else ""
    sheet = Sheet(place, point, runs.workspace().forks.instructions(name, session), call)
    chosen = f"fork_{point.seq}_kinds{call}"
    where = st.container()
    labels = forms.offered(sheet)
    kinds = st.pills(
        "What is different",
        list(labels),
        format_func=labels.__getitem__,
        selection_mode="multi",
        default=["tool_result"] if call else None,
        key=chosen,
    )
    if not kinds:
        st.caption("Nothing. The same again: is it deterministic?")
    changes, is_readable = forms.changes(sheet, list(kinds))
    with where:
        _where(point, "In place of" if "message" in kinds or point.again(changes) else "After")
    _buttons(place, point, changes, is_readable=is_readable)


def _where(point: ForkPoint, before: str) -> None:
    st.markdown(f"{before} **{plain(point.where)}**")
    copied = "`app:` and `user:` state are copied"
    if point.playbook is not None:
        copied = f"`app:` and `user:` state and the playbook {plain(point.playbook[0])} are copied"
    st.caption(
        "The events up to there are the record: nothing in them is called again. The rest runs live in a new session. "
        f"This session stays as it is; {copied}."
    )


def _buttons(place: Place, point: ForkPoint, changes: list[Change], *, is_readable: bool) -> None:
    name, session = place.pipeline.name, place.session
    assert session is not None
    at = point.seq
    runs_on = point.under_way or point.again(changes) or any(change.kind == "message" for change in changes)
    if not runs_on:
        st.caption("No run was under way there. The fork opens and waits for your message.")
    takes_place = st.toggle(
        "Rewind: it takes this session's place in the list",
        key=f"fork_{point.seq}_rewind",
        help="This session is deleted, and its run stopped. You can undo this.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        label = "▶ Run" if runs_on else "Open"
        once = st.button(label, type="primary", key="fork_run")
        many = False
        repeat = USUAL_REPETITIONS
        if runs_on and not takes_place:
            repeat = int(
                st.number_input("Times", 2, MOST_REPETITIONS, USUAL_REPETITIONS, key=f"fork_{point.seq}_times", width=110)
            )
            many = st.button(f"▶ Run {repeat} times", key="fork_run_many")
    if not is_readable:  # the form says why; a button that was disabled by it would lose a click right after the cure
        return
    if once and takes_place:
        actions.do(lambda: actions.rewind(name, session.id, at, changes, title_of(session.title)))
    elif once:
        actions.do(lambda: actions.run(name, session.id, at, changes))
    elif many:
        actions.do(lambda: actions.run_many(name, session.id, at, changes, repeat))


def _other_model(place: Place, wanted: dict[str, Any]) -> None:
    """Draws a button for each model that can be used; a click runs it and leads to the comparison."""
    name, session, seq = wanted["pipeline"], wanted["session"], wanted["seq"]
    here = model_of(name, session, seq)
    offered = model_choices.offered(place.preferences, place.address.model)
    others = [model for model in offered if model != here and not model_choices.is_replay(model)]
    usable = [model for model in others if model_choices.missing(model) is None]
    if usable:
        st.markdown(
            f"The same message, on another model than {plain(model_choices.shown(here))}. Both are shown side by side."
        )
    else:
        st.info("There is no other model that can be used. Connect one.", icon=":material/power_off:")
    for model in usable:
        if st.button(model_choices.shown(model), key=f"other_model_{model}", width="stretch"):
            changes = changes_of_model(name, session, seq, model, place.options.llm_agents)
            actions.do(partial(actions.run_beside, name, session, seq, changes))
    if len(usable) < len(others):
        navigation.to_settings("→ Settings: connect more models", place.address)


def _missing_key(place: Place, wanted: dict[str, Any]) -> None:
    """Draws the field and the button; the button runs the fork and leads to it."""
    key, point = wanted["about"], actions.point_of(wanted)
    st.markdown(
        f"A new session runs on in place of **{plain(point.where)}**, with the state key **{plain(key)}**. "
        "This session stays as it is."
    )
    typed = st.text_area(
        "Value",
        key=f"missing_key_{point.seq}",
        max_chars=_LONGEST,
        placeholder='A text, or JSON: 3, true, ["a", "b"], {"name": "Ann"}',
        help='JSON is read as JSON, all else as text. A number as text is written in quotes: "3".',
    )
    if not st.button("▶ Set and retry", type="primary", key="missing_key_run"):
        return
    changes = [StateChange(key=key, value=_value(typed))]
    actions.do(partial(actions.run, place.pipeline.name, wanted["session"], point.seq, changes))


def _value(typed: str) -> Any:
    """The value of a text or of JSON.

    Raises:
        StateInputError: It is empty, or begins like JSON and is none.
    """
    text = typed.strip()
    if not text:
        raise StateInputError('Type a value. An empty text is written "".')
    try:
        return read_json(text)
    except StateInputError:
        if text.startswith(_BEGIN_JSON):
            raise
        return text


_DIALOGS = {
    "change": ("What if…", _draw),
    "model": ("Another model", _other_model),
    "state": ("Set a state key and retry", _missing_key),
}


def _results(pipeline: str, origin: str, forks: Sequence[str]) -> None:
    """Draws the counts, again and again until all runs have ended."""
    running = runs.workspace().forks.repetitions(pipeline, origin, forks).running

    @st.fragment(run_every=SECONDS if running else None)
    def counts() -> None:
        found = runs.workspace().forks.repetitions(pipeline, origin, forks)
        _statuses(found.statuses)
        differing = _differing(found.groups)
        for same in found.groups:
            _group(pipeline, same, differing, forks)
        if running and not found.running:
            st.rerun()

    counts()


def _statuses(statuses: Mapping[str, int]) -> None:
    words = ", ".join(f"{number} {status_words(status)}" for status, number in statuses.items())
    total = sum(statuses.values())
    st.markdown(f"**{total} runs**: {words}" if total else "The forks were deleted.")
    if total and statuses.get("running"):
        st.progress((total - statuses["running"]) / total)


def _differing(groups: Sequence[SameAnswers]) -> list[str]:
    """The agents whose last answers are not the same in all groups."""
    agents = dict.fromkeys(agent for same in groups for agent in same.answers)
    return [agent for agent in agents if len({same.answers.get(agent) for same in groups}) > 1]


def _group(pipeline: str, same: SameAnswers, differing: Sequence[str], forks: Sequence[str]) -> None:
    with st.container(border=True, gap="xsmall", key=f"same_{same.sessions[0]}"):
        told = "the same answers as this session" if same.as_origin else "other answers than this session"
        st.markdown(f"**{len(same.sessions)} ×** {told}")
        for agent in differing or list(same.answers)[-1:]:
            text = title_of(same.answers[agent], length=_LENGTH) if agent in same.answers else "said nothing"
            st.markdown(f":small[**{plain(agent)}** {plain(text)}]")
        with st.container(horizontal=True, gap="xsmall"):
            for session in same.sessions:
                st.button(
                    f"Run {forks.index(session) + 1}",
                    key=f"open_{session}",
                    type="tertiary",
                    on_click=actions.open_fork,
                    args=(pipeline, session),
                )
