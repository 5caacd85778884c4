"""Sums in a question: "What is 3 * 4 + 2?", 「２＋３は？」. What operators say is arithmetic, and nothing to be learned."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

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
from agents.pipelines.language.characters import plain

LONGEST = 300
"""Characters of a question that may be a sum."""

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
    text = _spelled_out(_bare(" ".join(plain(question).casefold().split())))
    if not any(sign.isdigit() for sign in text):
        return None
    currencies = {sign for sign in text if sign in CURRENCIES}
    try:
        expression = parse(text)
    except ValueError:
        return None
    inner = expression.of if isinstance(expression, Negative) else expression
    if (
        names_in(expression)
        or isinstance(inner, Number | Name)
        or any(one.symbol == DATE_SYMBOL for one in amounts_in(question))
    ):
        return None
    return Sum(expression, currencies.pop() if len(currencies) == 1 else "")


def has_operators(question: str) -> bool:
    """Whether numbers in a question stand beside operators, so that it says itself what is to be done with them."""
    text = " ".join(plain(question[: LONGEST * 10]).casefold().split())
    if _OPERATED.search(text):
        return True
    words = text.split(" ")
    spoken = [words[index : index + 3] for index in range(len(words))]
    signs = {sign for sign in _data()["signs"] if " " not in sign}
    return any(len(three) == 3 and three[1] in signs and _is_number(three[0]) and _is_number(three[2]) for three in spoken)  # noqa: PLR2004


def _is_number(word: str) -> bool:
    return word in _data()["numbers"] or _WHOLE_NUMBER.fullmatch(word.strip(_ENDS)) is not None


def _bare(text: str) -> str:
    """A question without the words that only ask."""
    before, after = (sorted(_data()[key], key=len, reverse=True) for key in ("before", "after"))
    changed = True
    while changed:
        text = text.strip(_ENDS)
        start = next((words for words in before if text.startswith(words)), "")
        text = text.removeprefix(start).strip(_ENDS)
        end = next((words for words in after if text.endswith(words)), "")
        text = text.removesuffix(end)
        changed = bool(start or end)
    return text.strip(_ENDS)


def _spelled_out(text: str) -> str:
    """A sum with signs and digits in place of words."""
    data = _data()
    for words in sorted(data["signs"], key=len, reverse=True):
        text = text.replace(words, f" {data['signs'][words]} ")
    for root in data["roots"]["before"]:
        text = text.replace(root, " √ ")
    for root in data["roots"]["after"]:
        text = text.replace(root, " ²√ ")
    words = [str(data["numbers"].get(word, word)) for word in text.split()]
    return _with_roots(words)


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


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "sums.toml").read_text(encoding="utf-8"))
