"""Judges a text by criteria that are read from an instruction: counts, finds, and says what to change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agents.models.simulated.language.words import has_phrase
from agents.pipelines.iterative_writing.measures import MEASURES, PASSIVE, VAGUE, WORDS, is_closed, measure_for
from agents.pipelines.iterative_writing.prose import (
    capitalise,
    opening,
    repeated_opening,
    shield,
    split_sentences,
)

_NUMBER = re.compile(r"\d{1,4}")
_CRITERION = re.compile(r"^- ([^:\n]{1,40}):(.*)$", re.MULTILINE)
_WORD = re.compile(r"[a-z]+")


class Criterion(NamedTuple):
    """One line of what a good text meets, e.g. "- Length: at least 4 sentences.": its name, and the rest of the line.

    `measure` is what it is measured by, None for what cannot be measured.
    """

    name: str
    rule: str
    measure: str | None

    @property
    def least(self) -> int:
        """The first number of the rule, 1 if there is none."""
        found = _NUMBER.search(self.rule)
        return int(found[0]) if found else 1


class Finding(NamedTuple):
    """A criterion that is not met: its name, what is wrong and what to do, and whether a sentence is to be added."""

    name: str
    advice: str
    needs_a_sentence: bool


def read_criteria(instruction: str) -> list[Criterion]:
    """The criteria in an instruction, in its order."""
    return [Criterion(name.strip(), rule.strip(), measure_for(name)) for name, rule in _CRITERION.findall(instruction)]


def judge(document: str, criteria: Sequence[Criterion], phrases: Sequence[str] = ()) -> list[Finding]:
    """What a document lacks, in the order of the criteria.

    Args:
        document: The text.
        criteria: What it should meet; one that cannot be measured is passed over.
        phrases: Passages that are not judged, such as the topic itself.
    """
    shielded = shield(document, phrases)
    sentences = split_sentences(shielded.text)
    findings: list[Finding] = []
    for criterion in criteria:
        if criterion.measure and (advice := _lack(criterion, criterion.measure, sentences)) is not None:
            needs_a_sentence = criterion.measure in ("length", "ending", "sense", "feeling")
            findings.append(Finding(criterion.name, shielded.restore(advice), needs_a_sentence))
    return findings


def choose_worst(findings: Sequence[Finding]) -> list[Finding]:
    """The one or two findings to mend first: at most one new sentence and one change of words."""
    chosen = list(findings[:1])
    other = next((one for one in findings[1:] if one.needs_a_sentence != chosen[0].needs_a_sentence), None)
    return [*chosen, other] if other is not None else chosen


def _lack(criterion: Criterion, measure: str, sentences: Sequence[str]) -> str | None:
    """What sentences lack by a criterion, None if they meet it."""
    text, fields = " ".join(sentences), {}
    key = "advice"
    match measure:
        case "length":
            is_met = len(sentences) >= criterion.least
            fields = {"there": len(sentences), "least": criterion.least}
        case "ending":
            is_met = bool(sentences) and is_closed(sentences[-1])
        case "opening":
            place = repeated_opening(sentences) or 0
            is_met = place == 0
            fields = {"first": place, "second": place + 1, "word": capitalise(opening(sentences[place])) if place else ""}
        case "voice":
            passive = next((found for sentence in sentences if (found := PASSIVE.match(sentence))), None)
            is_met, fields = passive is None, {"words": passive[0], "agent": passive["agent"]} if passive else {}
        case "clich" | "empty":
            unwanted: list[str] = MEASURES[measure].get("unwanted") or _listed(criterion.rule.lower())
            found = [word for word in unwanted if has_phrase(text, word)]
            is_met, fields = not found, {"words": ", ".join(f"“{word}”" for word in found)}
        case _:
            is_met = len(WORDS[measure].findall(text)) >= criterion.least
            if measure == "number" and (vague := VAGUE.search(text)):
                key, fields = "advice_on_vague", {"words": vague[0]}
    return None if is_met else str(MEASURES[measure][key]).format(**fields)


def _listed(rule: str) -> list[str]:
    """The words that a rule lists, e.g. "none of very, really"."""
    return [word for word in _WORD.findall(rule.partition(" of ")[2] or rule) if word not in ("and", "or")]
