"""What a new run will take, in words: model calls, tokens and minutes, before it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil, floor, log10

from agents.lab import DataSet, Estimate, LabDescription, RunInfo, estimate
from agents.models import SIMULATED
from ui.text.labels import many, plain

_ANSWERS, _LEARNS = (450, 600), (900, 2100)
"""Tokens of a call that only answers, and of one of an arm that learns: its notes grow."""
_SIMULATED = ((0.002, 0.02), "what built-in questions take with the simulated model")
_UNKNOWN = ((1, 10), "a call is taken to need 1 to 10 seconds; the first run with this model says more")
_MINUTE, _HOUR = 60, 3600


def words(run: LabDescription, data: DataSet, runs: Iterable[RunInfo]) -> tuple[str, str]:
    """What a run will take, in a line, and of each arm by itself.

    Args:
        run: The run.
        data: Its data set.
        runs: The runs that there are, the newest first: one with the same model says how long a call takes.

    Raises:
        LabError: A split that an arm needs has no samples.
    """
    found, orders = estimate(run, data.count), len(run.seeds)
    before = next((one for one in runs if one.model == run.model and one.calls), None)
    seconds, source = _SIMULATED if run.model == SIMULATED else _UNKNOWN
    if before is not None:
        seconds, source = (before.seconds / before.calls,) * 2, f"as long as in the run {plain(before.name)}"

    def total(of: Callable[[Estimate], float], take: Callable[[Iterable[float]], float] = sum) -> float:
        return orders * take(of(one) for one in found)

    calls = _span(total(lambda one: one.least), total(lambda one: one.most), _exact)
    tokens = _span(total(lambda one: one.least * _tokens(one)[0]), total(lambda one: one.most * _tokens(one)[1]), _about)
    quickest, longest = total(lambda one: one.least, max), total(lambda one: one.most, max)  # arms work side by side
    time = _span(quickest * seconds[0], longest * seconds[1], _time)
    ways = f"{many(len(found), 'way')} of answering{f' × {orders} orders' if orders > 1 else ''}"
    arms = [
        f"- {plain(one.arm)}: {many(one.samples, 'answer')}, {_span(one.least, one.most, _exact)} calls" for one in found
    ]
    details = "\n".join([*arms, "", f"Each with one order. Time: {source}."])
    return f"{ways}: **{calls} calls**, about {tokens} tokens, **{time}**", details


def _tokens(one: Estimate) -> tuple[float, float]:
    return _LEARNS if one.most > one.samples else _ANSWERS


def _span(least: float, most: float, said: Callable[[float], str]) -> str:
    return said(most) if said(least) == said(most) else f"{said(least)} – {said(most)}"


def _exact(number: float) -> str:
    return f"{number:,.0f}"


def _about(number: float) -> str:
    """A number with two digits that count."""
    return _exact(round(number, 1 - floor(log10(max(number, 10)))))


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return "less than a minute"
    return f"{ceil(seconds / _MINUTE)} min" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h"
