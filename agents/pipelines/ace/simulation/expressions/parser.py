"""Reads expressions as people write them, "×" and "divided by" included. Text is never run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from agents.pipelines.ace.simulation.expressions.expression import PI, Expression, Name, Negative, Number, Operation, Percent

MOST_TOKENS = 200
DEEPEST = 20

NUMBER = r"[1-9]\d{0,2}(?:[,'’\u00a0\u202f]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?|\.\d+"
"""A number, as a regular expression."""

_TOKEN = re.compile(
    rf"(?P<number>{NUMBER})|(?P<word>[^\W\d_²³]+(?:[-'’][^\W\d_²³]+)*)"
    r"|(?P<sign>\*\*|[-+−–*×·÷/^()\[\]%²³])|(?P<skipped>[\s€$£¥]+)|(?P<other>.)",
    re.DOTALL,
)
_BETWEEN_DIGITS = dict.fromkeys(map(ord, "'’\u00a0\u202f"))
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})++(?:\.\d+)?")
_SIGNS = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "**": "^", "[": "(", "]": ")"}
_SPOKEN = {"plus": "+", "minus": "-", "times": "*", "x": "*", "divided": "/", "multiplied": "*"}


def number_of(text: str) -> Decimal:
    """The value of digits as people write them: 1,200 is a thousand two hundred, 12,5 and 12.5 are the same."""
    plain = text.translate(_BETWEEN_DIGITS)
    whole = _THOUSANDS.fullmatch(plain)
    return Decimal(plain.replace(",", "" if whole else "."))


def parse(text: str, *, hyphens: bool = True) -> Expression:
    """Reads an expression.

    Args:
        text: E.g. `price * (1 - discount)` or `0.5 × mass × speed²`.
        hyphens: Whether "break-even" is one word; if not, it is a subtraction without blanks.

    Raises:
        ValueError: It is no expression, or too long or too deep; the message says which.
    """
    reader = _Reader(list(_tokens(text, hyphens=hyphens)))
    expression = reader.sum()
    if reader.left:
        raise ValueError(f"It goes on with {reader.left[-1]!r} where it should end.")
    return expression


def _tokens(text: str, *, hyphens: bool) -> Iterator[str | Decimal]:
    count = 0
    for found in _TOKEN.finditer(text):
        if found["skipped"]:
            continue
        if (count := count + 1) > MOST_TOKENS:
            raise ValueError(f"It has more than {MOST_TOKENS} words, numbers and signs.")
        if found["other"]:
            raise ValueError(f"{found['other']!r} is no part of an expression.")
        if found["number"]:
            yield number_of(found["number"])
        elif found["sign"]:
            yield _SIGNS.get(found["sign"], found["sign"])
        elif hyphens:
            yield found["word"]
        else:
            first, *rest = found["word"].split("-")
            yield first
            for word in rest:
                yield from ("-", word)


class _Reader:
    """Takes tokens from the front; `left` holds those that are left, the next one last."""

    def __init__(self, tokens: list[str | Decimal]) -> None:
        self.left = tokens[::-1]
        self._depth = 0

    def sum(self) -> Expression:
        expression = self._product()
        while (sign := self._sign()) in ("+", "-"):
            self._pop_sign()
            expression = Operation(sign, expression, self._product())
        return expression

    def _product(self) -> Expression:
        expression = self._signed()
        while True:
            sign = self._sign()
            if sign in ("*", "/"):
                self._pop_sign()
                expression = Operation(sign, expression, self._signed())
            elif isinstance(expression, Percent) and self.left[-1:] == ["of"]:
                self.left.pop()
                expression = Operation("*", expression, self._signed())  # 20 % of the price
            elif isinstance(expression, Number) and self.left and (sign == "(" or self._at_word()):
                expression = Operation("*", expression, self._signed())  # 2 (a + b), 0.5 mass
            else:
                return expression

    def _signed(self) -> Expression:
        if self._sign() != "-":
            return self._power()
        self.left.pop()
        with_sign = self._deeper(self._signed)
        return Negative(with_sign)

    def _power(self) -> Expression:
        expression = self._atom()
        while self._sign() in ("%", "²", "³"):
            sign = self.left.pop()
            raised = Number(Decimal(2 if sign == "²" else 3))
            expression = Percent(expression) if sign == "%" else Operation("^", expression, raised)
        if self._sign() == "^":
            self.left.pop()
            return Operation("^", expression, self._deeper(self._signed))
        return expression

    def _atom(self) -> Expression:
        if not self.left:
            raise ValueError("It ends where a name or a number should follow.")
        first = self.left.pop()
        if isinstance(first, Decimal):
            self._join_percent()
            return Number(first)
        if first == "(":
            inner = self._deeper(self.sum)
            if self._sign() != ")":
                raise ValueError("A bracket is not closed.")
            self.left.pop()
            return inner
        if not first[0].isalpha():
            raise ValueError(f"{first!r} stands where a name or a number should.")
        words = [first]
        while self._at_word():
            words.append(str(self.left.pop()))
        return Name(PI if words == ["π"] else " ".join(words))

    def _deeper(self, read: Callable[[], Expression]) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ValueError(f"It has more than {DEEPEST} brackets in each other.")
        expression = read()
        self._depth -= 1
        return expression

    def _join_percent(self) -> None:
        """Lets "5 percent" and "5 per cent" be 5 %."""
        said = [str(token).lower() for token in self.left[-2:]][::-1]
        if said[:1] == ["percent"]:
            self.left[-1] = "%"
        elif said == ["per", "cent"]:
            self.left[-2:] = ["%"]

    def _sign(self) -> str:
        """The sign that comes next, "" where a name or a number does; a sign may be spoken, as "divided by" is."""
        if not self.left or isinstance(self.left[-1], Decimal):
            return ""
        token = self.left[-1]
        return _SPOKEN.get(token.lower(), "") if token[0].isalpha() else token

    def _pop_sign(self) -> None:
        spoken = str(self.left.pop()).lower()
        if spoken in ("divided", "multiplied") and self.left and str(self.left[-1]).lower() == "by":
            self.left.pop()

    def _at_word(self) -> bool:
        return bool(self.left) and str(self.left[-1])[0].isalpha() and not self._sign()
