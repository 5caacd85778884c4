"""Parts of Vega-Lite specifications that charts share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ui.text.judged_answers import VERDICTS, verdict

VIOLET, ORANGE, GREEN, RED, GREY = "#6366f1", "#d97706", "#16a34a", "#dc2626", "#8b8fa3"
_CHECK, _CROSS = "M-1,0.1L-0.3,0.8L1,-0.8", "M-0.8,-0.8L0.8,0.8M0.8,-0.8L-0.8,0.8"


def quantity(field: str, *, title: str | None = None, scale: Mapping[str, Any] | None = None, **axis: Any) -> dict[str, Any]:
    """The channel of a number, with the options of its axis."""
    axis = {"labelFontSize": 14, "titleFontSize": 14, **axis}
    return {"field": field, "type": "quantitative", "title": title, "axis": axis, "scale": scale or {}}


def count(field: str, **more: Any) -> dict[str, Any]:
    """The channel of a whole number; arguments as of `quantity`."""
    return quantity(field, tickMinStep=1, format=",d", **more)


def share(field: str, *, rim: float, **axis: Any) -> dict[str, Any]:
    """The channel of a share from 0 to 1, with a rim below and above."""
    scale = {"domain": [-rim, 1 + rim], "nice": False}
    return quantity(field, scale=scale, format=".0%", values=[0, 0.25, 0.5, 0.75, 1], **axis)


def apart(field: str, looks: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """The channel that tells a field's values apart, without a legend: value → colour, dashes, shape, size or opacity."""
    return {"field": field, "scale": {"domain": list(looks), "range": list(looks.values())}, "legend": None, **more}


def verdicts() -> dict[str, Any]:
    """Shape and colour of a judged answer's mark, by the field `verdict`."""
    right, wrong, unchecked = map(verdict, VERDICTS)
    return {
        "shape": apart("verdict", {right: _CHECK, wrong: _CROSS, unchecked: "circle"}),
        "color": apart("verdict", {right: GREEN, wrong: RED, unchecked: GREY}),
    }


def clickable(layer: str, *fields: str) -> list[dict[str, Any]]:
    """The parameters of a chart whose marks can be clicked; the selection has the name of their layer."""
    return [{"name": layer, "select": {"type": "point", "fields": list(fields)}, "views": [layer]}]
