"""The measures of a text, from a data file: words that it needs or should not have, and how each lack is fixed."""

from __future__ import annotations

import re
from typing import Any

from agents.models.simulated.language.words import words_beside

MEASURES: dict[str, dict[str, Any]] = words_beside(__file__, "measures.toml")
"""By what a criterion's name has in it."""
WORDS = {
    name: re.compile(rf"\b(?:{'|'.join(word.replace('*', '[a-z]*+') for word in measure['words'])})\b", re.IGNORECASE)
    for name, measure in MEASURES.items()
    if "words" in measure
}
VAGUE = re.compile(
    r"\b(?:a few|several|some|many|countless|a handful of)(?= (?:[a-z-]{1,40} ){0,2}[a-z]{1,40}s\b)", re.IGNORECASE
)

PASSIVE = re.compile(
    rf"\A(?P<thing>[^.!?…]+?) (?:was|were) (?P<act>[a-z]{{1,20}}(?:ed|en)|{'|'.join(MEASURES['voice']['acts'])}) "
    r"(?P<rest>(?:[^.!?…,]{1,100}? )?)"
    r"by (?P<agent>(?:the|a|an|my|her|his|their) [\w’' -]{1,60}?|[\ue000-\uf8ff])(?P<tail>[.,;!?…])"
)
"""A sentence whose subject is not who acts."""


def measure_for(name: str) -> str | None:
    """Which measure a criterion's name, or a critic's remark, speaks of."""
    words = name.lower()
    return next((measure for measure in MEASURES if measure in words), None)


def is_closed(sentence: str) -> bool:
    """Whether a sentence closes a story."""
    return WORDS["ending"].search(sentence) is not None
