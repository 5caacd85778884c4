"""Disagreement: why two similar bullets may say different things. Then only a model or the user may merge them.

A bullet's *claims* are the parts in which a small difference is a different statement: negations, numbers with their
units, words of direction, formulas. Beyond those, a bullet with another word in the same place ("gross", "net") says
something else, while one with more words says more. A wrong merge loses knowledge and a missed one costs a few tokens, so
doubt counts as disagreement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from agents.ace.refine.wording import (
    NEGATED_VERB,
    NUMBER,
    NUMBER_WORDS,
    STOP_WORDS,
    content_of,
    formula_words,
    plain,
    stem,
    words_of,
)


class Claim(NamedTuple):
    """A part of a text in which a small difference matters: "negation", "number", "direction" or "formula"."""

    kind: str
    value: str


_NEGATIONS = """
not no never cannot cant dont doesnt isnt wont without none neither nor nothing nobody nowhere unless except avoid nicht kein
keine keinen keinem keiner keines nie niemals nichts ohne pas jamais sans aucun aucune rien nunca jamás sin ningún ninguna
nada non mai senza nessun nessuna não sem nenhum nenhuma niet geen nooit zonder inte aldrig utan ikke aldri uten uden nigdy
bez nikdy не нет ни никогда без немає ніколи değil asla لا ليس لم لن 不 没 沒 未 无 無 非 勿 别 別 莫 ない なく なかっ ません
"""
_OPPOSITES = """
increase decrease increasing decreasing increased decreased rise fall grow shrink raise lower reduce gain loss profit
more less fewer most least greater smaller larger bigger higher high low before after earlier later last previous next
initial final opening closing oldest newest min max minimum maximum minimise maximise minimize maximize above below over
under up down top bottom left right inside outside include exclude including excluding inclusive exclusive add subtract
multiply divide plus minus numerator denominator dividend divisor ascending descending positive negative true false off
enable disable allow forbid buy sell debit credit asset liability liabilities income expense revenue cost gross net nominal
real fixed variable sometimes only or into different unequal valid invalid even odd horizontal vertical row column upper
uppercase lowercase input output send receive import export encode decode
"""
_UNITS = """
percent percentage point points basis euro euros dollar dollars pound pounds yen cent cents second seconds minute minutes
hour hours day days week weeks month months quarter quarters year years annual monthly daily metre metres meter meters
kilometre kilometres kilometer kilometers mile miles foot feet inch inches gram grams kilogram kilograms kilo tonne tonnes
litre litres liter liters celsius fahrenheit kelvin joule joules watt watts volt volts newton newtons byte bytes bit bits
thousand million billion trillion hundred dozen half double twice triple
"""
_DIRECTIONS = frozenset(f"{_OPPOSITES} {_UNITS}".split())
_NOT = frozenset(_NEGATIONS.split())
_SIGNALS = _NOT | _DIRECTIONS | NUMBER_WORDS.keys()

_OPERATORS = {*"=/*^+-<>≤≥≠≈√±→←", "==", "!=", "<=", ">="}
_IN_A_FORMULA = re.compile(r"[=/*^+<>≤≥≠≈±√→←-]")
_CLAUSE = re.compile(r"[;\n]|[.,:!?](?=\s|$)")
_AMOUNT = re.compile(rf"(?<![A-Za-z0-9_])({NUMBER})(?: ?([^\W\d_]{{1,3}}\b|[%‰°€$£¥]))?")
_MOST = 0.5
_DIGIT = re.compile(r"\d")
_NO_UNITS = STOP_WORDS | {"and", "or", "to", "by", "for", "per", "but", "if", "not", "und", "et", "y"}


class Reading:
    """A text prepared for comparison; claims and content are computed when first used.

    Attributes:
        words: See `words_of`.
    """

    __slots__ = ("_claims", "_content", "_plain", "words")

    def __init__(self, text: str) -> None:
        self._plain = plain(text)
        self.words = words_of(self._plain)
        self._claims: tuple[Claim, ...] | None = None
        self._content: tuple[str, ...] | None = None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims by kind, in the order of the text."""
        if self._claims is None:
            self._claims = tuple(_claims_in(self._plain, self.words))
        return self._claims

    @property
    def content(self) -> tuple[str, ...]:
        """See `content_of`."""
        if self._content is None:
            self._content = content_of(self.words)
        return self._content

    def agrees(self, other: Reading, *, by_sense: bool = False) -> bool:
        """Whether it may be merged with a similar text; see `disagrees`."""
        if by_sense and not self._shares_most_words(other):
            return sorted(self.claims) == sorted(other.claims)
        if self.claims != other.claims:
            return False
        mine, others = self.content, other.content
        if len(mine) == len(others):
            return mine == others
        return says_all(mine, others) if len(mine) > len(others) else says_all(others, mine)

    def disagreement(self, other: Reading, *, by_sense: bool = False) -> str | None:
        """Why it may not be merged with a similar text; see `disagrees`."""
        if self.agrees(other, by_sense=by_sense):
            return None
        return _difference_of_claims(self, other) or _difference_of_words(self, other)

    def _shares_most_words(self, other: Reading) -> bool:
        """Whether the texts share so many words that the others decide, whatever the embedder says."""
        common = (Counter(self.content) & Counter(other.content)).total()
        return common >= _MOST * max(len(self.content), len(other.content))


