"""The currency or unit of a column, kept as it is written: $4, 4€, 500円, 2 kg. Nothing is converted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.words import any_of, words_beside

_KINDS: dict[str, list[str]] = words_beside(__file__, "currencies.toml")
_LATIN = [mark for marks in _KINDS.values() for mark in marks if mark.isalpha() and mark.isascii()]
_OTHER = [mark for marks in _KINDS.values() for mark in marks if mark not in _LATIN]
MARK = rf"(?:{any_of(_OTHER)}|(?<![A-Za-z])(?:{any_of(_LATIN)})(?![A-Za-z]))"
"""A pattern for a sign, a code or a word of a currency or unit, in small letters or capitals."""
_MARK = re.compile(MARK, re.IGNORECASE)
_LONGEST_CELL = 80


def mark_in(text: str) -> str:
    """The currency's sign or word in a cell or in a column's name, "" for none."""
    found = _MARK.search(plain(text[:_LONGEST_CELL]))
    return found[0] if found else ""


def currency_of(name: str, cells: Sequence[str]) -> str:
    """The mark of a column's currency: of its name, else of most of its cells; "" for none."""
    if named := mark_in(name.partition("(")[2]):
        return named
    marks = Counter(mark for cell in cells if (mark := mark_in(cell)))
    fitting = {mark: sum(count for other, count in marks.items() if are_same(mark, other)) for mark in marks}
    return max(marks, key=lambda mark: (fitting[mark], -len(_kinds_of(mark)), marks[mark]), default="")


def are_same(mark: str, other: str) -> bool:
    """Whether two marks may stand for the same currency: "$" and "USD", "¥" and "円"."""
    return bool(_kinds_of(mark) & _kinds_of(other))


def with_currency(number: str, mark: str) -> str:
    """A number with its currency: "$4", "4 EUR", "500円"."""
    if mark.isalpha() and mark.isascii():
        return f"{number} {mark}"
    return f"{number}{mark}" if mark and (is_cjk(mark[0]) or mark[0] in "%°℃℉") else f"{mark}{number}"


def is_added_up(mark: str) -> bool:
    """Whether numbers with a mark come to something together, as percents and degrees do not."""
    return not _kinds_of(mark) & {"percent", "celsius", "fahrenheit"}


def is_currency(mark: str) -> bool:
    """Whether a mark stands for money."""
    return bool(_kinds_of(mark) & {"dollar", "euro", "pound", "yen", "yuan", "franc"})


def _kinds_of(mark: str) -> set[str]:
    return {kind for kind, marks in _KINDS.items() if mark.lower() in marks}
