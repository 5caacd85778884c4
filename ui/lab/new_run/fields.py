"""The fields of the form, from `fields.toml`: each shows one value of the description, and changes it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from ui.lab.new_run import description
from ui.lab.new_run.description import Table
from ui.state import notices
from ui.state.notices import action
from ui.state.quick_input import chosen_now, key_for

_AS_DESCRIBED = "as the TOML tab says"
_MOST = 2**53 - 1
"""The largest whole number that a browser shows."""


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("fields.toml").read_text(encoding="utf-8"))


def offered() -> dict[str, dict[str, Any]]:
    """The arms that the form offers, by kind and in order: each with its title, what it does, and its fields."""
    return {arm["kind"]: arm for arm in _read()["arm"]}


def field(name: str) -> dict[str, Any]:
    """A field."""
    return _read()["field"][name]


def choices_of(name: str) -> dict[str, Any]:
    """The choices of a field: label → value, None for leaving it out."""
    return {one["label"]: one.get("value") for one in field(name).get("choices", [])}


class Fields:
    """The fields that are drawn of a description.

    Attributes:
        shown: The paths of the values that they show, with points between the keys.

    Args:
        table: The description.
        locked: Whether nothing can be changed.
    """

    def __init__(self, table: Table, *, locked: bool) -> None:
        self.shown: set[str] = set()
        self._table, self._locked = table, locked

    def draw(
        self, name: str, *path: str, choices: Mapping[str, Any] | None = None, then: Callable[[Table], None] | None = None
    ) -> None:
        """Draws a field.

        Args:
            name: Its name in `fields.toml`.
            *path: The keys that lead to its value; an arm is named by its title.
            choices: Its choices, where they are known only now.
            then: Changes the description once more after a choice.
        """
        of = field(name)
        default, offers = of.get("default"), choices_of(name) if choices is None else choices
        value = description.value_at(self._table, path)
        value = default if value is None else value
        if offers:
            label = next((label for label, one in offers.items() if one == value and type(one) is type(value)), None)
            if label is not None:
                self.shown.add(".".join(path))
            names = [*offers, *([] if label is not None or value is None else [_AS_DESCRIBED])]
            key = key_for(_name_of(path), names[-1] if label is None and value is not None else label)
            given: Any = {"key": key, "args": (path, default, offers, then)}
            self._widget(st.selectbox, of, names, index=None if value is None and label is None else 0, **given)
            return
        kind = type(default if default is not None else "" if "text" in of else 0)
        if value is not None and (type(value) is not kind or (kind is int and not of.get("least", 1) <= value <= _MOST)):
            return
        self.shown.add(".".join(path))
        key = key_for(_name_of(path), "" if value is None and kind is str else value)
        given = {"key": key, "args": (path, default)}
        if kind is bool:
            self._widget(st.toggle, of, **given)
        elif kind is str:
            self._widget(st.text_input, of, **given)
        else:
            most = max(of.get("most", _MOST), value or 0)
            self._widget(st.number_input, of, of.get("least", 1), most, value=None, placeholder=of.get("empty"), **given)

    def _widget(self, widget: Any, of: Mapping[str, Any], *given: Any, **more: Any) -> None:
        widget(of["label"], *given, help=of.get("help"), disabled=self._locked, on_change=set_value, **more)


@notices.said_in("form")
@action
def set_value(
    path: Sequence[str],
    default: object,
    choices: Mapping[str, Any] | None = None,
    then: Callable[[Table], None] | None = None,
) -> None:
    """Sets a value of the description to that of a widget; its default is left out.

    Args:
        path: The keys that lead to it.
        default: What the description means without it.
        choices: What the widget's choices stand for; any other one changes nothing.
        then: Changes the description once more.
    """
    value = chosen_now(_name_of(path))
    if choices is None or value in choices:
        value = value if choices is None else choices[value]

        def edit(table: Table) -> None:
            description.put(table, path, None if value in (default, "") else value)
            if then is not None:
                then(table)

        description.change(edit)


def _name_of(path: Sequence[str]) -> str:
    return f"lab_{'_'.join(path)}"
