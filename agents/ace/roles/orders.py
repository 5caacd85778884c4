"""Finds texts that are no knowledge for a task: orders to the model that reads them, secrets, echoes of prompt or question.

Precise rather than complete: a bullet is always shown between tags that it cannot forge, so this keeps plain attempts out
of a playbook, and lets “Ignore the sign of the rate” pass. Pure functions of texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from agents.models.simulated.language.characters import is_cjk
from agents.models.simulated.language.chinese import SIMPLIFIED
from agents.models.simulated.language.words import words_beside

_DATA = words_beside(__file__, "orders.toml")


def _worded(patterns: Iterable[str]) -> list[str]:
    for name, word in _DATA["words"].items():
        patterns = [pattern.replace(f"<{name}>", word) for pattern in patterns]
    return [pattern.translate(SIMPLIFIED) for pattern in patterns]


_ORDERS, *_CJK_ORDERS = ([re.compile(one) for one in _worded(some)] for some in _DATA["orders"].values())
_DEEDS, *_CJK_DEEDS = ([re.compile(one) for one in _worded(some)] for some in _DATA["deeds"].values())
_MARKS = [re.compile(one) for one in _worded(_DATA["marks"])]
_FORBIDS_BEFORE, _FORBIDS_AFTER = (re.compile(one) for one in _worded(_DATA["forbids"].values()))
_BREAK = re.compile(r"[.!?;:,。、]")
_SECRET = re.compile(
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[opsur]_\w{36}|\bgithub_pat_\w{22}|\bxox[abprs]-[\w-]{10}|\bAIza[\w-]{35}"
    r"|\bsk-[\w-]{20}|-----BEGIN [A-Z ]{0,20}PRIVATE KEY|\beyJ[\w-]{20}"
    r"|\b[a-z][a-z0-9+]{1,15}://[^\s/:@]{1,80}:[^\s/@]{1,80}@"
)
_OF_AGENT = re.compile(r"(?:agent )?(?:identity|permissions?|privileges?|access rights)(?: \w{1,40})?")
_LETTERS = re.compile(r"[^\W_]+")
_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_HIDDEN = re.compile("[\U000e0020-\U000e007e]")
_SPACES = re.compile(r"[^\S\n]+")
_MOST = 60
_CLAUSE = 120
"""Characters before a deed in which it may be forbidden."""

_PROMPTS = Path(__file__).parent / "prompts"
_SHORTEST = 12
"""Characters from which on a text is looked at: a shorter one may well stand in the question by chance."""


def order_in(text: str) -> str | None:
    """The words of a text that give orders to the model that reads it, or pass for a part of its prompt; None for none.

    Invisible characters in between do not hide them.
    """
    plain = unicodedata.normalize("NFKC", _HIDDEN.sub(lambda found: chr(ord(found[0]) - 0xE0000), _UNSEEN.sub("", text)))
    plain = _SPACES.sub(" ", plain.replace("’", "'")).casefold()
    if (words := next(_orders_in(plain), None)) is None:
        return None
    words = " ".join(words.split())
    return words if len(words) <= _MOST else words[: _MOST - 1] + "…"


def _orders_in(plain: str) -> Iterator[str]:
    one_line = " ".join(plain.split())
    compared = one_line.translate(SIMPLIFIED)  # which has as many characters
    has_cjk = any(map(is_cjk, compared))
    for pattern in chain(_ORDERS, *(_CJK_ORDERS if has_cjk else ())):
        if found := pattern.search(compared):
            yield one_line[found.start() : found.end()]
    for pattern in _MARKS:
        if found := pattern.search(plain):
            yield found[0]
    for pattern in chain(_DEEDS, *(_CJK_DEEDS if has_cjk else ())):
        yield from (one_line[one.start() : one.end()] for one in pattern.finditer(compared) if not _is_forbidden(one))


def _is_forbidden(found: re.Match[str]) -> bool:
    """Whether the clause around a deed says that it is not to be done."""
    before = found.string[max(0, found.start() - _CLAUSE) : found.start()]
    clause = _BREAK.split(before)[-1]
    return bool(_FORBIDS_BEFORE.search(clause) or _FORBIDS_AFTER.match(found.string, found.end()))


def secret_in(text: str) -> str | None:
    """The beginning of a key or a password in a text, as far as its form shows one; None for none."""
    found = _SECRET.search(text)
    return f"{found[0][:8]}…" if found else None


def is_about_agent(section: str) -> bool:
    """Whether a section is called as what an agent is or may do, such as identity.role."""
    return _OF_AGENT.fullmatch(" ".join(_LETTERS.findall(section.casefold()))) is not None


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
