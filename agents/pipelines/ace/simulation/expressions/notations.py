"""Dates, numbers and times in other notations, each named by a pattern: "DD.MM.YYYY", "1.234,50", "2:30 pm"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from functools import lru_cache

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.words import words_beside

DAY_FIRST, MONTH_FIRST = ", day first", ", month first"
"""How 3/4/2025 is read; without either it is not."""

DIGITS_ONLY = {"date": ("YYYYMMDD", "YYMMDD"), "time": ("1430",)}
"""Kind of value → patterns without any sign: what they make looks like a mere number."""

_DATA = words_beside(__file__, "notations.toml")
_MONTHS: Mapping[str, list[str]] = {name: names.split() for name, names in _DATA["months"].items()}
_MONTH_NUMBERS = {name.casefold(): number for names in _MONTHS.values() for number, name in enumerate(names, 1)} | {
    "sept": 9
}
_WEEKDAYS = frozenset(_DATA["dates"]["weekdays"].split())
_DATE_FILLERS = _WEEKDAYS | frozenset(_DATA["dates"]["fillers"].split())
_DATE_PART = re.compile("|".join(sorted(("YYYY", "YY", "MM", "DD", "M", "D", *_MONTHS), key=len, reverse=True)))
_DATE_PATTERNS: Sequence[str] = _DATA["dates"]["patterns"]
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_IN_DIGITS = re.compile(r"\d(?: ?[./-] ?\d{1,4}){2}|年 ?\d{1,2} ?月 ?\d")
"""What joins the numbers of a date: 3, 1, 2 is none."""
_MOST_PIECES = 12

_NUMBER = re.compile(r"[-−]?\d{1,3}(?:([,.' ’])\d{3})(?:\1\d{3})*(?:[.,]\d+)?(?![\d,.]\d)|[-−]?\d+(?:[.,]\d+)?(?![\d,.]\d)")
_NUMBER_PATTERN = re.compile(r"1(?P<group>[,.' ]?)234(?:(?P<point>[.,])(?P<rest>50?)(?P<more>…)?)?")
_NUMBER_PATTERNS: Sequence[str] = _DATA["numbers"]["patterns"]

_TIME = re.compile(r"(\d{1,2})(?:\s?[:.h時点點]\s?([0-5]\d))?")
_TIME_PATTERNS: Sequence[str] = _DATA["times"]["patterns"]
_BEFORE_NOON, _AFTER_NOON = (frozenset(_DATA["times"][key].split()) for key in ("before_noon", "after_noon"))
_TIME_FILLERS = frozenset(_DATA["times"]["fillers"].split())
_NOON = 12


def notations_of(values: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The patterns in which all of the values can be written, with how unusual each is."""
    for order in _orders(values):
        yield from ((pattern + order, 0.5 + place / 100) for place, pattern in enumerate(_DATE_PATTERNS))
    if all(read_number(value) is not None for value in values):
        yield from ((pattern, 0.8 + place / 100) for place, pattern in enumerate(_NUMBER_PATTERNS))
    if all(read_time(value) for value in values):
        yield from ((pattern, 0.5 + place / 100) for place, pattern in enumerate(_TIME_PATTERNS))


def noted(value: str, pattern: str) -> str | None:
    """A value in the notation of a pattern, "" if it cannot be written so; None if there is no such pattern."""
    if pattern in _TIME_PATTERNS:
        at = read_time(value)
        return _written_time(at, pattern) if at else ""
    if _NUMBER_PATTERN.fullmatch(pattern):
        number = read_number(value)
        return _written_number(number, pattern) if number is not None else ""
    shape, order = without_order(pattern)
    if not _is_date_pattern(shape):
        return None
    day = read_date(value, order)
    return written_date(day, shape) if day else ""


def is_notation_of_number(name: str) -> bool:
    """Whether a transform writes a number, and leaves out what stands beside it."""
    return _NUMBER_PATTERN.fullmatch(name) is not None


def is_notation_of_date(name: str) -> bool:
    """Whether a transform writes a date, or a part of one."""
    return _is_date_pattern(without_order(name)[0])


def without_order(pattern: str) -> tuple[str, str]:
    """The pattern of a date, and how dates are read with it: `DAY_FIRST`, `MONTH_FIRST` or ""."""
    order = next((order for order in (DAY_FIRST, MONTH_FIRST) if pattern.endswith(order)), "")
    return pattern.removesuffix(order), order


def example_of(pattern: str) -> str:
    """A value in a notation: 14 March 2025, 1234.5 or half past two."""
    if pattern.endswith("…"):
        return pattern
    if pattern in _TIME_PATTERNS or _NUMBER_PATTERN.fullmatch(pattern):
        return noted("14:30" if pattern in _TIME_PATTERNS else "1234.5", pattern) or noted("1234", pattern) or ""
    day = 4 if pattern.startswith("DD") and "Mon" in pattern else 14
    return written_date(date(2025, 3, day), pattern)


# -- dates


