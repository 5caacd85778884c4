"""Units: what they are called and what is measured in them. Nothing is converted: kilometres and metres are two units."""

from __future__ import annotations

from collections.abc import Sequence

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.money import currency_at
from agents.models.simulated.reading.tokens import Token, tokens_of

DATE_SYMBOL = "date"
CURRENCIES = ("€", "$", "£", "¥")

_DATA = words_beside(__file__, "units.toml")
_SIGN_OF_CODE = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "¥"}
_NAMES = {
    tuple(token.written for token in tokens_of(name)): symbol
    for symbol, unit in _DATA.items()
    for name in (symbol, *unit.get("names", ()))
}
_IN_ANY_CASE = {tuple(map(str.lower, name)): symbol for name, symbol in _NAMES.items() if len("".join(name)) > 3}  # noqa: PLR2004  "MM" is not mm
_LONGEST = max(map(len, _NAMES))


def symbol_at(tokens: Sequence[Token], at: int, *, before: bool = False) -> tuple[int, str] | None:
    """The unit or currency that is named from a token on: the token after it, and its symbol; None if none is.

    Args:
        tokens: The tokens of a text.
        at: The first one.
        before: Whether a number must follow: only the signs and codes of currencies stand before one.
    """
    listed = list(tokens[at : at + _LONGEST + 1])
    money = currency_at(listed, 0)
    if before:
        is_sign = money is not None and (not listed[0].is_word or listed[0].written.isupper())
        return (at + money[0], _SIGN_OF_CODE.get(money[1], money[1])) if money and is_sign else None
    for size in range(min(_LONGEST, len(listed)), 0, -1):
        said = listed[:size]
        symbol = _NAMES.get(tuple(one.written for one in said)) or _IN_ANY_CASE.get(tuple(one.key for one in said))
        goes_on = size < len(listed) and listed[size].begin == said[-1].end and listed[size].key in ("/", "²", "³", "^", "°")
        if symbol and not goes_on:
            return at + size, symbol
    return (at + money[0], _SIGN_OF_CODE.get(money[1], money[1])) if money else None


def symbol_of_name(name: str) -> str:
    """The symbol of a unit that is called so, "" if none is."""
    tokens = tokens_of(name)
    found = symbol_at(tokens, 0)
    return found[1] if found and found[0] == len(tokens) else ""


def measured_in(symbol: str) -> str:
    """What is measured in a unit, e.g. "speed" in km/h; "" if that is not known."""
    return _DATA[symbol]["measures"] if symbol in _DATA else ""
