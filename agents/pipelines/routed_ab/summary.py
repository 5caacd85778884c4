"""Makes a text shorter by choosing from it: sentences that hold its frequent words, and those words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from agents.models.simulated.language.detect import language_of
from agents.models.simulated.language.words import words_beside, words_of

MAX_POINT_WORDS = 25
LETTERS_PER_WORD = 12
"""A sentence without spaces is cut by its letters: so many count as one word."""

_BREAK = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|[\r\n\u2028]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CJK_WORD = re.compile(r"[一-鿿々]{2,6}|[ァ-ヺー]{2,20}")
"""A run of Han characters or of katakana; what stands between them in Japanese are endings and particles."""
_CJK = re.compile(r"[぀-ヿ㐀-鿿々]++")
_KANA = re.compile(r"[ぁ-ゖァ-ヺ]")
_BETWEEN_CHINESE = str.maketrans(dict.fromkeys(words_of("zh")["text"]["between"], " "))
"""Chinese has no spaces: these characters stand between its words."""
_DATA = words_beside(__file__, "simulation.toml")["text"]
_EVERYWHERE = frozenset(_DATA["everywhere"].split())
_ENGLISH = frozenset(words_of("en")["detect"]["words"].split())
_ADDRESSED, _ORDERS = frozenset(_DATA["addressed"].split()), frozenset(_DATA["orders"].split())
_BEGINS, _FINITE = frozenset(_DATA["begins"].split()), frozenset(_DATA["finite"].split())
_NO_TEXT = {"ja": re.compile(_DATA["ja"]), "zh": re.compile(_DATA["zh"]), "zh-Hant": re.compile(_DATA["zh"])}
_QUOTED = re.compile(r"[\"“„«「『][^\n\"“”„«»「」『』]*[\"“”»」』]")
_SHORTEST = 3
_FEWEST_SENTENCES, _FEWEST_WORDS, _FEWEST_LETTERS = 2, 6, 4


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text that hold a word or a number, each on one line, without the mark of a list."""
    pieces = (" ".join(piece.split()).lstrip("-*•#> ") for piece in _BREAK.split(text))
    return [piece for piece in pieces if any(letter.isalnum() for letter in piece)]


def is_text(text: str) -> bool:
    """Whether a message is a text of several statements: no question, order, greeting or talk, but for what is quoted."""
    said, language = _QUOTED.sub("“”", text), language_of(text)
    parts = sentences(said)
    if language is None or len(parts) < _FEWEST_SENTENCES or "?" in said or "？" in said:
        return False
    if language != "en":
        bare = [part.rstrip("。！.! ") for part in parts]
        return all(len(part) >= _FEWEST_LETTERS and not _NO_TEXT[language].search(part) for part in bare)
    words = [[word.lower().replace("’", "'") for word in _WORD.findall(part)] for part in parts]
    used = {word for part in words for word in part}
    return (
        sum(map(len, words)) >= _FEWEST_WORDS
        and bool(used & _ENGLISH)
        and not used & _ADDRESSED
        and all(map(_is_statement, words))
    )


def _is_statement(words: list[str]) -> bool:
    """Whether English words begin as a statement does, or have a verb that no order has."""
    if len(words) == 1 or words[0] in _ORDERS or max(map(len, words)) < _FEWEST_LETTERS:
        return False
    return words[0] in _BEGINS or words[0].endswith("s") or any(word in _FINITE or word.endswith("ed") for word in words)


def key_words(text: str, most: int) -> list[str]:
    """The words that are most frequent, the longer first where two are; words that every text has are left out."""
    counts = _counts(text)
    first_spelling = {word.casefold(): word for word in reversed(_all_words(text))}
    ordered = sorted(counts, key=lambda word: (-counts[word], -len(word)))
    return [first_spelling[word] for word in ordered[: max(0, most)]]


def key_sentences(text: str, most: int) -> list[str]:
    """The sentences that hold most of the frequent words, in the order of the text; none twice."""
    there_are = list(dict.fromkeys(sentences(text)))
    chosen = set(sorted(there_are, key=_worth_in(text))[: max(0, most)])
    return [sentence for sentence in there_are if sentence in chosen]


def one_sentence(text: str, most_words: int) -> str:
    """The best sentence that is short enough; where none is, the best one cut. "" if the text says nothing."""
    there_are = sorted(sentences(text), key=_worth_in(text))
    short = (sentence for sentence in there_are if shortened(sentence, most_words) == sentence)
    return next(short, shortened(there_are[0], most_words) if there_are else "")


def shortened(sentence: str, most: int) -> str:
    """A sentence cut after `most` words."""
    kept = " ".join(sentence.split()[: max(1, most)])[: max(1, most) * LETTERS_PER_WORD]
    return sentence if kept == sentence else kept.rstrip(" ,;:–-.") + "…"


def _worth_in(text: str) -> Callable[[str], int]:
    """What to sort sentences by, the best first."""
    counts = _counts(text)
    return lambda sentence: -sum(counts[word] for word in _words_of(sentence))


def _words_of(text: str) -> set[str]:
    return {word.casefold() for word in _all_words(text)}


def _counts(text: str) -> Counter[str]:
    words = (word.casefold() for word in _all_words(text))
    return Counter(word for word in words if _CJK.match(word) or (len(word) >= _SHORTEST and word not in _EVERYWHERE))


def _all_words(text: str) -> list[str]:
    """The words of a text: those in an alphabet, then the runs of Han characters and katakana."""
    latin = _WORD.findall(_CJK.sub(" ", text))
    return latin + _CJK_WORD.findall(text if _KANA.search(text) else text.translate(_BETWEEN_CHINESE))
