"""Finds texts that are no knowledge for a task: orders to the model that reads them, secrets, echoes of prompt or question.

Precise rather than complete: a bullet is always shown between tags that it cannot forge, so this keeps plain attempts out
of a playbook, and lets “Ignore the sign of the rate” pass. Pure functions of texts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import chain
from pathlib import Path

_TURN = r"\b(?<!not )(?<!n't )(?<!never )(?:ignore|disregard|forget|override|overrule|bypass|stop following)\b"
_SOME = r"(?: (?:all|any|every|everything|of|the|these|those|my|in))*"
_NEAR = r"(?:previous|prior|above|earlier|preceding|your|other|these|those|system)"
_RULES = r"(?:instructions?|prompts?|directives?|orders|commands?)"
_TEXTS = r"(?:rules?|guidelines?|bullets?|playbooks?|messages?|context|directions?|conversation)"
_AI = r"(?:ai|a\.i\.|artificial intelligence|(?:large )?language model|llm|chatbot|assistant)"
_OURS = (
    r"(?:playbook|question|previous_reflection|answer|feedback|round|reflection|limits|rubric|system|instructions?|prompt)"
)

_MODEL = r"(?:the )?(?:assistant|agent|model|ai|bot)"
_RIGHTS = (
    r"(?:admin(?:istrator)?s?(?: (?:rights|access|privileges))?|superuser|root (?:user|access|rights)"
    r"|(?:full|unlimited|unrestricted) (?:access|rights|privileges)|unrestricted)"
)
_SECRETS = r"(?:credentials|passwords|api keys|access tokens|secrets)"
_CONSENT = r"(?:confirmation|approval|review|permission|consent)"
_OVERSEER = r"(?:user|operator|human|person|supervisor|administrator|admin)s?"
_NOT = r"\b(?<!not )(?<!n't )(?<!never )(?<!cannot )(?<!to prevent )"

_ORDERS = [
    re.compile(pattern)
    for pattern in (
        # revoke earlier instructions
        rf"{_TURN}{_SOME} {_NEAR}(?: \w+){{0,2}}? (?:{_RULES}|{_TEXTS})\b",
        rf"{_TURN}{_SOME} {_RULES}(?: (?:above|before|given|you|so far|and|that you)\b| ?[.,;:!]| ?$)",
        rf"{_TURN} (?:everything|anything|all|what|whatever)(?: \w+){{0,3}}? (?:above|before|so far|until now)\b",
        r"\b(?:do not|don't|never) follow (?:the |your |any )?(?:system |previous |prior |other )*(?:instructions|prompt)\b",
        # name the prompt, or address the model as a model
        r"\b(?:system (?:prompt|instructions?|directives?)|developer (?:prompt|message|instructions?))\b",
        r"\bhidden instructions\b",
        rf"\byou are (?:now |no longer |not |only )?(?:an? )?(?:\w+ ){{0,2}}?{_AI}\b",
        r"\byou are now (?:an?|the|in|free|allowed)\b",
        rf"\bas an? (?:\w+ ){{0,2}}?{_AI}\b",
        r"\bpretend (?:that )?(?:you are|you're|to be)\b",
        r"\b(?:act|behave|respond|reply) as (?:if|though) you (?:are|were|have)\b",
        r"\bfrom now on,? (?:you|always|never|only|answer|reply|respond|ignore)\b",
        r"\b(?:regardless of|no matter) (?:what )?(?:the |your )?(?:questions?|user|instructions?|playbook)\b",
        r"\b(?:do not|don't|never) (?:tell|reveal to|inform) (?:the )?(?:user|person|operator|human)\b",
        r"\b(?:reveal|print|repeat|output|leak|show) your (?:\w+ )?(?:prompt|instructions|api key|password|secrets?)\b",
        r"\b(?:jailbreak|do anything now)\b",
        # give the model rights, or take the user out
        rf"\b(?:act as|you are|you now have|{_MODEL} (?:is|has)) (?:now )?(?:an? |the )?{_RIGHTS}\b",
        r"\bsystem ?: ?(?:you|ignore|reveal|override|do not|never)\b",
        rf"{_NOT}bypass(?:es|ing)? (?:all|any|every|each|the)(?: \w+)? (?:security|safety|access|permission)\b",
        rf"{_NOT}(?:reveal|leak|disclose|send|export|print)(?: (?:all|any|every|the|stored|your|user))+ {_SECRETS}\b",
        rf"\bwithout (?:asking|telling|informing|consulting|notifying) (?:the |any |an? )?{_OVERSEER}\b",
        rf"\b(?:never|do not|don't) ask (?:the |any |an? )?{_OVERSEER} (?:for {_CONSENT}|to confirm|before|first)\b",
        rf"\b(?:skip|avoid|suppress) (?:the |any |all )?{_OVERSEER}(?:'s)? {_CONSENT}s?\b",
        rf"\bapprove (?:all|any|every|everything)\b[^.]{{0,60}}? without (?:a |any )?{_CONSENT}\b",
        rf"\b(?:remember|store|save|keep|treat) (?:this|that|it|the following) as (?:an? )?(?:\w+ ){{0,2}}?{_RULES}\b",
        # govern other bullets, or protect this one
        r"\b(?:tag|mark|rate|count) (?:this|these|all|every|each|any)(?: \w+)? bullets? (?:\w+ )?(?:helpful|harmful)\b",
        r"\bnever (?:remove|delete|edit|change|update|prune|merge) this bullet\b",
        r"\b(?:remove|delete|discard) (?:all|every|any)(?: the)?(?: other)? bullets?\b",
    )
]
_MARKS = [  # marks of a prompt's parts
    re.compile(pattern)
    for pattern in (
        r"<\|[^|>]{1,40}\|>|\[/?inst\]|<</?sys>>",
        rf"</?\s*{_OURS}\s*/?>",
        r"(?:^|\n) ?(?:#+\s*)?(?:assistant|human|system prompt|system message)\s*:",
        r"\n ?(?:#+\s*)?(?:system|user|model)\s*:",
    )
]
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

_PROMPTS = Path(__file__).parent / "prompts"
_SHORTEST = 12
"""Characters from which on a text is looked at: a shorter one may well stand in the question by chance."""


def order_in(text: str) -> str | None:
    """The words of a text that give orders to the model that reads it, or pass for a part of its prompt; None for none.

    Invisible characters in between do not hide them.
    """
    plain = unicodedata.normalize("NFKC", _HIDDEN.sub(lambda found: chr(ord(found[0]) - 0xE0000), _UNSEEN.sub("", text)))
    plain = _SPACES.sub(" ", plain.replace("’", "'")).casefold()
    one_line = " ".join(plain.split())
    order = (pattern.search(one_line) for pattern in _ORDERS)
    mark = (pattern.search(plain) for pattern in _MARKS)
    if (found := next((found for found in chain(order, mark) if found), None)) is None:
        return None
    words = " ".join(found[0].split())
    return words if len(words) <= _MOST else words[: _MOST - 1] + "…"


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
