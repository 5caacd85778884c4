"""Sums of counted things in Japanese and Chinese: 7個のりんごと5個のみかん、合わせていくつ, 三个苹果加五个梨一共多少个."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise

from agents.models.simulated.language import numbers
from agents.models.simulated.language.words import listed, words_beside
from agents.models.simulated.reading.expression import Expression, Number, Operation

_WORDS = {kind: words for kind, words in words_beside(__file__, "sums.toml")["counted"].items() if kind != "pieces"}
_PIECES = frozenset(words_beside(__file__, "sums.toml")["counted"]["pieces"].split())
_KNOWN = sorted((word for kind in _WORDS if kind not in ("never", "gained") for word in _WORDS[kind]), key=len, reverse=True)
_UNITS = sorted(listed("numbers", "units"), key=len, reverse=True)
_MOST_NUMBERS = 6
_LONGEST_NAME = 12


def counted_sum(text: str) -> Expression | None:
    """What a question on counted things asks to be added or taken away; None if it says anything else.

    Args:
        text: The question, its digits in their plain form.
    """
    text = "".join(text.split())
    found = numbers.numbers_in(text)
    if not 1 < len(found) <= _MOST_NUMBERS or not _count_the_same(text, found):
        return None
    edges = [0, *(edge for number in found for edge in (number.begin, number.end)), len(text)]
    gaps = [text[begin:end] for begin, end in zip(edges[::2], edges[1::2], strict=True)]
    if not _has(gaps[-1], "asks") or not all(_is_understood(gap) for gap in gaps):
        return None
    if _has(gaps[-1], "total") and all(_has(gap, "joints") for gap in gaps[1:-1]) and not _has(text, "taken", "left"):
        return _chain("+", found)
    around = [before + after for before, after in pairwise(gaps[1:])]
    if _has(gaps[-1], "left") and all(_has(gap, "taken") for gap in around) and not _has(text, "gained"):
        return _chain("-", found)
    return None


def _count_the_same(text: str, found: Sequence[numbers.Number]) -> bool:
    """Whether numbers are whole and counted in one unit: apples and pears are added, kilograms and pieces are not."""
    counted_in: set[str] = set()
    for number in found:
        unit = number.counter or next((unit for unit in _UNITS if text.startswith(unit, number.end)), "")
        counted_in.add("" if unit in _PIECES else unit)
    is_counted = any(number.counter for number in found) or counted_in != {""}
    return is_counted and len(counted_in) == 1 and all(0 <= one.value < numbers.HUGE and one.value % 1 == 0 for one in found)


def _is_understood(gap: str) -> bool:
    """Whether nothing stands there but known words and the names of things."""
    for word in _KNOWN:
        gap = gap.replace(word, "")
    return len(gap) <= _LONGEST_NAME and (gap.isalpha() or not gap) and not _has(gap, "never")


def _has(text: str, *kinds: str) -> bool:
    return any(word in text for kind in kinds for word in _WORDS[kind])


def _chain(sign: str, found: Sequence[numbers.Number]) -> Expression:
    expressions: list[Expression] = [Number(Fraction(int(number.value))) for number in found]
    return reduce(partial(Operation, sign), expressions)
