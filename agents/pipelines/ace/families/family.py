"""Families of questions: a formula, the quantities that it is asked about, and ways to ask. Read from data files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from agents.pipelines.ace.simulation.lessons.house_rules import Form, Rule, parse_rule


class Range(NamedTuple):
    """A quantity that is drawn from `low` to `high` by `step`, counted in `unit` ("€" stands for any currency).

    Dates are the numbers of their days.
    """

    low: Decimal
    high: Decimal
    step: Decimal
    unit: str


class Family(NamedTuple):
    """A formula with its questions.

    Attributes:
        name: Name of the result.
        answer: The kind of the answer, one of `house_rules.KINDS`.
        formula: The calculation of the answer.
        questions: Ways to ask, with the quantities in braces.
        given: The quantities, by name.
        unit: Of a measurement.
        exact: Whether an answer only counts if it keeps the house rule too.
    """

    name: str
    answer: str
    formula: str
    questions: Sequence[str]
    given: Mapping[str, Range]
    unit: str = ""
    exact: bool = False


class Lot(NamedTuple):
    """A question with a random answer from `answers`; its values are drawn from ranges or lists."""

    question: str
    answers: Sequence[str]
    given: Mapping[str, Range | Sequence[str]]


def read_families(file: str) -> list[Family]:
    """The families of a data file beside this module, e.g. `finance.toml`."""
    return [Family(**_with_ranges(row)) for row in _data(file)["family"]]


def read_lots(file: str) -> list[Lot]:
    """The lots of a data file beside this module."""
    return [Lot(**_with_ranges(row)) for row in _data(file)["lot"]]


def read_house_rules(file: str) -> dict[str, Form]:
    """The forms of right answers, by kind."""
    rules = map(parse_rule, _data(file)["rules"])
    return {rule.subject: rule.form for rule in rules if isinstance(rule, Rule)}


def _data(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"), parse_float=Decimal)


def _with_ranges(row: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = row["given"]
    return {**row, "given": {name: one if isinstance(one, list) else _range(one) for name, one in given.items()}}


def _range(row: Mapping[str, Any]) -> Range:
    low, high = (Decimal(end.toordinal() if isinstance(end, date) else end) for end in (row["from"], row["to"]))
    return Range(low, high, Decimal(row.get("step", 1)), row.get("unit", ""))
