"""Mends a text as a critic's remarks ask, and only that.

A remark is a line such as "Senses: …"; its name says what to mend, its quotations and numbers say where. What a new
sentence tells is drawn from the scene that the text is recognised by. Knows no criteria and no critic.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agents.pipelines.iterative_writing import lexicon
from agents.pipelines.iterative_writing.prose import (
    capitalise,
    cut,
    has_phrase,
    repeated_openings,
    shield,
    split_sentences,
    vary_openings,
)
from agents.pipelines.iterative_writing.review import measure_for
from agents.pipelines.iterative_writing.scenes import SCENES, Person, Scene
from agents.pipelines.iterative_writing.topic import Topic

MOST_SENTENCES_ADDED = 12

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d{1,4}")
_QUOTED = re.compile("“([^”]{1,200}+)”")
_TWO_NAMES = re.compile(r"[A-Z][\w’'-]*+ [A-Z]")


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a text plays, as far as it can be recognised.

    Attributes:
        scene: The scene, None when the text names nobody known.
        slots: What its sentences are filled with.
        draw: Seeded with the text.
        seen_as: What a reader sees of a sentence in which passages are protected.
    """

    scene: Scene | None
    slots: Mapping[str, str]
    draw: random.Random
    seen_as: Callable[[str], str]

    def new_sentence(self, of_scene: Sequence[str], anywhere: Sequence[str], text: str) -> str | None:
        """A sentence that the text does not have yet, None when all are used."""
        number = self.draw.choice(lexicon.EXACT_QUANTITIES)
        slots = {**self.slots, "some": number, "very": ""}
        for sentences in (of_scene if self.scene else (), anywhere):
            told = [capitalise(sentence.format(**slots)) for sentence in sentences]
            fresh = [sentence for sentence in told if sentence[-24:] not in text]
            if fresh:
                return self.draw.choice(fresh)
        return None


def revise(document: str, criticism: str, topic: Topic) -> str:
    """The document with each remark of the criticism attended to; unchanged where a remark says nothing known."""
    shielded = shield(document, (topic.phrase, topic.again))
    setting = _recognise(document, topic, shielded.restore)
    sentences = split_sentences(shielded.text)
    for remark in criticism.splitlines():
        name, _, advice = remark.partition(":")
        measure = measure_for(name)
        if measure is not None:
            sentences = _MENDS[measure](sentences, advice, setting)
    return " ".join(capitalise(shielded.restore(sentence)) for sentence in sentences)


def _recognise(document: str, topic: Topic, seen_as: Callable[[str], str]) -> Setting:
    """Who and where: by the place for a hero who is the topic, else by somebody who belongs to one scene only."""
    draw = random.Random(document)  # noqa: S311  prose is no secret
    if topic.pronoun is not None and _mentions(document, topic.again, topic.phrase):
        scene = next((scene for scene in SCENES if _mentions(document, scene.at)), None)
        people = [Person(topic.again, _pronoun_in(document))]
    else:
        scene = next((scene for scene in SCENES if _mentions(document, *(person.name for person in scene.people))), None)
        people = [person for person in scene.people if _mentions(document, person.name)] if scene else []
    if scene is None:
        return Setting(None, {}, draw, seen_as)
    return Setting(scene, {**scene.slots(people[0]), "again": topic.again}, draw, seen_as)


def _mentions(document: str, *names: str) -> bool:
    return any(has_phrase(document, name) for name in names)


def _pronoun_in(document: str) -> str:
    """The pronoun that the document uses more."""
    words = _WORD.findall(document.lower())
    return "he" if sum(w in ("he", "his", "him") for w in words) > sum(w in ("she", "her") for w in words) else "she"


def _lengthen(sentences: list[str], advice: str, setting: Setting) -> list[str]:
    numbers = _NUMBER.findall(advice)
    wanted = min(int(numbers[-1]) if numbers else len(sentences) + 1, len(sentences) + MOST_SENTENCES_ADDED)
    longer = list(sentences)
    for _ in range(wanted - len(sentences)):
        of_scene = (*setting.scene.beats, *setting.scene.acts) if setting.scene else ()
        sentence = setting.new_sentence(of_scene, lexicon.ANYWHERE_BEATS, " ".join(longer))
        if sentence is None:
            break
        longer.insert(_before_the_end(longer), sentence)
    return longer


