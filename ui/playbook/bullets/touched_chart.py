"""The chart of the answers that a bullet touched: over time, right ones above, wrong ones below, lit if they cite it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ui.kit.charts import apart, verdicts
from ui.text.judged_answers import verdict

if TYPE_CHECKING:
    from agents.ace import JudgedAnswer

MOST_LIT, MOST_OTHERS = 200, 100
"""Most answers that are drawn, of both kinds. Of more, every n-th is."""
HEIGHT = 130
_LEAST_SPAN = 120.0
"""Seconds that the axis has at least: of a single answer it would show fractions of a second."""
_HOUR, _DAY, _YEAR = 3600, 86_400, 31_536_000
_RAILS = {True: 1, None: 0, False: -1}


def drawn(answers: Sequence[JudgedAnswer], citing: Collection[JudgedAnswer]) -> list[JudgedAnswer]:
    """The answers that are drawn, oldest first.

    Args:
        answers: All that had the bullet, oldest first.
        citing: Those of them that cite it.
    """
    lit = _every([answer for answer in answers if answer in citing], MOST_LIT)
    others = _every([answer for answer in answers if answer not in citing], MOST_OTHERS)
    return sorted([*lit, *others], key=lambda answer: answer.at)


def specification(answers: Sequence[JudgedAnswer], citing: Collection[JudgedAnswer]) -> dict[str, Any]:
    """The chart as a Vega-Lite specification.

    Args:
        answers: Those that are drawn.
        citing: Those that cite the bullet.
    """
    values = [_value(answer, is_lit=answer in citing) for answer in answers]
    tooltip = [{"field": name} for name in ("question", "verdict", "cites", "revision")]
    first, last = answers[0].at, answers[-1].at
    rim = max(0.03 * (last - first), (_LEAST_SPAN - (last - first)) / 2)
    ends = (datetime.fromtimestamp(end, UTC) for end in (first - rim, last + rim))
    domain = [end.isoformat() for end in ends]  # Vega-Lite takes a number for a year
    axis = {"labelFontSize": 13, "title": None, "labelOverlap": True, "tickCount": 5, "format": _format(last - first)}
    return {
        "data": {"values": values},
        "mark": {"type": "point", "filled": False, "strokeWidth": 2.5},
        "encoding": {
            "x": {"field": "at", "type": "temporal", "axis": axis, "scale": {"domain": domain}},
            "y": {"field": "rail", "type": "quantitative", "axis": None, "scale": {"domain": [-1.6, 1.6]}},
            **verdicts(),
            "opacity": apart("cites", {"yes": 1, "no": 0.3}),
            "size": apart("cites", {"yes": 110, "no": 50}),
            "tooltip": tooltip,
        },
    }


def _format(span: float) -> str:
    """How times are written on the axis, in the syntax of D3, where `span` seconds are shown."""
    return "%H:%M:%S" if span < _HOUR else "%H:%M" if span < _DAY else "%d %b" if span < _YEAR else "%b %Y"


def _value(answer: JudgedAnswer, *, is_lit: bool) -> dict[str, Any]:
    return {
        "at": round(answer.at * 1000),
        "rail": _RAILS[answer.right],
        "verdict": verdict(answer.right),
        "cites": "yes" if is_lit else "no",
        "question": answer.question or "(not stored)",
        "revision": answer.revision,
    }


def _every(answers: Sequence[JudgedAnswer], most: int) -> list[JudgedAnswer]:
    return list(answers[:: -(-len(answers) // most) or 1])
