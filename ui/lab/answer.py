"""One answer of a run: what was asked and said, its bullets, what was learned from it, and what other arms answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from agents import LabError
from ui.access import owner
from ui.lab import actions
from ui.lab.shown import Shown
from ui.state import notices
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import many, plain

if TYPE_CHECKING:
    from agents.ace import Playbook, PlaybookStore
    from agents.lab import LabRun, Result

SIGNS = {True: ":green[✓ right]", False: ":red[✗ wrong]"}
FAILED = ":orange[⚠ failed]"
MOST_CITED, MOST_DELTAS, MOST_CHANGES = 20, 6, 30
"""Bullets, deltas and changes of a delta that are shown."""
LONGEST = 2000
"""Characters of a text that are shown; a session has all of it."""


def draw(run: LabRun, shown: Shown) -> None:
    """Draws it."""
    try:
        done = run.standing(shown.arm, shown.seed).number
    except LabError as error:
        st.warning(plain(str(error)), icon=":material/search_off:")
        return
    result = _result(run, shown)
    with st.container(key="lab_answer", border=True, gap="small"):
        _head(run, shown, done, result)
        notices.show("answer")
        if result is None:
            st.info(f"Question {shown.question:,} is not answered yet.", icon=":material/hourglass_top:")
            return
        _said(result)
        _bullets(run, shown, result)
        _learned(run.playbook(shown.arm, shown.seed), result)
        _others(run, shown, result)


def _result(run: LabRun, shown: Shown) -> Result | None:
    return next(run.results(shown.arm, shown.seed, after=shown.question - 2, limit=1), None)


def _head(run: LabRun, shown: Shown, done: int, result: Result | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(f"Question {shown.question:,} of {done:,}", anchor=False, width="content")
        seeds = f", seed {shown.seed}" if len(run.description.seeds) > 1 else ""
        st.markdown(f"answered by **{plain(shown.arm)}**{seeds}", width="content")
        st.space("stretch")
        _steps(shown, done)
        why_not = "There is no answer" if result is None else _not_kept(run, result)
        st.button(
            "→ Open its session",
            key="lab_session",
            help=why_not or "Adds the session of this answer to the playground",
            disabled=bool(why_not),
            on_click=actions.open_session,
            args=(run.name, shown.arm, shown.seed, shown.question - 1),
        )
        st.button("✕", key="lab_close", type="tertiary", help="Close", on_click=actions.show, args=(None,))


def _steps(shown: Shown, done: int) -> None:
    """Draws the ways to another question of the arm."""
    for label, step, words in (("◀", -1, "The question before"), ("▶", 1, "The next question")):
        disabled = not 1 <= shown.question + step <= done
        st.button(label, key=f"lab_step_{step}", help=words, disabled=disabled, on_click=actions.step, args=(step,))
    if shown.question <= done:
        st.number_input(
            "Go to question",
            1,
            done,
            key=key_for(actions.NUMBER, shown.question),
            label_visibility="collapsed",
            width=130,
            on_change=if_chosen(actions.show_question),
            args=(actions.NUMBER,),
        )


def _not_kept(run: LabRun, result: Result) -> str:
    """Why the session of an answer was not kept; "" if it was."""
    keep = run.description.keep
    if keep == "none":
        return "This run keeps no sessions"
    if keep == "wrong" and result.is_right:
        return 'Only sessions of wrong answers were kept. With keep = "all" a new run keeps all.'
    return ""


def _said(result: Result) -> None:
    st.markdown(f"**Question** &ensp; {_text(result.question)}")
    verdict = FAILED if result.failed else SIGNS[result.is_right]
    truth = f" &ensp; Right is: **{_text(result.truth)}**" if result.truth is not None else ""
    st.markdown(f"**Answer** &ensp; {verdict} &ensp; {_text(result.answer) or '*no answer*'}{truth}")
    if result.why:
        st.caption(_text(result.why))
    if result.error:
        st.error(plain(result.error), icon=":material/error:")
    cost = "" if result.cost is None or not result.cost else f" · ${result.cost:.4f}"
    st.caption(f"{many(result.calls, 'model call')} · {many(result.tokens, 'token')} · {result.seconds:.2f} s{cost}")


def _bullets(run: LabRun, shown: Shown, result: Result) -> None:
    if not result.cited:
        st.markdown("**Bullets** &ensp; It cites none.")
        return
    playbook, locked = run.playbook(shown.arm, shown.seed).at(result.before), not owner.is_owner()
    st.markdown(f"**Bullets** that it cites, at revision {result.before:,}")
    for id_ in result.cited[:MOST_CITED]:
        bullet = playbook.get(id_)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            st.markdown(f":gray[{plain(id_)}] {_text(bullet.content) if bullet else '*not in the playbook*'}")
            st.button(
                "Switch off",
                key=f"lab_off_{id_}",
                help="Answers the question once more without this bullet",
                disabled=bullet is None or locked,
                on_click=actions.switch_off,
                args=(run.name, str(shown), id_),
            )
    _switched(run, shown, result)


def _switched(run: LabRun, shown: Shown, result: Result) -> None:
    """Draws the answer without the bullet that was switched off last, if it was one of this answer's."""
    place, bullet_id, outcome = st.session_state.get(actions.SWITCHED) or (None, "", None)
    if place != (run.name, str(shown)) or outcome is None:
        return
    verdict = FAILED if outcome.score is None else SIGNS[outcome.is_right]
    with st.container(key="lab_switched", border=True, gap="small"):
        st.markdown(
            f"**Without** :gray[{plain(bullet_id)}] &ensp; {verdict} &ensp; {_text(outcome.answer) or '*no answer*'}"
        )
        if outcome.error:
            st.caption(plain(outcome.error))
        if outcome.score is None or result.failed:
            st.caption("What failed says nothing about the bullet.")
        elif outcome.is_right != result.is_right:
            st.caption("The answer rests on this bullet: without it the verdict is another one.")
        elif outcome.answer == result.answer:
            st.caption("The same answer without it.")


