"""Reads how many of which things a text is about: "3 apples and 2 bananas", バナナを7本, 兩個可頌."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.models.simulated.language.characters import is_cjk, is_han, is_kana, plain
from agents.models.simulated.language.negation import affirmed
from agents.models.simulated.language.numbers import Number, numbers_in
from agents.models.simulated.language.words import any_of

_LONGEST_GAP = 30
_BEFORE_LATIN = re.compile(r"[ -]*(?:(?!(?:and|with|plus)\b)[^\W\d_]+[ -]+){0,2}(?:of )?", re.IGNORECASE)
_BEFORE_KANA = re.compile(r"\s?の(?:(?![とや和])[^\W\d_]){0,8}")
_BEFORE_HAN = re.compile(r"\s?(?:(?![和跟與与及加])[^\W\d_]){0,7}")
_AFTER = re.compile(r"\s?[をはがも：:×xX*]?\s?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Counted:
    """A thing that a text names, and the number that belongs to it, None if the text does not say how many."""

    name: str
    number: Number | None

    @property
    def count(self) -> float | None:
        """How many, None if the text does not say."""
        return None if self.number is None else self.number.value


def pattern_of(names: Mapping[str, Sequence[str]]) -> str:
    """A pattern with a group for each thing, in the order of `names`; words in Latin letters stand alone."""
    parts: list[str] = []
    for words in names.values():
        latin = [word for word in words if not is_cjk(word[0])]
        other = [word for word in words if is_cjk(word[0])]
        choices = [rf"(?<![A-Za-z])(?:{any_of(latin)})(?![A-Za-z])"] if latin else []
        parts.append(f"({'|'.join([*choices, *([any_of(other)] if other else [])])})")
    return "|".join(parts)


def things_in(text: str, names: Sequence[str], pattern: re.Pattern[str]) -> list[Counted]:
    """The things that a text names and does not negate, each with the number that belongs to it.

    Args:
        text: What a user wrote.
        names: The names of the things, in the order of the groups of `pattern`.
        pattern: See `pattern_of`.
    """
    source = affirmed(plain(text))
    numbers = numbers_in(source)
    ends, taken = [number.end for number in numbers], set[int]()
    found: list[Counted] = []
    mentions = list(pattern.finditer(source))
    befores = [_before(source, mention, numbers, bisect_right(ends, mention.start()) - 1) for mention in mentions]
    taken.update(place for place in befores if place is not None)
    for mention, before in zip(mentions, befores, strict=True):
        place = before
        if place is None:
            after = bisect_right(ends, mention.end())
            place = after if after not in taken and _is_after(source, mention, numbers, after) else None
        name = names[(mention.lastindex or 1) - 1]
        found.append(Counted(name, None if place is None else numbers[place]))
    return found


def _before(text: str, mention: re.Match[str], numbers: Sequence[Number], place: int) -> int | None:
    """The place of the number in front of a mention, if it belongs to it."""
    if place < 0 or mention.start() - numbers[place].end > _LONGEST_GAP:
        return None
    gap, word = text[numbers[place].end : mention.start()], mention[0]
    fits = _BEFORE_LATIN.fullmatch(gap)
    if is_kana(word[0]) or (is_cjk(word[0]) and "の" in gap):
        fits = _BEFORE_KANA.fullmatch(gap)
    elif is_han(word[0]):
        fits = _BEFORE_HAN.fullmatch(gap)
    return place if fits else None


def _is_after(text: str, mention: re.Match[str], numbers: Sequence[Number], place: int) -> bool:
    """Whether the number behind a mention belongs to it."""
    if place >= len(numbers) or not is_cjk(mention[0][-1]):
        return False
    begin = numbers[place].begin
    return begin - mention.end() <= _LONGEST_GAP and _AFTER.fullmatch(text, mention.end(), begin) is not None
