"""What columns are called, and by which words a wish may name one. The words are in `columns.toml`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.words import any_of, words_beside
from agents.models.simulated.reading.kinds import Kind, Message
from agents.models.simulated.reading.tokens import tokens_of

_DATA: dict[str, dict[str, list[str]]] = words_beside(__file__, "columns.toml")
QUANTITIES, PRICES, AMOUNTS = (_DATA["names"][key] for key in ("quantity", "price", "amount"))
NO_MEASURES = _DATA["names"]["no_measure"]
ADDED_UP, AVERAGED = [*QUANTITIES, *PRICES, *AMOUNTS, *_DATA["names"]["added_up"]], _DATA["names"]["averaged"]

_SAME = [QUANTITIES, PRICES, AMOUNTS, *_DATA["same"].values()]
_NEVER_NEGATIVE = re.compile(any_of(_DATA["names"]["never_negative"]), re.IGNORECASE)
_BETWEEN_WORDS = re.compile(r"[\s_/-]++")


def is_never_negative(name: str) -> bool:
    """Whether a column of that name holds nothing below 0."""
    return _NEVER_NEGATIVE.search(name) is not None


def is_called(name: str, names: Collection[str]) -> bool:
    """Whether a column has one of `names`; a unit in parentheses does not matter: "単価（円）"."""
    return _bare(name) in names


def has_word(name: str, words: Collection[str]) -> bool:
    """Whether a column's name has one of `words` in it; Japanese and Chinese ones of several characters also as a part."""
    bare = _bare(name)
    parts = {bare, *_BETWEEN_WORDS.split(bare)}
    return any(word in parts or (len(word) > 1 and is_cjk(word[0]) and word in bare) for word in words)


def kind_of(names: Sequence[str], *, made: str = "") -> Kind:
    """The kind of a slot that names a column: by its name, in the plural too, or by another word for it.

    Args:
        names: The columns.
        made: What the product of a quantity and a price is called, which words for an amount name; "" if there is none.
    """
    taken = {_bare(name) for name in names}
    written = {
        (name, word)
        for name in names
        for word in (_bare(name), *_others(_bare(name)))
        if word in (_bare(name), *{word} - taken)
    }
    if made and not any(is_called(name, AMOUNTS) for name in names):
        written |= {(made, word) for word in AMOUNTS}
    named = {(name, tuple(token.key for token in tokens_of(form))) for name, word in written for form in (word, f"{word}s")}

    def column(message: Message, at: int) -> Iterator[tuple[int, str]]:
        for name, keys in sorted(named):
            end = at + len(keys)
            if keys and tuple(token.key for token in message.tokens[at:end]) == keys:
                yield end, name

    return column


def _bare(name: str) -> str:
    return plain(name).partition("(")[0].strip().lower()


def _others(bare: str) -> list[str]:
    return [word for same in _SAME if bare in same for word in same]
