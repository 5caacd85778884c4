"""The curves of a run as SVG: a line for each arm and seed, without a style attribute, which the page's policy forbids."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from math import log10
from typing import Literal, NamedTuple

from agents.lab.reports.arm_styles import arm_style
from agents.lab.results.lab_run import Point
from agents.lab.statistics import wilson

Over = Literal["number", "calls"]
Height = Literal["accuracy", "playbook_tokens"]

_WIDTH, _HEIGHT = 440, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 428, 12, 232
_MOST_TICKS = 6
_STEPS = (1, 2, 5, 10)
_TEN_THOUSAND, _MILLION = 10_000, 1_000_000


class Line(NamedTuple):
    """The curve of an arm and seed.

    Attributes:
        place: That of the arm.
        points: The points.
    """

    place: int
    points: Sequence[Point]


class Chart(NamedTuple):
    """What a chart shows.

    Attributes:
        title: In words.
        over: What stands below.
        below: That in words.
        height: What the lines show.
    """

    title: str
    over: Over
    below: str
    height: Height


CHARTS = (
    Chart("Right answers over model calls", "calls", "model calls", "accuracy"),  # nobody wins by spending more
    Chart("Right answers over questions", "number", "questions", "accuracy"),
    Chart("Tokens of the playbook over questions", "number", "questions", "playbook_tokens"),
)


def swatch(place: int) -> str:
    """A short piece of an arm's line, for legends."""
    return f'<svg class="swatch" viewBox="0 0 32 8" aria-hidden="true"><path d="M1 4H31" {_stroke(place)}/></svg>'


def drawn(chart: Chart, lines: Sequence[Line]) -> str:
    """A chart as SVG."""
    widest = max((getattr(line.points[-1], chart.over) for line in lines), default=1)
    highest = max((point.playbook_tokens for line in lines for point in line.points), default=1)
    x_ticks = _ticks(widest)
    y_ticks = [0, 0.25, 0.5, 0.75, 1] if chart.height == "accuracy" else _ticks(highest)
    scale = _Scale(max(widest, 1), max(y_ticks[-1], 1))
    parts = [
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(chart.title)}">',
        *_axes(chart, scale, x_ticks, y_ticks),
        *(_band(chart, scale, line) for line in lines if chart.height == "accuracy"),
        *(_line(chart, scale, line) for line in lines),
        "</svg>",
    ]
    return "".join(parts)


class _Scale(NamedTuple):
    """The values at the right and at the top."""

    widest: float
    highest: float

    def x(self, value: float) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * value / self.widest, 1)

    def y(self, value: float) -> float:
        return round(_BOTTOM - (_BOTTOM - _TOP) * value / self.highest, 1)


def _axes(chart: Chart, scale: _Scale, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> Iterator[str]:
    for tick in y_ticks:
        y, said = scale.y(tick), f"{tick:.0%}" if chart.height == "accuracy" else _number(tick)
        yield f'<path class="grid" d="M{_LEFT} {y}H{_RIGHT}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 5}" text-anchor="end">{said}</text>'
    for tick in x_ticks:
        if tick <= scale.widest:
            yield f'<text x="{scale.x(tick)}" y="{_BOTTOM + 20}" text-anchor="middle">{_number(tick)}</text>'
    yield f'<text x="{(_LEFT + _RIGHT) / 2}" y="{_BOTTOM + 42}" text-anchor="middle">{chart.below}</text>'


def _band(chart: Chart, scale: _Scale, line: Line) -> str:
    """The Wilson interval at each point, over questions: one that is answered again is no new one."""
    lows, highs = list[str](), list[str]()
    for point in line.points:
        x, interval = scale.x(getattr(point, chart.over)), wilson(point.accuracy * point.questions, point.questions)
        lows.append(f"{x:g} {scale.y(interval.low):g}")
        highs.append(f"{x:g} {scale.y(interval.high):g}")
    path = "L".join(lows + highs[::-1])
    return f'<path class="band" d="M{path}Z" fill="{arm_style(line.place).colour}" fill-opacity="0.08"/>'


def _line(chart: Chart, scale: _Scale, line: Line) -> str:
    path, before = "", ""
    for point in line.points:
        x, y = scale.x(getattr(point, chart.over)), scale.y(getattr(point, chart.height))
        if (place := f"{x:g} {y:g}") == before:
            continue
        before = place
        if not path:
            path = f"M{place}"
        else:  # the size of a playbook stays until the next answer, so its line has steps
            path += f"L{place}" if chart.height == "accuracy" else f"H{x:g}V{y:g}"
    colour = arm_style(line.place).colour
    end = before.split(" ")
    return f'<path d="{path}" {_stroke(line.place)}/><circle cx="{end[0]}" cy="{end[1]}" r="3.5" fill="{colour}"/>'


def _stroke(place: int) -> str:
    style = arm_style(place)
    dashes = "" if 0 in style.dashes else f' stroke-dasharray="{" ".join(map(str, style.dashes))}"'
    return f'fill="none" stroke="{style.colour}" stroke-width="2.5" stroke-linejoin="round"{dashes}'


def _ticks(most: float) -> list[float]:
    """Round numbers from 0 to one that is not below `most`."""
    least = max(1.0, most / (_MOST_TICKS - 1))
    power = 10 ** int(log10(least))
    step = next(power * one for one in _STEPS if power * one >= least)
    return [step * number for number in range(int(-(-max(1, most) // step)) + 1)]


def _number(value: float) -> str:
    if value >= _MILLION:
        return f"{value / _MILLION:g}M"
    return f"{value / 1000:g}k" if value >= _TEN_THOUSAND else f"{value:,.0f}"
