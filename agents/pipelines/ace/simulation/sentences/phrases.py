"""The sentences of the roles, and the words by which free answers are judged, read from the data files of this folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from agents.models.simulated.language.chinese import in_simplified
from agents.models.simulated.language.detect import Language
from agents.models.simulated.language.words import words_beside


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
        opening: The first sentence of every answer.
        base: The other general sentences.
        separator: What stands between two sentences.
        markers: Criterion of the rubric → words of which one shows that an answer has it; "#" is any digit.
        names: Criterion → what it is called.
    """

    language: Language
    opening: str
    base: tuple[str, ...]
    separator: str
    markers: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]

    def listed(self, criteria: list[str]) -> str:
        """Names of criteria, one after the other."""
        return self.said["list"].join(self.names[criterion] for criterion in criteria)


@cache
def phrases_of(language: Language) -> Phrases:
    """What is said in a language."""
    data = words_beside(__file__, "zh-Hant.toml" if language == "zh" else f"{language}.toml")
    data = in_simplified(data) if language == "zh" else data
    answer = data["answer"]
    return Phrases(
        said=data["said"],
        reflections=data["reflection"],
        language=language,
        opening=answer["opening"],
        base=tuple(answer["base"]),
        separator=answer["separator"],
        markers={criterion: tuple(words) for criterion, words in data["rubric"].items()},
        names=data["names"],
    )


@cache
def sentences_of(role: str) -> Sentences:
    """What a role says in English only: about quantities, and about languages that are not read."""
    data = words_beside(__file__, "english_only.toml")
    return Sentences(data[role], data["reflection"])
