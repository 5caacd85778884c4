"""Charts of a playbook's growth: bullets, usefulness and tokens over its revisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from agents.ace import GrowthPoint
from ui.kit.charts import GREEN, GREY, RED, VIOLET, apart, count
from ui.playbook.growth import accuracy
from ui.playbook.shown_playbook import ShownPlaybook

MOST_POINTS = 400
"""Most points of a line. Of a longer history every n-th point is drawn, and always the first and the last."""
HEIGHT = 280
TAGS_SHOWN = ("helpful", "harmful")
VERIFIED = "Tags that feedback verified. Neutral tags, of bullets that were only used, are not drawn."


def show(found: ShownPlaybook) -> None:
    """Draws the answers first, then what the playbook holds, with a vertical line at the shown revision."""
    points = [GrowthPoint(0, found.info.created_at, 0, 0, 0, 0), *found.store.growth()]
    accuracy.show(found, points)
    if len(points) < 2:  # noqa: PLR2004  a line needs two ends
        st.info("**Nothing has grown yet.** Each delta is a point here once there is one.", icon=":material/show_chart:")
        return
    drawn = thinned(points)
    shown = found.shown.revision
    last = points[-1]
    with st.container(key="charts", gap="medium"):
        bullets, useful, tokens = st.columns(3, gap="medium")
        with bullets:
            st.subheader("Bullets", anchor=False)
            _chart(drawn, ("bullets",), shown, f"Bullets over revisions; {last.bullets:,} at revision {last.revision:,}")
        with useful:
            st.subheader("Usefulness", anchor=False, help=VERIFIED)
            _chart(
                drawn, TAGS_SHOWN, shown, f"Verified tags over revisions; {last.helpful:,} helpful, {last.harmful:,} harmful"
            )
        with tokens:
            st.subheader("Tokens", anchor=False, help="Of the bullets in prompts, as estimated here")
            _chart(drawn, ("tokens",), shown, f"Tokens over revisions; {last.tokens:,} at revision {last.revision:,}")
        st.caption(f"The dashed line is revision {shown:,}, the one on the slider.")


def thinned(points: Sequence[GrowthPoint]) -> list[GrowthPoint]:
    """At most `MOST_POINTS` of the points, evenly spaced, with both ends."""
    if len(points) <= MOST_POINTS:
        return list(points)
    last = len(points) - 1
    return [points[round(at * last / (MOST_POINTS - 1))] for at in range(MOST_POINTS)]


def _chart(points: Sequence[GrowthPoint], names: Sequence[str], shown: int, alt: str) -> None:
    st.vega_lite_chart(spec=specification(points, names, shown), height=HEIGHT, alt=alt)


def specification(points: Sequence[GrowthPoint], names: Sequence[str], shown: int) -> dict[str, Any]:
    """A line chart as a Vega-Lite specification.

    Args:
        points: The data.
        names: The fields to draw, one line each; two lines also differ in their dashes.
        shown: The revision that is marked.
    """
    values = [
        {"revision": point.revision, "what": name, "count": getattr(point, name)} for point in points for name in names
    ]
    revision = count("revision", title="revision")
    tooltip = [{"field": name} for name in ("revision", "what", "count")]
    encoding: dict[str, Any] = {"x": revision, "y": count("count"), "tooltip": tooltip, "color": {"value": VIOLET}}
    if len(names) > 1:
        legend = {"title": None, "orient": "top", "direction": "vertical", "labelFontSize": 14}
        encoding["color"] = apart("what", dict(zip(names, (GREEN, RED), strict=True)), legend=legend)
        encoding["strokeDash"] = apart("what", dict(zip(names, ([1, 0], [5, 3]), strict=True)), legend=legend)
    return {
        "layer": [
            {
                "data": {"values": values},
                "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2},
                "encoding": encoding,
            },
            {
                "data": {"values": [{"revision": shown}]},
                "mark": {"type": "rule", "strokeDash": [4, 4], "color": GREY},
                "encoding": {"x": revision},
            },
        ],
    }
