"""What a free question is about: "Tell me about efficient task management" asks for advice on task management."""

from __future__ import annotations

from typing import NamedTuple

from agents.ace.bullet import section_key
from agents.ace.operations import MAX_SECTION
from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.detect import language_of
from agents.pipelines.ace.simulation.sentences.phrases import Phrases, phrases_of

LONGEST = 500
"""Characters of a question that are looked at."""

_ENDS = " \t\r\n.,;:!?\"'“”()。、，？！・「」『』"
_PAUSES = str.maketrans("", "", "、，, ")
_SUFFIXES = ("ements", "ement", "ments", "ment", "ings", "ing", "es", "ed", "s", "e")
_SHORTEST_STEM = 3


class Topic(NamedTuple):
    """What a question asks advice on.

    Attributes:
        name: In the question's words.
        section: Where strategies for it stand in a playbook.
        phrases: What is said in the question's language.
    """

    name: str
    section: str
    phrases: Phrases

    def is_section(self, section: str) -> bool:
        """Whether a section is this topic's, in these words or in others of the same stems."""
        if section_key(section) == section_key(self.section):
            return True
        suffix = self.phrases.shape["section"].format(topic="")
        if not section.endswith(suffix) or self.phrases.shape["joint"] == "":
            return False
        return _stems(section.removesuffix(suffix).replace("_", " ")) == _stems(self.name)

    def is_named_in(self, text: str) -> bool:
        """Whether a text has all words of the topic."""
        if self.phrases.shape["joint"] == "":
            return self.name in text
        return _stems(self.name) <= _stems(text)


def topic_of(question: str) -> Topic | None:
    """What a question asks advice on; None if it asks for something else, or in another language."""
    text = " ".join(plain(question[:LONGEST]).split()).strip(_ENDS)
    language = language_of(text)
    if not text or language is None:
        return None
    phrases = phrases_of(language)
    if not phrases.shape["joint"]:
        text = text.translate(_PAUSES)
    asked = _asked(text, phrases)
    name = _name(asked, phrases) if asked else ""
    if not name:
        return None
    section = phrases.shape["section"].format(topic=name.casefold().replace(" ", "_"))
    return Topic(name, section if len(section) <= MAX_SECTION else section[-MAX_SECTION:], phrases)


def _asked(text: str, phrases: Phrases) -> str:
    """The part of a question that says what it is about; "" where it does not ask for advice."""
    lower = text.casefold()
    if len(lower) != len(text):  # a letter that is two in lower case
        text = lower
    spaced = phrases.shape["joint"] == " "
    if any(lower.startswith(f"{word} ") if spaced else word in lower for word in phrases.facts):
        return ""
    for words in phrases.asks:
        begin = f" {lower} ".find(f" {words} ") if spaced else lower.find(words)
        if begin < 0:
            continue
        before, after = text[:begin].strip(_ENDS), text[begin + len(words) :].strip(_ENDS)
        about = words.endswith(" about")
        if about and any(word[0].isupper() and word != "I" for word in after.split()):
            return ""  # a name: what is asked for are facts
        return _sentence(after) or ("" if spaced else before)
    return ""


def _sentence(text: str) -> str:
    for sign in ".!?。！？":
        text = text.partition(f"{sign} " if sign in ".!?" else sign)[0]
    return text.strip(_ENDS)


def _name(asked: str, phrases: Phrases) -> str:
    if phrases.shape["joint"] == " ":
        return _name_of_words(asked, phrases)
    changed = True
    while changed:
        before = asked
        for filler in phrases.fillers:
            asked = asked.removeprefix(filler).removesuffix(filler).strip(_ENDS)
        changed = asked != before
    return asked[: phrases.shape["most_words"]]


def _name_of_words(asked: str, phrases: Phrases) -> str:
    words: list[str] = []
    for word in (part.strip(_ENDS) for part in asked.casefold().split()):
        if not word or word in phrases.fillers:
            continue
        if len(words) == phrases.shape["most_words"]:
            break
        if word in phrases.breaks and len(words) >= phrases.shape["least_words"]:
            break
        words.append(word)
    while words and words[-1] in phrases.breaks:
        words.pop()
    while words and words[0] in phrases.breaks:
        words.pop(0)
    name = " ".join(words)
    return name if any(sign.isalpha() for sign in name) and all(_is_plain(word) for word in words) else ""


def _is_plain(word: str) -> bool:
    return all(sign.isalnum() or sign in "-'’&" for sign in word)


def _stems(text: str) -> frozenset[str]:
    words = "".join(sign if sign.isalnum() else " " for sign in text.casefold()).split()
    return frozenset(_stem(word) for word in words)


def _stem(word: str) -> str:
    ends = (end for end in _SUFFIXES if word.endswith(end) and len(word) - len(end) >= _SHORTEST_STEM)
    return word.removesuffix(next(ends, ""))
