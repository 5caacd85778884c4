"""The kinds of slots: each says how far a value may go that begins with a token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.money import money_at
from agents.models.simulated.reading.numbers import number_at
from agents.models.simulated.reading.tokens import Token, written

_WORDS = words_beside(__file__)
_STOPS = frozenset(_WORDS["stops"]["en"].split())
_ARTICLES = frozenset(_WORDS["stops"]["articles"].split())
_CJK_STOPS: dict[str, list[str]] = {language: _WORDS["stops"][language] for language in ("ja", "zh")}
_HONORIFICS = ("さん", "様", "氏", "君", "ちゃん")
_MOST_WORDS, _MOST_CHARACTERS = 5, 16


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


KINDS: dict[str, Kind] = {"number": number, "money": money, "name": name, "thing": thing}
