"""Sums in a text: finds them, and splits them into steps of two numbers each.

Reads digits and small English numbers, the four operators as signs or words, brackets, and "20 % of"; full-width digits,
Japanese and Chinese numerals, and operators as words of these languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.numbers import NUMERALS, value_of
from agents.models.simulated.language.words import any_of, words_beside

MOST_TOKENS = 200
DEEPEST = 20
LARGEST = Decimal(10) ** 15
SHOWN_DIGITS = 12
MOST_NUMERALS = 12
"""Characters of a number that is written in numerals."""

_SPOKEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_NUMBERS = {word: Decimal(number) for number, word in enumerate(_SPOKEN.split())}
_WORDS = {"plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/"}
_STEPS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": Decimal.__add__,
    "-": Decimal.__sub__,
    "*": Decimal.__mul__,
    "/": Decimal.__truediv__,
}
_SIGNS = {"+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "·": "*", "x": "*", "/": "/", "÷": "/"}
_CJK_SIGNS, _BEHIND = (
    {word: sign for sign, words in words_beside(__file__, "signs.toml")[place].items() for word in words}
    for place in ("between", "behind")
)
_CJK_NUMBER = re.compile(f"[{NUMERALS}]+")
_CJK_SIGN = re.compile(rf"(?<=[\d ()])(?:{any_of(_CJK_SIGNS)})")
_SIGN_BEHIND = re.compile(
    r"(?<![\d.])(\d[\d.]{0,15}+)\s?(?:を|に|から|と|和|跟|与|與)\s?(\d[\d.]{0,15}+)\s?(?:[をでに]\s?)?"
    rf"({any_of(_BEHIND)})"
)
_SIGN_LEFT = re.compile(rf"\d\s?[をでに]\s?(?:{any_of(_BEHIND)})")
_OTHER_CJK = re.compile("[\u3001-\u30ff\u3400-\u9fff]")
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])\d{1,15}(?:[.,]\d{1,9})?(?![\w]|[.,]\d))"
    r"|(?P<part>(?:%|\bpercent\b)\s++of\b)"
    r"|(?P<sign>[+*×·÷]|(?<![^\W\d_])[-−–/x](?=[\s\d(]))"
    r"|(?P<bracket>[()])"
    rf"|(?P<word>\b(?:{'|'.join([*_WORDS, *_NUMBERS])})\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sum:
    """Two numbers, or sums, and what to do with them: one of + - * /."""

    sign: str
    left: Decimal | Sum
    right: Decimal | Sum

    def __str__(self) -> str:
        """As people write it, with brackets where they are needed."""
        left = f"({self.left})" if isinstance(self.left, Sum) and self._binds_more_than(self.left) else shown(self.left)
        tight = isinstance(self.right, Sum) and (self._binds_more_than(self.right) or self.sign in "-/")
        right = f"({self.right})" if tight else shown(self.right)
        return f"{left} {step_sign(self.sign)} {right}"

    def _binds_more_than(self, other: Sum) -> bool:
        return self.sign in "*/" and other.sign in "+-"

    def steps(self) -> Iterator[Sum]:
        """All steps in it, each after those that it needs."""
        for side in (self.left, self.right):
            if isinstance(side, Sum):
                yield from side.steps()
        yield self


def read_sums(text: str) -> list[Sum]:
    """The sums in a text, in its order; two numbers without a sign between them belong to two sums."""
    reader = _Reader(list(_tokens(text)))
    sums: list[Sum] = []
    while reader.tokens:
        found = reader.sum()
        if isinstance(found, Sum):
            sums.append(found)
        elif found is None and reader.tokens:
            reader.tokens.pop(0)
    return sums


def steps_in(text: str) -> int:
    """How many steps of arithmetic a text asks for."""
    return sum(len(list(found.steps())) for found in read_sums(text))


def work_out(left: Decimal, sign: str, right: Decimal) -> Decimal:
    """One step.

    Raises:
        ArithmeticError: It divides by zero, or its result is larger than can be shown.
    """
    if sign == "/" and not right:
        raise ArithmeticError(f"{shown(left)} cannot be divided by 0.")
    with localcontext(prec=30):
        result = _STEPS[sign](left, right)
    if abs(result) > LARGEST:
        raise ArithmeticError(f"{shown(left)} {step_sign(sign)} {shown(right)} is more than {LARGEST:,}.")
    return result


def shown(value: Decimal | Sum) -> str:
    """A number as people write it, with at most 12 digits after the point."""
    if isinstance(value, Sum):
        return str(value)
    text = f"{value:.{SHOWN_DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def step_sign(sign: str) -> str:
    """A sign as it is printed."""
    return {"*": "×", "/": "÷", "-": "−"}.get(sign, sign)


def _tokens(text: str) -> Iterator[Decimal | str]:
    count = 0
    for found in _TOKEN.finditer(_in_digits(text)):
        if (count := count + 1) > MOST_TOKENS:
            return
        said = found.group().lower()
        if found["number"]:
            yield Decimal(said.replace(",", "."))
        elif found["part"]:
            yield from ("/", Decimal(100), "*")
        else:
            yield _NUMBERS[said] if said in _NUMBERS else _WORDS.get(said) or _SIGNS.get(said, said)


def _in_digits(text: str) -> str:
    """A text with its sums in ASCII; what is Japanese or Chinese and no part of a sum becomes blanks."""
    if text.isascii():
        return text
    text = _CJK_NUMBER.sub(lambda found: str(value_of(found[0])) if len(found[0]) <= MOST_NUMERALS else " ", plain(text))
    text = _SIGN_BEHIND.sub(lambda found: f" {found[1]} {_BEHIND[found[3]]} {found[2]} ", text)
    if _SIGN_LEFT.search(text):  # 10から3を引いて2を掛ける: a part of it is another sum
        return ""
    return _OTHER_CJK.sub(" ", _CJK_SIGN.sub(lambda found: f" {_CJK_SIGNS[found[0]]} ", text))


class _Reader:
    """Takes tokens from the front as long as they make a sum."""

    def __init__(self, tokens: list[Decimal | str]) -> None:
        self.tokens = tokens
        self._depth = 0

    def sum(self) -> Decimal | Sum | None:
        return self._chain("+-", self._product)

    def _product(self) -> Decimal | Sum | None:
        return self._chain("*/", self._value)

    def _chain(self, signs: str, part: Callable[[], Decimal | Sum | None]) -> Decimal | Sum | None:
        left = part()
        while left is not None and len(self.tokens) > 1 and isinstance(sign := self.tokens[0], str) and sign in signs:
            self.tokens.pop(0)
            if (right := part()) is None:
                break
            left = Sum(sign, left, right)
        return left

    def _value(self) -> Decimal | Sum | None:
        if not self.tokens:
            return None
        first = self.tokens[0]
        if isinstance(first, Decimal):
            self.tokens.pop(0)
            return first
        if first == "-" and len(self.tokens) > 1 and isinstance(second := self.tokens[1], Decimal):
            del self.tokens[:2]
            return -second
        if first != "(" or self._depth >= DEEPEST:
            return None
        self.tokens.pop(0)
        self._depth += 1
        inner = self.sum()
        self._depth -= 1
        if self.tokens and self.tokens[0] == ")":
            self.tokens.pop(0)
        return inner
