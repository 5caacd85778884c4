"""What a person can do to playbooks: the callbacks of buttons and inputs.

Each change is a delta, like those of agents, by a *person*. A deed that worked leaves a notice with the way back; one that
did not says why, where it was asked. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

from agents import PersonError, PlaybookExistsError, PlaygroundError
from agents.ace import PERSON, Commit, DeltaBatch, Playbook, PlaybookStore, check_name
from ui.playbook.exchange import large_changes
from ui.playbook.view_state import DIALOG, NOTICE, PROBLEM, clear_picked
from ui.state import address, runs
from ui.state.uninterrupted import uninterrupted
from ui.web import owner

P = ParamSpec("P")
DONE = "playbook_done"
"""Whether something was changed since the page was drawn as a whole: dialogs are drawn alone."""


class RefusedError(PersonError):
    """A person's operation was rejected; the message gives the reasons."""


def _deed(do: Callable[P, None]) -> Callable[P, None]:
    """Clears what was said of the last deed, and turns an expected error of `do` into a problem."""

    @uninterrupted
    @wraps(do)
    def callback(*args: P.args, **kwargs: P.kwargs) -> None:
        st.session_state.pop(NOTICE, None)
        st.session_state.pop(PROBLEM, None)
        try:
            owner.require()
            do(*args, **kwargs)
        except PlaygroundError as error:
            st.session_state[PROBLEM] = str(error)
        else:
            st.session_state[DONE] = True

    return callback


# Changing bullets.


@_deed
def commit(name: str, operations: list[dict[str, Any]], said: str, *, keep: bool = False) -> None:
    """Hands in operations.

    Args:
        name: The playbook.
        operations: As `DeltaOperation` reads them.
        said: What the notice says was done.
        keep: Whether the dialog stays open.

    Raises:
        RefusedError: Some were rejected.
    """
    _report(_store(name).commit(_by_hand(operations)), said, keep=keep)


@_deed
def add(name: str, section_key: str, content_key: str) -> None:
    """Adds the bullet that was typed."""
    section, content = st.session_state.get(section_key) or "", st.session_state.get(content_key) or ""
    operation = {"type": "ADD", "section": section, "content": content}
    _report(_store(name).commit(_by_hand([operation])), "Added {bullet_id}.")


@_deed
def rewrite(name: str, bullet_id: str, key: str) -> None:
    """Gives a bullet the text that was typed."""
    operation = {"type": "UPDATE", "bullet_id": bullet_id, "content": st.session_state.get(key) or ""}
    _report(_store(name).commit(_by_hand([operation])), f"Changed the text of {bullet_id}.")


@_deed
def merge(name: str, bullet_ids: list[str], key: str) -> None:
    """Makes one bullet of several, with the text that was typed."""
    operation = {"type": "MERGE", "bullet_ids": bullet_ids, "content": st.session_state.get(key) or ""}
    _report(_store(name).commit(_by_hand([operation])), f"Merged {len(bullet_ids)} bullets into {{bullet_id}}.")
    clear_picked()


@_deed
def with_each(name: str, bullet_ids: list[str], type: str, said: str) -> None:
    """Does the same to each of the bullets that are selected."""
    result = _store(name).commit(_by_hand([{"type": type, "bullet_id": bullet_id} for bullet_id in bullet_ids]))
    clear_picked()
    _report(result, f"{said} {len(result.applied)} {'bullet' if len(result.applied) == 1 else 'bullets'}.")


@_deed
def undo(name: str, revision: int) -> None:
    """Takes one delta back; a large one in a process of its own."""
    if large_changes.begin_undo(name, revision):
        st.session_state.pop(DIALOG, None)
        return
    undone = _store(name).undo(revision)
    if not undone.applied:
        reasons = " ".join(rejection["reason"] for rejection in undone.rejected)
        raise RefusedError(f"Nothing of revision {revision} could be taken back. {reasons}")
    _finish(f"Revision {undone.revision} takes back what revision {revision} did.", name, undone.revision)


@_deed
def roll_back(name: str, revision: int) -> None:
    """Makes the newest revision say what an older one did."""
    done = _store(name).roll_back(revision)
    if not done.applied:
        raise RefusedError(f"The newest revision says what revision {revision} said: there is nothing to roll back.")
    _finish(f"Revision {done.revision} says what revision {revision} said.", name, done.revision)


# Changing playbooks.


@_deed
def create(key: str) -> None:
    """Makes an empty playbook."""
    name = _new_name(key)
    _named(lambda: _store("default").create(name))
    _show(name, f"Made the playbook {name}. It is empty.")


@_deed
def copy(name: str, key: str) -> None:
    """Makes a copy of a playbook and shows it."""
    copied = _new_name(key)
    _named(lambda: _store(name).copy_to(copied))
    _show(copied, f"Copied the newest revision of {name}. What happens here does not touch it.")


@_deed
def freeze(name: str, frozen: bool) -> None:
    """Makes a playbook read-only, or lets it grow again."""
    _store(name).freeze(frozen=frozen)
    said = "is frozen: nothing in it changes until it is unfrozen." if frozen else "can be changed again."
    _finish(f"The playbook {name} {said}", name, None)


@_deed
def take_in(text_key: str, name: str | None, name_key: str) -> None:
    """Imports the text that is kept under `text_key` into a playbook; None: into a new one with the name that was typed."""
    playbook = Playbook.read(st.session_state.get(text_key) or "")
    target = _new_name(name_key) if name is None else name
    _check_name(target)
    done = _store(target).import_playbook(playbook, new=name is None)
    st.session_state.pop(text_key, None)
    many = "1 bullet" if len(done.applied) == 1 else f"{len(done.applied):,} bullets"
    _show(target, f"Imported {many} into {target}.", done.revision if done.applied else None)


@_deed
def store_large(key: str, name: str | None, name_key: str) -> None:
    """Has a large file that was read imported, as `take_in`; the page shows how far that is."""
    job = large_changes.mine()
    if job is None or job.key != key or job.status.phase != "ready":
        raise RefusedError("The file is not there any more. Choose it again.")
    target = _new_name(name_key) if name is None else name
    _check_name(target)
    if name is None and target in {info.name for info in _store(target).names()}:
        raise PlaybookExistsError(f"There is a playbook {target!r} already. Choose another name, or import into it.")
    job.store_into(target, new=name is None)
    st.session_state.pop(DIALOG, None)


@_deed
def decide(pipeline: str, session: str, call_id: str, decisions: list[dict[str, Any]]) -> None:
    """Answers a curator that waits for a person's decisions; its run goes on."""
    runs.manager().answer(pipeline, session, call_id, {"decisions": decisions})
    approved = sum(decision["verdict"] == "approve" for decision in decisions)
    _finish(f"Approved {approved} of {len(decisions)}. The run goes on.", None, None)


def _by_hand(operations: list[dict[str, Any]]) -> DeltaBatch:
    return DeltaBatch.model_validate({"by": PERSON, "operations": operations})


def _report(result: Commit, said: str, *, keep: bool = False) -> None:
    """Says what a batch came to.

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
        check_name(name)
    except ValueError as error:
        raise RefusedError(str(error)) from None


def _new_name(key: str) -> str:
    return (st.session_state.get(key) or "").strip()


def _store(name: str) -> PlaybookStore:
    return runs.manager().playbooks(name)
