"""The answers that a bullet touched, lit up: where its text came from, its undo, and each answer once more without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from agents import PlaygroundError
from agents.forks import PlaybookChange
from agents.lab import infection_of, texts_in
from ui.access import owner
from ui.forks import actions as forks
from ui.kit import paging
from ui.playbook import session_link, view_state
from ui.playbook.bullets import touched_chart
from ui.playbook.bullets.switch import Switched, switch_off
from ui.playbook.deltas.delta_card import BY
from ui.state.options import model_choices
from ui.text.judged_answers import COLOURS, FEEDBACK, SIGNS, VERDICTS, coloured
from ui.text.labels import ago, many, plain, title_of

if TYPE_CHECKING:
    from agents import SessionSummary
    from agents.ace import DeltaRecord, JudgedAnswer
    from agents.lab import Infection
    from ui.playbook.shown_playbook import ShownPlaybook

PAGE = 5
_LONGEST = 200
_LOOKED_AT = "text_looked_at"
"""The text whose delta is about to be undone: the bullet, and the revision that brought it."""
_SWITCHED = "bullet_switched"
"""The last answer that was given without a bullet: the playbook, the bullet, the answer's place, what came of it."""
CITE, HAD = "cite", "had"


def show(found: ShownPlaybook, bullet_id: str, lineage: Sequence[DeltaRecord]) -> None:
    """Draws them.

    Args:
        found: The shown playbook.
        bullet_id: The bullet.
        lineage: All deltas that concern it, oldest first.
    """
    texts = texts_in(lineage, bullet_id)
    if not texts:
        return
    st.subheader("Answers that it touched", anchor=False)
    revision = _text(texts, bullet_id)
    try:
        infection = infection_of(found.store, bullet_id, revision=revision, lineage=lineage)
    except PlaygroundError as error:  # the playbook was replaced just now
        st.caption(plain(str(error)))
        return
    with st.container(key="touched", gap="small"):
        _source(found, infection)
        _lit(infection)
        _answers(found, infection)


def _text(texts: Sequence[DeltaRecord], bullet_id: str) -> int:
    """The revision that brought the text that is looked at: the last one, if not another one is chosen."""
    revisions = [record.revision for record in texts]
    looked_at = st.session_state.get(_LOOKED_AT)
    chosen = looked_at[1] if looked_at and looked_at[0] == bullet_id and looked_at[1] in revisions else revisions[-1]
    if len(revisions) == 1:
        return chosen
    return (
        st.selectbox(
            "Text",
            revisions,
            revisions.index(chosen),
            key=f"touched_text_{bullet_id}",
            format_func=lambda revision: f"The text of revision {revision:,}",
            label_visibility="collapsed",
        )
        or chosen
    )


def _source(found: ShownPlaybook, infection: Infection) -> None:
    """Draws where the text came from, and the button that undoes the delta."""
    record = infection.source
    said = f"Brought by revision {record.revision:,}, by {plain(BY.get(record.by, record.by))}, {ago(record.committed_at)}"
    told = "" if infection.told_by is None or infection.told_by == "nothing" else FEEDBACK[infection.told_by]
    st.markdown(f"{said}{f', in a session that was judged by {told}' if told else ''}." + _ended(infection))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if record.session_id:
            session_link.show(found, record.app_name, record.session_id, record.seq)
        if infection.ended is None:
            locked = found.locked
            if st.button(
                "Undo the delta that brought it …",
                key="undo_source",
                disabled=bool(locked),
                help=locked or "First it is said what that takes back",
            ):
                view_state.ask("undo", revision=record.revision)
                st.session_state[_LOOKED_AT] = infection.bullet_id, record.revision
                st.rerun()


def _ended(infection: Infection) -> str:
    return "" if infection.ended is None else f" Revision {infection.ended:,} took it out of prompts."


def _lit(infection: Infection) -> None:
    """Draws the counts, and the chart."""
    citing = infection.answers
    counts = {right: sum(answer.right is right for answer in citing) for right in VERDICTS}
    verdicts = ", ".join(f":{COLOURS[right]}[{SIGNS[right]} {counts[right]:,} {VERDICTS[right]}]" for right in VERDICTS)
    others = len(infection.given) - len(citing)
    st.markdown(
        f"**{many(len(citing), 'answer')} cite{'s' if len(citing) == 1 else ''} it**"
        + (f": {verdicts}" if citing else "")
        + (f" · {others:,} more had it in their playbook" if others > 0 else "")
    )
    if infection.learned:
        last = ", ".join(f"{revision:,}" for revision in reversed(infection.learned[-PAGE:]))
        more = f" and {len(infection.learned) - PAGE:,} earlier" if len(infection.learned) > PAGE else ""
        st.caption(f"Texts that may rest on it: sessions of these answers changed some in revision {last}{more}.")
    if infection.given:
        lit = set(citing)
        shown = touched_chart.drawn(infection.given, lit)
        st.vega_lite_chart(
            spec=touched_chart.specification(shown, lit),
            height=touched_chart.HEIGHT,
            alt=f"Answers over time: {counts[True]:,} right, {counts[False]:,} wrong of those that cite the bullet",
        )


