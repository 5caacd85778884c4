"""Right and wrong answers by question: the chart's Vega-Lite specification."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ui.kit.charts import ORANGE, VIOLET, apart, clickable, count, share, verdicts
from ui.text.judged_answers import FEEDBACK, RECENT, Point, verdict

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
        "params": clickable(MARKS, "number"),
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
    return {
        "data": {"values": values},
        "mark": {"type": "area", "interpolate": "step-after", "line": {"strokeWidth": 2}, "fillOpacity": 0.25},
        "encoding": {
            "x": _questions(drawn),
            "y": count("bullets", tickCount=4, minExtent=_LEFT),
            "color": {"value": VIOLET},
            "tooltip": [{"field": "number", "title": "question"}, {"field": "bullets"}],
        },
    }


def _questions(drawn: Sequence[Point]) -> dict[str, Any]:
    """The horizontal axis."""
    scale = {"domain": [0, max(10, drawn[-1].number) + 1], "nice": False}
    return count("number", title="question", scale=scale, tickCount=12, labelFlush=False)


def _lines(drawn: Sequence[Point], x: dict[str, Any]) -> dict[str, Any]:
    """The lines, and the interval of the one that counts all answers."""
    values = [
        {"number": point.number, "what": what, "share": share, "low": point.low, "high": point.high}
        for point in drawn
        for what, share in ((ALL, point.share), (LATEST, point.latest))
        if share is not None
    ]
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
            "color": apart("what", {ALL: VIOLET, LATEST: ORANGE}),
            "strokeDash": apart("what", {ALL: [1, 0], LATEST: [6, 4]}),
        },
    }


def _marks(drawn: Sequence[Point], x: dict[str, Any]) -> dict[str, Any]:
    size = 140 if len(drawn) <= _WIDE_APART else 60 if len(drawn) <= _APART else 24
    tooltip = ("number", "question", "verdict", "judged by", "revision")
    return {
        "name": MARKS,
        "data": {"values": [_value(point) for point in drawn]},
        "mark": {"type": "point", "filled": False, "strokeWidth": 2.5, "size": size, "cursor": "pointer"},
        "encoding": {
            "x": x,
            "y": _height("rail"),
            **verdicts(),
            "opacity": {"condition": {"param": MARKS, "value": 1}, "value": 0.35},
            "tooltip": [{"field": field} for field in tooltip],
        },
    }


def _value(point: Point) -> dict[str, Any]:
    answer = point.answer
    return {
        "number": point.number,
        "question": answer.question or "(not stored)",
        "verdict": verdict(answer.right),
        "judged by": FEEDBACK[answer.feedback],
        "revision": answer.revision,
        "rail": RIGHT_RAIL if answer.right else WRONG_RAIL,
    }


def _height(field: str) -> dict[str, Any]:
    return share(field, rim=0.05 - WRONG_RAIL, minExtent=_LEFT)
