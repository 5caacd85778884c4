"""Reads a question's words: its quantities by name, the name asked for, and its unit.

Understands English sentences of the kind "… has current assets of 120 …. What is the current ratio?".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import Name
from agents.models.simulated.reading.tokens import tokens_of
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amounts_in, beside
from agents.pipelines.ace.simulation.expressions.units import DATE_SYMBOL, measured_in, symbol_at, symbol_of_name
from agents.pipelines.ace.simulation.sentences.english import (
    ARTICLES,
    DETERMINERS,
    HELPING_VERBS,
    JOINTS,
    LINKS,
    ORDINALS,
    PRONOUNS,
    STOPS,
    VERBS,
    WORD,
    key_of,
    name_of,
    table_of,
    words_for,
    words_of,
)

MOST_READ = 5000
LONGEST_NAME = 6
UNNAMED = "number"
"""What a quantity is called that has no name."""

_ASKING = PRONOUNS | HELPING_VERBS | words_for("questions")
"""What no name of a quantity has in it."""
_NEVER_ASKED = (HELPING_VERBS | JOINTS | PRONOUNS | words_for("never_asked")) - {"per"}
_ENDS_ASKED = (_NEVER_ASKED | VERBS) - words_for("verbs_in_names")

_WORD = re.compile(WORD)
_WORD_OR_SIGN = re.compile(rf"{WORD}|\S")
_BREAK = re.compile(r"[.;:!?()]\s|[;!?()]|,\s|—|–\s")
_HEAD = re.compile(
    r"\b(?:what(?:['’]s|\s+(?:is|are|am|was|were|will be|would be|does|do))"
    r"|how\s+(?P<how>\w+)\s+(?:is|are|am|was|were|will be|would be|does|do)"
    r"|how\s+(?P<many>many|much)|what|which)\b"
    r"|(?:^|[.!?,;:]\s+|\b(?:please|and|then|now)\s+)"
    r"(?:calculate|compute|work out|find|determine|give|state|figure out|tell me|name)\b",
    re.IGNORECASE,
)
_AS_PERCENT = re.compile(r"\bas a percentage\b|\bpercentage\b", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:on\s+)?(?:which|what)\s+(?:date|day)\b|\bwhen\s+(?:does|do|is|are|will|must|was)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[?!]|\.(?:\s|$)|$")
_ASKED_BY_ADJECTIVE, _SAID_BY_ADJECTIVE, _SAME_VERB = map(table_of, ("asked_by_adjective", "said_by_adjective", "same_verb"))
_YEAR = range(1900, 2101)
_YEAR_DIGITS = 4


class Quantity(NamedTuple):
    """Something that a question says how much it is."""

    name: str
    amount: Amount


class Reading(NamedTuple):
    """A question, as far as it was understood.

    Attributes:
        quantities: What it gives, each name once, in order.
        asked: What it asks for; "" if that was not found.
        symbol: The unit that it asks for, "%" included; "" if it does not say.
        counts: Whether it asks how many there are.
    """

    quantities: tuple[Quantity, ...]
    asked: str
    symbol: str = ""
    counts: bool = False

    @property
    def given(self) -> dict[str, Amount]:
        """The quantities by name."""
        return {one.name: one.amount for one in self.quantities}

    def beside(self, result: Amount | None) -> Reading:
        """The same, its numbers as they are meant beside a result of the question, or of another one like it."""
        return self._replace(quantities=tuple(one._replace(amount=beside(one.amount, result)) for one in self.quantities))

    @property
    def can_be_worked_out(self) -> bool:
        """Whether it gives something and asks for something else that may be had from it."""
        words = {word.casefold() for word in self.asked.split()}
        keys = {key_of(one.name) for one in self.quantities}
        return bool(keys and words) and not words & _ASKING and key_of(self.asked) not in keys

    @property
    def is_named(self) -> bool:
        """Whether everything that it gives has a name of its own, so that a formula can speak of it."""
        names = [one.name.casefold().split() for one in self.quantities]
        has_names = all(words and words[-1] != UNNAMED and not _ASKING & set(words) for words in names)
        return has_names and all(is_name(one) for one in (*(one.name for one in self.quantities), self.asked) if one)


@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Whether a text is a name in a formula, unlike "percent" and "3 times"."""
    try:
        return parse(text) == Name(text)
    except ValueError:
        return False


def read(question: str) -> Reading:
    """Reads a question."""
    text = question[:MOST_READ]
    amounts = [amount for amount in amounts_in(text) if not _is_aside(text, amount)]
    quantities = _distinct(list(_quantities(text, amounts)))
    asked, symbol, counts = _asked(text, has_date=any(one.symbol == DATE_SYMBOL for one in amounts))
    return Reading(quantities, asked, symbol, counts)


# -- what is given


def _is_aside(text: str, amount: Amount) -> bool:
    """Whether a number belongs to the words around it: "per 100 km", "in 2024"."""
    before = text[max(0, amount.start - 12) : amount.start].lower().split()
    word = before[-1] if before else ""
    is_year = not amount.symbol and len(amount.text) == _YEAR_DIGITS and amount.value in _YEAR
    return word == "per" or (is_year and word in ("in", "since", "year", "until"))


def _quantities(text: str, amounts: Sequence[Amount]) -> Iterator[Quantity]:
    begin = 0
    for index, amount in enumerate(amounts):
        until = amounts[index + 1].start if index + 1 < len(amounts) else len(text)
        before, after = text[begin : amount.start], text[amount.end : until]
        size = _WORD.match(after.lstrip())
        of_size = _SAID_BY_ADJECTIVE.get(size[0].lower(), "") if size else ""
        yield Quantity(of_size or _name_before(before, amount) or _name_after(after, amount), amount)
        begin = amount.end


