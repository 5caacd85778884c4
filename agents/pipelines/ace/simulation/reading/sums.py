"""Sums in a question: "What is 3 * 4 + 2?", 「２＋３は？」. What operators say is arithmetic, and nothing to be learned."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.expression import Expression, typed, value_of
from agents.models.simulated.reading.forms import Forms
from agents.pipelines.ace.simulation.expressions.units import CURRENCIES

LONGEST = 300
"""Characters of a question that may be a sum."""

_FORMS = Forms(words_beside(__file__, "sums.toml"))
_OPERATED = re.compile(
    r"\d ?%? ?(?:[+*×÷^·=√]|[-−/–] )|[+*×÷^·=√] ?\(?\d|\d \d* ?[-−/] ?\d|\d (?:plus|minus|times|mal|durch|squared|cubed)\b",
    re.IGNORECASE,
)


class Sum(NamedTuple):
    """An expression of numbers that a question consists of, with the currency that its numbers are written in."""

    expression: Expression
    symbol: str = ""

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return typed(self.expression)

    def value(self) -> Fraction:
        """What it comes to.

        Raises:
            ArithmeticError: It has no value; the message says why.
        """
        return value_of(self.expression)


def sum_in(question: str) -> Sum | None:
    """The sum that a question asks for; None if it says anything else besides."""
    if len(question) > LONGEST:
        return None
    text = plain(question)
    currencies = [sign for sign in CURRENCIES if sign in text]
    reading = _FORMS.read(text.replace(currencies[0], "") if len(currencies) == 1 else text)
    return Sum(reading.get("sum"), "".join(currencies)) if reading else None


def has_operators(question: str) -> bool:
    """Whether numbers in a question stand beside operators, so that it says itself what is to be done with them."""
    return _OPERATED.search(" ".join(plain(question[: LONGEST * 10]).split())) is not None
