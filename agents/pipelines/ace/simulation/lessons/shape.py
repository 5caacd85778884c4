"""Shapes: what two examples teach whose answers repeat parts of their questions. A question that fits is answered likewise.

    “The {n} rows of {t}” → “{t}: 1–{n}”; e.g. “5”, “orders”; “12”, “customers”.
    “Our way to write {d}” → “{d: DD.MM.YYYY}”; e.g. “14 March 2025”; “2 May 2024”.

The examples are the evidence: they tell which values a slot takes, and a later example is tried together with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from agents.models.simulated.language.detect import answer_language
from agents.pipelines.ace.simulation.expressions.notations import is_notation_of_date, is_notation_of_number
from agents.pipelines.ace.simulation.expressions.slots import Token, is_alike, is_date, tokens_of
from agents.pipelines.ace.simulation.lessons.similarity import meaning_of
from agents.pipelines.ace.simulation.lessons.transforms import counts_digits, localised, named, transformed

MOST_EXAMPLES = 5
MOST_SLOTS = 5
_MOST_WORDS = 8
_ARROW = re.compile("” ?(?:→|->) ?“")
_EXAMPLES = "”; e.g. "
_SLOT = re.compile(r"\{([^\W\d_]\w{0,20})(?:: ?([^{}]{1,60}))?\}")
_VALUE = re.compile(r"“([^“”]*)”")


class Slot(NamedTuple):
    """A part of a question, by name, or of an answer, with the transform that makes it."""

    name: str
    transform: str = ""


Part = str | Slot
Values = tuple[str, ...]


class Shape(NamedTuple):
    """A shape of questions and of their answers.

    Attributes:
        asked: The question: text and slots, each slot once.
        answer: The answer: text and slots.
        examples: The values of the slots, in the question's order, in questions that it was right for.
    """

    asked: tuple[Part, ...]
    answer: tuple[Part, ...]
    examples: tuple[Values, ...] = ()

    @property
    def slots(self) -> list[str]:
        """The names of the slots, in the question's order."""
        return [part.name for part in self.asked if isinstance(part, Slot)]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The examples as questions and answers."""
        return [(_filled(self.asked, self, values) or "", self.answered(values) or "") for values in self.examples]

    @property
    def is_words(self) -> bool:
        """Whether its questions are words without any text around them, as a name is."""
        if any(isinstance(part, str) and any(map(str.isalpha, part)) for part in self.asked):
            return False
        values = [value for values in self.examples for value in values]
        return all(any(map(str.isalpha, value)) and "@" not in value for value in values)

    def answered(self, values: Values) -> str | None:
        """The answer for values of the slots; None if a transform makes nothing of one."""
        return _filled(self.answer, self, values)

    def values_in(self, question: str) -> Values | None:
        """The values of the slots in a question that fits whole; None if it does not, or in more than one way."""
        readings: list[Values] = []
        text = plain_question(question)
        if self.is_words and not all(meaning_of(word).words for word in text.split()):
            return None
        _read(self, text, tokens_of(text), _pattern_of(self.asked), (), readings)
        return readings[0] if len(readings) == 1 else None

    def takes(self, place: int, value: str) -> bool:
        """Whether a slot takes a value: it is of the same kind as those of the examples."""
        name, seen = self.slots[place], [values[place] for values in self.examples]
        used = [part.transform for part in self.answer if isinstance(part, Slot) and part.name == name]
        if used and all(map(is_notation_of_date, used)):
            return is_date(value)
        drops = bool(used) and all(is_notation_of_number(one) or "digits" in one for one in used)
        return is_alike(value, seen, drops_letters=drops, counts_digits=any(map(counts_digits, used)))


def answer_by(shape: Shape, question: str) -> str | None:
    """The answer to a question; None if it does not fit whole."""
    values = shape.values_in(question)
    return shape.answered(values) if values is not None else None


@lru_cache(maxsize=1024)
def read_shape(text: str) -> Shape | None:
    """The shape in a bullet's text; None if it is none."""
    said, _, rows = text.strip().removesuffix(".").removesuffix("”").partition(_EXAMPLES)
    question, *answers = _ARROW.split(said)
    if not question.startswith("“") or len(answers) != 1:
        return None
    asked, answer = _parts(question[1:]), _parts(answers[0])
    slots = [part.name for part in asked if isinstance(part, Slot)]
    used = {part.name for part in answer if isinstance(part, Slot)}
    if not 0 < len(slots) <= MOST_SLOTS or len(set(slots)) < len(slots) or not used or not used <= set(slots):
        return None
    values = _VALUE.findall(f"{rows}”")
    rows_of_values = zip(*[iter(values)] * len(slots), strict=False)
    return Shape(asked, answer, tuple(rows_of_values))


def write_shape(shape: Shape) -> str:
    """A shape as a bullet's text; what is done with a slot is said in the question's language."""
    language = answer_language("".join(part for part in shape.asked if isinstance(part, str)))

    def written(parts: Sequence[Part]) -> str:
        return "".join(part if isinstance(part, str) else f"{{{': '.join(said(part))}}}" for part in parts)

    def said(slot: Slot) -> list[str]:
        return [slot.name, localised(slot.transform, language)] if slot.transform else [slot.name]

    rows = "; ".join(", ".join(f"“{value}”" for value in values) for values in shape.examples)
    return f"“{written(shape.asked)}” → “{written(shape.answer)}”{rows and '; e.g. '}{rows}."


def plain_question(question: str) -> str:
    """A question on one line, without the signs at its end."""
    return " ".join(question.split()).strip(" .?!。？！")


def _parts(text: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    at = 0
    for found in _SLOT.finditer(text):
        parts += [*([text[at : found.start()]] if at < found.start() else []), Slot(found[1], named(found[2] or ""))]
        at = found.end()
    return (*parts, text[at:]) if at < len(text) else tuple(parts)


def _filled(parts: Sequence[Part], shape: Shape, values: Values) -> str | None:
    given = dict(zip(shape.slots, values, strict=True))
    made = [part if isinstance(part, str) else transformed(given[part.name], part.transform) for part in parts]
    return None if None in made else "".join(filter(None, made))


Pattern = tuple[tuple[str, ...] | None, ...]


@lru_cache(maxsize=1024)
def _pattern_of(parts: tuple[Part, ...]) -> Pattern:
    """The parts of a question as they are compared: the keys of the tokens of a text, None for a slot."""
    *most, last = parts
    whole = [*most, plain_question(last) if isinstance(last, str) else last]
    return tuple(tuple(token.key for token in tokens_of(part)) if isinstance(part, str) else None for part in whole)


def _read(shape: Shape, text: str, tokens: Sequence[Token], pattern: Pattern, values: Values, found: list[Values]) -> None:
    """Adds the ways in which the tokens of a text are read by a pattern, two at most."""
    if not pattern:
        found += [values] if not tokens else []
        return
    literal, rest = pattern[0], pattern[1:]
    if literal is not None:
        if tuple(token.key for token in tokens[: len(literal)]) == literal:
            _read(shape, text, tokens[len(literal) :], rest, values, found)
        return
    for end in range(1 if rest else len(tokens), len(tokens) + 1):
        value = text[tokens[0].begin : tokens[end - 1].end] if tokens else ""
        if not value or len(found) > 1 or len(value.split()) > _MOST_WORDS:
            return
        if shape.takes(len(values), value):
            _read(shape, text, tokens[end:], rest, (*values, value), found)
