"""Revises a text as a critic's remarks ask, and only that.

A remark is a line such as "Senses: …": its name says what to change, its quotations and numbers say where.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from agents.models.simulated.language.words import has_phrase
from agents.pipelines.iterative_writing.draft import EXACT_NUMBERS, SCENES
from agents.pipelines.iterative_writing.measures import MEASURES, PASSIVE, VAGUE, is_closed, measure_for
from agents.pipelines.iterative_writing.prose import capitalise, cut, shield, split_sentences, vary_opening

MOST_ADDED = 12
"""Sentences, by one remark."""
MOST_REMARKS = 10

_NUMBER = re.compile(r"\d{1,4}")
_QUOTED = re.compile("“([^”]{1,200}+)”")


def revise(document: str, criticism: str, phrases: Sequence[str] = ()) -> str:
    """The document with each remark of the criticism attended to; unchanged where a remark says nothing known.

    Args:
        document: The text.
        criticism: A remark a line.
        phrases: Passages that are not changed, such as the topic itself.
    """
    shielded = shield(document, phrases)
    draw = random.Random(document)  # noqa: S311  prose is no secret
    sentences = split_sentences(shielded.text)
    for remark in criticism.splitlines()[:MOST_REMARKS]:
        name, _, advice = remark.partition(":")
        match measure := measure_for(name):
            case None:
                pass
            case "clich" | "empty":
                for phrase in _QUOTED.findall(advice)[:MOST_REMARKS]:
                    sentences = [left for sentence in sentences if (left := cut(phrase, sentence))]
            case "voice":
                place = next((place for place, sentence in enumerate(sentences) if PASSIVE.match(sentence)), len(sentences))
                sentences[place : place + 1] = [_turned(sentence) for sentence in sentences[place : place + 1]]
            case "opening":
                sentences = vary_opening(sentences, MEASURES[measure]["links"], draw)
            case "number" if vague := VAGUE.search(text := " ".join(sentences)):
                number = draw.choice(EXACT_NUMBERS)
                number = capitalise(number) if vague[0][0].isupper() else number
                sentences = split_sentences(text[: vague.start()] + number + text[vague.end() :])
            case _:
                for _ in range(_how_many(measure, advice, len(sentences))):
                    sentences = _with_new_sentence(sentences, measure, draw)
    return " ".join(capitalise(shielded.restore(sentence)) for sentence in sentences)


def _turned(sentence: str) -> str:
    """A passive sentence with whoever acts as its subject: "A was done by B." becomes "B did A."."""

    def turn(found: re.Match[str]) -> str:
        lead, comma, thing = found["thing"].rpartition(", ")
        is_name = thing[:1] == "I" or " " not in thing
        words = (found["agent"], MEASURES["voice"]["past"].get(found["act"], found["act"]))
        told = " ".join((*words, thing if comma or is_name else thing[:1].lower() + thing[1:], found["rest"])).rstrip()
        return f"{lead}{comma}{told if comma else capitalise(told)}{found['tail']}"

    return PASSIVE.sub(turn, sentence)


def _how_many(measure: str, advice: str, there: int) -> int:
    """How many sentences to add: by a criticism of the length as many as are missing, else one."""
    numbers = _NUMBER.findall(advice) if measure == "length" else []
    return max(0, min(int(numbers[-1]) - there, MOST_ADDED)) if numbers else 1


def _with_new_sentence(sentences: list[str], measure: str, draw: random.Random) -> list[str]:
    """The sentences with one more that they do not have yet, or as they are when all have been used."""
    text = " ".join(sentences)
    known: list[list[str]] = [MEASURES[measure]["sentences"]]
    if of_scene := MEASURES[measure].get("of_scene"):
        told_of = [scene for scene in SCENES if any(has_phrase(text, name) for name in (scene["at"], *scene["people"]))]
        known = [*(scene[of_scene] for scene in told_of), *known]
    for pool in known:
        told = [capitalise(sentence.format(some=draw.choice(EXACT_NUMBERS), very="")) for sentence in pool]
        if new := [sentence for sentence in told if sentence[-24:] not in text]:
            at = _place(MEASURES[measure]["place"], sentences)
            return [*sentences[:at], draw.choice(new), *sentences[at:]]
    return sentences


def _place(place: str, sentences: Sequence[str]) -> int:
    """Where a new sentence comes; "before the end" is the end of a text that no sentence closes."""
    if place == "second":
        return 1
    is_before_last = place == "before the end" and len(sentences) > 1 and is_closed(sentences[-1])
    return len(sentences) - is_before_last