def disagrees(a: str, b: str, *, by_sense: bool = False) -> str | None:
    """Why two similar texts may not be merged without the consent of a model or the user; None if they may.

    Args:
        a: One text.
        b: The other; the order does not matter.
        by_sense: Whether an embedder found them: then other words may mean the same, unless most words are equal.
    """
    return Reading(a).disagreement(Reading(b), by_sense=by_sense)


def says_all(longer: Iterable[str], shorter: Iterable[str]) -> bool:
    """Whether the longer text has all words of the shorter one, in the same order."""
    rest = iter(longer)
    return all(word in rest for word in shorter)


def _claims_in(text: str, words: Sequence[str]) -> list[Claim]:
    claims = [] if _SIGNALS.isdisjoint(words) and "'" not in text else list(_said_in_words(words))
    claims += map(_amount, _AMOUNT.findall(text))
    claims += [Claim("number", word) for word in words if not word[:1].isdigit() and _DIGIT.search(word)]
    if _IN_A_FORMULA.search(text):
        claims += _formulas_in(text)
    return sorted(claims, key=_kind)


def _amount(found: tuple[str, str]) -> Claim:
    number, unit = found
    return Claim("number", number if unit.casefold() in _NO_UNITS else f"{number} {unit}".rstrip())


def _kind(claim: Claim) -> str:
    return claim.kind


def _said_in_words(words: Sequence[str]) -> Iterator[Claim]:
    following = [*accumulate(reversed(words), lambda after, word: after if word in STOP_WORDS else word, initial="")]
    for word, next_word in zip(words, following[-2::-1], strict=True):
        if word in _NOT or word.endswith(NEGATED_VERB):
            yield Claim("negation", f"not {stem(next_word)}".strip())
        if word in _DIRECTIONS:
            yield Claim("direction", stem(word))
        elif word in NUMBER_WORDS:
            yield Claim("number", NUMBER_WORDS[word])


def _formulas_in(text: str) -> Iterator[Claim]:
    """Clauses with an equals sign as a whole; in others each operator with its neighbours."""
    for clause in _CLAUSE.split(text):
        words = formula_words(clause)
        if "=" in words:
            yield Claim("formula", " ".join(words))
            continue
        for place, word in enumerate(words):
            if word in _OPERATORS:
                yield Claim("formula", " ".join(words[max(0, place - 1) : place + 2]))


def _difference_of_claims(mine: Reading, others: Reading) -> str | None:
    only_mine, only_others = Counter(mine.claims) - Counter(others.claims), Counter(others.claims) - Counter(mine.claims)
    for kind in ("negation", "formula", "number", "direction"):
        here = [_as_written(claim.value, mine) for claim in only_mine if claim.kind == kind]
        there = [_as_written(claim.value, others) for claim in only_others if claim.kind == kind]
        if here and there:
            return f"They differ in a {kind}: “{here[0]}” and “{there[0]}”."
        if here or there:
            return f"Only one of them has this {kind}: “{(here or there)[0]}”."
    return None


def _difference_of_words(mine: Reading, others: Reading) -> str:
    here, there = Counter(mine.content) - Counter(others.content), Counter(others.content) - Counter(mine.content)
    if here and there:
        one, other = _as_written(next(iter(here)), mine), _as_written(next(iter(there)), others)
        return f"Where one says “{one}” the other says “{other}”."
    return "They say the same in another order, which may mean something else."


def _as_written(stems: str, reading: Reading) -> str:
    written = {stem(word): word for word in reading.words}
    return " ".join(written.get(word, word) if word != "not" else word for word in stems.split())