def _answers(found: ShownPlaybook, infection: Infection) -> None:
    """Draws the answers, newest first, a page at a time."""
    if not infection.given:
        st.caption("No answer had this text in its playbook.")
        return
    name = f"touched_{infection.bullet_id}"
    kinds = {CITE: f"Cite it ({len(infection.answers):,})", HAD: f"Had it ({len(infection.given):,})"}
    which = st.segmented_control(
        "Which answers",
        list(kinds),
        key="touched_which",
        default=CITE if infection.answers else HAD,
        required=True,
        format_func=kinds.__getitem__,
        on_change=paging.back_to_first,
        args=(name,),
        label_visibility="collapsed",
    )
    listed = infection.answers if which == CITE else infection.given
    if not listed:
        st.caption("No answer cites it.")
        return
    page = paging.page_of(name, len(listed), PAGE)
    shown = [*reversed(listed)][page.start : page.end]
    lit, sessions = set(infection.answers), _sessions(found, shown)
    for answer in shown:
        _answer(found, infection.bullet_id, answer, sessions.get((answer.app_name, answer.session_id)), cites=answer in lit)
    paging.draw(name, page, len(listed), "answer")


def _sessions(found: ShownPlaybook, answers: Collection[JudgedAnswer]) -> dict[tuple[str, str], SessionSummary]:
    rows = (session_link.seen(found, *key) for key in {(answer.app_name, answer.session_id) for answer in answers})
    return {(row.app_name, row.id): row for row in rows if row is not None}


def _answer(
    found: ShownPlaybook, bullet_id: str, answer: JudgedAnswer, session: SessionSummary | None, *, cites: bool
) -> None:
    place = "_".join(map(str, _place(answer)))
    with st.container(key=f"touched_{place}", border=True, gap="xsmall"):
        lit = "cites it" if cites else "had it"
        st.markdown(f"**{coloured(answer.right)}** · {lit} · revision {answer.revision:,} · {ago(answer.at)}")
        st.markdown(
            plain(title_of(answer.question, length=_LONGEST)) if answer.question else "*The question was not stored.*"
        )
        if session is None:
            st.caption(session_link.gone())
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            session_link.to(found, session, answer.seq, titled=False)
            about = "Answers the question once more, with the playbook that it had, without this bullet"
            if st.button("Without it", key=f"without_{place}", help=about, disabled=not owner.is_owner()):
                _switch(found, bullet_id, answer)
            about = "Runs the message again in a session beside this one, and compares both"
            if st.button("… as a session", key=f"beside_{place}", type="tertiary", help=about):
                _run_beside(bullet_id, answer)
        _switched(found, bullet_id, answer)


def _place(answer: JudgedAnswer) -> tuple[str, str, int]:
    return answer.app_name, answer.session_id, answer.seq


def _switch(found: ShownPlaybook, bullet_id: str, answer: JudgedAnswer) -> None:
    try:
        with st.spinner("Answering without it …"):
            outcome: Switched | str = switch_off(found, answer, bullet_id)
    except PlaygroundError as error:
        outcome = str(error)
    st.session_state[_SWITCHED] = ((found.name, bullet_id, _place(answer)), outcome)


def _run_beside(bullet_id: str, answer: JudgedAnswer) -> None:
    try:
        without = PlaybookChange(without=(bullet_id,))
        forks.run_beside(answer.app_name, answer.session_id, answer.seq, [without])
    except PlaygroundError as error:
        st.session_state[view_state.PROBLEM] = str(error)
    st.rerun()


def _switched(found: ShownPlaybook, bullet_id: str, answer: JudgedAnswer) -> None:
    """Draws both answers, if this one was answered without the bullet last."""
    place, outcome = st.session_state.get(_SWITCHED) or (None, None)
    if place != (found.name, bullet_id, _place(answer)) or outcome is None:
        return
    if isinstance(outcome, str) or outcome.problem:
        st.error(plain(outcome if isinstance(outcome, str) else outcome.problem), icon=":material/error:")
        return
    model = plain(model_choices.shown(outcome.model))
    with st.container(key="switched"):
        for label, said, right in (
            ("With it", outcome.answer, answer.right),
            ("Without it", outcome.without, outcome.right),
        ):
            given = plain(title_of(said, length=_LONGEST)) if said else "*not known*"
            st.markdown(f"**{label}** &ensp; {coloured(right)} &ensp; {given}")
        truth = "" if outcome.truth is None else f"Right is {plain(title_of(outcome.truth, length=_LONGEST))}. "
        if outcome.right is not None and answer.right is not None and outcome.right != answer.right:
            truth += "The verdict rests on this bullet. "
        st.caption(f"{truth}Answered by {model}.")
