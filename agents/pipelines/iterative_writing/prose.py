"""English sentences: where they end, how they begin, and what changes when words are put before them or cut out."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple

from agents.models.simulated.language.words import in_plain_words

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?…])\s++")
_WORD = re.compile(r"[^\W_]++(?:[’'-][^\W_]++)*+|[\ue000-\uf8ff]")
_WITHIN = re.compile(r"(?<![.!?…]) ([^\W\d_]++)\b")
_PASSAGE = re.compile("“[^”]{0,500}+”|[\ue000-\uf8ff]")
_FIRST_MARK, _MOST_PASSAGES = 0xE000, 6_000
_END_MARKS = (".", "!", "?", "…")


class Shielded(NamedTuple):
    """Prose with one character for each passage that is not judged nor edited, and the passage of each character."""

    text: str
    passages: dict[int, str]

    def restore(self, text: str) -> str:
        """`text`, made from this one, with the passages back in place."""
        return text.translate(self.passages)


def shield(text: str, phrases: Sequence[str] = ()) -> Shielded:
    """Protects everything in “quotation marks” and the given phrases, also at the beginning of a sentence."""
    passages: dict[int, str] = {}

    def keep(passage: str) -> str:
        passages[_FIRST_MARK + len(passages)] = passage
        return chr(_FIRST_MARK + len(passages) - 1)

    text = _PASSAGE.sub(lambda found: keep(found[0]) if len(passages) < _MOST_PASSAGES else found[0], text)
    for form in (form for phrase in phrases for form in (phrase, capitalise(phrase))):
        text = text.replace(form, keep(form)) if form else text
    return Shielded(text, passages)


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each with its end mark."""
    return [part for part in _BETWEEN_SENTENCES.split(text.strip()) if part]


def capitalise(sentence: str) -> str:
    """The sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def opening(sentence: str) -> str:
    """The first word of a sentence in small letters, "" where it has none."""
    found = _WORD.search(sentence)
    return found[0].lower() if found else ""


def repeated_opening(sentences: Sequence[str]) -> int | None:
    """The place of the first sentence that begins like the one before it."""
    openings = [opening(sentence) for sentence in sentences]
    return next((place for place in range(1, len(openings)) if openings[place - 1] == openings[place] != ""), None)


def lead_in(phrase: str, sentence: str, text: str) -> str:
    """`phrase` put before a sentence of `text`: "She slept." becomes "By then, she slept."."""
    first = sentence.partition(" ")[0]
    is_name = not first.isalpha() or first == "I" or first in _WITHIN.findall(text)
    return f"{phrase}, {sentence if is_name else sentence[:1].lower() + sentence[1:]}"


def vary_opening(sentences: list[str], links: Sequence[str], draw: random.Random) -> list[str]:
    """The sentences, with one of `links` put before the first that begins like the one before it."""
    if (place := repeated_opening(sentences)) is None:
        return sentences
    text = " ".join(sentences)
    link = draw.choice([link for link in links if f"{link}," not in text] or links)
    return [*sentences[:place], lead_in(link, sentences[place], text), *sentences[place + 1 :]]


def cut(phrase: str, sentence: str) -> str:
    """The sentence without a word or phrase, with commas, capitals and a/an set right; "" if nothing is left."""
    wanted, words = in_plain_words(phrase).split(" "), sentence.split(" ")
    kept: list[str] = []
    at = 0
    while at < len(words):
        found = words[at : at + len(wanted)]
        if [in_plain_words(word) for word in found] != wanted:
            kept.append(words[at])
            at += 1
            continue
        at += len(wanted)
        if kept and found[-1].endswith((*_END_MARKS, ",")):
            kept[-1] = kept[-1].rstrip(",") + found[-1][-1].rstrip(",")
        elif kept and kept[-1].lower() in ("a", "an") and at < len(words):
            kept[-1] = kept[-1][0] + ("n" if words[at][:1].lower() in "aeiou" else "")
    return capitalise(" ".join(kept))
