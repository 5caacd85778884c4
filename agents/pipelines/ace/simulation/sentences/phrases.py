"""The sentences and words of free questions, one file per language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agents.pipelines.language.detect import Language


@dataclass(frozen=True, slots=True)
class Phrases:
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
        said: Sentences of the roles.
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
    said: Mapping[str, str]

    def say(self, sentence: str, **values: object) -> str:
        """One of the sentences, filled. A value is put in as it is, braces in it included."""
        return self.said[sentence].format_map(values)

    def listed(self, criteria: list[str]) -> str:
        """Names of criteria, one after the other."""
        return self.said["list"].join(self.names[criterion] for criterion in criteria)


@cache
def phrases_of(language: Language) -> Phrases:
    """What is said in a language."""
    data = tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text(encoding="utf-8"))
    question, answer = data["question"], data["answer"]
    return Phrases(
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
        said=data["said"],
    )
