"""Families of questions: a formula, the quantities that it is asked about, and ways to ask. Read from data files."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from string import Formatter
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from agents.errors import AuthorError
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import names_in
from agents.pipelines.ace.data_file import read_data
from agents.pipelines.ace.simulation.lessons.house_rules import KINDS, Form, parse_rule


class Row(BaseModel):
    """A table of a data file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _day_number(value: Any) -> Any:
    return value.toordinal() if isinstance(value, date) else value


Number = Annotated[Decimal, BeforeValidator(_day_number)]
"""A number, or a date as the number of its day."""


class Range(Row):
    """A quantity that is drawn from `low` to `high` by `step`, counted in `unit` ("€" stands for any currency)."""

    low: Number = Field(alias="from")
    high: Number = Field(alias="to")
    step: Decimal = Field(Decimal(1), gt=0)
    unit: str = ""

    @model_validator(mode="after")
    def _rises(self) -> Range:
        if self.low > self.high:
            raise ValueError(f"from {self.low} is more than to {self.high}")
        return self


class Family(Row):
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
    questions: list[str] = Field(min_length=1)
    given: dict[str, Range]
    unit: str = ""
    exact: bool = False

    @model_validator(mode="after")
    def _fits_together(self) -> Family:
        if self.answer not in KINDS:
            raise ValueError(f"{self.name}: there is no kind of answer {self.answer!r}, only {', '.join(KINDS)}")
        _check(self.name, "the formula", set(names_in(parse(self.formula))), self.given)
        for question in self.questions:
            _check(self.name, f"“{question}”", _fields(question), self.given)
        return self


class Lot(Row):
    """A question with a random answer from `answers`; its values are drawn from ranges or lists."""

    question: str
    answers: list[str] = Field(min_length=1)
    given: dict[str, Range | list[str]]

    @model_validator(mode="after")
    def _fits_together(self) -> Lot:
        _check("a lot", f"“{self.question}”", _fields(self.question), self.given)
        return self


class FamilySet(Row):
    """The contents of a data file of families."""

    family: list[Family] = []
    lot: list[Lot] = []


def read_families(file: str) -> FamilySet:
    """The families of a data file beside this module, e.g. `finance.toml`.

    Raises:
        AuthorError: It cannot be read, or a family in it is not complete; the message says which and why.
    """
    try:
        return FamilySet.model_validate(read_data(__file__, file))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise AuthorError(f"{file} has families that cannot be used. {'; '.join(problems)}") from error


def read_house_rules(file: str) -> dict[str, Form]:
    """The forms of right answers, by kind.

    Raises:
        AuthorError: The file cannot be read, or a sentence in it is no house rule.
    """
    forms: dict[str, Form] = {}
    for sentence in read_data(__file__, file)["rules"]:
        if (rule := parse_rule(sentence)) is None:
            raise AuthorError(f"{file}: “{sentence}” is no house rule.")
        forms[rule.subject] = rule.form
    return forms


def _fields(question: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(question) if field is not None}


def _check(name: str, where: str, used: set[str], given: dict[str, Any]) -> None:
    if used != set(given):
        raise ValueError(f"{name}: {where} uses {', '.join(sorted(used))}, but given are {', '.join(sorted(given))}")
