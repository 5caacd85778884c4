"""Which model to take in place of one that Google no longer has."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_NEWEST = "latest"
_OTHER = 2
"""Words that differ, from which on two names are of kinds that have nothing in common, and only their letters count."""
_NOT_KIND = frozenset({"gemini", "preview", "exp", _NEWEST})
_VERSION = re.compile(r"gemini-(\d{1,3})(?:\.(\d{1,3}))?(?![\d.])")


def nearest_names(gone: str, names: Iterable[str], *, most: int = 4) -> list[str]:
    """Names of models to take instead, nearest first: of the same kind, the living alias, then newest ones.

    Args:
        gone: The model that there is not, e.g. "gemini-2.5-flash".
        names: Those that there are.
        most: How many are wanted.
    """
    asked = gone.removeprefix("models/")

    def distance(name: str) -> tuple[int, bool, tuple[int, int], float]:
        major, minor = _version(name)
        likeness = difflib.SequenceMatcher(None, asked, name).ratio()
        other = len(set(_kind(asked)) ^ set(_kind(name)))
        if other >= _OTHER:
            return (_OTHER, False, (0, 0), -likeness)
        return (other, not name.endswith(_NEWEST), (-major, -minor), -likeness)

    return sorted((name for name in dict.fromkeys(names) if name != asked), key=distance)[:most]


def _kind(name: str) -> tuple[str, ...]:
    """What kind of model a name is of, e.g. ("flash", "lite")."""
    return tuple(word for word in name.split("-") if word not in _NOT_KIND and not word[:1].isdigit())


def _version(name: str) -> tuple[int, int]:
    found = _VERSION.match(name)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)
