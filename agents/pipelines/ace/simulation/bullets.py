"""The knowledge in a playbook's lines: formulas, house rules, facts, labels, shapes, forms and open questions.

Reads and writes them.

    current ratio = current assets / current liabilities; e.g. current assets 120 and current liabilities 80 give 1.50
    Write percentages with 1 decimal and a % sign.
    Asked: Where is the key? Answer: In the drawer.
    Messages with “declined” (2), “card” are about card_declined (2 of 2).
    “The {n} rows of {t}” → “{t}: 1–{n}”; e.g. “5”, “orders”; “12”, “customers”.
    Dates are written 2025-03-14.
    perimeter: formula not known yet; e.g. length 6 and width 2 give 16

Any other line is prose, which only helps with free questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import Expression, Name, Number, plain, typed
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of, amounts_in, date_of
from agents.pipelines.ace.simulation.expressions.units import DATE_SYMBOL
from agents.pipelines.ace.simulation.lessons.fact import Fact, read_fact, write_fact
from agents.pipelines.ace.simulation.lessons.form import ValueForm, read_form, write_form
from agents.pipelines.ace.simulation.lessons.house_rules import Rule, parse_rule, write_rule
from agents.pipelines.ace.simulation.lessons.label import Label, read_label, write_label
from agents.pipelines.ace.simulation.lessons.shape import Shape, read_shape, write_shape
from agents.pipelines.ace.simulation.sentences.english import key_of, words_of

MOST_EXAMPLES = 3
UNVERIFIED = "unverified"
"""The mark of a formula that nobody confirmed, in older playbooks: it is not used."""
OPEN = "formula not known yet"
_OPEN_BEFORE = "how it is worked out is not known yet"
"""How older playbooks say it."""

_LINE = re.compile(r"(?:[-*]\s++)?\[([^\]\s]++)\]\s*+helpful=(\d{1,12}+)\s*+harmful=(\d{1,12}+)\s*+::\s*+(.*)")
_EXAMPLE = re.compile(r"e\.?g\.?:?\s", re.IGNORECASE)
_GIVES = ("give", "gives", "make", "makes", "=")
_SIGNS = str.maketrans("[]", "()", "€$£¥")
"""How signs are read that are no part of an expression."""
_JOINTS = re.compile(r"[\s\-'’&]")


class Line(NamedTuple):
    """A bullet as a model is shown it; `place` counts from the first bullet on."""

    id: str
    section: str
    helpful: int
    harmful: int
    content: str
    place: int

    @property
    def worth(self) -> tuple[int, str, int]:
        """Helpful minus harmful tags, then how new it is; the greater, the better."""
        number = self.id[len(self.id.rstrip("0123456789")) :]
        return self.helpful - self.harmful, number.zfill(12) if number else "", self.place

    @property
    def says(self) -> Knowledge | None:
        """Its knowledge; None for prose."""
        return understand(self.content)


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a formula: values by name, and the result, as texts of amounts.

    A name may be "": the values then belong to the formula's names in their order.
    """

    values: tuple[tuple[str, str], ...]
    result: str


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula.

    Attributes:
        name: Name of the result.
        expression: The calculation.
        examples: Questions that it was right for.
    """

    name: str
    expression: Expression
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """A name without a formula so far: its examples allow several, or one that a second example must confirm."""

    name: str
    examples: tuple[Example, ...]


Knowledge = Formula | Rule | Fact | Label | Shape | ValueForm | Open
Kind = TypeVar("Kind", Formula, Rule, Fact, Label, Shape, ValueForm, Open)


def lines_in(playbook: str) -> tuple[Line, ...]:
    """The bullets of a playbook as a prompt holds it."""
    lines: list[Line] = []
    section = ""
    for text in playbook.split("\n"):
        if text.startswith("##"):
            section = text.lstrip("#").strip()
        elif found := _LINE.fullmatch(text.strip()):
            lines.append(Line(found[1], section, int(found[2]), int(found[3]), found[4].strip(), len(lines)))
    return tuple(lines)


def best_first(lines: Iterable[Line]) -> list[Line]:
    """Bullets, the most trusted one first."""
    return sorted(lines, key=lambda line: line.worth, reverse=True)


def saying(kind: type[Kind], lines: Iterable[Line]) -> list[tuple[Line, Kind]]:
    """The bullets with a kind of knowledge, each with that."""
    return [(line, says) for line in lines if isinstance(says := line.says, kind)]


@lru_cache(maxsize=4096)
def understand(content: str) -> Knowledge | None:
    """The knowledge in a bullet's text; None for prose."""
    noted = read_fact(content) or read_label(content) or read_shape(content) or read_form(content)
    return noted or _open(content) or _formula(content) or parse_rule(content)


