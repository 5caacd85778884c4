"""The kinds of slots: each says how far a value may go that begins with a token."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.chinese import SIMPLIFIED
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.arithmetic import expression_at
from agents.models.simulated.reading.expression import Call, Expression, Operation, parts_of
from agents.models.simulated.reading.money import money_at
from agents.models.simulated.reading.numbers import number_at
from agents.models.simulated.reading.tokens import Token, written

_WORDS = words_beside(__file__)
_STOPS = frozenset(_WORDS["stops"]["en"].split())
_ARTICLES = frozenset(_WORDS["stops"]["articles"].split())
_CJK_STOPS: dict[str, list[str]] = {
    language: [stop.translate(SIMPLIFIED) for stop in _WORDS["stops"][language]] for language in ("ja", "zh")
}
_HONORIFICS = ("さん", "様", "氏", "君", "ちゃん")
_MOST_WORDS, _MOST_CHARACTERS = 5, 16
_QUOTED = re.compile(r"[\"“„«「『]([^\n\"“”„«»「」『』]{1,200})[\"“”»」』]")
_DATE = re.compile(r"\d{4}([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2\d{4}")
_PATH = re.compile(r"(?=[\w.~+/-]{0,200}?(?:/|\.[A-Za-z]))[\w.~+/-]{1,200}(?<=\w)", re.ASCII)


class Message(NamedTuple):
    """A message as it is read: its text, its tokens, and the language of the forms that are tried."""

    text: str
    tokens: list[Token]
    language: str


Kind = Callable[[Message, int], Iterator[tuple[int, Any]]]
"""From a message and the place of a token to the values that begin there, each with the place of the token after it."""


def number(message: Message, at: int) -> Iterator[tuple[int, float]]:
    """A number that is not negative."""
    if found := number_at(message.tokens, at):
        yield found


def sums(message: Message, at: int) -> Iterator[tuple[int, Expression]]:
    """The whole of a sum that begins here, with something to work out: (3 + 4) × 2, no date and no mere number."""
    tokens = message.tokens
    found = expression_at(tokens, at)
    if found and any(isinstance(part, Operation | Call) for part in parts_of(found[1])):
        end = found[0]
        is_factorial = end < len(tokens) and tokens[end].key == "!" and tokens[end].begin == tokens[end - 1].end
        if not is_factorial and not _DATE.fullmatch(plain(message.text[tokens[at].begin : tokens[end - 1].end])):
            yield found


def money(message: Message, at: int) -> Iterator[tuple[int, Any]]:
    """An amount with a currency."""
    if found := money_at(message.text, message.tokens, at):
        yield found


def name(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """Somebody or something by name: "Bob", "Dr. Müller", "the boat builder", 田中さん; without honorifics."""
    for end, text in _phrases(message, at, numbers=False):
        bare = next((text.removesuffix(title) for title in _HONORIFICS if text.endswith(title)), text)
        if bare:
            yield end, bare


def thing(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """A thing: "tulips", "a new mast", "the 3 chairs", チューリップ."""
    yield from _phrases(message, at, numbers=True)


def quoted(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """A text of one line in quotation marks, without them."""
    yield from ((end, found[1].strip()) for end, found in _matched(_QUOTED, message.text, message, at))


def path(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """The path of a file: todo.txt, beds/north.txt, ../../etc/passwd."""
    yield from ((end, found[0]) for end, found in _matched(_PATH, plain(message.text), message, at))


def _matched(pattern: re.Pattern[str], text: str, message: Message, at: int) -> Iterator[tuple[int, re.Match[str]]]:
    """What a pattern finds at the beginning of a token, if it ends where a token does."""
    tokens = message.tokens
    if at < len(tokens) and (found := pattern.match(text, tokens[at].begin)) and found[0].strip():
        yield from ((end + 1, found) for end in range(at, len(tokens)) if tokens[end].end == found.end())


def _phrases(message: Message, at: int, *, numbers: bool) -> Iterator[tuple[int, str]]:
    ends = _english(message.tokens, at, numbers=numbers) if message.language == "en" else _cjk(message, at)
    yield from ((end, written(message.text, message.tokens, at, end)) for end in ends)


def _english(tokens: list[Token], at: int, *, numbers: bool) -> Iterator[int]:
    """Where a phrase may end: an article and small words, or one small word, or names in capitals."""
    has_article = at < len(tokens) and tokens[at].key in _ARTICLES
    begin = end = at + has_article
    while end < len(tokens) and end - begin < _MOST_WORDS:
        token = tokens[end]
        is_title = end > begin and token.key == "." and tokens[end - 1].key in ("dr", "mr", "mrs", "ms", "prof", "st")
        is_number = numbers and token.key.isdigit()
        if not is_title and not is_number and (not token.is_word or not _may_name(token)):
            return
        end += 1
        words = [one for one in tokens[begin:end] if one.is_word]
        capitals = [one.written[0].isupper() for one in words]
        if words and (has_article or numbers or all(capitals) or (len(words) == 1 and end - begin == 1)):
            yield end


def _may_name(token: Token) -> bool:
    """Whether a word may stand in a name or a thing: none that says when, how, whether or to whom else."""
    return token.key not in _STOPS and not (token.key.endswith("ly") and token.written[0].islower())


def _cjk(message: Message, at: int) -> Iterator[int]:
    stops = _CJK_STOPS[message.language]
    for end in range(at + 1, min(len(message.tokens), at + _MOST_CHARACTERS) + 1):
        token = message.tokens[end - 1]
        if not (token.is_cjk or (token.is_word and _may_name(token))):
            return
        said = "".join(one.key for one in message.tokens[at:end])
        if any(said.endswith(stop) for stop in stops):
            return
        yield end


KINDS: dict[str, Kind] = {
    "number": number,
    "sum": sums,
    "money": money,
    "name": name,
    "thing": thing,
    "quoted": quoted,
    "path": path,
}
