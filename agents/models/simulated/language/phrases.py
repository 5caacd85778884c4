"""The sentences with which a simulation answers, in each language: data files, with fields in braces."""

from __future__ import annotations

from functools import cache
from typing import Any

from agents.models.simulated.language.detect import Language
from agents.models.simulated.language.words import words_beside


class Phrases:
    """The sentences of one data file: a table for each language, with the same keys in all.

    Args:
        texts: Language → key → sentence, or a table of words.
    """

    def __init__(self, texts: dict[str, dict[str, Any]]) -> None:
        self.texts = texts

    def say(self, language: Language, key: str, **fields: Any) -> str:
        """A sentence with its fields filled in. What a field is filled with is not read as a template."""
        return str(self.texts[language][key]).format(**fields)

    def word(self, language: Language, key: str, word: str) -> str:
        """A word of a tool's answer as the language has it; the word itself where the table has no other."""
        return str(self.texts[language].get(key, {}).get(word, word))


@cache
def phrases_beside(module: str, file: str = "phrases.toml") -> Phrases:
    """The sentences in a file beside a module.

    Args:
        module: The module's `__file__`.
        file: The name of the data file.
    """
    return Phrases(words_beside(module, file))


_SHARED = phrases_beside(__file__)


def unread(language: Language = "en") -> str:
    """The sentence that says which languages the simulations read."""
    return _SHARED.say(language, "unread")
