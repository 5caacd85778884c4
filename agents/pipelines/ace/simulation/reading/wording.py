"""Reads a question by its wording, in any language: numbers are named by the words beside them, the result by the others.

Two questions that differ in their numbers alone get the same names, so that a formula can be learned from their answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.words import any_of, words_beside
from agents.models.simulated.reading.arithmetic import sign_at_end
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amounts_in
from agents.pipelines.ace.simulation.expressions.units import measured_in
from agents.pipelines.ace.simulation.lessons.similarity import said_in
from agents.pipelines.ace.simulation.reading.question import LONGEST_NAME, MOST_READ, Quantity, Reading, is_name
from agents.pipelines.ace.simulation.sentences.english import WORD, key_of, name_of

_DATA = words_beside(__file__, "wording.toml")
_CUTS = re.compile(any_of(_DATA["cuts"].split()))
_COUNTER = re.compile(any_of(_DATA["each"].split()))
_ASKING = frozenset(_DATA["asking"].split())
_OPERANDS: Mapping[str, str] = _DATA["operands"]
_WORD = re.compile(WORD)


@lru_cache(maxsize=1024)
def read_by_wording(question: str) -> Reading | None:
    """A question's quantities and what it asks for, by its wording; None if a number has no name there."""
    text = plain(question[:MOST_READ])
    amounts = [amount for amount in amounts_in(text) if not _is_each(text, amount)]
    begins = [0, *(_end(text, amount) for amount in amounts)]
    gaps = [_words(text[begin:end]) for begin, end in zip(begins, [*(one.start for one in amounts), len(text)], strict=True)]
    names: dict[str, Quantity] = {}
    for place, amount in enumerate(amounts):
        possible = _names(text, amount, begins[place], gaps[place], gaps[place + 1])
        name = next((one for one in possible if one and key_of(one) not in names), "")
        if not name:
            return None
        names[key_of(name)] = Quantity(name, amount)
    free = [[word for word in gap if key_of(word) not in names] for gap in gaps]
    is_spaced = not any(map(is_cjk, text))
    asked = ([] if is_spaced else free[-1]) or [word for gap in free for word in gap] or [one.name for one in names.values()]
    asked = list(dict.fromkeys(asked))
    return Reading(tuple(names.values()), (" " if is_spaced else "").join(asked[:LONGEST_NAME])) if names else None


def _names(text: str, amount: Amount, begin: int, before: list[str], after: list[str]) -> list[str]:
    """What a number may be called, the best first: by the word beside it, what its unit measures, the unit."""
    following = text[_end(text, amount) :].lstrip(" -").casefold()
    beside = after[0] if after and following.startswith(after[0].casefold()) else ""
    nearest = [before[-1] if before else "", beside]
    if operand := _OPERANDS.get(sign_at_end(text[begin : amount.start]), ""):
        return [*nearest[1:], "rate" if amount.symbol == "%" else operand]
    counted = amount.symbol in ("", "%") and beside and not is_cjk(beside[0])
    unit = text[amount.start : _end(text, amount)].lstrip("0123456789.,-€$£¥ ")
    named = [*(nearest[::-1] if counted else nearest), unit if is_cjk(unit[:1]) else measured_in(amount.symbol)]
    return [*named, *after[:1], *before]


def _words(text: str) -> list[str]:
    """The words of a text that say something, in order."""
    words: list[str] = []
    for found in _WORD.findall(text):
        if any(map(is_cjk, found)):
            words += [piece for piece in _CUTS.split(found) if piece]
        elif said_in(found) and found.casefold() not in _ASKING:
            words.append(name_of([found]))
    return [word for word in words if is_name(word)]


def _end(text: str, amount: Amount) -> int:
    """Where a number ends, a Japanese or Chinese counter behind it included."""
    counter = None if amount.symbol else _COUNTER.match(text, amount.end)
    return counter.end() if counter else amount.end


def _is_each(text: str, amount: Amount) -> bool:
    return amount.text == "1" and _end(text, amount) > amount.end