def _learned(store: PlaybookStore, result: Result) -> None:
    count = result.revision - result.before
    if count <= 0:
        if result.lost:
            st.markdown(f"**Learned** &ensp; :red[Nothing: {many(result.lost, 'delta')} lost, another worker wrote last.]")
        return
    before = store.at(result.before)
    lines: list[str] = []
    for record in reversed(store.history(limit=min(count, MOST_DELTAS), before=result.revision + 1)):
        changes = [said for change in record.applied if (said := _change(change, before))]
        if not changes:
            continue
        removed = sum(change["type"] == "REMOVE" for change in record.applied)
        lost = f", {many(removed, 'bullet')} removed" if removed else ""
        lines.append(f"- by the {plain(record.by)}: {many(len(changes), 'change')}{lost}")
        lines += [f"    - {said}" for said in changes[:MOST_CHANGES]]
        if len(changes) > MOST_CHANGES:
            lines.append(f"    - … and {len(changes) - MOST_CHANGES:,} more")
    if lines:
        st.markdown("\n".join(["**Learned** from its batch", "", *lines]))


def _change(change: dict[str, object], before: Playbook) -> str:
    """A change in Markdown, of a bullet that was there with its text before; "" for one that only counts."""
    bullet_id = str(change.get("bullet_id", ""))
    id_, text = f":gray[{plain(bullet_id)}]", _text(str(change.get("content", "")))
    bullet = before.get(bullet_id)
    was = _text(bullet.content) if bullet else ""
    match change["type"]:
        case "CITE":
            return ""
        case "ADD":
            return f":green[added] {id_} {text}"
        case "UPDATE":
            return f":orange[changed] {id_} {text}" + (f" &ensp; *before:* {was}" if was else "")
        case "REMOVE":
            return f":red[removed] {id_} {was}"
        case "TAG":
            return f"{plain(str(change.get('tag', '')))} {id_}"
        case other:
            return f"{plain(str(other)).lower()} {id_}"


def _others(run: LabRun, shown: Shown, result: Result) -> None:
    """Draws what the other arms answered to the same sample, where they stand at the same place of the stream."""
    found: list[tuple[str, Result]] = []
    for standing in run.standings():
        if standing.seed != shown.seed or standing.arm == shown.arm:
            continue
        other = next(run.results(standing.arm, shown.seed, after=shown.question - 2, limit=1), None)
        if other is not None and other.sample == result.sample:
            found.append((standing.arm, other))
    if found:
        st.markdown("**The other arms**")
    for arm, other in found:
        verdict = FAILED if other.failed else SIGNS[other.is_right]
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            st.markdown(f"**{plain(arm)}** &ensp; {verdict} &ensp; {_text(other.answer)}")
            there = str(shown._replace(arm=arm))
            st.button("Show", key=f"lab_other_{arm}", help="This arm's answer", on_click=actions.show, args=(there,))


def _text(text: str) -> str:
    """A text in Markdown; of a long one the beginning."""
    if len(text) <= LONGEST:
        return plain(text)
    return f"{plain(text[:LONGEST])}… :gray[({len(text) - LONGEST:,} more characters)]"
