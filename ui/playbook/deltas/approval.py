"""Deltas that wait for the user's approval: each operation is approved, edited or rejected, then the run goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from agents.ace import REVIEW_CALL
from ui.kit.elements import Html, element, html
from ui.playbook import actions, markup, view_state
from ui.playbook.delta_effect import SIGNS
from ui.playbook.shown_playbook import ShownPlaybook
from ui.state import navigation, runs
from ui.state.compared import text_of
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import ago, many, plain, title_of

if TYPE_CHECKING:
    from agents.runs import PendingCall

SHOWN = 8
"""Most broken cases shown; the others are counted."""
_GUARD = "playbook_guard"
VERDICTS = {"approve": "✓ Approve", "reject": "✕ Reject"}


def waiting(found: ShownPlaybook) -> list[PendingCall]:
    """The waiting deltas of this playbook, from any pipeline."""
    return [call for call in _all(found) if call.args.get("playbook") == found.name]


def _all(found: ShownPlaybook) -> list[PendingCall]:
    return [call for call in found.manager.pending() if call.tool == REVIEW_CALL and not call.is_confirmation]


def show(found: ShownPlaybook, calls: Sequence[PendingCall]) -> None:
    """Draws each waiting delta."""
    _guard(found)
    if not calls:
        st.info(
            "**Nothing waits for you here.** Turn *A person decides* on in a session of the ACE pipeline: its curator's "
            "operations then wait here before they reach the playbook. So does a right answer that contradicts a bullet.",
            icon=":material/task_alt:",
        )
    for call in calls:
        _delta(found, call)
    elsewhere = sorted({str(call.args.get("playbook")) for call in _all(found)} - {found.name})
    names = [info.name for info in found.infos]
    for name in elsewhere:
        if name in names:
            label = f"Something waits for the playbook {plain(name)} too"
            st.button(label, key=f"elsewhere_{name}", type="tertiary", on_click=view_state.choose, args=(name,))


def _guard(found: ShownPlaybook) -> None:
    """Draws whether the playbook is guarded."""
    folder = found.info.guard or str(runs.workspace().cases_folder)
    st.toggle(
        "Guard it with cases",
        key=key_for(_GUARD, bool(found.info.guard)),
        help=f"A delta that breaks a case waits here for you. The cases are in {plain(folder)}; a finished session is kept "
        "as one in its menu.",
        on_change=if_chosen(actions.guard),
        args=(_GUARD, found.name, folder),
    )


def _delta(found: ShownPlaybook, call: PendingCall) -> None:
    operations = [operation for operation in call.args.get("operations") or () if isinstance(operation, Mapping)]
    with st.container(key=f"review_{call.call_id}", border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{plain(title_of(call.title, length=70))}**  \n"
                f":small[:gray[{plain(call.agent)}, {ago(call.asked_at)}: {many(len(operations), 'operation')}]]",
                width="stretch",
            )
            navigation.to_session("→ Its session", call.pipeline, call.session_id, found.address, width="content")
        if reasoning := str(call.args.get("reasoning") or ""):
            st.html(element("div.delta", element("blockquote", reasoning, dir="auto")))
        _held_back(found, call)
        for number, operation in enumerate(operations):
            _operation(found, call.call_id, number, operation)
        decisions = _decisions(call.call_id, operations)
        approved = sum(decision["verdict"] == "approve" for decision in decisions)
        st.button(
            f"Send: {approved} approved, {len(decisions) - approved} rejected",
            key=f"send_{call.call_id}",
            type="primary",
            disabled=found.info.frozen,
            help="The playbook is frozen: what is approved could not be applied. Unfreeze it first."
            if found.info.frozen
            else None,
            on_click=_send,
            args=(call, operations),
        )


def _send(call: PendingCall, operations: Sequence[Mapping[str, Any]]) -> None:
    """Sends the decisions of this moment: a text may have been edited since the button was drawn."""
    actions.decide(call.pipeline, call.session_id, call.call_id, _decisions(call.call_id, operations))


def _held_back(found: ShownPlaybook, call: PendingCall) -> None:
    """Draws why a delta waits: each bullet that it contradicts, each case that it breaks with both runs side by side."""
    for conflict in [one for one in call.args.get("conflicts") or () if isinstance(one, Mapping)][:SHOWN]:
        bullet = found.newest.get(str(conflict.get("bullet_id")))
        st.warning(
            f"**Two right answers contradict each other.** {plain(str(conflict.get('bullet_id')))} says: "
            f"“{plain(bullet.content if bullet else str(conflict.get('says')))}”. Now the right answer is said to be "
            f"“{plain(str(conflict.get('truth')))}”. Answers go on with the bullet until you decide.",
            icon=":material/compare_arrows:",
        )
    if why := str(call.args.get("untried") or ""):
        st.warning(f"**The cases that guard this playbook cannot be tried.** {plain(why)}", icon=":material/shield:")
    broken = [case for case in call.args.get("broken") or () if isinstance(case, Mapping)]
    for number, case in enumerate(broken[:SHOWN]):
        with st.container(key=f"broken_{call.call_id}_{number}", gap="xxsmall"):
            st.warning(
                f"**This breaks the case {plain(title_of(str(case.get('name')), length=120))}.** "
                f"{plain(str(case.get('why') or ''))}",
                icon=":material/shield:",
            )
            _runs(found, case)
    if len(broken) > SHOWN:
        st.caption(f"… and {len(broken) - SHOWN:,} more cases.")


def _runs(found: ShownPlaybook, case: Mapping[str, Any]) -> None:
    """Draws links to the runs of a broken case: both side by side, and each by itself."""
    pipeline, before, after = (str(case.get(name) or "") for name in ("pipeline", "before", "after"))
    with st.container(horizontal=True, gap="small"):
        if before and after:
            sessions = text_of([(pipeline, before), (pipeline, after)])
            navigation.to_comparison("→ Both runs side by side", found.address, sessions)
        if before:
            navigation.to_place("→ Its run without the delta", pipeline, before, found.address)
        if after:
            navigation.to_place("→ Its run with the delta", pipeline, after, found.address)


def _operation(found: ShownPlaybook, call_id: str, number: int, operation: Mapping[str, Any]) -> None:
    key = f"{call_id}_{number}"
    with st.container(key=f"operation_{key}", border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(element("ul.changes", described(found, operation)))
            st.segmented_control(
                f"Operation {number + 1}",
                list(VERDICTS),
                key=f"verdict_{key}",
                default="approve",
                required=True,
                format_func=VERDICTS.__getitem__,
                label_visibility="collapsed",
            )
        if st.session_state.get(f"verdict_{key}") == "reject":
            st.text_input(
                "Why not?", key=f"reason_{key}", placeholder="Why not? The record keeps it", label_visibility="collapsed"
            )
        elif isinstance(operation.get("content"), str):
            st.text_area("Its text", operation["content"], key=f"content_{key}", height=80, label_visibility="collapsed")


def described(found: ShownPlaybook, operation: Mapping[str, Any]) -> Html:
    """The effect of an operation, as HTML."""
    id_ = str(operation.get("bullet_id") or "")
    bullet = found.newest.get(id_)
    code = html(" ", element("code", id_))
    missing = "" if bullet or not id_ else element("span.why", "There is no such bullet any more: it would be rejected.")
    match operation.get("type"):
        case "ADD":
            return element("li.added", "+ a new bullet in ", element("b", str(operation.get("section", ""))))
        case "UPDATE":
            text = markup.difference(bullet.content, str(operation.get("content", ""))) if bullet else ""
            return element("li.changed", "~", code, " ", text, missing)
        case "REMOVE":
            return element("li.removed", "−", code, " ", element("del", bullet.content) if bullet else "", missing)
        case "MERGE":
            return element("li.added", "⧉ one bullet of ", markup.ids(map(str, operation.get("bullet_ids") or ())))
        case "TAG":
            tag = str(operation.get("tag", ""))
            return element("li.changed", SIGNS.get(tag, ""), code, f" is {tag}", missing)
        case type_:
            return element("li.changed", str(type_), code, missing)


def _decisions(call_id: str, operations: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [_decision(call_id, number, operation) for number, operation in enumerate(operations)]


def _decision(call_id: str, number: int, operation: Mapping[str, Any]) -> dict[str, Any]:
    """The user's decision on one operation, as the curator's agent reads it."""
    key = f"{call_id}_{number}"
    if st.session_state.get(f"verdict_{key}", "approve") != "approve":
        reason = (st.session_state.get(f"reason_{key}") or "").strip()
        return {"verdict": "reject", **({"reason": reason} if reason else {})}
    content = st.session_state.get(f"content_{key}")
    if isinstance(content, str) and content != operation.get("content"):
        return {"verdict": "approve", "operation": {**operation, "content": content}}
    return {"verdict": "approve"}
