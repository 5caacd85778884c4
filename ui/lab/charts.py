"""Charts of a run, as Vega-Lite specifications: an arm is a line, in a colour and dashes of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from agents.lab import arm_style
from ui.kit.charts import apart, clickable, count, share

if TYPE_CHECKING:
    from agents.lab import Point

Over = Literal["number", "calls", "tokens"]
OVER: dict[Over, str] = {"calls": "model calls", "number": "questions", "tokens": "tokens"}
"""What the curves may be drawn over: field → in words. The first is the headline: nobody wins by spending more."""
Height = Literal["accuracy", "recent", "bullets", "playbook_tokens"]
MARKS = "marks"
"""The layer, and the selection, of the points that can be clicked."""
_PICTURES = {(1, 0): "━━━", (6, 4): "╍╍╍", (2, 3): "┅┅┅", (10, 3): "━ ━", (10, 3, 2, 3): "━·━", (4, 2): "╌╌╌"}
"""Dashes of a line → a picture of it."""
_NAMES = ("violet", "orange", "green", "red", "blue", "gray", "red", "green", "orange", "violet", "green", "orange")
"""The colours of Markdown that are nearest to those of the lines, in order; with the picture no two are alike."""
FEW = 30
"""Most points of all lines that are drawn in full strength: of more, the lines are what is seen."""


class Line(NamedTuple):
    """The curve of an arm and seed."""

    arm: str
    seed: int
    points: Sequence[Point]


def legend(arm: str, place: int) -> str:
    """An arm's line and name in Markdown; `arm` is escaped already."""
    return f":{_NAMES[place % len(_NAMES)]}[{_PICTURES[arm_style(place).dashes]} {arm}]"


def accuracy(lines: Sequence[Line], arms: Sequence[str], *, over: Over, recent: bool) -> dict[str, Any]:
    """Right answers over what they took: a line for each arm and seed, with points that can be clicked.

    Args:
        lines: The curves.
        arms: All arms in order, which gives them their colours.
        over: What stands below.
        recent: Whether only the latest answers count.
    """
    height: Height = "recent" if recent else "accuracy"
    y = share("y", rim=0.03)
    values = list(_values(lines, over, height))
    tooltip = [{"field": "arm"}, {"field": "seed"}, {"field": "question"}, {"field": "right", "format": ".1%"}]
    marks = {
        "name": MARKS,
        "mark": {"type": "circle", "size": 45, "cursor": "pointer"},
        "encoding": {
            **_encoding(arms, over, y),
            "opacity": {
                "condition": {"param": MARKS, "empty": False, "value": 1},
                "value": 1 if len(values) <= FEW else 0.25,
            },
            "tooltip": tooltip,
        },
    }
    return {
        "data": {"values": values},
        "params": clickable(MARKS, "arm", "seed", "question"),
        "layer": [_line(arms, over, y, "linear"), marks],
    }


def size(lines: Sequence[Line], arms: Sequence[str], *, of: Literal["bullets", "playbook_tokens"]) -> dict[str, Any]:
    """The size of the playbooks over the questions."""
    values = list(_values(lines, "number", of))
    line = _line(arms, "number", count("y"), "step-after", has_points=len(values) <= FEW)
    return {"data": {"values": values}, **line}


def _line(
    arms: Sequence[str], over: Over, y: dict[str, Any], interpolate: str, *, has_points: bool = False
) -> dict[str, Any]:
    mark = {"type": "line", "strokeWidth": 3, "interpolate": interpolate, "point": has_points}
    return {
        "mark": mark,
        "encoding": {**_encoding(arms, over, y), "strokeDash": _arm(arms, "dashes"), "detail": {"field": "seed"}},
    }


def _encoding(arms: Sequence[str], over: Over, y: dict[str, Any]) -> dict[str, Any]:
    scale = {"domainMin": 0}  # a single point has a place on the axis, too
    x = count("x", title=OVER[over], scale=scale, labelOverlap=True, labelFlush=False)
    return {"x": x, "y": y, "color": _arm(arms, "colour")}


def _arm(arms: Sequence[str], part: Literal["colour", "dashes"]) -> dict[str, Any]:
    return apart("arm", {arm: getattr(arm_style(place), part) for place, arm in enumerate(arms)})


def _values(lines: Sequence[Line], over: Over, height: Height) -> Iterator[dict[str, Any]]:
    for arm, seed, points in lines:
        for point in points:
            y = getattr(point, height)
            yield {"arm": arm, "seed": seed, "question": point.number, "x": getattr(point, over), "y": y, "right": y}
