"""The questions of a new run: a set that comes along or a file, its columns and splits, and its first rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import streamlit as st

from agents import DataSetError
from agents.lab import SPLITS, DataSet, FirstRows, Split, first_rows, open_data, suggested_scorer
from ui.access import owner
from ui.lab.new_run import description
from ui.lab.new_run.description import Table
from ui.lab.new_run.fields import Fields, choices_of
from ui.state import data_files, notices
from ui.state.notices import action
from ui.state.quick_input import chosen_now, key_for
from ui.text.labels import many, plain, title_of

SETS = {
    "formulas": "Formulas (built in)",
    "house_rules": "House rules for writing answers (built in)",
    "free_advice": "Advice in three languages (built in)",
    "moving_world": "A world whose rules change (built in)",
}
LARGEST, MOST_DRAWN = 20_000_000, 20_000
"""Bytes of files, and questions of a built-in set, that are read while a run is described."""
MOST_ROWS, MOST_COLUMNS, _MOST_SAID, _LONGEST = 5, 6, 20, 110
_AS_DESCRIBED = "as the TOML tab says"
_DATA, _FILE, _PASTED = "lab_data", "lab_file", "lab_pasted"


def draw(table: Table, fields: Fields, *, locked: bool) -> DataSet | None:
    """Draws the choice of the questions, and what they are.

    Args:
        table: The description.
        fields: Draws the fields.
        locked: Whether nothing can be changed.

    Returns:
        The data set, if it can be opened here.
    """
    spec: Table = table["data"]
    generated, file = (spec[key] if isinstance(spec.get(key), str) else "" for key in ("generate", "file"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        now = generated or file or _AS_DESCRIBED
        names = list(dict.fromkeys([*SETS, *data_files.kept(), now]))
        given: Any = {"key": key_for(_DATA, now), "label_visibility": "collapsed", "disabled": locked, "on_change": pick}
        st.selectbox("Questions", names, format_func=lambda name: str(SETS.get(name, name)), **given)
        with st.popover("Add your own", icon=":material/upload_file:", disabled=locked or not owner.is_owner()):
            _own()
    fields.shown |= {"data.generate", "data.file"}
    if not generated and not owner.is_owner():
        st.caption("What is in a file is shown to its owner.")
        return None
    if file and file not in data_files.kept():
        st.info(f"There is no file {plain(file)} yet. *Add your own* takes a table from Excel, JSON, or what you paste.")
        return None
    rows, data = None, None
    try:
        rows = first_rows(data_files.folder(), file, most=MOST_ROWS) if file else None
        data = _opened(spec)
    except DataSetError as error:
        st.warning(plain(str(error)), icon=":material/rule:")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="lab_data_fields"):
        if generated:
            for name in ("count", *(["change_at"] if generated == "moving_world" else []), "seed"):
                fields.draw(name, "data", name)
        elif rows is not None:
            for name, found in (("question", " + ".join(rows.questions)), ("answer", rows.answer)):
                columns = {one: one for one in rows.columns}
                fields.draw(name, "data", "columns", name, choices={**columns, found: None} if found else columns, then=_fit)
            fields.draw("fractions", "data", "split")
            fields.draw("scorer", "scorer")
        if data is not None and (len(_counts(data)) > 1 or "split" in table):
            fields.draw("split", "split")
    _first(spec, rows, data)
    if data is not None:
        said = ", ".join(f"{data.count(split):,} {words}" for split, words in _counts(data).items())
        st.markdown(f"**{many(data.count('all'), 'question')}**: {said}. :gray[{plain(data.about)}]")
        _left_out(data)
    return data


def _counts(data: DataSet) -> dict[Split, str]:
    """The splits that have samples, and what they are for."""
    words = {split: label for label, split in choices_of("split").items()}
    return {split: words[split] for split in SPLITS if split != "all" and data.count(split)}


def _opened(spec: Table) -> DataSet | None:
    """The data set; None if it is too large to be read here.

    Raises:
        DataSetError: It cannot be opened.
    """
    files, size, changed = spec.get("files"), 0, 0
    named = [*(files.values() if isinstance(files, dict) else ()), *(spec.get(one) for one in ("file", "cases", "sessions"))]
    for name in named:
        try:
            stat = (data_files.folder() / str(name or "")).stat()
            size, changed = size + stat.st_size, max(changed, stat.st_mtime_ns)
        except (OSError, ValueError):
            continue  # opening it says why
    count = spec.get("count")
    if size > LARGEST or (isinstance(count, int) and count > MOST_DRAWN):
        return None
    return _open(json.dumps(spec, default=str), data_files.folder(), size, changed)


@lru_cache(maxsize=8)
def _open(spec: str, folder: Path, size: int, changed: int) -> DataSet:  # noqa: ARG001  files that change are read again
    return open_data(json.loads(spec), folder=folder)


def _own() -> None:
    st.file_uploader(
        "Your own data",
        type=[suffix[1:] for suffix in data_files.SUFFIXES],
        key=_FILE,
        on_change=add_file,
        help="A table as Excel saves it (CSV), JSON lines, or a JSON list. Its columns may have any names.",
    )
    st.text_area(
        "Or paste a table or JSON",
        key=_PASTED,
        height=110,
        help="Cells as they are copied from a spreadsheet, CSV or JSON. The first line of a table names its columns.",
    )
    st.button("Take what is pasted", key="lab_take_pasted", on_click=paste)


def _first(spec: Table, rows: FirstRows | None, data: DataSet | None) -> None:
    """The first rows, as a table."""
    if rows is not None and rows.rows:
        columns: Mapping[str, Any] = spec.get("columns", {})
        questions = (columns["question"],) if columns.get("question") else rows.questions
        marks = {**dict.fromkeys(questions, " (question)"), columns.get("answer") or rows.answer: " (right answer)"}
        shown = sorted(rows.columns, key=lambda name: name not in marks)[:MOST_COLUMNS]
        head = [f"{plain(title_of(name, length=40))}{marks.get(name, '')}" for name in shown]
        cells = [[row.get(name) for name in shown] for row in rows.rows]
    elif data is not None:
        head = ["question", "right answer"]
        cells = [[one.question, one.truth] for one in islice(data.samples("all"), MOST_ROWS)]
    else:
        return
    lines = [head, ["---"] * len(head), *([_cell(cell) for cell in row] for row in cells)]
    with st.container(key="lab_preview"):
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _cell(value: object) -> str:
    return "–" if value is None or value == "" else plain(title_of(str(value), length=_LONGEST))


def _left_out(data: DataSet) -> None:
    """The rows that are no questions, or are there twice."""
    if skipped := sum(data.skipped.values()):
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in data.skipped.items())
        with st.expander(f"{many(skipped, 'row')} left out: {kinds}", icon=":material/rule:"):
            more = f"\n- … and {skipped - _MOST_SAID:,} more" if skipped > _MOST_SAID else ""
            st.markdown("\n".join(f"- {plain(str(one))}" for one in data.problems[:_MOST_SAID]) + more)


@notices.said_in("form")
@action
def pick() -> None:
    """Takes the questions that were chosen."""
    data = description.read().table["data"]
    if (name := chosen_now(_DATA)) not in (None, _AS_DESCRIBED, data.get("generate"), data.get("file")):
        _take(name)


@notices.said_in("form")
@action
def add_file() -> None:
    """Keeps the file that was uploaded, and takes its questions."""
    if (given := st.session_state.get(_FILE)) is not None:
        _take(data_files.keep(given.name, given.getvalue()))


@notices.said_in("form")
@action
def paste() -> None:
    """Keeps what was pasted as a file, and takes its questions."""
    text = str(st.session_state.get(_PASTED) or "").strip()
    suffix = ".json" if text.startswith(("[", "{")) else ".csv"
    _take(data_files.keep(f"pasted{suffix}", text.encode("utf-8", "replace")))
    st.session_state[_PASTED] = ""


def _take(name: str) -> None:
    """Takes a set that comes along, or a file with the scorer that fits it."""

    def edit(table: Table) -> None:
        table.pop("scorer", None)
        table["data"] = {"generate": name, "count": 120} if name in SETS else {"file": name}
        _fit(table)

    description.change(edit)


def _fit(table: Table) -> None:
    """Sets the scorer that fits the right answers of a file, once its columns are known."""
    try:
        data = _opened(table["data"]) if "file" in table["data"] and "scorer" not in table else None
    except DataSetError:
        return
    if data is not None:
        table["scorer"] = suggested_scorer(data)
