"""Judges a free answer by a rubric: which criteria its words show. That says nothing about whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agents.pipelines.ace.simulation.sentences.phrases import Phrases, phrases_of


class Score(NamedTuple):
    """The criteria of a rubric that an answer meets, and those that it misses, in the rubric's order."""

    met: list[str]
    missing: list[str]

    def text(self, phrases: Phrases) -> str:
        """E.g. `4 of 6: no limit, no check`."""
        score = phrases.say("score", met=len(self.met), all=len(self.met) + len(self.missing))
        if not self.missing:
            return score + phrases.say("complete")
        names = [phrases.say("lacks", name=phrases.names[criterion]) for criterion in self.missing]
        return score + phrases.say("without", missing=phrases.said["list"].join(names))


def criteria_in(rubric: str) -> tuple[str, ...]:
    """The criteria that a prompt's rubric lists, one a line: `- first step: …`; those that can be judged by words."""
    known = phrases_of("en").names
    listed = (line.strip().removeprefix("-").partition(":")[0].strip() for line in rubric.splitlines())
    return tuple(dict.fromkeys(name for name in listed if name in known))


def judge(answer: str, phrases: Phrases, criteria: Sequence[str], *, topic: str = "") -> Score:
    """Which criteria an answer in a language meets. What the topic is called counts for nothing."""
    text = answer.casefold()
    if topic:
        text = text.replace(topic.casefold(), " … ")
    spaced = phrases.separator == " "
    met = [one for one in criteria if any(_shows(text, word, spaced=spaced) for word in phrases.markers[one])]
    return Score(met, [one for one in criteria if one not in met])


def _shows(text: str, marker: str, *, spaced: bool) -> bool:
    if marker == "#":
        return any(sign.isdecimal() for sign in text)
    if not spaced:
        return marker in text
    begin = text.find(marker)
    while begin >= 0:
        end = begin + len(marker)
        if not text[begin - 1 : begin].isalnum() and not (marker[-1].isalnum() and text[end : end + 1].isalnum()):
            return True
        begin = text.find(marker, end)
    return False
