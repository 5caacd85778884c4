"""Actions of users on playbooks: the callbacks of buttons and inputs.

Each change is a delta by a *person*. An action that worked leaves a notice that offers the undo. One that failed shows
the reason where it was started.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import streamlit as st

from agents import PersonError, PlaygroundError
from agents.ace import BY_USER, Commit, DeltaBatch, PlaybookStore, check_playbook_name, disagrees
from agents.cases import read_cases
from ui.demo.watch import entry
from ui.playbook.view_state import DIALOG, NOTICE, PROBLEM, TAKEN_IN, clear_picked
from ui.state import address, runs
from ui.state.quick_input import uninterrupted

P = ParamSpec("P")
DONE = "playbook_done"
"""Whether something changed since the whole page was drawn. A dialog is redrawn alone."""


class RefusedError(PersonError):
    """A user's operation was rejected; the message gives the reasons."""


def action(do: Callable[P, None]) -> Callable[P, None]:
    """Clears the last action's notice or problem, and turns an expected error of `do` into a problem."""

    @uninterrupted
    @wraps(do)
    def callback(*args: P.args, **kwargs: P.kwargs) -> None:
        st.session_state.pop(NOTICE, None)
        st.session_state.pop(PROBLEM, None)
        try:
            do(*args, **kwargs)
        except PlaygroundError as error:
            st.session_state[PROBLEM] = str(error)
        else:
            st.session_state[DONE] = True

    return callback


@action
def watch() -> None:
    """Begins to watch the pipeline that learns, on this page."""
    st.session_state.pop(DIALOG, None)
    entry.begin_here()


# Changing bullets.


@action
def commit(name: str, operations: list[dict[str, Any]], said: str, *, keep: bool = False) -> None:
    """Commits operations to a playbook.

    Args:
        name: The playbook.
        operations: Operations in the form that `DeltaOperation` reads.
        said: The notice's text.
        keep: Whether the dialog stays open.

    Raises:
        RefusedError: Some were rejected.
    """
    _report(_store(name).commit(_batch(operations)), said, keep=keep)


@action
def add(name: str, section_key: str, content_key: str) -> None:
    """Adds the bullet that was typed."""
    section, content = st.session_state.get(section_key) or "", st.session_state.get(content_key) or ""
    operation = {"type": "ADD", "section": section, "content": content}
    _report(_store(name).commit(_batch([operation])), "Added {bullet_id}.")


@action
def rewrite(name: str, bullet_id: str, key: str) -> None:
    """Replaces a bullet's text with the typed one; its counters start anew if it says something else."""
    store, content = _store(name), st.session_state.get(key) or ""
    bullet = store.playbook().get(bullet_id)
    corrects = bullet is not None and disagrees(bullet.content, content) is not None
    operation = {"type": "UPDATE", "bullet_id": bullet_id, "content": content, "corrects": corrects}
    _report(store.commit(_batch([operation])), f"Changed the text of {bullet_id}.")


@action
def merge(name: str, bullet_ids: list[str], key: str) -> None:
    """Merges bullets into one with the typed text."""
    operation = {"type": "MERGE", "bullet_ids": bullet_ids, "content": st.session_state.get(key) or ""}
    _report(_store(name).commit(_batch([operation])), f"Merged {len(bullet_ids)} bullets into {{bullet_id}}.")
    clear_picked()


@action
def with_each(name: str, bullet_ids: list[str], type: str, said: str) -> None:
    """Applies one type of operation to each selected bullet."""
    result = _store(name).commit(_batch([{"type": type, "bullet_id": bullet_id} for bullet_id in bullet_ids]))
    clear_picked()
    _report(result, f"{said} {len(result.applied)} {'bullet' if len(result.applied) == 1 else 'bullets'}.")


@action
def undo(name: str, revision: int) -> None:
    """Undoes one delta. An open bullet stays open: it shows what it has touched."""
    undone = _store(name).undo(revision)
    if not undone.applied:
        reasons = " ".join(rejection["reason"] for rejection in undone.rejected)
        raise RefusedError(f"Nothing of revision {revision} could be taken back. {reasons}")
    st.session_state.pop(DIALOG, None)
    _finish(f"Revision {undone.revision} takes back what revision {revision} did.", name, undone.revision, keep=True)


