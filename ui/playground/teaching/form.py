"""The form of *Teach from a list*: a pasted table or a file, a preview, the columns, Begin; and the lists of before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from agents import DataSetError
from agents.access import Action, permits
from agents.pipelines import truth_key
from ui.access.identity import current
from ui.kit.elements import Html, element
from ui.playground import controls
from ui.playground.teaching import taught_list, teacher
from ui.playground.teaching.given_table import (
    MOST_BYTES,
    MOST_CHARACTERS,
    MOST_ROWS,
    GivenTable,
    Rows,
    read_table,
    rows_of,
)
from ui.playground.teaching.taught_list import TaughtList
from ui.state import address, run_options, runs
from ui.state.notices import action
from ui.state.options import control_values, model_choices
from ui.text.labels import ago, many, plain, title_of

if TYPE_CHECKING:
    from ui.state.places import Place
    from ui.state.run_options import RunOptions

NEW = "new"
"""The address of the form."""
TYPED, FILE, NAMED, QUESTION, ANSWER = "list_typed", "list_file", "list_named", "list_question", "list_answer"
SUFFIXES = ["csv", "tsv", "txt", "md", "json", "jsonl", "ndjson"]
EXAMPLE = "Question\tRight answer\nHow long can lamps be returned?\t30 days\nWho repairs bicycles?\tWorkshop 4"
APPROVAL = "What you teach waits until the owner approves it: the playbook is the owner's."
_CUT = 120
_MOST_NAMED = 10
"""Lines that the form names with the reason why they are left out."""


def show(place: Place) -> None:
    """Draws it."""
    st.caption(
        "A row is a question and its right answer. Each becomes a session: the agents answer, are told the right answer, "
        "and the playbook learns from it."
    )
    controls.show(place)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        content = _content()
    with right:
        if content is None:
            _before(place)
        else:
            _chosen(place, content)


def _content() -> bytes | None:
    """Draws the field and the upload; what was given, None if nothing was."""
    file = None
    if permits(current(), Action.UPLOAD):
        file = st.file_uploader("A file", key=FILE, type=SUFFIXES, max_upload_size=max(1, MOST_BYTES // 1_000_000))
    typed = st.text_area(
        "Or paste a table" if permits(current(), Action.UPLOAD) else "Paste a table",
        key=TYPED,
        height=260,
        placeholder=EXAMPLE,
        help="From a spreadsheet, as CSV, as a Markdown table, or JSON. Ctrl+Enter takes it.",
        disabled=file is not None,
    )
    st.caption(
        "Two columns or more, with tabs, semicolons, commas or bars between them; or JSON objects. At most "
        f"{MOST_ROWS:,} rows, {MOST_BYTES // 1_000_000} MB, and {MOST_CHARACTERS:,} characters a cell."
    )
    if file is not None:
        return file.getvalue()
    return typed.encode("utf-8", "replace") if typed and typed.strip() else None


def _before(place: Place) -> None:
    """Draws the lists that were begun before, or what there is to do."""
    lists = taught_list.newest(place.pipeline.name)
    if not lists:
        st.info("**Nothing is taught yet.** Paste a table or choose a file: its columns show here.", icon=":material/table:")
        return
    st.markdown("**Earlier lists**")
    with st.container(gap="xxsmall"):
        for taught in lists:
            first = plain(title_of(taught.rows[0].question, length=40))
            label = f"→ {first} · {many(len(taught.rows), 'row')} · {ago(taught.begun_at)}"
            there = replace(place.address, teach=taught.id)
            st.button(label, key=f"list_open_{taught.id}", type="tertiary", on_click=address.go, args=(there,))


def _chosen(place: Place, content: bytes) -> None:
    """Draws the preview, the columns, and Begin."""
    try:
        table = read_table(content)
        if table.has_names is not None:
            named = st.toggle("The first row names the columns", table.has_names, key=f"{NAMED}_{hash(content)}")
            table = table if named is table.has_names else read_table(content, named)
        question, answer = _columns(table, hash(content))
        found = rows_of(table, question, answer)
    except DataSetError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    _begin_button(place, found)
    _problems(found)
    st.html(_preview(table, question, answer))


def _columns(table: GivenTable, name: int) -> tuple[str, str]:
    """Draws the choice of the columns."""
    which = f"{name}_{'|'.join(table.columns)}"  # other columns are another choice
    left, right = st.columns(2, gap="small")
    columns = list(table.columns)
    with left:
        question = st.selectbox("Question", columns, columns.index(table.question), key=f"{QUESTION}_{which}")
    with right:
        answer = st.selectbox("Right answer", columns, columns.index(table.answer), key=f"{ANSWER}_{which}")
    return question, answer


def _preview(table: GivenTable, question: str, answer: str) -> Html:
    """The first rows, the chosen columns marked."""

    def cell(kind: str, name: str, text: str) -> Html:
        marked = ".chosen" if name in {question, answer} else ""
        return element(f"{kind}{marked}", element("bdi", text if len(text) <= _CUT else f"{text[:_CUT]}…"))

    head = element("tr", *(cell("th", name, name) for name in table.columns))
    rows = (element("tr", *(cell("td", *one) for one in zip(table.columns, row, strict=True))) for row in table.first)
    return element("div.first-rows", element("table", element("thead", head), element("tbody", *rows)))


def _problems(found: Rows) -> None:
    if not found.problems:
        return
    named = "".join(f"\n- line {line}: {plain(why)}" for line, why in found.problems[:_MOST_NAMED])
    more = f"\n- and {len(found.problems) - _MOST_NAMED:,} more" if len(found.problems) > _MOST_NAMED else ""
    st.warning(f"**{many(len(found.problems), 'line')} left out:**\n{named}{more}", icon=":material/rule:")


def _begin_button(place: Place, found: Rows) -> None:
    if not permits(current(), Action.EDIT_PLAYBOOK):
        st.caption(f":material/lock: {APPROVAL}")
    real = [name for name in place.options.models if not model_choices.is_simulated(name)]
    if real:
        names = ", ".join(plain(model_choices.short(name)) for name in real)
        st.caption(f":orange[⚠ Each row asks {names} several times, which may cost money.]")
    st.button(
        f"▶ Begin: {many(len(found.rows), 'row')}, {many(len(found.rows), 'session')}",
        key="list_begin",
        type="primary",
        disabled=place.is_blocked or not found.rows,
        on_click=begin,
        args=(place.pipeline.name, found),
    )


@action
def begin(pipeline: str, found: Rows) -> None:
    """Keeps the list, begins to teach it, and shows it."""
    options = run_options.of_page(pipeline, None)
    taught = TaughtList(
        pipeline=pipeline,
        user=current().id,
        playbook=playbook_of(options),
        truth_key=truth_key(options.pipeline.root_agent) or "",
        rows=found.rows,
        left_out=found.problems,
        state=dict(options.state),
        model=options.model,
        agent_models=dict(options.agent_models),
    )
    taught_list.keep(taught)
    teacher.teach(taught)
    address.go(replace(address.of_playground(), teach=taught.id))


@action
def open_form(pipeline: str, session: str | None) -> None:
    """Shows the form, with the settings of the session that is open."""
    here = address.of_playground()
    settings = here.settings
    if session is not None:
        state = runs.manager().sessions.state(pipeline, session)
        controls_ = runs.manager().catalog.get(pipeline).card.controls
        values = {one.key: control_values.value_of(one, state) for one in controls_}
        settings = control_values.write({one.key: values[one.key] for one in controls_ if values[one.key] != one.default})
    address.go(replace(here, pipeline=pipeline, session=None, settings=settings, teach=NEW))


def playbook_of(options: RunOptions) -> str:
    """The playbook that sessions with these options use."""
    control = next((one for one in options.pipeline.card.controls if one.kind == "playbook"), None)
    return (control_values.value_of(control, options.state) if control else "") or options.pipeline.name
