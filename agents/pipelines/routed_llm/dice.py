"""Dice: what a message wants rolled, and how likely a total is."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import accumulate

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.negation import affirmed
from agents.models.simulated.language.numbers import numbers_in
from agents.models.simulated.language.words import any_of, words_beside, words_of

_SPOKEN = words_of("en")["numbers"]
_NUMBERS: dict[str, int] = (
    {word: number for number, word in enumerate(_SPOKEN["ones"].split())}
    | {word: 20 + 10 * place for place, word in enumerate(_SPOKEN["tens"].split())}
    | _SPOKEN["phrases"]
    | {"a": 1, "an": 1}
)
_COUNT = "|".join([r"\d{1,6}", *sorted(_NUMBERS, key=len, reverse=True)])
_SHORT = re.compile(r"(?<![\w.])(?P<dice>\d{1,6})?[dw](?P<sides>\d{1,6})\b", re.IGNORECASE | re.ASCII)
_SIDED = r"(?P<sides>\d{1,6}|six|eight|ten|twelve|twenty)"
_BONUS = re.compile(r"(?<![\w.])\d{0,6}[dw]\d{1,6}\s?([+*×−-]\s?\d{1,6}(?:[dw]\d{1,6})?)", re.IGNORECASE | re.ASCII)
_LONG = re.compile(
    rf"(?:(?<![\w.])(?P<dice>{_COUNT})\s++(?:\w++\s++)?)?"
    rf"(?:\b{_SIDED}[- ]sided\s++(?:dice|die)\b"
    r"|\b(?:dice|(?P<one>die))\b(?:\s++(?:with|of)\s++(?P<with>\d{1,6})\s++sides)?)",
    re.IGNORECASE,
)
_SIDES = {"six": 6, "eight": 8, "ten": 10, "twelve": 12, "twenty": 20}
USUAL_SIDES = 6
_MOST = 999_999
_WORDS: dict[str, list[str]] = words_beside(__file__)
_CJK_DICE = re.compile(any_of(_WORDS["dice"]))


def bonus_in(message: str) -> str:
    """What a message wants added to a roll, as in "2d20+3"; "" for nothing."""
    found = _BONUS.search(plain(message))
    return found[1] if found else ""


def read_roll(message: str) -> tuple[int, int] | None:
    """How many dice of how many sides a message wants rolled, as in "3d6" or "two ten-sided dice"; None if it names none."""
    message = plain(message)
    if found := _SHORT.search(message):
        return int(found["dice"] or 1), int(found["sides"])
    if _CJK_DICE.search(message):
        return _cjk_roll(affirmed(message))
    said_so = (found for found in _LONG.finditer(message) if found["dice"] or not found["one"])  # "die" is German too
    if (found := next(said_so, None)) is None:
        return None
    said = (found["dice"] or "one").lower()
    dice = int(_NUMBERS[said]) if said in _NUMBERS else int(said)
    sides = (found["sides"] or found["with"] or str(USUAL_SIDES)).lower()
    return dice, _SIDES[sides] if sides in _SIDES else int(sides)


def _cjk_roll(message: str) -> tuple[int, int] | None:
    """The same for Japanese and Chinese: 六面サイコロを3個, 擲兩顆十面骰子."""
    if not _CJK_DICE.search(message):
        return None
    numbers = [number for number in numbers_in(message) if number.value % 1 == 0 and abs(number.value) <= _MOST]
    sides = next((int(number.value) for number in numbers if number.counter in _WORDS["sides"]), USUAL_SIDES)
    dice = next((int(number.value) for number in numbers if number.counter not in _WORDS["sides"]), 1)
    return dice, sides


def chance_of_at_least(total: int, *, dice: int, sides: int) -> Fraction:
    """How likely so many dice come to `total` or more."""
    ways = [1]  # of each total, from the number of dice on
    for _ in range(dice):
        up_to = list(accumulate([*ways, *[0] * (sides - 1)], initial=0))  # of all totals below: one die adds `sides` of them
        ways = [ways_up_to - up_to[max(0, place - sides)] for place, ways_up_to in enumerate(up_to)][1:]
    return Fraction(sum(ways[max(0, total - dice) :]), sides**dice)