@action
def roll_back(name: str, revision: int) -> None:
    """Rolls the playbook back to an older revision."""
    done = _store(name).roll_back(revision)
    if not done.applied:
        raise RefusedError(f"The newest revision says what revision {revision} said: there is nothing to roll back.")
    _finish(f"Revision {done.revision} says what revision {revision} said.", name, done.revision)


# Changing playbooks.


@action
def create(key: str) -> None:
    """Makes an empty playbook."""
    name = _new_name(key)
    _named(lambda: _store("default").create(name))
    _show(name, f"Made the playbook {name}. It is empty.")


@action
def copy(name: str, key: str) -> None:
    """Makes a copy of a playbook and shows it."""
    copied = _new_name(key)
    _named(lambda: _store(name).copy_to(copied))
    _show(copied, f"Copied the newest revision of {name}. What happens here does not touch it.")


@action
def freeze(name: str, frozen: bool) -> None:
    """Makes a playbook read-only, or writable again."""
    _store(name).freeze(frozen=frozen)
    said = "is frozen: nothing in it changes until it is unfrozen." if frozen else "can be changed again."
    _finish(f"The playbook {name} {said}", name, None)


@action
def guard(name: str, folder: str, is_guarded: bool) -> None:
    """Guards a playbook with the cases in a folder, or ends that."""
    if is_guarded:
        read_cases(Path(folder))  # says what is wrong with it
    _store(name).guard_with(folder if is_guarded else "")
    said = "is guarded: a delta that breaks a case waits for you." if is_guarded else "is not guarded any more."
    _finish(f"The playbook {name} {said}", name, None)


@action
def take_in(name: str | None, name_key: str) -> None:
    """Imports the previewed bullets into a playbook. None: into a new one with the typed name."""
    if (taken := st.session_state.get(TAKEN_IN)) is None:
        raise RefusedError("The bullets to import are not there any more. Choose the file again.")
    target = _new_name(name_key) if name is None else name
    _check_name(target)
    done = _store(target).import_playbook(taken[1], new=name is None)
    st.session_state.pop(TAKEN_IN, None)
    many = "1 bullet" if len(done.applied) == 1 else f"{len(done.applied):,} bullets"
    _show(target, f"Imported {many} into {target}.", done.revision if done.applied else None)


@action
def decide(pipeline: str, session: str, call_id: str, decisions: list[dict[str, Any]]) -> None:
    """Answers a curator that waits for the user's decisions; its run goes on."""
    runs.manager().answer(pipeline, session, call_id, {"decisions": decisions})
    approved = sum(decision["verdict"] == "approve" for decision in decisions)
    _finish(f"Approved {approved} of {len(decisions)}. The run goes on.", None, None)


def _batch(operations: list[dict[str, Any]]) -> DeltaBatch:
    return DeltaBatch.model_validate({"by": BY_USER, "operations": operations})


def _report(result: Commit, said: str, *, keep: bool = False) -> None:
    """Shows the result of a batch.

    Raises:
        RefusedError: Operations were rejected.
    """
    if result.rejected:
        reasons = dict.fromkeys(rejection["reason"] for rejection in result.rejected)
        done = f"{len(result.applied)} done, {len(result.rejected)} not: " if result.applied else "Not done: "
        raise RefusedError(done + " ".join(reasons))
    made = next((change["bullet_id"] for change in result.applied if "bullet_id" in change), "")
    _finish(said.replace("{bullet_id}", made), result.playbook, result.revision, keep=keep)


def _finish(text: str, name: str | None, revision: int | None, *, keep: bool = False) -> None:
    st.session_state[NOTICE] = {"text": text, "playbook": name, "undo": revision}
    if not keep:
        st.session_state.pop(DIALOG, None)
    here = address.current()
    address.go(replace(here, revision=None, bullet=here.bullet if keep else None))


def _show(name: str, text: str, revision: int | None = None) -> None:
    _finish(text, name, revision)
    address.go(replace(address.current(), playbook=name))


def _named(make: Callable[[], Any]) -> None:
    try:
        make()
    except ValueError as error:
        raise RefusedError(str(error)) from None


def _check_name(name: str) -> None:
    try:
        check_playbook_name(name)
    except ValueError as error:
        raise RefusedError(str(error)) from None


def _new_name(key: str) -> str:
    return (st.session_state.get(key) or "").strip()


def _store(name: str) -> PlaybookStore:
    return runs.manager().playbooks(name)
