"""A list that is taught, live: how far it is, its rows with their sessions, and beside them how the playbook grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from agents import PersonError, PlaygroundError
from agents.access import Action, permits
from ui.access.identity import current
from ui.kit import accuracy_chart, paging
from ui.playground.teaching import form, taught_list, teacher
from ui.playground.teaching.taught_list import DONE, TaughtList
from ui.state import address, navigation, runs
from ui.state.notices import action
from ui.text.judged_answers import Point, points, verdict
from ui.text.labels import many, plain, status_words, title_of

if TYPE_CHECKING:
    from agents.ace import GrowthPoint, JudgedAnswer
    from ui.playground.teaching.given_table import Row
    from ui.state.address import Address
    from ui.state.places import Place

REFRESH = 1.0
"""Seconds between two drawings while it is taught."""
PAGE, MOST_NAMED = 10, 20
"""Rows on a page; lines that are named in one sentence."""
HEIGHT, GROWTH_HEIGHT, LINE_WIDTH = 230, 140, 28
"""Pixels."""
MISSING = "**This list is not here.** It was taught by somebody else, or in another database."
TO_APPROVE = "Approve it on the Playbook page, or in the session."
WAITS = "◔ waits for approval"
_ROWS = "taught_rows"


class ListNotFoundError(PersonError):
    """There is no such list."""


def show(place: Place) -> None:
    """Draws the form, or the list that the URL names."""
    here = place.address
    taught = None if here.teach == form.NEW else taught_list.find(here.teach or "")
    with st.container(key="teaching", gap="small"):
        _head(here, taught)
        if here.teach == form.NEW:
            form.show(place)
        elif taught is None:
            st.info(MISSING, icon=":material/search_off:")
        else:
            is_live = teacher.is_taught(taught)
            st.fragment(_live, run_every=REFRESH if is_live else None)(taught, is_live)


def _head(here: Address, taught: TaughtList | None) -> None:
    with st.container(key="teaching_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Teach from a list", anchor=False, width="content")
        st.space("stretch")
        if taught is not None:
            navigation.to_playbook(f"→ Playbook “{plain(title_of(taught.playbook, length=40))}”", taught.playbook, here)
            _button("Another list", "list_another", replace(here, teach=form.NEW))
        _button("✕ Close", "list_close", replace(here, teach=None))


def _button(label: str, key: str, there: Address) -> None:
    st.button(label, key=key, type="tertiary", on_click=address.go, args=(there,))


def _live(taught: TaughtList, was_live: bool) -> None:
    if was_live != teacher.is_taught(taught) or address.current().teach != taught.id:
        st.rerun()  # another pace of drawing, or another page
    manager = runs.manager()
    try:
        statuses = taught.statuses(manager)
        store = manager.playbooks(taught.playbook)
        judged = _judged(taught, store.answers())
        growth = store.growth()
    except PlaygroundError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    _progress(taught, statuses, is_live=was_live)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        _rows(taught, statuses, judged)
    with right:
        _growth(points(list(judged.values())), growth)


def _judged(taught: TaughtList, answers: Sequence[JudgedAnswer]) -> dict[Row, JudgedAnswer]:
    """What is known of the answers, in the order in which they were given."""
    rows = {taught.session_id(row): row for row in taught.rows}
    return {rows[one.session_id]: one for one in answers if one.app_name == taught.pipeline and one.session_id in rows}


def _progress(taught: TaughtList, statuses: Mapping[Row, str], *, is_live: bool) -> None:
    done = sum(status in DONE for status in statuses.values())
    waiting = sum(status == "paused" for status in statuses.values())
    total, due = len(taught.rows), len(taught.rows) - done
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(done / total, text=f"{done:,} of {many(total, 'row')}")
        if is_live:
            job = teacher.job_of(taught)
            is_stopping = job is not None and job.is_stopping
            st.button("■ Stop", key="list_stop", disabled=is_stopping, on_click=stop, args=(taught.id,))
        elif due:
            st.button("▶ Go on", key="list_resume", type="primary", on_click=resume, args=(taught.id,))
    job = teacher.job_of(taught)
    if job is not None and job.problem:
        st.error(f"**It has ended early.** {plain(job.problem)}", icon=":material/error:")
    elif due and not is_live:
        st.caption(f"It was stopped, or the playground was closed: {many(due, 'row')} left. *Go on* asks them.")
    if waiting:
        about = TO_APPROVE if permits(current(), Action.APPROVE) else form.APPROVAL
        st.caption(f"{many(waiting, 'row')} waiting for approval. {about}")


def _rows(taught: TaughtList, statuses: Mapping[Row, str], judged: Mapping[Row, JudgedAnswer]) -> None:
    wrong = [row.line for row in taught.rows if row in judged and judged[row].right is False]
    if judged:
        right = sum(answer.right is True for answer in judged.values())
        st.markdown(f"**{right:,} of {many(len(judged), 'answer')} right.** {_named('Wrong', wrong)}")
    if taught.left_out:
        st.caption(_named("Left out when it began", [line for line, _ in taught.left_out]))
    page = paging.page_of(_ROWS, len(taught.rows), PAGE)
    with st.container(key="taught_rows", gap="xxsmall"):
        for row in taught.rows[page.start : page.end]:
            _row(taught, row, statuses.get(row), judged.get(row))
    paging.draw(_ROWS, page, len(taught.rows), "row")


def _named(what: str, lines: Sequence[int]) -> str:
    """Lines by number, e.g. "Wrong: lines 3, 7."."""
    if not lines:
        return ""
    more = f" and {len(lines) - MOST_NAMED:,} more" if len(lines) > MOST_NAMED else ""
    return f"{what}: {'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines[:MOST_NAMED]))}{more}."


def _row(taught: TaughtList, row: Row, status: str | None, judged: JudgedAnswer | None) -> None:
    """Draws a row: its line, its question as the link to its session, the right answer, and what came of it."""
    label = plain(title_of(row.question, length=90))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.caption(f"{row.line}", width=LINE_WIDTH)
        if status is None:
            st.caption(label, width="stretch")
        else:
            navigation.to_session(label, taught.pipeline, taught.session_id(row), address.current())
        st.caption(plain(title_of(row.answer, length=40)), width="content")
        st.caption(_word(status, judged), width="content")


def _word(status: str | None, judged: JudgedAnswer | None) -> str:
    if status == "paused":
        return WAITS
    if status == "completed":
        return verdict(judged.right if judged else None)
    return "not yet" if status is None else status_words(status)


def _growth(found: list[Point], growth: Sequence[GrowthPoint]) -> None:
    if not found:
        st.info("**No answer yet.** Right answers and bullets are drawn here, row by row.", icon=":material/show_chart:")
        return
    drawn = accuracy_chart.thinned(found)
    last = found[-1]
    st.markdown(f"**Right answers**  \n{accuracy_chart.LEGEND}")
    share = f"{last.share or 0:.0%}"
    st.vega_lite_chart(
        spec=accuracy_chart.specification(drawn),
        height=HEIGHT,
        alt=f"Share of right answers over {many(last.number, 'row')}; {share} at the end",
    )
    st.markdown("**Bullets of the playbook**")
    st.vega_lite_chart(
        spec=accuracy_chart.growth_specification(drawn, growth),
        height=GROWTH_HEIGHT,
        alt=f"Bullets after {many(last.number, 'row')}",
    )


@action
def stop(name: str) -> None:
    """Ends the run of the moment, and asks no further row."""
    teacher.stop(_found(name))


@action
def resume(name: str) -> None:
    """Asks the rows that are left."""
    teacher.teach(_found(name))


def _found(name: str) -> TaughtList:
    if (taught := taught_list.find(name)) is None:
        raise ListNotFoundError("This list is not here any more. Begin another one.")
    return taught
