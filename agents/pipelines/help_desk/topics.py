"""The topics of a message, judged by its words: which of several descriptions it fits best."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from agents.models.simulated.language.characters import is_cjk, is_han
from agents.models.simulated.language.detect import Language
from agents.models.simulated.language.numbers import NUMERALS, numbers_in
from agents.models.simulated.language.words import any_of, words_beside

_DATA: dict[str, dict[str, Any]] = words_beside(__file__, "topics.toml")
_COURTESY = _DATA.pop("courtesy")

A_FEW = 3
"""Words from which a message has a subject, known or not."""
_SOME_HAN = 4
"""The same in Han characters and katakana."""
_LEAST_NUMERAL = 100
"""A number in words below it is taken for an amount, not for the number of an order."""
_STRONG, _WEAK = 2, 1


class Term(NamedTuple):
    """A word that tells what a message is about, the topic that it tells, and how well."""

    word: str
    topic: str
    weight: int


def _stem(word: str) -> str:
    """A word without its ending, so that "brakes", "braking" and "brake" are one."""
    for ending in ("ings", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) >= len(ending) + 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    bare = word.rstrip("e")
    return bare[:-1] if len(bare) > A_FEW and bare[-1] == bare[-2] else bare


def _stems_of(topic: str, key: str) -> list[str]:
    return [_stem(word) for word in _DATA[topic].get(key, "").split()]


_STOP = frozenset(_COURTESY["stop"].split())
_WORD = re.compile(r"[^\W\d_]+")
_LATIN: dict[str, Term] = {
    **{stem: Term(stem, topic, _WEAK) for topic in _DATA for stem in _stems_of(topic, "weak")},
    **{stem: Term(stem, topic, _STRONG) for topic in _DATA for stem in _stems_of(topic, "strong")},
}
_PHRASES: dict[str, Term] = {
    phrase: Term(phrase, topic, _STRONG) for topic in _DATA for phrase in _DATA[topic].get("phrases", [])
}
_CJK: dict[str, Term] = {
    **{word: Term(word, topic, _WEAK) for topic in _DATA for word in _DATA[topic].get("cjk_weak", [])},
    **{word: Term(word, topic, _STRONG) for topic in _DATA for word in _DATA[topic].get("cjk", [])},
}
_PHRASE = re.compile(rf"\b(?:{any_of(_PHRASES)})\b")
_CJK_WORD = re.compile(any_of(_CJK))
_CJK_GREETING, _CJK_THANKS = re.compile(any_of(_COURTESY["greetings"])), re.compile(any_of(_COURTESY["thanks"]))
_CJK_SAYS_NOTHING = re.compile(any_of([*_COURTESY["greetings"], *_COURTESY["thanks"], *_COURTESY["fillers"]]))
_GREETING = re.compile(r"\A\W*+(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings)\b", re.IGNORECASE)
_THANKS = re.compile(r"\b(?:thanks?|thank you|cheers|great|perfect|bye|okay|ok)\b", re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """The words of a text in an alphabet that say something, lower case, in one form each."""
    words = (word for word in _WORD.findall(text.lower()) if word not in _STOP and len(word) > 1)
    return [_stem(word) for word in words if not any(map(is_cjk, word))]


def terms_of(text: str) -> dict[str, Term]:
    """The words of a text that tell a topic; words that make up a phrase are not counted apart."""
    lower = text.lower()
    phrases = {" ".join(found.replace("-", " ").split()) for found in _PHRASE.findall(lower)}
    found = [_PHRASES[phrase] for phrase in phrases if phrase in _PHRASES]
    found += [_LATIN[word] for word in words_of(_PHRASE.sub(" ", lower)) if word in _LATIN]
    found += [_CJK[word] for word in _CJK_WORD.findall(text)]
    return {term.word: term for term in found}


def fit(message: str, description: str) -> int:
    """How well a message fits a description: the words that both have, or that go with each other; weak ones count less."""
    terms, own = terms_of(message), set(words_of(description))
    topics = topics_of(description)
    told = sum(term.weight for term in terms.values() if term.topic in topics)
    return told + _STRONG * len({word for word in words_of(message) if word in own and word not in _LATIN})


def topics_of(description: str) -> list[str]:
    """The topics that a description speaks of, in its order."""
    return list(dict.fromkeys(term.topic for term in terms_of(description).values()))


def title_of(description: str, language: Language) -> str:
    """What a description says there is help with, in a language; as it stands where that is not known."""
    titles = [_DATA[topic].get("titles", {}).get(language) for topic in topics_of(description)[:1]]
    return str(titles[0]) if titles and titles[0] else description.removeprefix("Helps with ").removesuffix(".")


def is_about_something(message: str) -> bool:
    """Whether a message has a subject of its own, and is not "yes", a number or thanks."""
    return bool(terms_of(message)) or _says_much(message)


def is_elsewhere(message: str, matters: str) -> bool:
    """Whether a message has a subject, and it is not one of `matters`."""
    own = set(topics_of(matters))
    other = sum(term.weight for term in terms_of(message).values() if term.topic not in own)
    match fit(message, matters):
        case 0:
            return other > 0 or _says_much(message)
        case 1:
            return other > 0
        case _:
            return False


def is_greeting(message: str) -> bool:
    """Whether a message greets."""
    return bool(_GREETING.match(message) or _CJK_GREETING.search(message))


def is_thanks(message: str) -> bool:
    """Whether a message thanks, agrees or says goodbye."""
    return bool(_THANKS.search(message) or _CJK_THANKS.search(message))


def number_in(text: str) -> int | None:
    """The number of an order, a bill or a user in a text: the first in digits, else one in words that is no small amount."""
    numbers = [number for number in numbers_in(text) if number.value < 10**9]
    digits = [number.value for number in numbers if number.is_digits and not number.counter]
    spoken = [number.value for number in numbers if number.value >= _LEAST_NUMERAL and not number.counter]
    return next((int(value) for value in (*digits, *spoken)), None)


def _says_much(message: str) -> bool:
    """Whether a message has so many words that it must have a subject, whichever it is."""
    rest = _CJK_SAYS_NOTHING.sub(" ", _CJK_WORD.sub(" ", message))
    signs = sum((is_han(letter) and letter not in NUMERALS) or "ァ" <= letter <= "ヺ" for letter in rest)
    return signs >= _SOME_HAN or len(words_of(message)) >= A_FEW