def _name_before(text: str, amount: Amount) -> str:
    clause = _BREAK.split(text.rstrip(" \n\t(€$£¥"))[-1]
    if clause.endswith(","):  # "120 pieces, 75 sold"
        return ""
    words = words_of(clause)
    is_date = amount.symbol == DATE_SYMBOL
    linked = clause.endswith((":", "="))
    while words and (words[-1].lower() in LINKS or (is_date and words[-1].lower() in ("on", "dated"))):
        linked = words.pop().lower() not in ("on", "to") or linked
    if is_date and not linked and words and words[-1].lower() in VERBS:
        return _date_name(words[-1])
    if linked and words[-1:] == ["a"]:  # "if a is 3", as in a lesson
        return "a"
    found: list[str] = []
    for index in range(len(words) - 1, -1, -1):
        word = words[index].lower()
        following = found[-1].lower() if found else "of" if linked else ""
        before = words[index - 1].lower() if index else ""
        is_noun = word in VERBS and (word not in HELPING_VERBS) and (before in ("", *ARTICLES) or following in ("of", "per"))
        if word in DETERMINERS and before == "of":
            found = []  # of "the length of the pipe", the length
        elif word in STOPS and not is_noun and not (word == "per" and found and index):
            break
        elif word != "of" or found:
            found.append(words[index])
    name = name_of(found[::-1][-LONGEST_NAME:])
    return f"{name} date" if is_date and name and "date" not in name else name


def _name_after(text: str, amount: Amount) -> str:
    """A name for a number that has none before it: "240 units", "a 20 % discount", or what its unit measures."""
    if amount.symbol in ("", "%"):
        found: list[str] = []
        for word in words_of(_BREAK.split(f"{text} ")[0].removeprefix("-")):
            if word.lower() in STOPS or word.lower() in ("of", "to"):
                break
            found.append(word)
        if found and (amount.symbol or text[:1] in " -"):
            return name_of(found[:2])
    return measured_in(amount.symbol) or ("date" if amount.symbol == DATE_SYMBOL else UNNAMED)


def _date_name(verb: str) -> str:
    word = verb.lower()
    stem = word[:-1] if word.endswith("s") and word in VERBS else word
    return f"{_SAME_VERB.get(stem, stem)} date"


def _distinct(quantities: list[Quantity]) -> tuple[Quantity, ...]:
    """Each name once: what is said twice counts once, and what only has the same name is told apart by its place."""
    kept: dict[tuple[str, object], Quantity] = {}
    for one in quantities:
        kept.setdefault((key_of(one.name), one.amount.value), one)
    often = Counter(key for key, _ in kept)
    places = Counter[str]()
    named: list[Quantity] = []
    for (key, _), one in kept.items():
        places[key] += 1
        ordinal = ORDINALS[min(places[key], len(ORDINALS)) - 1]
        named.append(one if often[key] == 1 else Quantity(f"{ordinal} {one.name}", one.amount))
    return tuple(named)


# -- what is asked for


def _asked(text: str, *, has_date: bool) -> tuple[str, str, bool]:
    """The name asked for, the unit, and whether it is a count."""
    if has_date and (when := list(_WHEN.finditer(text))):
        sentence = text[when[-1].end() : _sentence_end(text, when[-1].end())]
        words = [word for word in words_of(sentence) if word.lower() not in LINKS]
        if words:
            return _date_name(words[-1]), "", False
    for head in reversed(list(_HEAD.finditer(text))):
        sentence = text[head.end() : _sentence_end(text, head.end())]
        name = _asked_name(sentence) or _ASKED_BY_ADJECTIVE.get((head["how"] or "").lower(), "")
        symbol = _unit_asked(sentence)
        if of_unit := symbol_of_name(name):  # "how many kilometres": their name is what they measure
            name, symbol = measured_in(of_unit), symbol or of_unit
        if name:
            return name, symbol, (head["many"] or "").lower() == "many" and not of_unit
    last = text.rstrip()[-80:].splitlines()[-1] if text.strip() else ""
    words = words_of(_BREAK.split(last.rstrip("?"))[-1])
    return (name_of(words), "", False) if last.endswith("?") and 0 < len(words) <= LONGEST_NAME else ("", "", False)


def _asked_name(sentence: str) -> str:
    found: list[str] = []
    for match in _WORD_OR_SIGN.finditer(sentence):
        word = match[0].lower()
        following = _WORD.match(sentence, match.end() + 1)
        if not word[0].isalpha() or len(found) == LONGEST_NAME:
            break
        if not found and (word in DETERMINERS or word in ("me", "us", "out") or word[-2:] in ("'s", "’s")):
            continue
        if word in ("of", "to") and (following is None or not _goes_on(following[0])):
            break
        if word == "per" and following is None:
            break
        is_return = word == "on" and found[-1:] and found[-1].lower() == "return"
        is_last = following is None or following[0].lower() in JOINTS  # "the test run if …" is no verb
        ends = _NEVER_ASKED if not found or is_last else _ENDS_ASKED
        if word in ends and not is_return:
            break
        found.append(match[0])
    return name_of(found)


def _goes_on(word: str) -> bool:
    """Whether a name goes on after "of": "cost of goods" does, "ratio of the company" does not."""
    return word.lower() not in DETERMINERS and not (word[0].isupper() and not word.isupper())


def _unit_asked(sentence: str) -> str:
    if _AS_PERCENT.search(sentence):
        return "%"
    tokens = tokens_of(sentence)
    found = (symbol_at(tokens, place + 1) for place, token in enumerate(tokens) if token.key == "in")
    return next((unit[1] for unit in found if unit), "")


def _sentence_end(text: str, begin: int) -> int:
    found = _SENTENCE_END.search(text, begin)
    return found.start() if found else len(text)
