"""Right and wrong answers by question: the chart's Vega-Lite specification."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ui.text.judged_answers import FEEDBACK, RECENT, SIGNS, VERDICTS, Point

if TYPE_CHECKING:
    from agents.ace import GrowthPoint

MOST_MARKS = 400
"""Most questions that are drawn. Of more, every n-th is drawn, and always the last; the shares count all of them."""
MARKS = "marks"
"""The layer, and the selection, of the marks."""
ALL, LATEST = "right so far", f"right of the last {RECENT}"
BAND = "95% interval"
LEGEND = f":violet[━━ {ALL}, ▒ {BAND}] · :orange[╍╍ {LATEST}] · :green[✓ right] · :red[✗ wrong] · :gray[○ unchecked]"
"""In Markdown above the chart, where it wraps; a legend inside is cut off on a narrow page."""
RIGHT_RAIL, WRONG_RAIL = 1.08, -0.08
"""Heights of the marks: above and below the shares, so that they cover no line."""
_CHECK, _CROSS = "M-1,0.1L-0.3,0.8L1,-0.8", "M-0.8,-0.8L0.8,0.8M0.8,-0.8L-0.8,0.8"
_LEFT = 56
"""Width of the labels left of a chart, so that charts one below another have the same axis."""
_WIDE_APART, _APART = 80, 200
"""Most questions for the largest and for the middle size of marks."""


def step(count: int) -> int:
    """Of `count` questions, every how many-th is drawn."""
    return -(-count // MOST_MARKS)


def thinned(found: Sequence[Point]) -> list[Point]:
    """Every n-th point and the last one, so that at most `MOST_MARKS` and one are drawn."""
    every = step(len(found)) or 1
    drawn = list(found[::every])
    return drawn if not found or drawn[-1] is found[-1] else [*drawn, found[-1]]


def specification(drawn: Sequence[Point]) -> dict[str, Any]:
    """The chart: two lines of shares, and a mark for each question that can be clicked."""
    x = _questions(drawn)
    return {
        "params": [{"name": MARKS, "select": {"type": "point", "fields": ["number"]}, "views": [MARKS]}],
        "resolve": {"scale": {"color": "independent"}},
        "layer": [_lines(drawn, x), _marks(drawn, x)],
    }


def growth_specification(drawn: Sequence[Point], growth: Sequence[GrowthPoint]) -> dict[str, Any]:
    """The chart below: the bullets that the playbook had at each question.

    Args:
        drawn: The points of the chart above.
        growth: The playbook's totals by revision.
    """
    revisions = [point.revision for point in growth]
    values = [
        {"number": point.number, "bullets": growth[at - 1].bullets if at else 0}
        for point in drawn
        for at in (bisect_right(revisions, point.answer.revision),)
    ]
    if values:  # a step to the last value has no width without it
        values.append({**values[-1], "number": values[-1]["number"] + 1})
    axis = {"tickMinStep": 1, "tickCount": 4, "format": ",d", "labelFontSize": 14, "minExtent": _LEFT}
    y = {"field": "bullets", "type": "quantitative", "title": None, "axis": axis}
    return {
        "data": {"values": values},
        "mark": {"type": "area", "interpolate": "step-after", "line": {"strokeWidth": 2}, "fillOpacity": 0.25},
        "encoding": {
            "x": _questions(drawn),
            "y": y,
            "color": {"value": "#6366f1"},
            "tooltip": [{"field": "number", "title": "question"}, {"field": "bullets"}],
        },
    }


def _questions(drawn: Sequence[Point]) -> dict[str, Any]:
    """The horizontal axis."""
    return {
        "field": "number",
        "type": "quantitative",
        "title": "question",
        "axis": {
            "tickMinStep": 1,
            "tickCount": 12,
            "format": ",d",
            "labelFontSize": 14,
            "titleFontSize": 14,
            "labelFlush": False,
        },
        "scale": {"domain": [0, max(10, drawn[-1].number) + 1], "nice": False},
    }


def _lines(drawn: Sequence[Point], x: dict[str, Any]) -> dict[str, Any]:
    """The lines, and the interval of the one that counts all answers."""
    values = [
        {"number": point.number, "what": what, "share": share, "low": point.low, "high": point.high}
        for point in drawn
        for what, share in ((ALL, point.share), (LATEST, point.latest))
        if share is not None
    ]
    domain = [ALL, LATEST]
    band = {
        "transform": [{"filter": {"field": "what", "equal": ALL}}],
        "mark": {"type": "area", "opacity": 0.18, "strokeWidth": 0},
        "encoding": {"y": _height("low"), "y2": {"field": "high"}, "strokeDash": {"value": [1, 0]}},
    }
    return {
        "data": {"values": values},
        "layer": [band, {"mark": {"type": "line", "strokeWidth": 3}}],
        "encoding": {
            "x": x,
            "y": _height("share"),
            "color": {"field": "what", "scale": {"domain": domain, "range": ["#6366f1", "#d97706"]}, "legend": None},
            "strokeDash": {"field": "what", "scale": {"domain": domain, "range": [[1, 0], [6, 4]]}, "legend": None},
        },
    }


def _marks(drawn: Sequence[Point], x: dict[str, Any]) -> dict[str, Any]:
    names = [f"{SIGNS[right]} {word}" for right, word in VERDICTS.items()]
    scale: dict[str, Any] = {"domain": names}
    size = 140 if len(drawn) <= _WIDE_APART else 60 if len(drawn) <= _APART else 24
    tooltip = ("number", "question", "verdict", "judged by", "revision")
    return {
        "name": MARKS,
        "data": {"values": [_value(point) for point in drawn]},
        "mark": {"type": "point", "filled": False, "strokeWidth": 2.5, "size": size, "cursor": "pointer"},
        "encoding": {
            "x": x,
            "y": _height("rail"),
            "shape": {"field": "verdict", "scale": {**scale, "range": [_CHECK, _CROSS, "circle"]}, "legend": None},
            "color": {"field": "verdict", "scale": {**scale, "range": ["#16a34a", "#dc2626", "#8b8fa3"]}, "legend": None},
            "opacity": {"condition": {"param": MARKS, "value": 1}, "value": 0.35},
            "tooltip": [{"field": field} for field in tooltip],
        },
    }


def _value(point: Point) -> dict[str, Any]:
    answer = point.answer
    return {
        "number": point.number,
        "question": answer.question or "(not stored)",
        "verdict": f"{SIGNS[answer.right]} {VERDICTS[answer.right]}",
        "judged by": FEEDBACK[answer.feedback],
        "revision": answer.revision,
        "rail": RIGHT_RAIL if answer.right else WRONG_RAIL,
    }


def _height(field: str) -> dict[str, Any]:
    axis = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "labelFontSize": 14, "minExtent": _LEFT}
    scale = {"domain": [WRONG_RAIL - 0.05, RIGHT_RAIL + 0.05], "nice": False}
    return {"field": field, "type": "quantitative", "title": None, "axis": axis, "scale": scale}
