"""Judges a text by criteria that are read from an instruction: counts, finds, and says what to mend.

A criterion is a line such as "- Length: at least 4 sentences."; its name says what is measured, its numbers and words
say how. Knows no topic beyond the phrases that it must leave alone, and nothing of how a text came to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.pipelines.iterative_writing import lexicon
from agents.pipelines.iterative_writing.prose import has_phrase, opening, repeated_openings, shield, split_sentences

_NUMBER = re.compile(r"\d{1,4}")
_CRITERION = re.compile(r"^- ([^:\n]{1,40}):(.*)$", re.MULTILINE)
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of what a good text meets.

    Attributes:
        name: What is asked for, e.g. "Length".
        rule: The rest of the line.
    """

    name: str
    rule: str

    def limit(self, default: int) -> int:
        """The first number of the rule."""
        found = _NUMBER.search(self.rule)
        return int(found.group()) if found else default


@dataclass(frozen=True, slots=True)
class Text:
    """What is judged.

    Attributes:
        whole: The text without its protected passages.
        sentences: Its sentences.
        shown: The sentences as a reader sees them, with those passages.
    """

    whole: str
    sentences: tuple[str, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A criterion that is not met.

    Attributes:
        name: Of the criterion.
        advice: What is wrong and what to do.
        is_wording: Whether words are to be changed, not a sentence to be added.
    """

    name: str
    advice: str
    is_wording: bool


def read_criteria(instruction: str) -> list[Criterion]:
    """The criteria in an instruction, in its order."""
    return [Criterion(name.strip(), rule.strip()) for name, rule in _CRITERION.findall(instruction)]


def judge(document: str, criteria: Sequence[Criterion], phrases: Sequence[str] = ()) -> list[Finding]:
    """What a document lacks, in the order of the criteria.

    Args:
        document: The text.
        criteria: What it should meet; a criterion whose name says nothing that can be measured is passed over.
        phrases: Passages that are not judged, such as the topic itself.
    """
    shielded = shield(document, phrases)
    sentences = tuple(split_sentences(shielded.text))
    text = Text(shielded.text, sentences, tuple(shielded.restore(sentence) for sentence in sentences))
    findings: list[Finding] = []
    for criterion in criteria:
        measure = measure_for(criterion.name)
        advice = _MEASURES[measure](text, criterion) if measure else None
        if advice:
            findings.append(Finding(criterion.name, shielded.restore(advice), measure not in _NEEDS_A_SENTENCE))
    return findings


def measure_for(name: str) -> str | None:
    """Which measure a criterion's name, or a critic's remark, speaks of."""
    words = name.lower()
    return next((measure for measure in _MEASURES if measure in words), None)


def choose_worst(findings: Sequence[Finding]) -> list[Finding]:
    """The one or two findings to mend first: at most one new sentence and one change of words."""
    chosen = list(findings[:1])
    other = next((finding for finding in findings[1:] if finding.is_wording != chosen[0].is_wording), None)
    return [*chosen, other] if other is not None else chosen


def _length(text: Text, criterion: Criterion) -> str | None:
    least, there = criterion.limit(4), len(text.sentences)
    if there >= least:
        return None
    return f"{there} {'sentence is' if there == 1 else 'sentences are'} too few. Let more happen: at least {least}."


def _ending(text: Text, _: Criterion) -> str | None:
    if text.sentences and lexicon.CLOSING_WORDS.search(text.sentences[-1]):
        return None
    return "The last sentence stops, but it does not close. Add one that looks back or says what stayed."


def _sense(text: Text, criterion: Criterion) -> str | None:
    least, there = criterion.limit(1), len(lexicon.SENSE_WORDS.findall(text.whole))
    if there >= least:
        return None
    found = "Nothing here" if not there else f"Only {there} detail{'s' if there > 1 else ''} here"
    return f"{found} can be heard, smelled, tasted or touched. Add a sentence that can."


def _feeling(text: Text, _: Criterion) -> str | None:
    if lexicon.FEELING_WORDS.search(text.whole):
        return None
    return "Something happens, but nobody minds. Name what is felt."


def _opening(text: Text, _: Criterion) -> str | None:
    places = repeated_openings(text.shown)
    if not places:
        return None
    word = opening(text.shown[places[0]]).capitalize()
    return f"Sentences {places[0]} and {places[0] + 1} both begin with “{word}”. Begin the second one differently."


def _number(text: Text, criterion: Criterion) -> str | None:
    if len(lexicon.NUMBERS.findall(text.whole)) >= criterion.limit(1):
        return None
    if vague := lexicon.VAGUE.search(text.whole):
        return f"“{vague.group()}” is how many? Put an exact number there."
    return "Nothing is counted. Give one exact number."


def _cliche(text: Text, _: Criterion) -> str | None:
    found = [phrase for phrase in lexicon.CLICHES if has_phrase(text.whole, phrase)]
    return f"{_quoted(found)} is worn out. Cut it." if found else None


def _voice(text: Text, _: Criterion) -> str | None:
    found = lexicon.PASSIVE.search(text.whole)
    if found is None:
        return None
    return f"“{found.group().strip()}” hides who acts. Let {found.group('agent')} be the subject."


def _empty(text: Text, criterion: Criterion) -> str | None:
    rule = criterion.rule.lower()
    listed = _WORD.findall(rule.partition(" of ")[2] or rule)
    found = [word for word in listed if word not in ("and", "or") and has_phrase(text.whole, word)]
    return (
        f"{_quoted(found)} {'adds' if len(found) == 1 else 'add'} nothing. Cut {'it' if len(found) == 1 else 'them'}."
        if found
        else None
    )


def _quoted(words: Sequence[str]) -> str:
    marked = [f"“{word}”" for word in words]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"


_MEASURES: dict[str, Callable[[Text, Criterion], str | None]] = {
    "length": _length,
    "ending": _ending,
    "sense": _sense,
    "feeling": _feeling,
    "opening": _opening,
    "number": _number,
    "clich": _cliche,
    "voice": _voice,
    "empty": _empty,
}
_NEEDS_A_SENTENCE = ("length", "ending", "sense", "feeling")
