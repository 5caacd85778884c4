"""What each bullet is worth: the form, the measurement under way, and the effects that were measured last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from agents import DatabaseError
from ui.access import owner
from ui.kit.charts import GREEN, GREY, RED, apart, clickable, quantity
from ui.playbook import markup, view_state
from ui.playbook.measured import form
from ui.state import runs
from ui.state.options import model_choices
from ui.text.labels import ago, many, plain, title_of

if TYPE_CHECKING:
    from agents.ace import Playbook
    from agents.jobs import Job
    from agents.lab import Measured, MeasuredEffect, Measurement
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
MOST_ROWS = 30
"""Bullets that are drawn. Of more, the first and the last half: what makes no difference is in between."""
ROW_HEIGHT, AXIS_HEIGHT = 34, 80
MARKS = "bullets"
AXIS = "← lowers the score · raises the score →"
KINDS = {"▲ helps": GREEN, "▼ harms": RED, "○ no difference": GREY}
_LONGEST = 34
_LEAST = 0.1
"""Least share of the score on either side of no effect: a chart of small effects is no microscope."""
_SHARE = "datum.value === 0 ? '0' : format(datum.value * 100, '+.0f') + '%'"
_TEXT = "slice(datum.label, 0, lastindexof(datum.label, '  '))"
"""Labels of the axes, in Vega's language: a share of the score, and a bullet's text without the id that makes it unique."""
_CHART = "effect_chart"


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
        draw(found, measurement)
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


def draw(found: ShownPlaybook, measurement: Measurement) -> None:
    """Draws it; a click on a point opens the bullet."""
    effects = list(measurement.effects.items())
    drawn = effects if len(effects) <= MOST_ROWS else [*effects[: MOST_ROWS // 2], *effects[-MOST_ROWS // 2 :]]
    st.vega_lite_chart(
        spec=specification(drawn, found.newest),
        height=ROW_HEIGHT * len(drawn) + AXIS_HEIGHT,
        alt=f"Measured effects of {len(drawn)} bullets with their intervals; the list of bullets has the figures",
        key=_CHART,
        on_select=_pick,
        selection_mode=MARKS,
    )
    if len(drawn) < len(effects):
        st.caption(f"The first and the last {MOST_ROWS // 2} of {len(effects):,} bullets. The list has all of them.")


def kind(effect: MeasuredEffect) -> str:
    """Whether a bullet helps, as far as the interval says."""
    helps, harms, neither = KINDS
    return helps if effect.low > 0 else harms if effect.high < 0 else neither


def specification(drawn: Sequence[tuple[str, MeasuredEffect]], playbook: Playbook) -> dict[str, Any]:
    """The chart as a Vega-Lite specification.

    Args:
        drawn: Bullets with their effects, from top to bottom.
        playbook: The newest revision, for the counters.
    """
    values = [_value(id_, effect, playbook) for id_, effect in drawn]
    widest = max([_LEAST, *(abs(end) for _, effect in drawn for end in (effect.low, effect.high))])
    axis = {"titleFontWeight": "normal", "labelExpr": _SHARE, "tickCount": 5, "labelFlush": False}
    x = quantity("effect", title=AXIS, scale={"domain": [-widest, widest], "nice": True}, **axis)
    labels = {"labelFontSize": 13, "labelLimit": 240, "labelFlush": False, "labelExpr": _TEXT, "title": None}
    y = {"field": "bullet", "type": "nominal", "sort": None, "axis": labels}
    colour = apart("what", KINDS)
    shape = apart("what", dict(zip(KINDS, ("triangle-up", "triangle-down", "circle"), strict=True)))
    tooltip = [{"field": name} for name in ("bullet", "what", "measured", "better", "worse", "p", "helpful", "harmful")]
    return {
        "params": clickable(MARKS, "id"),
        "data": {"values": values},
        "layer": [
            {
                "data": {"values": [{"zero": 0}]},
                "mark": {"type": "rule", "color": GREY, "strokeWidth": 1.5},
                "encoding": {"x": {**x, "field": "zero"}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 3, "strokeCap": "round", "opacity": 0.45},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour},
            },
            {
                "name": MARKS,
                "mark": {"type": "point", "filled": True, "size": 130, "cursor": "pointer", "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": colour,
                    "shape": shape,
                    "tooltip": tooltip,
                },
            },
        ],
    }


def _value(id_: str, effect: MeasuredEffect, playbook: Playbook) -> dict[str, Any]:
    bullet = playbook.get(id_)
    said = "(removed since)" if bullet is None else title_of(bullet.content, length=_LONGEST)
    return {
        "id": id_,
        "bullet": f"{said}  {id_}",
        "what": kind(effect),
        "effect": effect.effect,
        "low": effect.low,
        "high": effect.high,
        "measured": markup.interval_of(effect),
        "better": effect.helped,
        "worse": effect.harmed,
        "p": round(effect.p, 3),
        "helpful": 0 if bullet is None else bullet.helpful,
        "harmful": 0 if bullet is None else bullet.harmful,
    }


def _pick() -> None:
    """Opens the bullet that was clicked; a click beside the points changes nothing."""
    picked = st.session_state[_CHART].selection.get(MARKS)
    if picked and isinstance(id_ := picked[0].get("id"), str):
        view_state.look_into(id_)
