"""Looks at English prose and edits it, sentence by sentence, leaving quoted and named passages as they are.

Knows nothing of topics, scenes or critics.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LINKS = ("That evening", "As usual", "Later", "Meanwhile", "That day")
"""Ways to begin a sentence of a story that fit any sentence."""

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?…])\s++")
_FIRST_WORD = re.compile(r"\W*+([^\W_]++)")
_FIRST_LETTERS = re.compile(r"[^\W\d_]++")
_WITHIN = re.compile(r"(?<![.!?…]) ([^\W\d_]++)\b")
_ARTICLE = re.compile(r"\b(an?)$", re.IGNORECASE)
_FIRST_MARK = 0xE000
_LAST_MARK = 0xF8FF


@dataclass(frozen=True, slots=True)
class Shielded:
    """Prose in which passages are replaced by one character each, so that no edit can reach into them.

    Attributes:
        text: The prose.
        passages: What the characters stand for, in their order.
    """

    text: str
    passages: tuple[str, ...]

    def restore(self, text: str) -> str:
        """`text`, made from this one, with the passages back in place."""
        for number, passage in reversed(list(enumerate(self.passages))):
            text = text.replace(chr(_FIRST_MARK + number), passage)
        return text


def shield(text: str, phrases: Sequence[str] = ()) -> Shielded:
    """Protects everything in “quotation marks” and the given phrases."""
    passages: list[str] = []

    def keep(match: re.Match[str]) -> str:
        if len(passages) > _LAST_MARK - _FIRST_MARK:
            return match.group()
        passages.append(match.group())
        return chr(_FIRST_MARK + len(passages) - 1)

    return Shielded(pattern_of_passages(phrases).sub(keep, text), tuple(passages))


def pattern_of_passages(phrases: Sequence[str]) -> re.Pattern[str]:
    """What `shield` protects."""
    known = sorted((phrase for phrase in phrases if phrase), key=len, reverse=True)
    patterns = [rf"(?<!\w)(?i:{re.escape(phrase[0])}){re.escape(phrase[1:])}(?!\w)" for phrase in known]
    return re.compile("|".join([*patterns, "“[^”]{0,500}+”", f"[{chr(_FIRST_MARK)}-{chr(_LAST_MARK)}]"]))


def has_phrase(text: str, phrase: str) -> bool:
    """Whether words stand in a text, in small letters or capitals, and not as a part of longer words."""
    lower, wanted = text.lower(), phrase.lower()
    at = lower.find(wanted)
    while at >= 0:
        around = lower[at - 1 : at] + lower[at + len(wanted) : at + len(wanted) + 1]
        if not any(letter.isalnum() or letter == "_" for letter in around):
            return True
        at = lower.find(wanted, at + 1)
    return False


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each with its end mark."""
    return [part for part in _BETWEEN_SENTENCES.split(text.strip()) if part]


def opening(sentence: str) -> str:
    """The first word of a sentence in small letters, "" where it begins with none."""
    found = _FIRST_WORD.match(sentence)
    return found.group(1).lower() if found else ""


def capitalise(sentence: str) -> str:
    """The sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def lead_in(phrase: str, sentence: str, text: str) -> str:
    """`phrase` put before a sentence of `text`: "She slept." becomes "By then, she slept."."""
    first = _FIRST_LETTERS.match(sentence)
    keeps_capital = first is None or first.group() == "I" or first.group() in _WITHIN.findall(text)
    return f"{phrase}, {sentence if keeps_capital else sentence[:1].lower() + sentence[1:]}"


def repeated_openings(sentences: Sequence[str]) -> list[int]:
    """Places of sentences that begin like the one before them."""
    return [place for place in range(1, len(sentences)) if _same(sentences[place - 1], sentences[place])]


def _same(one: str, other: str) -> bool:
    return opening(one) == opening(other) != ""


def vary_openings(
    sentences: Sequence[str], draw: random.Random, seen_as: Callable[[str], str] = lambda sentence: sentence
) -> list[str]:
    """The same sentences, with a few words put before each that begins like the one before it.

    Args:
        sentences: In their order.
        draw: Chooses the words.
        seen_as: What a reader sees of a sentence, where passages in it are protected.
    """
    varied = list(sentences)
    for _ in varied:
        places = repeated_openings([seen_as(sentence) for sentence in varied])
        if not places:
            break
        text = " ".join(varied)
        links = [link for link in LINKS if f"{link}," not in text] or list(LINKS)
        varied[places[0]] = lead_in(draw.choice(links), varied[places[0]], text)
    return varied


def cut(words: Sequence[str], text: str) -> str:
    """The text without these words and phrases, with commas, capitals and a/an set right after each cut."""
    for word in sorted(words, key=len, reverse=True):
        found = pattern_of_cut(word)
        while (match := found.search(text)) is not None:
            text = _close_gap(text[: match.start()], match.group("tail"), text[match.end() :])
    return text


def pattern_of_cut(word: str) -> re.Pattern[str]:
    """What `cut` takes out for a word or phrase."""
    return re.compile(rf"(?i)(?P<lead>^|(?<=[.!?…])\s|,?\s)(?<!\w){re.escape(word)}(?!\w)(?P<tail>,?\s*+)")


def _close_gap(before: str, tail: str, after: str) -> str:
    at_start = not before or before[-1] in ".!?…"
    if at_start:
        return f"{before} {capitalise(after)}".strip()
    if after[:1] in ".!?…,;:":
        return before + after
    if (article := _ARTICLE.search(before)) is not None and after[:1].isalpha():
        wanted = "an" if after[:1].lower() in "aeiou" else "a"
        before = before[: article.start()] + (capitalise(wanted) if article.group()[0].isupper() else wanted)
    return f"{before}{',' if tail.startswith(',') and not before.endswith(',') else ''} {after}".rstrip()
