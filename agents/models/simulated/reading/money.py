"""The one reader of money: an amount with its currency in front of it or behind it."""

from __future__ import annotations

from typing import NamedTuple

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.numbers import number_at
from agents.models.simulated.reading.tokens import Token, tokens_of

_CURRENCIES: dict[tuple[str, ...], str] = {
    tuple(token.key for token in tokens_of(word)): code
    for code, words in words_beside(__file__, "money.toml").items()
    for word in (*words, code)
}
_LONGEST = max(map(len, _CURRENCIES))


class Money(NamedTuple):
    """An amount of money.

    Attributes:
        amount: How much.
        currency: The code of the currency, e.g. "EUR".
        written: How it stands in the message.
    """

    amount: float
    currency: str
    written: str


def money_at(text: str, tokens: list[Token], at: int) -> tuple[int, Money] | None:
    """The amount of money that begins with a token, and the token after it; None if there is none."""
    before = currency_at(tokens, at)
    number = number_at(tokens, before[0] if before else at)
    if number is None:
        return None
    end, value = number
    if before is None and (before := currency_at(tokens, end)) is not None:
        end = before[0]
    if before is None or round(value, 2) != value:  # not by a remainder: 19.99 × 100 is no whole number in binary
        return None
    return end, Money(value, before[1], " ".join(text[tokens[at].begin : tokens[end - 1].end].split()))


def currency_at(tokens: list[Token], at: int) -> tuple[int, str] | None:
    """The token after a currency that is named from a token on, and its code; None if none is."""
    for size in range(_LONGEST, 0, -1):
        key = tuple(token.key for token in tokens[at : at + size])
        if len(key) == size and key in _CURRENCIES:
            return at + size, _CURRENCIES[key]
    return None
