"""The algorithms that a request asks for by name. The names are data."""

from __future__ import annotations

import re

from agents.pipelines.language.words import any_of, words_beside

_SPELLINGS: dict[str, str] = {
    spelling: name for name, spellings in words_beside(__file__, "algorithms.toml").items() for spelling in spellings
}
_WORDS = any_of(_SPELLINGS).replace(r"[\s-]", "[ -]?")
_NAMED = re.compile(rf"(?<!\w)(?:{_WORDS})(?!\w)")
_BLANKS = re.compile(r"[ -]")
_BY_LETTERS = {_BLANKS.sub("", spelling): name for spelling, name in _SPELLINGS.items()}
NAMES = frozenset(_SPELLINGS.values())


def algorithms_named_in(request: str) -> list[str]:
    """The names of the algorithms and ways of working in a request, each once.

    Args:
        request: The request in lower case, with blanks for underscores.
    """
    return list(dict.fromkeys(_BY_LETTERS[_BLANKS.sub("", found[0])] for found in _NAMED.finditer(request)))
