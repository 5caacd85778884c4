"""Reads the numbers in a text: digits of any script, Japanese and Chinese numerals with counters, English number words."""

from __future__ import annotations

import re
from typing import NamedTuple

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.words import any_of, listed, words_of

HUGE = 10**12
"""Stands for every number that has more digits than can be meant."""
_MOST_LETTERS = 24
_SURELY_A_NUMBER = 3
"""Numerals in a row that are no part of a word."""

_SIGNS = "〇零 一壱壹 二弐贰貳两兩 三参叁參 四肆 五伍 六陆陸 七柒 八捌 九玖"
_DIGITS: dict[str, int] = {letter: value for value, letters in enumerate(_SIGNS.split()) for letter in letters}
_TENS = {"十": 10, "拾": 10, "廿": 20, "卅": 30, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8}
NUMERALS = "".join({**_DIGITS, **_TENS, **_MYRIADS, "半": 0})
"""The Han characters that numbers are written with."""

_ONES, _TENS_SPOKEN = words_of("en")["numbers"]["ones"].split(), words_of("en")["numbers"]["tens"].split()
_SPOKEN: dict[str, float] = (
    {word: value for value, word in enumerate(_ONES)}
    | {word: 20 + 10 * place for place, word in enumerate(_TENS_SPOKEN)}
    | {
        f"{ten} {one}": 20 + 10 * place + value
        for place, ten in enumerate(_TENS_SPOKEN)
        for value, one in enumerate(_ONES[1:10], 1)
    }
    | words_of("en")["numbers"]["phrases"]
)
_KANA: dict[str, float] = words_of("ja")["numbers"]["kana"]
_MULTIPLES: dict[str, int] = words_of("ja")["numbers"]["multiples"] | words_of("zh")["numbers"]["multiples"]
_NUMBER = re.compile(
    rf"(?P<none>{any_of(listed('numbers', 'no_numbers'))})|(?P<kana>{any_of(_KANA)})"
    rf"|(?P<run>-?(?:\d++(?:[.,]\d++)*+|[{NUMERALS}]++)++)|(?P<spoken>\b(?:{any_of(_SPOKEN)})\b)",
    re.IGNORECASE | re.ASCII,
)
_COUNTER = re.compile(rf"\s?(?:{any_of([*listed('numbers', 'counters'), *_MULTIPLES])})半?")
_UNIT = re.compile(rf"\s?(?:{any_of(listed('numbers', 'units'))})")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})++(?:\.\d++)?")
_GROUPED_BY_DOTS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}+")
_PIECE = re.compile(rf"\d++(?:[.,]\d++)*+|[{NUMERALS}]")
_FIRST_DIGITS = re.compile(r"\d{1,9}")
_ORDINALS = frozenset("第期週周拜")


class Number(NamedTuple):
    """A number in a text.

    Attributes:
        begin: Where it begins.
        end: Where it ends; a counter belongs to it.
        value: What it comes to; `HUGE`, or less than its negative, for one with very many digits.
        counter: The Japanese or Chinese counter after it, e.g. "本"; "" for none.
    """

    begin: int
    end: int
    value: float
    counter: str = ""


def numbers_in(text: str) -> list[Number]:
    """The numbers in a text, in their order."""
    source = plain(text)
    found = (_number(source, match) for match in _NUMBER.finditer(source) if match["none"] is None)
    return [number for number in found if number is not None]


def whole_number(text: str) -> float | None:
    """The number that a text is and nothing else, a counter at its end aside; None for any other text."""
    bare = text.strip()
    numbers = numbers_in(bare[: 4 * _MOST_LETTERS]) if len(bare) <= 4 * _MOST_LETTERS else []
    return numbers[0].value if len(numbers) == 1 and (numbers[0].begin, numbers[0].end) == (0, len(bare)) else None


def _number(text: str, match: re.Match[str]) -> Number | None:
    begin, end, written = match.start(), match.end(), match[0]
    if match["spoken"]:
        return Number(begin, end, _SPOKEN[" ".join(written.lower().replace("-", " ").split())])
    if match["kana"]:
        return Number(begin, end, _KANA[written])
    before, after = text[begin - 1 : begin], text[end : end + 1]
    if _is_part_of_a_word(before) or before == "." or _is_part_of_a_word(after) or before in _ORDINALS:
        return None
    is_digits = not any(letter in NUMERALS for letter in written)
    if written[0] == "-" and before and (_is_part_of_a_word(before) or before.isdigit() or is_cjk(before)):
        begin, written = begin + 1, written[1:]
    counter = _COUNTER.match(text, end)
    if counter is None:
        may_be_a_word = not is_digits and len(written) < _SURELY_A_NUMBER and not _UNIT.match(text, end)
        if may_be_a_word and (written == "半" or _goes_on(after)):
            return None
        return Number(begin, end, value_of(written))
    sign = counter[0].strip()
    value = value_of(written) + (0.5 if sign.endswith("半") else 0)
    unit = sign.removesuffix("半")
    value = _whole(value * _MULTIPLES.get(unit, 1))
    return Number(begin, counter.end(), value, "" if unit in _MULTIPLES else unit)


def _goes_on(letter: str) -> bool:
    """Whether a character after a numeral makes it the beginning of a word; particles do not: "五を", "十です"."""
    return is_cjk(letter) and letter not in "をがはにでともねよく"


def _is_part_of_a_word(letter: str) -> bool:
    """Whether a character joins a number beside it to a word or a name: a letter that is not Han or kana."""
    return bool(letter) and (letter.isalpha() or letter == "_") and not is_cjk(letter)


def value_of(written: str) -> float:
    """What a number comes to that is written in digits and numerals alone."""
    sign, bare = (-1, written[1:]) if written.startswith("-") else (1, written)
    if len(bare) > _MOST_LETTERS:
        return sign * HUGE
    pieces = _PIECE.findall(bare)
    if not any(piece in _TENS or piece in _MYRIADS or piece == "半" for piece in pieces):
        return sign * _of_digits("".join(str(_DIGITS.get(piece, piece)) for piece in pieces))
    return sign * _of_units(pieces)


def _of_units(pieces: list[str]) -> float:
    """A number with units: 三百二十, 1万2千, 3.5億."""
    whole, part, digit = 0.0, 0.0, None
    for piece in pieces:
        if piece in _MYRIADS:
            whole, part, digit = whole + ((part + (digit or 0)) or 1) * _MYRIADS[piece], 0.0, None
        elif piece in _TENS:
            part, digit = part + (1 if digit is None or not digit else digit) * _TENS[piece], None
        elif piece == "半":
            part, digit = part + (digit or 0) + 0.5, None
        elif digit is None:
            digit = _of_digits(str(_DIGITS.get(piece, piece)))
        else:
            digit = digit * 10 + _of_digits(str(_DIGITS.get(piece, piece)))
    return _whole(whole + part + (digit or 0))


def _of_digits(digits: str) -> float:
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    elif _GROUPED_BY_DOTS.fullmatch(digits):
        digits = digits.replace(".", "")
    try:
        value = float(digits.replace(",", "."))
    except ValueError:  # several dots, as in a date
        return float(_FIRST_DIGITS.match(digits).group())  # pyright: ignore[reportOptionalMemberAccess]
    return _whole(min(value, HUGE))


def _whole(value: float) -> float:
    return int(value) if value % 1 == 0 else value
