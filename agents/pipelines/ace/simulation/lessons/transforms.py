"""What may be done with a part of a question to make a part of its answer: a word, digits only, case, another notation.

A transform is a name, such as "last word, upper case" or, for dates, numbers and times, a pattern such as "DD.MM.YYYY".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.detect import LANGUAGES, Language
from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.simulation.expressions.notations import notations_of, noted

_NAMES: Mapping[str, list[str]] = words_beside(__file__, "transforms.toml")["names"]
_PART = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NUMBER = re.compile(r"\d{1,3}")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_MOST_DIGITS = 16
_FIRST_LETTERS = (2, 3, 4)
_LAST_DIGITS = (4, 3, 2)
_FILLED = (2, 3, 4, 5, 6)
"""Digits that a number gets by zeros in front."""


class Transform(NamedTuple):
    """A transform, what it makes of some values, and how far-fetched it is."""

    name: str
    made: tuple[str, ...]
    cost: float


def transforms_of(values: Sequence[str], answers: Sequence[str]) -> list[Transform]:
    """The transforms that make of each value a part of its answer; of those that make the same the simplest."""
    found: dict[tuple[str, ...], Transform] = {}
    folded = [answer.casefold() for answer in answers]
    for name, cost in (*_chains(values), *notations_of(values)):
        if _made(name, values, folded, fold=True) is None:
            continue
        for case, more in _CASES.items():
            chain = ", ".join(filter(None, (name, case)))
            made = _made(chain, values, answers)
            if made is not None and (made not in found or cost + more < found[made].cost):
                found[made] = Transform(chain, made, cost + more)
    return list(found.values())


def _made(name: str, values: Sequence[str], answers: Sequence[str], *, fold: bool = False) -> tuple[str, ...] | None:
    """What a transform makes of values; None if one of that is not a part of its answer."""
    made: list[str] = []
    for value, answer in zip(values, answers, strict=True):
        part = transformed(value, name) or ""
        if not part or (part.casefold() if fold else part) not in answer:
            return None
        made.append(part)
    return tuple(made)


@lru_cache(maxsize=65536)
def transformed(value: str, name: str) -> str | None:
    """A value after a transform; None if there is no such transform, or it makes nothing of the value."""
    if (written := noted(value, name)) is not None:
        return written or None
    for step in name.split(", ") if name else ():
        if work := _STEPS.get(step):
            value = work(value)
        elif count := _COUNTED.get(_NUMBER.sub("#", step)):
            first, second = [*map(int, _NUMBER.findall(step)), 0][:2]
            value = count(value, first, second)
        else:
            return None
    return value or None


def counts_digits(name: str) -> bool:
    """Whether a transform takes digits by their places, which a value with more or fewer of them has not."""
    return _NUMBER.sub("#", name) == "digits #-#"


def localised(name: str, language: Language) -> str:
    """What a transform is called in a language."""
    place = LANGUAGES.index(language) - 1
    return name if place < 0 else _renamed(name, lambda step: _NAMES[step][place] if step in _NAMES else step)


def named(said: str) -> str:
    """The name of a transform that is called so in any language."""
    return _renamed(said.strip(), lambda step: _CALLED.get(step, step))


def _renamed(name: str, rename: Callable[[str], str]) -> str:
    steps: list[str] = []
    for step in name.split(", "):
        numbers = iter(_NUMBER.findall(step))
        known = rename(pattern) if (pattern := _NUMBER.sub("#", step)) in _NAMES or pattern in _CALLED else ""
        steps.append("".join(next(numbers, "") if sign == "#" else sign for sign in known) if known else rename(step))
    return ", ".join(steps)


def _chains(values: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The names of the transforms that may change these values, case aside, with their costs."""
    digits = min(sum(map(str.isdigit, value)) for value in values)
    filters = {**_FILTERS, **{f"first {most} letters": 1.1 for most in _FIRST_LETTERS}}
    for step, cost in _LETTERS_OTHERWISE.items():
        if any(_STEPS[step](value) != value for value in values):
            filters |= {", ".join(filter(None, (step, name))): cost + more for name, more in filters.items()}
    for pick, first in product(_PICKS, filters):
        yield ", ".join(filter(None, (pick, first))), _PICKS[pick] + filters[first]
    if digits:
        yield from ((name, cost) for name, cost in _OF_DIGITS.items())
        yield from ((f"digits filled up to {most}", 1.2) for most in _FILLED if digits < most)
        yield from ((f"last {most} digits", 1.4) for most in _LAST_DIGITS if most < digits)
        most = min(digits, _MOST_DIGITS)
        yield from ((f"digits {begin}-{end}", 1.5) for begin in range(1, most + 1) for end in range(begin, most + 1))