def _close(sentences: list[str], _: str, setting: Setting) -> list[str]:
    sentence = setting.new_sentence(lexicon.CLOSINGS, lexicon.ANYWHERE_CLOSINGS, " ".join(sentences))
    return [*sentences, sentence or lexicon.ANYWHERE_CLOSINGS[0]]


def _add_sense(sentences: list[str], _: str, setting: Setting) -> list[str]:
    of_scene = setting.scene.senses if setting.scene else ()
    sentence = setting.new_sentence(of_scene, lexicon.ANYWHERE_SENSES, " ".join(sentences))
    return [*sentences[:1], *([sentence] if sentence else []), *sentences[1:]]


def _add_feeling(sentences: list[str], _: str, setting: Setting) -> list[str]:
    sentence = setting.new_sentence(lexicon.FEELINGS, lexicon.ANYWHERE_FEELINGS, " ".join(sentences))
    place = _before_the_end(sentences)
    return [*sentences[:place], *([sentence] if sentence else []), *sentences[place:]]


def _before_the_end(sentences: Sequence[str]) -> int:
    """Where a sentence is added: at the end, but before a sentence that closes the text."""
    is_closed = len(sentences) > 1 and lexicon.CLOSING_WORDS.search(sentences[-1])
    return len(sentences) - 1 if is_closed else len(sentences)


def _vary(sentences: list[str], _: str, setting: Setting) -> list[str]:
    """Changes the first repeated opening only: that is what a critic points at."""
    places = repeated_openings([setting.seen_as(sentence) for sentence in sentences])
    if not places:
        return sentences
    end = places[0] + 1
    return [*vary_openings(sentences[:end], setting.draw, setting.seen_as), *sentences[end:]]


def _count(sentences: list[str], _: str, setting: Setting) -> list[str]:
    text = " ".join(sentences)
    number = setting.draw.choice(lexicon.EXACT_QUANTITIES)
    exact, changes = lexicon.VAGUE.subn(lambda found: _like(found.group(), number), text, count=1)
    if changes:
        return split_sentences(exact)
    sentence = setting.new_sentence((), lexicon.ANYWHERE_NUMBERS, text)
    return [*sentences[:1], *([sentence] if sentence else []), *sentences[1:]]


def _like(model: str, word: str) -> str:
    return capitalise(word) if model[:1].isupper() else word


def _cut_quoted(sentences: list[str], advice: str, _: Setting) -> list[str]:
    return split_sentences(cut(_QUOTED.findall(advice), " ".join(sentences)))


def _activate(sentences: list[str], _: str, _setting: Setting) -> list[str]:
    """Turns the first passive sentence round: "A was done by B." becomes "B did A."."""

    def turn(found: re.Match[str]) -> str:
        act = _PAST.get(found.group("act"), found.group("act"))
        lead, thing = _split_lead(found.group("object"))
        rest = found.group("rest").strip()
        agent = found.group("agent")
        return f"{lead}{agent if lead else capitalise(agent)} {act} {thing}{' ' if rest else ''}{rest}{found.group('tail')}"

    for place, sentence in enumerate(sentences):
        changed, changes = lexicon.PASSIVE.subn(turn, sentence, count=1)
        if changes:
            return [*sentences[:place], changed, *sentences[place + 1 :]]
    return sentences


def _split_lead(subject: str) -> tuple[str, str]:
    """("By then, ", "the lamp") for "By then, the lamp"; ("", "the lamp") for "The lamp"."""
    lead, comma, thing = subject.rpartition(", ")
    if comma:
        return f"{lead}{comma}", thing
    return "", thing if _TWO_NAMES.match(thing) else thing[:1].lower() + thing[1:]


_PAST = {"written": "wrote", "taken": "took", "given": "gave", "seen": "saw", "broken": "broke", "chosen": "chose"} | {
    "stolen": "stole",
    "spoken": "spoke",
    "driven": "drove",
    "eaten": "ate",
    "shaken": "shook",
    "hidden": "hid",
    "woven": "wove",
    "drawn": "drew",
}
_MENDS: dict[str, Callable[[list[str], str, Setting], list[str]]] = {
    "length": _lengthen,
    "ending": _close,
    "sense": _add_sense,
    "feeling": _add_feeling,
    "opening": _vary,
    "number": _count,
    "clich": _cut_quoted,
    "voice": _activate,
    "empty": _cut_quoted,
}
