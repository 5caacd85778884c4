"""Finds texts that only repeat the prompt or the question, which small models give back as if they had learned them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PROMPTS = Path(__file__).parent / "prompts"
_SHORTEST = 12
"""Characters from which on a text is looked at: a shorter one may well stand in the question by chance."""


def is_echo(text: str, question: str) -> bool:
    """Whether a text says nothing that is not in the question as it stands, or in the prompts of the roles.

    Args:
        text: What a role gave as something learned.
        question: The question that it is about.
    """
    said, asked = _plain(text), _plain(question)
    if len(said) < _SHORTEST:
        return False
    if said in _prompt_texts() or said in asked:
        return True
    return len(asked) >= _SHORTEST and asked in said and set(said.replace(asked, " ").split()) <= set(asked.split())


def without_echoes(text: str, question: str) -> str:
    """A text without the lines that are echoes."""
    return "\n".join(line for line in text.splitlines() if not is_echo(line, question))


@cache
def _prompt_texts() -> str:
    return " / ".join(_plain(path.read_text(encoding="utf-8")) for path in sorted(_PROMPTS.glob("*.md")))


def _plain(text: str) -> str:
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text.casefold()).split())
