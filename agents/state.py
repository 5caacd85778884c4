"""Session state: a mapping with four scopes whose writes are recorded as a delta.

Scopes by prefix: none = this session, `user:` = all sessions of a user, `app:` = all sessions of an app,
`temp:` = this invocation only, never stored.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from datetime import date, time
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeGuard, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from agents.errors import NotPermittedError, StateSchemaError, StateValueError

_REDUCERS = {"app:playbook": "agents.ace.store.reducer:PlaybookReducer"}
"""Keys whose delta is an operation, each with the class that applies it; it is loaded when the key is first used."""

REDUCED = frozenset(_REDUCERS)
"""The keys that have a reducer."""

_ENTRY_FIELDS = {"judged_seq": "", "verdict": "event"}
"""Keys whose value is the `seq` of a log entry, or, with a field named here, a dictionary that has it there."""

ENTRY_KEYS = frozenset(_ENTRY_FIELDS)
"""The keys of `renumbered`."""

TIMES = (date, time)
"""Types of values that are stored as text in the form of ISO 8601; the run that wrote them reads them as they were."""

_CONTAINERS = (dict, list)


class State(MutableMapping[str, Any]):
    """Live state plus the delta of changes made through this object.

    Reading a list or dictionary keeps a copy of it, so that an edit in place becomes part of the delta too.

    Args:
        value: The live state; written to directly.
        delta: Where changes are recorded, usually an event's `state_delta`.
        schema: A model whose fields name the keys without a prefix, and the types of their values; None for any.
    """

    APP_PREFIX = "app:"
    USER_PREFIX = "user:"
    TEMP_PREFIX = "temp:"

    def __init__(self, value: dict[str, Any], delta: dict[str, Any], schema: type[BaseModel] | None = None) -> None:
        self._value = value
        self._delta = delta
        self._schema = schema
        self._lent: dict[str, str] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._lent and isinstance(self._value[key], _CONTAINERS):
            self._lent[key] = _canonical(self._value[key])
        return self._value[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if self._schema is not None:
            check_delta(self._schema, {key: value})
        check_state_value(key, value)
        self._value[key] = value
        self._delta[key] = value
        self._lent.pop(key, None)

    def __delitem__(self, key: str) -> None:
        raise StateValueError(
            f"State key {key!r} cannot be deleted: the log keeps what was. Set it to None instead: state[{key!r}] = None."
        )

    def __contains__(self, key: object) -> bool:
        return key in self._value

    def __iter__(self) -> Iterator[str]:
        return iter(self._value)

    def __len__(self) -> int:
        return len(self._value)

    def has_delta(self) -> bool:
        """Whether anything was changed, in place or by assignment."""
        self.collect_edits()
        return bool(self._delta)

    def to_dict(self) -> dict[str, Any]:
        """A shallow copy of the live state."""
        return dict(self._value)

    def collect_edits(self) -> None:
        """Adds to the delta the lists and dictionaries that were edited in place.

        Raises:
            StateValueError: An edit put something into state that JSON cannot hold.
        """
        for key, before in list(self._lent.items()):
            value = self._value.get(key)
            check_state_value(key, value)
            after = _canonical(value)
            if after != before:
                self._delta[key] = value
                self._lent[key] = after


def check_delta(schema: type[BaseModel], delta: Mapping[str, Any]) -> None:
    """Checks state values. Keys with a prefix are not in schemas.

    Raises:
        StateSchemaError: The schema has no such key, or another type for it.
    """
    for key, value in delta.items():
        if ":" in key:
            continue
        if key not in schema.model_fields:
            raise StateSchemaError(
                f"Key {key!r} is not declared in state schema {schema.__name__!r}. "
                f"Declared fields: {sorted(schema.model_fields)}."
            )
        try:
            _field_adapter(schema, key).validate_python(value)
        except ValidationError as error:
            raise StateSchemaError(
                f"Value for {key!r} does not satisfy field {key!r} of {schema.__name__!r}: {error}"
            ) from error


@lru_cache(maxsize=512)
def _field_adapter(schema: type[BaseModel], key: str) -> TypeAdapter[Any]:
    return TypeAdapter(schema.model_fields[key].rebuild_annotation())  # with its limits, as of Field(ge=0)


def check_state_value(key: str, value: Any) -> None:
    """Raises `StateValueError`, naming key and type, unless JSON can hold `value` under `key`."""
    if not isinstance(key, str):  # pyright: ignore[reportUnnecessaryIsInstance]  callers are not all type-checked
        raise StateValueError(f"A state key must be a str, not {type(key).__name__} ({key!r}).")
    if (problem := _json_problem(value)) is not None:
        raise StateValueError(
            f"State key {key!r} cannot hold {problem}: state is stored as JSON. "
            "Store text, numbers, times, booleans, None, or lists and dictionaries of them, e.g. "
            "model.model_dump(mode='json')."
        )
    if key in REDUCED:
        reducer_class(key).check(key, value)


def check_needs_no_approval(delta: Mapping[str, Any]) -> None:
    """Checks the delta of a run whose changes of reduced keys need approval.

    Raises:
        NotPermittedError: It changes one.
    """
    for key in REDUCED & delta.keys():
        check_state_value(key, delta[key])
        if reducer_class(key).changes(delta[key]):
            raise NotPermittedError(
                f"This run may not write {key!r}: what a visitor's run teaches a playbook waits for the owner's approval, "
                "and this agent commits it without asking. Ask the owner to run it, or let `ApplyDelta` submit it."
            )


def reducer_class(key: str) -> Any:
    """The class that applies the operations of a key in `REDUCED`, an `agents.storage.reducer.StateReducer`."""
    module, _, name = _REDUCERS[key].partition(":")
    return getattr(import_module(module), name)


def _json_problem(value: Any) -> str | None:  # noqa: PLR0911  one return a case
    match value:
        case str():
            return None if value.isascii() or _is_text(value) else "text with half a surrogate pair"
        case None | bool() | int() | date() | time():
            return None
        case float():
            return None if math.isfinite(value) else f"the number {value}"
        case list() | tuple():
            return next((p for item in cast("list[Any]", value) if (p := _json_problem(item))), None)
        case dict():
            items = cast("dict[Any, Any]", value)
            odd = next((name for name in items if not isinstance(name, str)), None)
            if odd is not None:
                return f"a dictionary with a key of type {type(odd).__name__}"
            return next((p for item in items.values() if (p := _json_problem(item))), None)
        case _:
            return f"a value of type {type(value).__name__}"


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)


def renumbered(values: Mapping[str, Any], number: Callable[[int], int]) -> dict[str, Any]:
    """State values in which the `seq` of each log entry is replaced, for a log that was numbered anew.

    Args:
        values: Values by key; they stay as they are.
        number: The new `seq` of an entry.
    """
    found = dict(values)
    for key, field in _ENTRY_FIELDS.items():
        value = found.get(key)
        if field and isinstance(value, dict):
            fields = cast("dict[str, Any]", value)
            if _is_number(seq := fields.get(field)):
                found[key] = {**fields, field: number(seq)}
        elif not field and _is_number(value):
            found[key] = number(value)
    return found


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def is_stored(key: str) -> bool:
    """Whether a key outlives its invocation."""
    return not key.startswith(State.TEMP_PREFIX)


def split_by_scope(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """`values` as (session, user, app); prefixes are kept, `temp:` keys are left out."""
    session: dict[str, Any] = {}
    user: dict[str, Any] = {}
    app: dict[str, Any] = {}
    for key, value in values.items():
        if key.startswith(State.APP_PREFIX):
            app[key] = value
        elif key.startswith(State.USER_PREFIX):
            user[key] = value
        elif is_stored(key):
            session[key] = value
    return session, user, app
