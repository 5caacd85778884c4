"""The description of a new run as the form reads and changes it. Its TOML is the only truth: the form draws what it says."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

import streamlit as st
import tomlkit

from agents import LabError
from agents.lab import LabDescription
from ui.lab.actions import DESCRIPTION
from ui.lab.new_run import drafts
from ui.text.labels import title_of
from ui.text.visible_text import visible_directions

Table = dict[str, Any]
_LONGEST = 160


class Described(NamedTuple):
    """What the form shows.

    Attributes:
        table: The newest description that was right, as TOML has it; its data is a table.
        run: The same, read.
        problem: What is wrong with the text as it is now; "" if nothing is.
    """

    table: Table
    run: LabDescription
    problem: str


def read() -> Described:
    """Reads the draft. While its text is wrong, the form stays as it was."""
    text, draft, problem = str(st.session_state.get(DESCRIPTION) or ""), drafts.draft(), ""
    try:
        run = LabDescription.from_toml(text, file="The TOML tab")
    except LabError as error:
        problem, text = str(error), draft.valid or drafts.chosen().text
        run = LabDescription.from_toml(text)
    draft.valid, table = text, tomllib.loads(text)
    if isinstance(table["data"], str):
        table["data"] = {"file": table["data"]}
    return Described(table, run, problem)


def change(edit: Callable[[Table], None]) -> None:
    """Changes the description in its TOML, which keeps its comments.

    Args:
        edit: Changes the tables. Arms are taken away and put in one by one, so that the others keep theirs.

    Raises:
        LabError: It would not describe a run any more, or the text is wrong as it is; nothing is changed.
    """
    now = read()
    if now.problem:
        raise LabError(f"Nothing was changed, since the TOML tab has to be mended first. {now.problem}")
    written, draft = tomlkit.parse(drafts.draft().valid), drafts.draft()
    if isinstance(written["data"], str):
        written["data"] = dict(now.table["data"])
    edit(written)
    table = written.unwrap()
    if table == now.table:
        return
    text, preset = tomlkit.dumps(written), drafts.chosen().text
    LabDescription.from_toml(text, file="This")
    drafts.remember()
    before, after = ([title(arm) for arm in one["arms"]] for one in (now.table, table))
    if len(before) == len(after):  # one may have another name
        renamed = dict(zip(before, after, strict=True))
        draft.order = [renamed.get(name, name) for name in draft.order]
    drafts.replace(preset if tomllib.loads(preset) == table else text)


def title(arm: Table) -> str:
    """What an arm is called in results."""
    return str(arm.get("name") or arm["kind"])


def value_at(table: Table, path: Sequence[str]) -> Any:
    """The value at the end of a path; None if there is none. An arm is named by its title."""
    found: Any = table
    for key in path:
        if isinstance(found, list):
            found = next((arm for arm in found if title(arm) == key), None)
        else:
            found = found.get(key) if isinstance(found, dict) else None
    return found


def put(table: Table, path: Sequence[str], value: Any) -> None:
    """Puts a value at the end of a path, in tables that may have to be made; None takes it and empty tables away."""
    *before, key = path
    inner = value_at(table, before) if before else table
    if not isinstance(inner, dict):
        inner = {}
    if value is None:
        inner.pop(key, None)
    else:
        inner[key] = value
    if before and before[0] != "arms":
        put(table, before, inner or None)


def others(table: Table, shown: Collection[str], before: str = "") -> str:
    """What else is set, as Markdown: the values that the form does not show. "" if there are none.

    Args:
        table: Tables of the description.
        shown: The paths of the values that it shows, with points between the keys.
        before: The path of the tables, with a point at its end.
    """
    found = [_code(f"{name} = {tomlkit.dumps({'x': value})[4:]}") for name, value in _hidden(table, shown, before)]
    return f"Also set in the TOML tab: {', '.join(found)}." if found else ""


def _hidden(table: Table, shown: Collection[str], before: str, inner: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if f"{before}{inner}{name}" in shown:
            continue
        if isinstance(value, dict) and value:
            yield from _hidden(value, shown, before, f"{inner}{name}.")
        else:
            yield f"{inner}{name}", value


def _code(text: str) -> str:
    return f"`{visible_directions(title_of(text.replace('`', ''), length=_LONGEST))}`"
