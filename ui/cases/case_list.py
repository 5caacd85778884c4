"""The list of cases: run all or one; those that do not hold come first, with a link to the session that they ran."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from agents import CaseError, PlaygroundError
from agents.access import Action
from agents.cases import CaseResult, Check, StoredCase, cases_to_eval_set, keep_run, read_cases
from agents.runs import folder_problem
from ui.access import owner
from ui.cases import actions
from ui.state import navigation, runs
from ui.state.address import Address
from ui.state.quick_input import uninterrupted
from ui.text.labels import plain, title_of

if TYPE_CHECKING:
    from agents.runs import RunManager

RESULTS = "case_results"
"""What the last check of this tab said: name of the case → `Shown`."""
SHOWN = 100
"""Most cases shown; the others are counted."""
_SIGNS = {"failed": ":red[✗]", "error": ":orange[!]", "held": ":green[✓]", "": ":gray[○]"}
_WORDS = {"failed": "failed", "error": "could not be run", "held": "held", "": "not run yet"}


@dataclass(frozen=True, slots=True)
class Shown:
    """The result of a case.

    Attributes:
        outcome: "held", "failed" or "error".
        why: Why it did not hold; "" if it did.
        session: The kept session of the run that did not hold; "" for none.
        event: The number of the first event that differs; 0 for none.
    """

    outcome: str
    why: str = ""
    session: str = ""
    event: int = 0


def draw_cases(manager: RunManager, here: Address) -> None:
    """Draws the list.

    Args:
        manager: The process's run manager.
        here: The address of the page: its model is asked by cases that name none.
    """
    folder = runs.workspace().cases_folder
    _deleted()
    try:
        found = read_cases(folder)
    except CaseError as error:
        if folder_problem(folder, may_be_missing=True):
            st.error(plain(str(error)), icon=":material/warning:")
            return
        st.info(
            "**There are no cases yet.** A case is a session that was right, kept as a test. Keep a finished session as one "
            f"in its menu ⋯. Its file goes into {plain(str(folder))}.",
            icon=":material/fact_check:",
        )
        return
    if wanted := actions.waiting():
        _run(manager, [one for one in found.cases if one.case.name in wanted], here)
    results: dict[str, Shown] = st.session_state.get(RESULTS, {})
    _head(found.cases, results, str(folder))
    for problem in found.problems:
        st.error(plain(str(problem)), icon=":material/warning:")
    if found.left_out:
        _left_out(found.left_out)
    counts = Counter(one.path for one in found.cases)
    order = list(_SIGNS)

    def place(one: StoredCase) -> int:
        result = results.get(one.case.name)
        return order.index(result.outcome if result else "")

    for stored in sorted(found.cases, key=place)[:SHOWN]:
        _case(stored, results.get(stored.case.name), here, is_alone=counts[stored.path] == 1)
    if len(found.cases) > SHOWN:
        st.caption(f"… and {len(found.cases) - SHOWN:,} more.")


def _head(cases: Sequence[StoredCase], results: dict[str, Shown], folder: str) -> None:
    with st.container(key="cases_head", horizontal=True, vertical_alignment="center", gap="small"):
        names = [one.case.name for one in cases]
        st.button("▶ Run all", key="cases_run_all", type="primary", disabled=not names, on_click=actions.run, args=(names,))
        st.download_button(
            "EvalSet",
            lambda: cases_to_eval_set([one.case for one in cases], "playground"),
            file_name="playground.evalset.json",
            mime="application/json",
            key="cases_eval_set",
            icon=":material/download:",
            disabled=not names,
            help="All of them in one file, as ADK's evaluation reads it",
        )
        run = [results[name].outcome for name in names if name in results]
        counts = [f"{run.count(outcome)} {words}" for outcome, words in _WORDS.items() if outcome in run]
        told = f"{len(names)} case{'' if len(names) == 1 else 's'} in {folder}"
        st.caption(plain(" · ".join([told, *counts])), width="stretch")


def _deleted() -> None:
    """Draws what the last deletion did, with its undo."""
    gone: actions.Deleted | None = st.session_state.get(actions.DELETED)
    if gone is None:
        return
    with st.container(key="case_deleted", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(plain(gone.told), width="stretch")
        if gone.path is not None:
            st.button("Undo", key="case_undo", type="tertiary", on_click=actions.restore, args=(gone,))
        st.button("✕", key="case_dismiss", type="tertiary", help="Close", on_click=actions.dismiss)


def _left_out(sentences: Sequence[str]) -> None:
    """Draws what EvalSets say that no case here checks."""
    with st.expander(f"Not checked: {len(sentences)} of what the EvalSets say", icon=":material/info:"):
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in sentences[:SHOWN]))


def _case(stored: StoredCase, result: Shown | None, here: Address, *, is_alone: bool) -> None:
    case, outcome = stored.case, result.outcome if result else ""
    with st.container(key=f"case_item_{stored.path.name}_{case.name}", border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            asked = f"{len(case.expect)} expectation{'' if len(case.expect) == 1 else 's'}"
            st.markdown(
                f"{_SIGNS[outcome]} **{plain(title_of(case.name, length=120))}**  \n"
                f":small[:gray[{_WORDS[outcome]} · {plain(case.pipeline)} · {asked} · {plain(stored.path.name)}]]",
                width="stretch",
            )
            st.button("Run", key=f"case_run_{case.name}", on_click=actions.run, args=([case.name],))
            st.button(
                "Delete",
                key=f"case_delete_{case.name}",
                help=None if is_alone else "Its file has other cases too: take it out in an editor",
                type="tertiary",
                disabled=not (is_alone and owner.may(Action.USE_CASES)),
                on_click=actions.delete,
                args=(stored,),
            )
        if result is None or not result.why:
            return
        st.markdown(plain(result.why))
        if result.session:
            there = f"event {result.event:,} of the session that it ran" if result.event else "the session that it ran"
            navigation.to_place(f"→ {there}", case.pipeline, result.session, here, event=result.event)


def _run(manager: RunManager, cases: Sequence[StoredCase], here: Address) -> None:
    """Runs cases, with a bar that shows how far it is; a run that does not hold is kept as a session.

    A click meanwhile ends this drawing of the page; the next one runs the cases that are left.
    """
    preferences = manager.models.preferences
    check = Check(
        manager.catalog,
        playbooks=manager.playbooks("default"),
        model=here.model or preferences.model,
        prices=preferences.price_table,
    )
    with st.container(key="cases_running", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        bar = st.empty()
        button = st.empty()
        button.button("Stop", key="cases_stop", on_click=actions.stop)
    for number, stored in enumerate(cases):
        bar.progress(number / len(cases), text=f"Running {plain(title_of(stored.case.name))} …")
        _run_one(manager, check, stored)
    actions.stop()
    bar.empty()
    button.empty()


@uninterrupted
def _run_one(manager: RunManager, check: Check, stored: StoredCase) -> None:
    """Runs a case and notes what came of it."""
    shown = _shown(manager, _checked(manager, check, stored))
    st.session_state[RESULTS] = {**st.session_state.get(RESULTS, {}), stored.case.name: shown}
    actions.finish_one(stored.case.name)


def _checked(manager: RunManager, check: Check, stored: StoredCase) -> CaseResult:
    return manager.work(lambda _: check.run(stored.case, path=stored.path))


def _shown(manager: RunManager, result: CaseResult) -> Shown:
    wrong = result.first_wrong
    if wrong is None:
        return Shown("held")
    event = wrong.differences[0].event if wrong.differences and not wrong.error else 0
    try:
        session = (
            manager.work(lambda services: keep_run(services.sessions, result.case, wrong, user_id=manager.user.id)) or ""
        )
    except PlaygroundError as error:
        return Shown(wrong.outcome, f"{wrong.why} Its session cannot be kept: {error}")
    return Shown(wrong.outcome, wrong.why, session, event)
