"""The one reader of numbers: digits with separators, English number words, Japanese and Chinese numerals."""

from __future__ import annotations

import re
from itertools import pairwise

from agents.models.simulated.language.numbers import NUMERALS, value_of
from agents.models.simulated.language.words import words_of
from agents.models.simulated.reading.tokens import Token

MOST_DIGITS = 15
_UNITS = "十百千万億亿"
_GROUPED = re.compile(
    r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:'\d{3})+(?:[.,]\d+)?"
)
_SEPARATORS = str.maketrans(dict.fromkeys(".,'"))
_DECIMAL = re.compile(r"\d+(?:[.,]\d+)?")
_FIRST_GROUPS, _NEXT_GROUP = re.compile(r"[1-9]\d{0,2}(?:\d{3}){0,3}"), re.compile(r"\d{3}(?:[.,]\d{1,2})?")
_ONE = "[一二三四五六七八九两壱弐参]"
_SECTION = f"(?:{_ONE}?千)?零?(?:{_ONE}?百)?零?(?:{_ONE}?十)?零?{_ONE}?"
_NUMERALS = re.compile(f"(?:{_SECTION}[億亿])?(?:{_SECTION}万)?{_SECTION}|[〇零一二三四五六七八九]+")
_NAMES = frozenset(("张三", "李四", "王五", "赵六"))
"""Names that end with a numeral."""
_EITHER = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""Thousands in one country, thousandths in another."""
_ONES = {word: value for value, word in enumerate(words_of("en")["numbers"]["ones"].split())}
_TENS = {word: 20 + 10 * place for place, word in enumerate(words_of("en")["numbers"]["tens"].split())}
_LARGE = {"thousand": 1_000, "million": 1_000_000}
_AFTER_A = ("hundred", "thousand", "million", "dozen")
_TEN, _HUNDRED, _THOUSAND = 10, 100, 1000
_MOST_WORDS = 12


def number_at(tokens: list[Token], at: int) -> tuple[int, float] | None:
    """The number that begins with a token: the token after it, and what it comes to; None if there is none."""
    if at >= len(tokens):
        return None
    if tokens[at].key[0].isdigit():
        return _in_digits(tokens, at)
    if tokens[at].key in NUMERALS:
        return _in_numerals(tokens, at)
    return _in_words(tokens, at)


def of_digits(written: str) -> float | None:
    """What digits with separators come to; None for what is no number, or two: "1.200" is 1200 or 1.2."""
    if sum(letter.isdigit() for letter in written) > MOST_DIGITS or _EITHER.fullmatch(written):
        return None
    if _GROUPED.fullmatch(written):
        last = max(written.rfind("."), written.rfind(","))
        is_decimal = last >= 0 and written.count(written[last]) == 1 and (len({*written} & {*".,'"}) > 1)
        whole, decimals = (written[:last], written[last + 1 :]) if is_decimal else (written, "0")
        return _whole(float(f"{whole.translate(_SEPARATORS)}.{decimals}"))
    return _whole(float(written.replace(",", "."))) if _DECIMAL.fullmatch(written) else None


def _in_numerals(tokens: list[Token], at: int) -> tuple[int, float] | None:
    """A whole run of numerals, which may follow a name that ends with one: 张三八十 is 80, 张三十 is no number."""
    if (tokens[at - 1].key if at else "") + tokens[at].key in _NAMES:
        return None
    if at and tokens[at - 1].key in NUMERALS:
        is_named = at > 1 and tokens[at - 2].key + tokens[at - 1].key in _NAMES
        if not is_named or tokens[at].key in _UNITS:
            return None
    end = at
    while end < len(tokens) and tokens[end].key in NUMERALS:
        end += 1
    written = "".join(token.key for token in tokens[at:end])
    return (end, value_of(written)) if len(written) <= MOST_DIGITS and _NUMERALS.fullmatch(written) else None


def _in_digits(tokens: list[Token], at: int) -> tuple[int, float] | None:
    end, written = at + 1, tokens[at].key
    while _continues(tokens, end, written):
        end, written = end + 1, written + tokens[end].key
    if (value := of_digits(written)) is None:
        return None
    after = tokens[end] if end < len(tokens) else None
    if after and after.key == "k" and after.begin == tokens[end - 1].end:
        return end + 1, _whole(value * _THOUSAND)
    if after and after.key in _UNITS and after.begin == tokens[end - 1].end:
        while end < len(tokens) and (tokens[end].key in _UNITS or tokens[end].key.isdigit()):
            written, end = written + tokens[end].key, end + 1
        return (end, value_of(written)) if len(written) <= MOST_DIGITS else None
    return end, value


def _continues(tokens: list[Token], at: int, written: str) -> bool:
    """Whether a token is the next three digits of a number with blanks in it: 1 200.50."""
    return (
        at < len(tokens)
        and tokens[at].begin == tokens[at - 1].end + 1
        and _FIRST_GROUPS.fullmatch(written) is not None
        and _NEXT_GROUP.fullmatch(tokens[at].key) is not None
    )


def _in_words(tokens: list[Token], at: int) -> tuple[int, float] | None:
    """English number words: twenty-five, two hundred and fifty, a dozen."""
    words = [token.key for token in tokens[at : at + _MOST_WORDS]]
    total, part, last, count = 0, None, "", 0
    for word, after in pairwise([*words, ""]):
        if word == "a" and not last and after in _AFTER_A:
            part = 1
        elif (value := _small(word)) is not None and _fits(part, value, last):
            part = (part or 0) + value
        elif word == "dozen" and part:
            part *= 12
        elif word == "hundred" and part and part < _TEN:
            part *= _HUNDRED
        elif word in _LARGE and part:
            total, part = total + part * _LARGE[word], None
        elif not (word == "and" and last in ("hundred", "thousand") and _small(after) is not None):
            break
        last, count = word, count + 1
    return (at + count, total + (part or 0)) if count else None


def _small(word: str) -> int | None:
    ten, hyphen, one = word.partition("-")
    if hyphen:
        return _TENS[ten] + _ONES[one] if ten in _TENS and 0 < _ONES.get(one, 0) < _TEN else None
    return _ONES.get(word, _TENS.get(word))


def _fits(part: int | None, value: int, last: str) -> bool:
    """Whether a small number may follow: twenty five, two hundred and fifty; not five six."""
    if part is None:
        return True
    return last in ("hundred", "and") or (last in _TENS and 0 < value < _TEN)


def _whole(value: float) -> float:
    return int(value) if value % 1 == 0 else value