def _letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalpha())


def _digits(text: str) -> str:
    return "".join(sign for sign in plain(text) if sign.isdigit())


def _without_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not "\u0300" <= sign <= "\u036f")


def _capitals(text: str) -> str:
    return _LETTERS.sub(lambda word: word[0][:1].upper() + word[0][1:].lower(), text)


def _part(text: str, place: int) -> str:
    parts = _PART.findall(text)
    return parts[place] if place < len(parts) else ""


def _word(text: str, place: int) -> str:
    words = text.split()
    return words[place].rstrip(",;") if place < len(words) else ""


_PICKS = {
    "": 0.0,
    "first word": 1.0,
    "last word": 1.0,
    "second word": 1.3,
    "third word": 1.4,
    "all but the first word": 1.2,
    "all but the last word": 1.2,
    "first part": 1.3,
    "last part": 1.3,
    "second part": 1.5,
    "third part": 1.6,
}
_FILTERS = {
    "": 0.0,
    "single spaces": 0.4,
    "letters": 0.8,
    "letters and digits": 0.7,
    "first letter": 1.0,
    "initials": 1.0,
    "hyphens for spaces": 0.6,
    "underscores for spaces": 0.6,
    "without spaces": 0.6,
    "hyphens for signs": 0.8,
    "spaces for signs": 0.7,
    "camel case": 0.8,
}
_LETTERS_OTHERWISE = {"half width": 0.4, "without accents": 0.4, "umlauts spelled out": 0.4}
_CASES = {"": 0.0, "lower case": 0.5, "upper case": 0.5, "capitals": 0.5, "capital first": 0.6}
_OF_DIGITS = {"digits": 0.6, "digits without a zero in front": 0.9}

_STEPS: Mapping[str, Callable[[str], str]] = {
    "first word": lambda text: _word(text, 0),
    "second word": lambda text: _word(text, 1),
    "third word": lambda text: _word(text, 2),
    "last word": lambda text: text.split()[-1] if text.split() else "",
    "all but the first word": lambda text: " ".join(text.split()[1:]),
    "all but the last word": lambda text: " ".join(text.split()[:-1]).rstrip(",;"),
    "first part": lambda text: _part(text, 0),
    "second part": lambda text: _part(text, 1),
    "third part": lambda text: _part(text, 2),
    "last part": lambda text: (_PART.findall(text) or [""])[-1],
    "digits": _digits,
    "digits without a zero in front": lambda text: _digits(text).lstrip("0"),
    "letters": _letters,
    "letters and digits": lambda text: "".join(sign for sign in text if sign.isalnum()),
    "first letter": lambda text: _letters(text)[:1],
    "initials": lambda text: "".join(word[0] for word in _LETTERS.findall(text)),
    "hyphens for spaces": lambda text: "-".join(text.split()),
    "underscores for spaces": lambda text: "_".join(text.split()),
    "hyphens for signs": lambda text: "-".join(_PART.findall(text)),
    "spaces for signs": lambda text: " ".join(_PART.findall(text)),
    "without spaces": lambda text: "".join(text.split()),
    "single spaces": lambda text: " ".join(text.split()),
    "camel case": lambda text: "".join(_capitals(text).split()),
    "without accents": _without_accents,
    "half width": plain,
    "umlauts spelled out": lambda text: text.translate(_UMLAUTS),
    "lower case": str.lower,
    "upper case": str.upper,
    "capitals": _capitals,
    "capital first": lambda text: text[:1].upper() + text[1:].lower(),
}
_COUNTED: Mapping[str, Callable[[str, int, int], str]] = {
    "digits #-#": lambda text, begin, end: _digits(text)[max(0, begin - 1) : end] if end <= len(_digits(text)) else "",
    "last # digits": lambda text, most, _: _digits(text)[-most:] if 0 < most <= len(_digits(text)) else "",
    "digits filled up to #": lambda text, most, _: _digits(text).zfill(most) if 0 < len(_digits(text)) <= most else "",
    "first # letters": lambda text, most, _: _letters(text)[:most],
}
_CALLED = {said: name for name, names in _NAMES.items() for said in names}
