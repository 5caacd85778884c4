"""The dialogs of forks. *What if…*: where the session is point, what is to be different, and how often it is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from agents import PlaygroundError
from agents.forks import MOST_REPETITIONS
from ui.forks import actions, forms, missing_key, other_model, results
from ui.forks.fork_point import ForkPoint
from ui.forks.forms import Sheet
from ui.state import runs
from ui.text.labels import plain, title_of

if TYPE_CHECKING:
    from agents.forks import Change
    from ui.state.places import Place

USUAL_REPETITIONS = 5


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
        results.show(wanted["pipeline"], wanted["session"], wanted["forks"])
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


_DIALOGS = {
    "change": ("What if…", _draw),
    "model": ("Another model", other_model.draw),
    "state": ("Set a state key and retry", missing_key.draw),
}
