"""Sums in a question: "What is 3 * 4 + 2?", 「２＋３は？」. What operators say is arithmetic, and nothing to be learned."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from agents.models.simulated.language.characters import plain
from agents.pipelines.ace.data_file import read_data
from agents.pipelines.ace.simulation.expressions.amounts import amounts_in
from agents.pipelines.ace.simulation.expressions.expression import (
    Expression,
    Name,
    Negative,
    Number,
    names_in,
    work_out,
    write,
)
from agents.pipelines.ace.simulation.expressions.parser import NUMBER, parse
from agents.pipelines.ace.simulation.expressions.units import CURRENCIES, DATE_SYMBOL
from agents.pipelines.ace.simulation.reading.counts import counted_sum

LONGEST = 300
"""Characters of a question that may be a sum."""

_DATA = read_data(__file__, "sums.toml")
_BEFORE, _AFTER, _SIGNS = (sorted(_DATA[key], key=len, reverse=True) for key in ("before", "after", "signs"))
_ENDS = " \t\r\n?!=.。:,、，"
_OPERATED = re.compile(r"\d ?%? ?(?:[+*×÷^·=√]|[-−/–] )|[+*×÷^·=√] ?\(?\d|\d \d* ?[-−/] ?\d")
_WHOLE_NUMBER = re.compile(NUMBER)


class Sum(NamedTuple):
    """An expression of numbers that a question consists of, with the currency that its numbers are written in."""

    expression: Expression
    symbol: str = ""

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return write(self.expression)

    def value(self) -> Decimal:
        """What it comes to.

        Raises:
            ArithmeticError: It has no value; the message says why.
        """
        return work_out(self.expression, {})


def sum_in(question: str) -> Sum | None:
    """The sum that a question asks for; None if it says anything else besides."""
    if len(question) > LONGEST:
        return None
    if counted := counted_sum(plain(question)):
        return Sum(counted)
    text = _spelled_out(_bare(" ".join(plain(question).casefold().split())))
    if not any(sign.isdigit() for sign in text) or any(one.symbol == DATE_SYMBOL for one in amounts_in(question)):
        return None
    try:
        expression = parse(text)
    except ValueError:
        return None
    inner = expression.of if isinstance(expression, Negative) else expression
    if names_in(expression) or isinstance(inner, Number | Name):
        return None
    currencies = {sign for sign in text if sign in CURRENCIES}
    return Sum(expression, currencies.pop() if len(currencies) == 1 else "")


def has_operators(question: str) -> bool:
    """Whether numbers in a question stand beside operators, so that it says itself what is to be done with them."""
    text = " ".join(plain(question[: LONGEST * 10]).casefold().split())
    if _OPERATED.search(text):
        return True
    words = text.split(" ")
    spoken = zip(words, words[1:], words[2:], strict=False)
    return any(sign in _DATA["signs"] and _is_number(left) and _is_number(right) for left, sign, right in spoken)


def _is_number(word: str) -> bool:
    return word in _DATA["numbers"] or _WHOLE_NUMBER.fullmatch(word.strip(_ENDS)) is not None


def _bare(text: str) -> str:
    """A question without the words that only ask."""
    before = ""
    while text != before:
        before = text
        text = text.strip(_ENDS)
        text = text.removeprefix(next((words for words in _BEFORE if text.startswith(words)), "")).strip(_ENDS)
        text = text.removesuffix(next((words for words in _AFTER if text.endswith(words)), ""))
    return text


def _spelled_out(text: str) -> str:
    """A sum with signs and digits in place of words."""
    for words in _SIGNS:
        text = text.replace(words, f" {_DATA['signs'][words]} ")
    for place, sign in (("before", " √ "), ("after", " ²√ ")):
        for root in _DATA["roots"][place]:
            text = text.replace(root, sign)
    return _with_roots([str(_DATA["numbers"].get(word, word)) for word in text.split()])


def _with_roots(words: list[str]) -> str:
    """`√ 16` and `16 ²√` as `16 ^ 0.5`."""
    found: list[str] = []
    waiting = False
    for word in words:
        if word == "√":
            waiting = True
        elif word == "²√":
            found.append("^0.5")
        else:
            found.append(f"{word}^0.5" if waiting else word)
            waiting = False
    return " ".join(found)
