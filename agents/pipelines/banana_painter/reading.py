"""Reads how many bananas a request is about, in digits or English words. Knows no painter."""

from __future__ import annotations

import re


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONES = _words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
""")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = (
    {word: value for value, word in enumerate(_ONES)}
    | {word: 20 + 10 * place for place, word in enumerate(_TENS)}
    | {
        f"{ten} {one}": 20 + 10 * place + value
        for place, ten in enumerate(_TENS)
        for value, one in enumerate(_ONES[1:10], 1)
    }
    | {"half a dozen": 6, "a dozen": 12, "one dozen": 12, "dozen": 12, "two dozen": 24, "a couple of": 2, "a pair of": 2}
    | {"a hundred": 100, "hundred": 100, "a thousand": 1000, "thousand": 1000, "no": 0}
)
_SPOKEN = "|".join(re.escape(word).replace(r"\ ", "[ -]") for word in sorted(_WORDS, key=len, reverse=True))
_NUMBER = re.compile(rf"(?<![\w.])(?:[-−]?\d++(?:[.,]\d++)*|\b(?:{_SPOKEN}))(?!\w)", re.IGNORECASE)
_OF_BANANAS = re.compile(r"(?<![ -])(?:[ -]++[^\W\d]++){0,2}[ -]++bananas?\b", re.IGNORECASE)
_ONE_BANANA = re.compile(r"\ban? (?:[^\W\d]++ )?banana\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+")
_FIRST_DIGITS = re.compile(r"-?\d{1,9}")
_HUGE = 10**6


def read_count(request: str) -> float | None:
    """The number in a request: the one that stands before "bananas", else the first; None if there is none.

    A number with a fraction, below zero or very large is given as it is: whoever asked is to be told.
    """
    found = list(_NUMBER.finditer(request))
    numbers = [match for match in found if match.group().lower() != "no" or _OF_BANANAS.match(request, match.end())]
    chosen = next((match for match in numbers if _OF_BANANAS.match(request, match.end())), None)
    if chosen is None and _ONE_BANANA.search(request):
        return 1
    if chosen is None and not numbers:
        return None
    return _value((chosen or numbers[0]).group())


def _value(text: str) -> float:
    word = text.lower().replace("-", " ")
    if word in _WORDS:
        return _WORDS[word]
    digits = text.replace("−", "-")
    plain = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits.replace(",", ".")
    if len(plain) > len(str(_HUGE)) and "." not in plain:
        return -_HUGE if plain.startswith("-") else _HUGE
    try:
        value = float(plain[:20])
    except ValueError:  # several dots, as in a date
        return float(_FIRST_DIGITS.match(plain).group())  # pyright: ignore[reportOptionalMemberAccess]
    return int(value) if value.is_integer() else value
