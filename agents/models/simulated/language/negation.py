"""Finds what a text negates: "no bananas", 不要香蕉, バナナはいらない."""

from __future__ import annotations

import re

from agents.models.simulated.language.words import any_of, listed

_KEEPS = any_of(listed("negation", "keeps"))
_BEFORE = any_of(listed("negation", "before"))
_UNTIL = any_of(listed("negation", "until"))
_AFTER = any_of(listed("negation", "after"))
_SIGN = re.compile(
    rf"(?P<keeps>(?<![a-z])(?:{_KEEPS})(?![a-z]))|(?P<end>[\n,.;:!?，。、；：！？…])"
    rf"|(?P<before>(?<![a-z'])(?:{_BEFORE})(?![a-z']))|(?P<after>{_AFTER})|(?P<until>(?<![a-z])(?:{_UNTIL})(?![a-z]))",
    re.IGNORECASE,
)
_CURLY = str.maketrans({"’": "'"})


def negated_spans(text: str) -> list[tuple[int, int]]:
    """Where the negated parts of a text begin and end, in their order.

    An English or Chinese negation reaches to the end of its clause, or to a word such as "but" or 而是; a Japanese one
    back to the beginning of its clause.
    """
    spans: list[tuple[int, int]] = []
    clause, opened = 0, None
    for found in _SIGN.finditer(text.translate(_CURLY)):
        if found["keeps"] is not None:
            continue
        if found["after"] is not None:
            spans.append((clause, found.end()))
            clause, opened = found.end(), None
        elif found["before"] is not None:
            opened = found.start() if opened is None else opened
        else:
            if opened is not None:
                spans.append((opened, found.start()))
            opened = None
            clause = found.end() if found["end"] is not None else clause
    if opened is not None:
        spans.append((opened, len(text)))
    return spans


def affirmed(text: str) -> str:
    """A text with what it negates blanked out; its length stays the same."""
    kept: list[str] = []
    at = 0
    for opened, end in negated_spans(text):
        begin = max(opened, at)
        kept += [text[at:begin], "\n" * (end - begin)]
        at = max(end, at)
    return "".join([*kept, text[at:]])
