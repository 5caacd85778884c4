"""What a log entry refers to outside itself: other entries, playbooks, state scopes. Each can be replaced.

Functions over an entry's kind and its body as a dictionary, which they change in place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeGuard, cast

from agents.ace.store.reducer import NAME_KEY, PLAYBOOK_KEY
from agents.log import EVENT_KIND, LogEntry
from agents.records import Forked, ModelStarted, PlaybookGiven, RunStarted, SessionCreated
from agents.state import ENTRY_KEYS, State, renumbered

SCOPES = ("session", "user", "app")
"""The scopes of state that are stored."""


def scope_of(key: str) -> str:
    """The scope of a state key."""
    if key.startswith(State.APP_PREFIX):
        return "app"
    return "user" if key.startswith(State.USER_PREFIX) else "session"


def state_in(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """The state values that an entry has, by key; the dictionary is the entry's own."""
    match kind:
        case SessionCreated.kind:
            return _part(body, "state")
        case RunStarted.kind:
            return _part(body, "shared")
        case _ if kind == EVENT_KIND:
            return _part(_part(body, "actions"), "state_delta")
        case _:
            return {}


def keep_scopes(kind: str, body: dict[str, Any], scopes: Collection[str]) -> None:
    """Takes out state of other scopes."""
    state = state_in(kind, body)
    for key in [key for key in state if scope_of(key) not in scopes]:
        del state[key]
    if kind == EVENT_KIND and not state:  # an event is written without fields at their default
        (actions := _part(body, "actions")).pop("state_delta", None)
        if not actions:
            body.pop("actions", None)
    if kind == Forked.kind and isinstance(changes := body.get("changes"), list):
        body["changes"] = [change for change in cast("list[Any]", changes) if _is_within(change, scopes)]


def _is_within(change: Any, scopes: Collection[str]) -> bool:
    if not isinstance(change, dict):
        return True
    fields = cast("dict[str, Any]", change)
    return fields.get("kind") != "state" or scope_of(str(fields.get("key"))) in scopes


def refers_to_entries(entry: LogEntry) -> bool:
    """Whether an entry may hold numbers of others; asked before its body is read."""
    marks = (f'"{key}"' for key in ENTRY_KEYS)
    return entry.kind == ModelStarted.kind or (entry.kind == EVENT_KIND and any(mark in entry.body for mark in marks))


def renumber(kind: str, body: dict[str, Any], number: Callable[[int], int], *, last: Callable[[int], int]) -> None:
    """Replaces the numbers of other entries.

    Args:
        kind: The entry's kind.
        body: Its body.
        number: The new number of an entry.
        last: The new number of the last entry up to one.
    """
    if kind == ModelStarted.kind:
        contents = _part(body, "contents")
        if _is_number(until := contents.get("until")):
            contents["until"] = last(until)
    elif kind == EVENT_KIND:
        state = state_in(kind, body)
        state.update(renumbered(state, number))


def rename_playbooks(kind: str, body: dict[str, Any], names: Mapping[str, str]) -> None:
    """Replaces the names of playbooks."""
    for held, field in _named(kind, body):
        held[field] = names.get(held[field], held[field])


def playbook_names_in(kind: str, body: dict[str, Any]) -> Iterator[str]:
    """The names of playbooks that an entry has."""
    for held, field in _named(kind, body):
        yield held[field]


def playbooks_in(kind: str, body: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    """The playbooks that an entry reads or changes: name, revision after it, revision before it."""
    state = state_in(kind, body)
    if kind == PlaybookGiven.kind and isinstance(body.get("playbook"), str) and _is_number(revision := body.get("revision")):
        yield body["playbook"], revision, revision
    value = _part(state, PLAYBOOK_KEY)
    if isinstance(name := value.get("playbook"), str) and _is_number(revision := value.get("revision")):
        is_commit = bool(value.get("applied") or value.get("rejected"))
        yield name, revision, max(0, revision - is_commit)


def _named(kind: str, body: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    state = state_in(kind, body)
    if kind == PlaybookGiven.kind and isinstance(body.get("playbook"), str):
        yield body, "playbook"
    if isinstance((value := _part(state, PLAYBOOK_KEY)).get("playbook"), str):
        yield value, "playbook"
    if isinstance(state.get(NAME_KEY), str):
        yield state, NAME_KEY


def _part(body: dict[str, Any], field: str) -> dict[str, Any]:
    found = body.get(field)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
