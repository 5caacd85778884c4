"""What a user can do with cases: the callbacks of the dialog and the list. Draws nothing."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from agents import CaseError, PlaybookGiven, PlaygroundError
from agents.access import Action
from agents.cases import Case, NewestPlaybook, PlaybookAtRevision, StoredCase, case_from_answer, case_from_session
from ui.cases.fields import KINDS, expectation_of, texts_of
from ui.state import runs
from ui.state.notices import NOTICE, Notice, action
from ui.state.quick_input import uninterrupted

DRAFT = "case_draft"
"""The case that the open dialog shows: `{"case", "of_answer", "revision", "rows", "mark"}`."""
PROBLEM = "case_problem"
"""Why the case could not be kept: plain text."""
WANTED = "cases_wanted"
"""Names of the cases that are still to be run."""
DELETED = "case_deleted"
"""The case that was deleted last, to bring it back; or why it could not be."""
KEPT = "CASE_KEPT"
"""The code of the notice that a case was kept."""
NAME, CHOICE, KIND = "case_name", "case_playbook", "case_kind"
_OPENED = "case_opened"
_marks = count(1)


class Deleted(NamedTuple):
    """A case that was deleted, with its file's text; without one, what went wrong."""

    told: str
    path: Path | None = None
    text: str = ""


@action
def open_dialog(pipeline: str, session: str, answer: int | None = None) -> None:
    """Opens the dialog with the case that a session makes, or one answer in it, by its `seq`."""
    manager = runs.manager()
    manager.require(Action.USE_CASES)
    entries = manager.sessions.log(pipeline, session)
    found = manager.catalog.get(pipeline)
    case = case_from_session(entries, found) if answer is None else case_from_answer(entries, found, answer)
    given = next((one for entry in entries if (one := entry.of(PlaybookGiven)) is not None), None)
    rows = [(number, one.kind, texts_of(one)) for number, one in enumerate(case.expect)]
    st.session_state.pop(PROBLEM, None)
    st.session_state[_OPENED] = opened() + 1
    st.session_state[DRAFT] = {
        "case": case,
        "of_answer": answer is not None,
        "revision": None if given is None else given.revision,
        "rows": rows,
        "mark": next(_marks),
    }


def opened() -> int:
    """How often this tab has opened the dialog: a menu with this number in its key is closed by that."""
    return st.session_state.get(_OPENED, 0)


def close() -> None:
    """Closes the dialog."""
    for key in (DRAFT, PROBLEM):
        st.session_state.pop(key, None)


def add_row(key: str) -> None:
    """Adds an empty expectation of the chosen kind."""
    draft, kind = st.session_state.get(DRAFT), st.session_state.get(key)
    if draft is not None and kind in KINDS:
        number = max((row[0] for row in draft["rows"]), default=-1) + 1
        draft["rows"].append((number, kind, {}))
        st.session_state[key] = None


def remove_row(number: int) -> None:
    """Removes an expectation."""
    if (draft := st.session_state.get(DRAFT)) is not None:
        draft["rows"] = [row for row in draft["rows"] if row[0] != number]


def field_key(mark: int, number: int, name: str) -> str:
    """The key of the input of a field."""
    return f"case_{mark}_{number}_{name}"


@uninterrupted
def save() -> None:
    """Writes the case into a file, and closes the dialog."""
    draft = st.session_state.get(DRAFT)
    if draft is None:  # closed in the meantime
        return
    st.session_state.pop(PROBLEM, None)
    try:
        path = runs.workspace().cases.write(_case_of(draft))
    except PlaygroundError as error:
        st.session_state[PROBLEM] = str(error)
        return
    close()
    st.session_state[NOTICE] = Notice("info", f"Kept as a case, in the file {path.name}.", KEPT)


def _case_of(draft: dict[str, Any]) -> Case:
    case: Case = draft["case"]
    expect: list[Any] = []
    for number, kind, _ in draft["rows"]:
        keys = {field.name: field_key(draft["mark"], number, field.name) for field in KINDS[kind][1]}
        expect.append(expectation_of(kind, {name: str(st.session_state.get(key) or "") for name, key in keys.items()}))
    if not expect:
        raise CaseError("A case needs an expectation. Add one below.")
    name = str(st.session_state.get(NAME) or "").strip()
    if not name:
        raise CaseError("A case needs a name. Type one.")
    return Case.model_validate({**case.model_dump(), "name": name, "playbook": _playbook_of(draft), "expect": expect})


def _playbook_of(draft: dict[str, Any]) -> Any:
    chosen = draft["case"].playbook
    if isinstance(chosen, NewestPlaybook) and st.session_state.get(CHOICE) == "revision":
        return PlaybookAtRevision(name=chosen.name, revision=draft["revision"])
    return chosen


def run(names: list[str]) -> None:
    """Has cases run when the list is drawn next, after those that still wait for it."""
    st.session_state[WANTED] = list(dict.fromkeys([*waiting(), *names]))


def waiting() -> list[str]:
    """Names of the cases that are still to be run."""
    return st.session_state.get(WANTED, [])


def finish_one(name: str) -> None:
    """Takes a case that was run from those that wait."""
    st.session_state[WANTED] = [other for other in waiting() if other != name]


def stop() -> None:
    """Runs no further case."""
    st.session_state.pop(WANTED, None)


@uninterrupted
def delete(stored: StoredCase) -> None:
    """Deletes the file of a case, and remembers it so that it can be brought back."""
    try:
        text = runs.workspace().cases.delete(stored)
    except PlaygroundError as error:
        st.session_state[DELETED] = Deleted(str(error))
        return
    st.session_state[DELETED] = Deleted(f"Deleted the case “{stored.case.name}”.", stored.path, text)


@uninterrupted
def restore(gone: Deleted) -> None:
    """Brings the case back that was deleted last."""
    st.session_state.pop(DELETED, None)
    try:
        if gone.path is not None:
            runs.workspace().cases.restore(gone.path, gone.text)
    except PlaygroundError as error:
        st.session_state[DELETED] = gone._replace(told=str(error))


def dismiss() -> None:
    """Removes the notice of a deletion; the case stays deleted."""
    st.session_state.pop(DELETED, None)
