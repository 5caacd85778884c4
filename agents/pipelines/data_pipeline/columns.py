"""What columns are called, and which of them a wish is about. The words are in `columns.toml`."""

from __future__ import annotations

import re
from collections.abc import Collection

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.words import any_of, has_phrase, words_beside

_DATA: dict[str, dict[str, list[str]]] = words_beside(__file__, "columns.toml")
QUANTITIES, PRICES, AMOUNTS = (_DATA["names"][key] for key in ("quantity", "price", "amount"))
NO_MEASURES = _DATA["names"]["no_measure"]

_SAME = [*(_DATA["names"][key] for key in ("quantity", "price", "amount")), *_DATA["same"].values()]
_NEVER_NEGATIVE = re.compile(any_of(_DATA["names"]["never_negative"]), re.IGNORECASE)
_LONGEST_NAME = 12


def is_never_negative(name: str) -> bool:
    """Whether a column of that name holds nothing below 0."""
    return _NEVER_NEGATIVE.search(name) is not None


def is_called(name: str, names: Collection[str]) -> bool:
    """Whether a column has one of `names`; a unit in parentheses does not matter: "単価（円）"."""
    return plain(name).partition("(")[0].strip().lower() in names


def wants_column(wish: str, name: str) -> bool:
    """Whether a wish names a column, by its name or by another word for it."""
    bare = plain(name).partition("(")[0].strip().lower()
    if not bare:
        return False
    return mentions(wish, bare) or any(mentions(wish, word) for same in _SAME if bare in same for word in same)


def wants_mean(wish: str) -> bool:
    """Whether a wish asks for an average."""
    return any(mentions(wish, word) for word in _DATA["wishes"]["mean"])


def is_understood(wish: str, names: Collection[str]) -> bool:
    """Whether a wish asks for something that the totals of these columns tell."""
    words = (*_DATA["wishes"]["understood"], *_DATA["wishes"]["mean"])
    return any(mentions(wish, word) for word in words) or any(wants_column(wish, name) for name in names)


def mentions(wish: str, name: str) -> bool:
    """Whether a word stands in a wish, in the plural too, and not as a part of another word."""
    if any(map(is_cjk, name[:_LONGEST_NAME])):
        return name in wish
    return has_phrase(wish, name) or has_phrase(wish, f"{name}s")