@lru_cache(maxsize=4096)
def read_date(text: str, order: str = "") -> date | None:
    """The day that a text is, in any usual way to write it; None if it says anything else.

    Args:
        text: E.g. "14 March 2025", "3/14/25", "2025年3月14日".
        order: How 3/4/2025 is read, `DAY_FIRST` or `MONTH_FIRST`; otherwise only what can be read in one way is.
    """
    pieces = _PIECE.findall(plain(text[:100]).casefold())
    named = [_MONTH_NUMBERS[piece] for piece in pieces if piece in _MONTH_NUMBERS]
    numbers = [piece for piece in pieces if piece[0].isdigit()]
    words = [piece for piece in pieces if not piece[0].isdigit() and piece not in _MONTH_NUMBERS]
    if len(pieces) > _MOST_PIECES or not _DATE_FILLERS.issuperset(words) or len(numbers) + len(named) != 3 or len(named) > 1:  # noqa: PLR2004  day, month and year
        return None
    if not named and not _IN_DIGITS.search(plain(text[:100])):
        return None
    year_is_first = len(numbers[0]) == len("1999")
    if named:
        return _day(*((numbers[0], named[0], numbers[1]) if year_is_first else (numbers[1], named[0], numbers[0])))
    if year_is_first:
        return _day(*numbers)
    first, second, year = numbers
    by_day, by_month = _day(year, second, first), _day(year, first, second)
    if order or "." in text:
        return by_month if order == MONTH_FIRST and "." not in text else by_day
    return (by_day or by_month) if by_day is None or by_month is None or by_day == by_month else None


def begins_date(word: str) -> bool:
    """Whether a date may begin with a word: a number, or the name of a month or weekday."""
    return word[:1].isdigit() or word.casefold().rstrip(".") in _MONTH_NUMBERS.keys() | _WEEKDAYS


def written_date(day: date, pattern: str) -> str:
    """A day by a pattern such as DD.MM.YYYY or Month D, YYYY."""
    parts = {"YYYY": f"{day.year:04}", "YY": f"{day.year % 100:02}", "MM": f"{day.month:02}", "DD": f"{day.day:02}"}
    parts |= {"M": str(day.month), "D": str(day.day)} | {name: names[day.month - 1] for name, names in _MONTHS.items()}
    return _DATE_PART.sub(lambda found: parts[found[0]], pattern)


def _is_date_pattern(pattern: str) -> bool:
    between = _DATE_PART.split(pattern)
    return len(between) > 1 and _DATE_FILLERS.issuperset(_PIECE.findall(" ".join(between)))


def _orders(values: Sequence[str]) -> list[str]:
    """How dates may be read, so that all of the values can be; "" where none of them needs more."""
    first = [order for order in (DAY_FIRST, MONTH_FIRST) if all(read_date(value, order) for value in values)]
    if not all(map(read_date, values)):
        return first
    return first if len(first) == 1 else [""]


def _day(year: str, month: str | int, day: str) -> date | None:
    if len(year) not in (len("25"), len("2025")):
        return None
    try:
        return date(int(year) + (2000 if len(year) == len("25") else 0), int(month), int(day))
    except (ValueError, OverflowError):
        return None


# -- numbers


@lru_cache(maxsize=4096)
def read_number(text: str) -> Decimal | None:
    """The only number in a text; None if there is none, or if 1.234 may be one and a bit or more than a thousand."""
    text = plain(text[:100]).replace("\u00a0", " ").replace("\u202f", " ").strip()
    found = list(_NUMBER.finditer(text))
    if len(found) != 1 or sum(map(str.isdigit, text)) != sum(map(str.isdigit, found[0][0])):
        return None
    digits = found[0][0].replace("−", "-")
    group, last = found[0][1] or "", max(digits.rfind("."), digits.rfind(","))
    if group and digits.count(group) == 1 and last == digits.find(group) and group == ".":
        return None
    if group:
        whole, point, rest = digits.rpartition(digits[last]) if last >= 0 and digits[last] != group else (digits, "", "")
        digits = "".join(sign for sign in whole if sign in "-0123456789") + ("." if point else "") + rest
    return Decimal(digits.replace(",", "."))


def _written_number(value: Decimal, pattern: str) -> str:
    """A number by a pattern; "" if digits would be lost."""
    found = _NUMBER_PATTERN.fullmatch(pattern)
    if found is None:
        return ""
    decimals = max(0, -int(value.as_tuple().exponent)) if found["more"] else len(found["rest"] or "")
    if round(value, decimals) != value:
        return ""
    whole, _, rest = f"{abs(value):.{decimals}f}".partition(".")
    text = f"{int(whole):,}".replace(",", found["group"]) + (f"{found['point']}{rest}" if rest else "")
    return f"-{text}" if value < 0 else text


# -- times


@lru_cache(maxsize=4096)
def read_time(text: str) -> time | None:
    """The time of day that a text is; None if it says anything else."""
    text = plain(text[:40]).casefold().strip()
    found = _TIME.search(text)
    if found is None:
        return None
    before, after = text[: found.start()], text[found.end() :]
    words = frozenset(f"{before} {after}".replace("分", " 分 ").replace("時", " 時 ").split())
    if not words <= _BEFORE_NOON | _AFTER_NOON | _TIME_FILLERS or (not words and found[2] is None):
        return None
    hour, half = int(found[1]), words & (_BEFORE_NOON | _AFTER_NOON)
    if half:
        hour = hour % _NOON + (_NOON if words & _AFTER_NOON else 0) if 1 <= hour <= _NOON else 99
    return time(hour, int(found[2] or 0)) if hour < 24 else None  # noqa: PLR2004  hours of a day


def _written_time(at: time, pattern: str) -> str:
    hour = at.hour if pattern.startswith("14") else (at.hour - 1) % _NOON + 1
    padded = f"{hour:02}" if pattern.startswith("14") and pattern[2] not in "h時点點" else str(hour)
    half = "pm" if at.hour >= _NOON else "am"
    text = pattern.replace("14", padded, 1).replace("30", f"{at.minute:02}") if pattern.startswith("14") else ""
    text = text or pattern.replace("2", padded, 1).replace("30", f"{at.minute:02}")
    return text.replace("pm", half).replace("PM", half.upper())
