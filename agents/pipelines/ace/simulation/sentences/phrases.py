"""The sentences of the roles and the words of free questions, read from the data files of this folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from agents.models.simulated.language.detect import Language
from agents.pipelines.ace.data_file import read_data


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is said: single sentences by their key, and reflections, each with a sentence for some of its parts."""

    said: Mapping[str, str]
    reflections: Mapping[str, Mapping[str, str]]

    def say(self, key: str, **values: object) -> str:
        """A sentence, filled. A value is put in as it is, braces in it included."""
        return self.said[key].format_map(values)

    def reflection(self, kind: str, **values: object) -> dict[str, str]:
        """The parts of a reflection, filled; a part may use single sentences and the parts before it."""
        parts: dict[str, str] = {}
        for part, sentence in self.reflections[kind].items():
            parts[part] = sentence.format_map({**self.said, **values, **parts})
        return parts


@dataclass(frozen=True, slots=True)
class Phrases(Sentences):
    """What is said, and looked for, in one language.

    Attributes:
        language: Which one.
        asks: What asks for advice, in lower case, longest first.
        facts: What asks for a fact.
        fillers: Words of a question that do not say what it is about.
        breaks: Words from which on a topic is cut.
        shape: `most_words`, `least_words`, `joint` and `section` of a topic.
        opening: The first sentence of every answer.
        base: The other general sentences.
        separator: What stands between two sentences.
        markers: Criterion of the rubric → words of which one shows that an answer has it; "#" is any digit.
        names: Criterion → what it is called.
        strategies: Criterion → the sentence that an answer without it could have had.
    """

    language: Language
    asks: tuple[str, ...]
    facts: tuple[str, ...]
    fillers: tuple[str, ...]
    breaks: frozenset[str]
    shape: Mapping[str, Any]
    opening: str
    base: tuple[str, ...]
    separator: str
    markers: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    strategies: Mapping[str, str]

    def listed(self, criteria: list[str]) -> str:
        """Names of criteria, one after the other."""
        return self.said["list"].join(self.names[criterion] for criterion in criteria)


@cache
def phrases_of(language: Language) -> Phrases:
    """What is said in a language."""
    data = read_data(__file__, f"{language}.toml")
    question, answer = data["question"], data["answer"]
    return Phrases(
        said=data["said"],
        reflections=data["reflection"],
        language=language,
        asks=tuple(sorted(question["asks"], key=len, reverse=True)),
        facts=tuple(question["facts"]),
        fillers=tuple(sorted(question["fillers"].split(), key=len, reverse=True)),
        breaks=frozenset(question["breaks"].split()),
        shape={key: question[key] for key in ("most_words", "least_words", "joint", "section")},
        opening=answer["opening"],
        base=tuple(answer["base"]),
        separator=answer["separator"],
        markers={criterion: tuple(words) for criterion, words in data["rubric"].items()},
        names=data["names"],
        strategies=data["strategies"],
    )


@cache
def sentences_of(role: str) -> Sentences:
    """What a role says in English only: about quantities, and about languages that are not read."""
    data = read_data(__file__, "english_only.toml")
    return Sentences(data[role], data["reflection"])
