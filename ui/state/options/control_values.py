"""Values of a pipeline's controls: in session state, and in the URL until a session begins."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agents.ace import is_playbook_name

if TYPE_CHECKING:
    from agents.pipelines import Card, Control

_LARGEST = 2**53
"""From here on JavaScript rounds integers."""


def read(card: Card, texts: Iterable[str]) -> dict[str, Any]:
    """Reads KEY=JSON texts. Skips a key that is no control of the card, and a value that does not fit its control."""
    controls = {control.key: control for control in card.controls}
    found: dict[str, Any] = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if separator and key in controls:
            try:
                given = json.loads(value)
            except (ValueError, RecursionError):
                continue
            if fits(controls[key], given):
                found[key] = given
    return found


def write(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Values as KEY=JSON texts."""
    return tuple(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in values.items())


def fits(control: Control, value: Any) -> bool:
    """Whether a control can have this value."""
    if control.kind == "switch":
        return isinstance(value, bool)
    if control.kind == "choice":
        return value in control.choices
    if control.kind == "playbook":
        return value == "" or (isinstance(value, str) and is_playbook_name(value))
    return (
        _is_number(value)
        and (control.minimum is None or value >= control.minimum)
        and (control.maximum is None or value <= control.maximum)
    )


def value_of(control: Control, state: Mapping[str, Any]) -> Any:
    """The value that a control shows: the one in state, else its default. A number outside its bounds is shown at the bound.

    A choice that the control does not offer is shown unchanged: it was set on purpose.
    """
    value: Any = state.get(control.key, control.default)
    if fits(control, value):
        return value
    if control.kind == "number" and _is_number(value):
        return control.minimum if control.minimum is not None and value < control.minimum else control.maximum
    if control.kind == "choice" and isinstance(value, str) and value:
        return value
    return control.default


def in_words(card: Card, values: Mapping[str, Any]) -> str:
    """Values in words, e.g. "Planning mode on, Tools in one step 1"."""
    labels = {control.key: control.label for control in card.controls}
    return ", ".join(f"{labels.get(key, key)} {_shown(value)}" for key, value in values.items())


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < _LARGEST  # False for NaN, too
