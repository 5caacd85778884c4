"""What each bullet is worth: the form, the measurement under way, and the effects that were measured last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from agents import DatabaseError
from ui.access import owner
from ui.playbook import view_state
from ui.playbook.measured import effect_chart, form
from ui.state import runs
from ui.state.options import model_choices
from ui.text.labels import ago, many, plain

if TYPE_CHECKING:
    from agents.jobs import Job
    from agents.lab import Measured, Measurement
    from ui.playbook.shown_playbook import ShownPlaybook

REFRESH = 1.0
"""Seconds between two looks at a measurement under way."""
_MINUTE = 60
ABOUT = (
    "What is a bullet worth? The same questions are answered with the whole playbook, and once more **without each "
    "bullet**. Its effect is the difference of the scores. Nothing is learned meanwhile."
)
NONE_YET = "**Nothing is measured yet.** Choose questions above, look at the cost, and press *Measure*."
STALE = (
    "**The playbook has changed since**: the texts in prompts are not those that were measured, at revision {revision:,}. "
    "Measure again."
)


def show(found: ShownPlaybook) -> None:
    """Draws it."""
    st.markdown(ABOUT)
    work = runs.workspace().measurement_jobs.of(found.name)
    goes_on = work is not None and work.goes_on
    form.show(found, goes_on=goes_on)
    if work is not None and goes_on:
        st.fragment(_progress, run_every=REFRESH)(found.name, work)
    elif work is not None and work.problem:
        st.error(
            f"**The measurement has ended early.** {plain(work.problem)}\n\nWhat was answered is kept: *Measure* asks only "
            "for the rest.",
            icon=":material/error:",
        )
    elif work is not None and work.is_stopping:
        done = work.progress.done if work.progress is not None else 0
        st.info(f"**Stopped after {many(done, 'answer')}.** They are kept: *Measure* asks only for the rest.")
    _result(found)


def _progress(name: str, work: Job[Measured]) -> None:
    """Draws how far it is; when it has ended, the whole page is drawn."""
    if not work.goes_on or (now := work.progress) is None:
        st.rerun()
    with st.container(key="effect_progress", horizontal=True, vertical_alignment="center", gap="small"):
        said = f"{now.done:,} of {now.total:,} answers{_left(now.seconds_left)}"
        st.progress(min(1.0, now.done / max(1, now.total)), text=said)
        st.button(
            "Stopping …" if work.is_stopping else "Stop",
            key="effect_stop",
            icon=":material/stop:",
            help="Ends after the answer of the moment. What was answered is kept.",
            disabled=work.is_stopping or not owner.is_owner(),
            on_click=form.stop,
            args=(name,),
        )


def _left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f" · about {seconds:.0f} s left" if seconds < _MINUTE else f" · about {seconds / _MINUTE:.0f} min left"


def _result(found: ShownPlaybook) -> None:
    try:
        measurement = runs.workspace().measurements.latest(found.name, found.info.created_at)
    except DatabaseError as error:
        st.error(f"**The measured effects cannot be read.** {plain(str(error))}", icon=":material/database_off:")
        return
    if measurement is None:
        st.info(NONE_YET, icon=":material/balance:")
        return
    with st.container(key="effects", gap="small"):
        st.subheader("Measured effects", anchor=False)
        if measurement.is_stale(found.newest):
            st.warning(STALE.format(revision=measurement.revision), icon=":material/history:")
        st.markdown(_summary(measurement))
        effect_chart.draw(found, measurement)
        st.button("Show the bullets by effect", key="by_effect", type="tertiary", on_click=show_list, args=(found.name,))


def _summary(measurement: Measurement) -> str:
    counts = dict.fromkeys((1, -1, 0), 0)
    for effect in measurement.effects.values():
        counts[1 if effect.low > 0 else -1 if effect.high < 0 else 0] += 1
    model = plain(model_choices.shown(measurement.model))
    simulated = ":orange-badge[simulated] " if model_choices.is_simulated(measurement.model) else ""
    return (
        f"{simulated}{plain(measurement.source)}, by {model} with {plain(measurement.pipeline)}, {ago(measurement.at)}, at "
        f"revision {measurement.revision:,}. Score with the whole playbook: **{measurement.score:.0%}**.\n\n"
        f":green[▲ {counts[1]:,} help] · :red[▼ {counts[-1]:,} harm] · :gray[○ {counts[0]:,} make no difference that "
        f"{many(measurement.samples, 'question')} can show] (95% intervals)"
    )


def show_list(name: str) -> None:
    """Shows the bullets by their effects."""
    view_state.sort_by(name, "effect")
    view_state.show("bullets")
