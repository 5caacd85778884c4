"""Reads how many bananas a request is about, in digits or in English, Japanese or Chinese words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.negation import affirmed
from agents.models.simulated.language.numbers import HUGE, numbers_in
from agents.models.simulated.language.things import pattern_of, things_in
from agents.models.simulated.language.words import any_of, words_beside

_WORDS: dict[str, list[str]] = words_beside(__file__, "things.toml")
_THINGS = {name: _WORDS[name] for name in ("bananas", "others")}
_NAMED = re.compile(pattern_of(_THINGS), re.IGNORECASE)
_ONE_BANANA = re.compile(r"\ban? (?:[^\W\d]++ )?banana\b", re.IGNORECASE)
_OTHER_NOUN = re.compile(rf"\s?(?!(?:{any_of(_WORDS['neutral'])})\b)[a-z]{{2,30}}+(?<=[a-rt-z]s)(?![a-z])", re.IGNORECASE)
"""A noun in the plural after a number: what it counts."""
_BANANA_SIGN = "🍌"
_MOST = 10**6
MOST_READ = 4_000
"""Characters of a request that are read."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request asks for: how many bananas, None if it does not say; or that it asks for none."""

    count: float | None
    is_for_none: bool = False


def read_wish(request: str) -> Wish:
    """How many bananas a request asks for, and whether it asks for something else, or for no bananas."""
    request = request[:MOST_READ]
    named = things_in(request, list(_THINGS), _NAMED)
    bananas = [thing for thing in named if thing.name == "bananas"]
    counted = next((thing.count for thing in bananas if thing.count is not None), None)
    if counted is not None:
        return Wish(_capped(counted))
    text = affirmed(plain(request))
    taken = {thing.number for thing in named}
    numbers = numbers_in(text)
    free = [number for number in numbers if number not in taken and not _OTHER_NOUN.match(text, number.end)]
    if bananas and (signs := text.count(_BANANA_SIGN)) and not free:
        return Wish(signs)
    if bananas and _ONE_BANANA.search(text):
        return Wish(1)
    if not bananas and (named or (not free and (numbers or _NAMED.search(request)))):
        return Wish(0, is_for_none=True)
    return Wish(_capped(free[0].value) if free else None)


def _capped(value: float) -> float:
    return value if abs(value) < HUGE else _MOST if value > 0 else -_MOST