def write_bullet(knowledge: Knowledge) -> str:
    """The text of a bullet with this knowledge; `understand` reads the same from it."""
    match knowledge:
        case Formula(name, expression, examples):
            return "; ".join([f"{name} = {typed(expression)}", *(_told(example) for example in examples[-MOST_EXAMPLES:])])
        case Open(name, examples):
            return "; ".join([f"{name}: {OPEN}", *(_told(example) for example in examples[-MOST_EXAMPLES:])])
        case Rule():
            return write_rule(knowledge)
        case Fact():
            return write_fact(knowledge)
        case Label():
            return write_label(knowledge)
        case Shape() | ValueForm():
            return write_shape(knowledge) if isinstance(knowledge, Shape) else write_form(knowledge)


def example_value(value: Fraction, symbol: str) -> str:
    """A value as an example has it: without currency and unit, which the formula's names do not need."""
    if symbol == DATE_SYMBOL and (day := date_of(value)):
        return day.isoformat()
    return f"{plain(value * 100)} %" if symbol == "%" else plain(value)


def example_result(amount: Amount) -> str:
    """A right answer as an example has it: as it was written, and in percent where percent were asked for."""
    text = " ".join(amount.text.split())
    written = amount_of(text)
    return f"{text} %" if amount.symbol == "%" and (written is None or written.symbol != "%") else text


def _open(content: str) -> Open | None:
    said, *notes = content.strip().rstrip(".").split(";")
    name, colon, rest = said.partition(": ")
    if not colon or rest.strip() not in (OPEN, _OPEN_BEFORE) or not words_of(name):
        return None
    return Open(" ".join(name.split()), tuple(example for note in notes if (example := _example(note.strip()))))


def _formula(content: str) -> Formula | None:
    said, *notes = content.strip().rstrip(".").split(";")
    name, equals, calculation = said.partition("=")
    words = words_of(name)
    if any(note.strip().lower().startswith(UNVERIFIED) for note in notes):
        return None
    if not equals or not words or len(words) > 8 or _JOINTS.sub("", name).isalpha() is False:  # noqa: PLR2004
        return None
    try:
        expression = parse(calculation.split(" e.g. ")[0].translate(_SIGNS))
    except ValueError:
        return None
    if isinstance(expression, Number) or (isinstance(expression, Name) and key_of(expression.words) == key_of(name)):
        return None
    examples = tuple(example for note in notes if (example := _example(note.strip())))
    return Formula(" ".join(name.split()), expression, examples)


def _told(example: Example) -> str:
    *most, last = [f"{name} {value}".strip() for name, value in example.values]
    return f"e.g. {', '.join(most)}{' and ' if most else ''}{last} give{'' if most else 's'} {example.result}"


def _example(note: str) -> Example | None:
    found = _EXAMPLE.match(note)
    if found is None:
        return None
    words = note[found.end() :].rstrip(".").split()
    at = next((place for place in reversed(range(1, len(words))) if words[place].lower() in _GIVES), None)
    if at is None:
        return None
    given, result = " ".join(words[:at]), " ".join(words[at + 1 :])
    values: list[tuple[str, str]] = []
    begin = 0
    for amount in amounts_in(given):
        name = given[begin : amount.start].strip(" ,").removeprefix("and ").strip(" ,=")
        values.append((name, amount.text))
        begin = amount.end
    return Example(tuple(values), result) if values and len(amounts_in(result)) == 1 else None
