"""The form that begins a run: what to see, the questions, the ways of answering, what it will take; or all of it as TOML."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agents import LabError
from agents.lab import DataSet, RunInfo
from agents.models import SIMULATED
from ui.access import owner
from ui.lab import actions
from ui.lab.new_run import arm_cards, costs, data_form, description, drafts
from ui.lab.new_run.description import Described
from ui.lab.new_run.fields import Fields
from ui.lab.new_run.presets import presets
from ui.state import notices, runs
from ui.state.options import model_choices
from ui.state.quick_input import key_for
from ui.text.glossary import help_on
from ui.text.labels import plain

_NO_COUNT = "How many calls it takes is known when the questions can be read."


def show(done: Sequence[RunInfo]) -> None:
    """Draws the form.

    Args:
        done: The runs that there are, the newest first.
    """
    drafts.fill()
    now = description.read()
    with st.container(key="lab_form", gap="small"):
        titles = [preset.title for preset in presets()]
        st.pills("What do you want to see?", titles, key=drafts.PRESET, required=True, on_change=drafts.take_chosen)
        st.markdown(drafts.chosen().about)
        if now.problem:
            st.error(plain(now.problem), icon=":material/block:")
            st.caption("The form stays as it was until the text describes a run again.")
        form, toml = st.tabs(["Form", "TOML"])
        with form:
            data = _form(now, locked=bool(now.problem))
        with toml:
            st.text_area(
                "Description (TOML)",
                key=key_for(drafts.TEXT, drafts.draft().text),
                height=420,
                help="Data, pipeline, model, seeds, arms with their switches, limits. It is kept with the results.",
                on_change=drafts.keep,
            )
            st.caption("The form follows this text, and writes it anew when it is changed: without comments then.")
        notices.show("form")
        _bar(now, data, done)


def _form(now: Described, *, locked: bool) -> DataSet | None:
    fields = Fields(now.table, locked=locked)
    st.markdown("##### Questions")
    data = data_form.draw(now.table, fields, locked=locked)
    st.markdown("##### Ways of answering", help=help_on("arm"))
    arm_cards.draw(now.table, fields, locked=locked)
    st.markdown("##### Run")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="lab_run_fields"):
        fields.draw("name", "name")
        offered = model_choices.offered(runs.manager().models.preferences, now.run.model)
        alone = filter(model_choices.answers_alone, offered)
        fields.draw("model", "model", choices={model_choices.shown(model): model for model in alone})
        fields.draw("seeds", "seeds")
        for name in ("samples", "calls"):
            fields.draw(name, "limits", name)
    if now.run.model == SIMULATED and "generate" not in now.table["data"]:
        st.caption("The simulated model shows how learning works, not what a model makes of your questions.")
    if others := description.others(now.table, {"arms", *fields.shown}):
        st.caption(others)
    return data


def _bar(now: Described, data: DataSet | None, done: Sequence[RunInfo]) -> None:
    """The button that begins the run, and what it will take; it stays in sight."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lab_bar"):
        locked = not owner.is_owner()
        st.button("▶ Begin", key="lab_begin", type="primary", disabled=locked, on_click=actions.begin)
        try:
            line, details = costs.words(now.run, data, done) if data is not None else (_NO_COUNT, None)
        except LabError as error:
            line, details = f":orange[⚠ {plain(str(error))}]", None
        st.markdown(line, help=details, width="stretch")
        if drafts.can_be_undone():
            st.button("Undo", key="lab_undo_change", type="tertiary", on_click=drafts.undo)
        if drafts.is_changed():
            about = f"Takes “{drafts.chosen().title}” again, as it comes along"
            st.button("Reset", key="lab_reset", type="tertiary", help=about, on_click=drafts.reset)
