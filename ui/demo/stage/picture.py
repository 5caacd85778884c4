"""What a moment of a demo shows, as plain values: the data of `stage.js`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log10
from typing import Literal

from agents.lab import arm_style
from ui.text.judged_answers import SIGNS, VERDICTS

Kind = Literal[
    "plain", "kept", "lost", "new", "changed", "stale",  # texts before and after
    "cited", "tagged", "added", "removed",  # bullets of an answer, and changes of a playbook
]  # fmt: skip
Tick = tuple[float, str]
_MOST_TICKS = 5
_NICE = (1, 2, 5, 10)
_PERCENT: tuple[Tick, ...] = ((0, "0 %"), (0.5, "50 %"), (1, "100 %"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and its verdict.

    Attributes:
        head: Which question it is.
        question: What is asked.
        answer: The answer, and the right one.
        verdict: "right", "wrong" or "unchecked"; "" before there is an answer.
        sign: The same as a sign.
        beside: What judged it, or how far it has come.
    """

    head: str
    question: str
    answer: str = ""
    verdict: str = ""
    sign: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The line of an arm.

    Attributes:
        label: The arm.
        score: What it came to, in a few words.
        colour: As CSS writes it.
        dashes: Lengths of dashes and gaps.
        points: Across and up.
    """

    label: str
    score: str
    colour: str
    dashes: tuple[int, ...]
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment that a chart points out."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Band:
    """The name and the score of the questions up to one."""

    until: int
    name: str
    score: str


@dataclass(frozen=True, slots=True)
class Sign:
    """The verdict of one question, below it."""

    at: float
    sign: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart of the arms.

    Attributes:
        title: What goes up; "" where the axis says it.
        lines: The arms.
        across: The value at the right end.
        up: The value at the upper end.
        below: Ticks of the lower axis.
        beside: Ticks of the left axis.
        axis: What goes across.
        marks: Moments.
        bands: Names above the questions.
        signs: Verdicts below them.
    """

    title: str
    lines: Sequence[Line]
    across: float
    up: float
    below: Sequence[Tick]
    beside: Sequence[Tick]
    axis: str
    marks: Sequence[Mark] = ()
    bands: Sequence[Band] = ()
    signs: Sequence[Sign] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A text: what became of it, that in a word, and the text; of a bullet also its id, and a remark behind it."""

    kind: Kind
    note: str
    text: str
    id: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """Texts below a title; `short` ones stand side by side."""

    title: str
    rows: Sequence[Row]
    short: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """An answer.

    Attributes:
        sign: Its sign.
        verdict: The sign in a word.
        about: Which answer it is.
        lit: Whether it was touched by what the step is about.
        apart: Whether there is a gap before it.
    """

    sign: str
    verdict: str
    about: str = ""
    lit: bool = False
    apart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Answers of an arm in order; see `Line` for its look. Those of a session have no colour."""

    label: str
    cells: Sequence[Cell]
    score: str = ""
    colour: str = ""
    dashes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Bullet:
    """A bullet of the playbook: its id and text, and whether it was taken away."""

    id: str
    text: str
    taken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What is shown of a demo at a step.

    Attributes:
        layout: Where its parts stand: of the lab demos, the story's board, or *Watch it learn*.
        now: The question of the moment.
        say: One statement with its figures.
        more: A second one.
        score: Right answers and all, e.g. "1 of 2".
        charts: Charts.
        strips: Answers.
        columns: Texts.
        place: Of which playbook the bullets are; those that come later are marked as new for a moment.
        bullets: The playbook's bullets.
        kept: How many there are.
        others: How many of them are not shown.
        note: What holds for all of it.
        fills: Whether the charts take the height that is left of the window.
    """

    layout: Literal["moments", "board", "watch"] = "moments"
    now: Question | None = None
    say: str = ""
    more: str = ""
    score: str = ""
    charts: Sequence[Chart] = ()
    strips: Sequence[Strip] = ()
    columns: Sequence[Column] = ()
    place: str = ""
    bullets: Sequence[Bullet] = ()
    kept: str = ""
    others: str = ""
    note: str = ""
    fills: bool = True


def line(place: int, label: str, score: str, points: Sequence[tuple[float, float]]) -> Line:
    """The line of the arm at a place of the description, in the look that it has on the Lab page."""
    style = arm_style(place)
    return Line(label=label, score=score, colour=style.colour, dashes=style.dashes, points=points)


def strip(place: int, label: str, score: str, cells: Sequence[Cell]) -> Strip:
    """The answers of the arm at a place of the description."""
    style = arm_style(place)
    return Strip(label=label, colour=style.colour, dashes=style.dashes, score=score, cells=cells)


def verdict(about: str, *, is_right: bool | None, lit: bool = False, apart: bool = False) -> Cell:
    """An answer that was scored; None for one that nothing judged."""
    return Cell(sign=SIGNS[is_right], verdict=VERDICTS[is_right], about=about, lit=lit, apart=apart)


def shares(title: str, lines: Sequence[Line], *, across: float, axis: str, marks: Sequence[Mark] = ()) -> Chart:
    """A chart of shares, from 0 to 1."""
    below = ticks(across)
    return Chart(title=title, lines=lines, across=across, up=1.0, below=below, beside=_PERCENT, axis=axis, marks=marks)


def amounts(title: str, lines: Sequence[Line], *, across: float, axis: str, marks: Sequence[Mark] = ()) -> Chart:
    """A chart of amounts, from 0 to above the highest one."""
    most = max((up for one in lines for _, up in one.points), default=0) * 1.08 or 1.0
    below = ticks(across)
    return Chart(title=title, lines=lines, across=across, up=most, below=below, beside=ticks(most), axis=axis, marks=marks)


def ticks(most: float) -> list[Tick]:
    """A few round numbers from 0 to `most`."""
    rough = max(1.0, most / _MOST_TICKS)
    unit = 10 ** int(log10(rough))
    step = unit * next(nice for nice in _NICE if nice * unit >= rough)
    return [(at, f"{at:,}") for at in range(0, int(most) + 1, step)]


def count_of(right: Iterable[bool]) -> str:
    """E.g. `8 of 10`."""
    found = list(right)
    return f"{sum(found)} of {len(found)}"
