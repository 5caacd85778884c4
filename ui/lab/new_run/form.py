"""The form that begins a run: what to see, the questions, the ways of answering, what it will take; or all of it as TOML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10

import streamlit as st

from agents import LabError
from agents.lab import DataSet, Estimate, LabDescription, RunInfo, estimate
from agents.models import SIMULATED
from ui.access import owner
from ui.lab import actions
from ui.lab.new_run import arm_cards, data_form, description, drafts
from ui.lab.new_run.description import Described
from ui.lab.new_run.fields import Fields
from ui.lab.new_run.presets import presets
from ui.state import notices, runs
from ui.state.options import model_choices
from ui.state.quick_input import key_for
from ui.text.glossary import help_on
from ui.text.labels import many, plain

_NO_COUNT = "How many calls it takes is known when the questions can be read."
_ANSWERS, _LEARNS = (450, 600), (900, 2100)
"""Tokens of a call that only answers, and of one of an arm that learns: its notes grow."""
_SIMULATED = ((0.002, 0.02), "what built-in questions take with the simulated model")
_UNKNOWN = ((1, 10), "a call is taken to need 1 to 10 seconds; the first run with this model says more")
_MINUTE, _HOUR = 60, 3600


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
            line, details = words(now.run, data, done) if data is not None else (_NO_COUNT, None)
        except LabError as error:
            line, details = f":orange[⚠ {plain(str(error))}]", None
        st.markdown(line, help=details, width="stretch")
        if drafts.can_be_undone():
            st.button("Undo", key="lab_undo_change", type="tertiary", on_click=drafts.undo)
        if drafts.is_changed():
            about = f"Takes “{drafts.chosen().title}” again, as it comes along"
            st.button("Reset", key="lab_reset", type="tertiary", help=about, on_click=drafts.reset)


def words(run: LabDescription, data: DataSet, runs: Iterable[RunInfo]) -> tuple[str, str]:
    """What a run will take, in a line, and of each arm by itself.

    Args:
        run: The run.
        data: Its data set.
        runs: The runs that there are, the newest first: one with the same model says how long a call takes.

    Raises:
        LabError: A split that an arm needs has no samples.
    """
    found, orders = estimate(run, data.count), len(run.seeds)
    before = next((one for one in runs if one.model == run.model and one.calls), None)
    seconds, source = _SIMULATED if run.model == SIMULATED else _UNKNOWN
    if before is not None:
        seconds, source = (before.seconds / before.calls,) * 2, f"as long as in the run {plain(before.name)}"

    def total(of: Callable[[Estimate], float], take: Callable[[Iterable[float]], float] = sum) -> float:
        return orders * take(of(one) for one in found)

    calls = _span(total(lambda one: one.least), total(lambda one: one.most), _exact)
    tokens = _span(total(lambda one: one.least * _tokens(one)[0]), total(lambda one: one.most * _tokens(one)[1]), _about)
    quickest, longest = total(lambda one: one.least, max), total(lambda one: one.most, max)  # arms work side by side
    time = _span(quickest * seconds[0], longest * seconds[1], _time)
    ways = f"{many(len(found), 'way')} of answering{f' × {orders} orders' if orders > 1 else ''}"
    arms = [
        f"- {plain(one.arm)}: {many(one.samples, 'answer')}, {_span(one.least, one.most, _exact)} calls" for one in found
    ]
    details = "\n".join([*arms, "", f"Each with one order. Time: {source}."])
    return f"{ways}: **{calls} calls**, about {tokens} tokens, **{time}**", details


def _tokens(one: Estimate) -> tuple[float, float]:
    return _LEARNS if one.most > one.samples else _ANSWERS


def _span(least: float, most: float, said: Callable[[float], str]) -> str:
    return said(most) if said(least) == said(most) else f"{said(least)} – {said(most)}"


def _exact(number: float) -> str:
    return f"{number:,.0f}"


def _about(number: float) -> str:
    """A number with two digits that count."""
    return _exact(round(number, 1 - floor(log10(max(number, 10)))))


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return "less than a minute"
    return f"{ceil(seconds / _MINUTE)} min" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h"
