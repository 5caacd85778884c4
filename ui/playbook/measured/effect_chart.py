"""The chart of measured effects: a point for each bullet, with its interval, the most useful one on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ui.kit.charts import GREEN, GREY, RED, apart, clickable, quantity
from ui.playbook import markup, view_state
from ui.text.labels import title_of

if TYPE_CHECKING:
    from agents.ace import Playbook
    from agents.lab import MeasuredEffect, Measurement
    from ui.playbook.shown_playbook import ShownPlaybook

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
