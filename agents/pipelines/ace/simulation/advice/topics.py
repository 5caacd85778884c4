"""The topics of advice, each with its strategies, and which topic a question asks for: `Give me tips for meetings`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from agents.ace.bullet import section_key
from agents.models.simulated.language.chinese import in_simplified
from agents.models.simulated.language.detect import LANGUAGES, Language, answer_language
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.forms import Forms
from agents.models.simulated.reading.kinds import Message
from agents.pipelines.ace.simulation.sentences.phrases import Phrases, phrases_of

_MOST_ENDS = 40


class Topic(NamedTuple):
    """What a question asks advice on.

    Attributes:
        name: In the question's language.
        strategies: Sentences, in the order in which they are learned.
        phrases: What is said in that language.
    """

    name: str
    strategies: Sequence[str]
    phrases: Phrases

    @property
    def section(self) -> str:
        """The section of a playbook that has its strategies."""
        return f"{self.name.casefold().replace(' ', '_')}_strategies"

    @property
    def example(self) -> str:
        """A message that asks for it."""
        return self.phrases.say("asks", topic=self.name)


def topic_of(question: str) -> Topic | None:
    """The topic that a question asks advice on; None if it asks for something else, or for a topic that is not known."""
    key = _topic_asked(question)
    return topics_in(answer_language(question))[key] if key else None


@lru_cache(maxsize=256)
def _topic_asked(question: str) -> str:
    reading = _forms(_family(question)).read(question)
    return reading.form if reading else ""


def asks_for_advice(question: str) -> bool:
    """Whether a question asks for advice on anything at all."""
    return _forms(_family(question), any_topic=True).read(question) is not None


def _family(question: str) -> str:
    return answer_language(question).partition("-")[0]


@cache
def topics_in(language: Language) -> Mapping[str, Topic]:
    """The topics by their key, in one language."""
    phrases = phrases_of(language)
    topics = words_beside(__file__, "zh-Hant.toml" if language == "zh" else f"{language}.toml")["topic"]
    topics = in_simplified(topics) if language == "zh" else topics
    return {key: Topic(topic["name"], topic["strategies"].strip().split("\n"), phrases) for key, topic in topics.items()}


@cache
def topic_of_section(section: str) -> Topic | None:
    """The topic whose strategies stand in a section of a playbook; None for any other section."""
    return _topics_by_section().get(section_key(section))


@cache
def _topics_by_section() -> Mapping[str, Topic]:
    return {section_key(topic.section): topic for language in LANGUAGES for topic in topics_in(language).values()}


@cache
def _forms(language: str, *, any_topic: bool = False) -> Forms:
    """The forms of the topics in a language, or those that ask for anything; Chinese ones take both kinds of characters."""
    texts = words_beside(__file__, f"{language}.toml")
    anything = {"advice": dict.fromkeys(texts["asks"], "{anything}")}
    forms = {key: list(_asks(texts["asks"], topic)) for key, topic in (anything if any_topic else texts["topic"]).items()}
    return Forms({"examples": {}, "forms": {language: forms}, "rules": {language: texts["rules"]}}, {"anything": _anything})


def _asks(asks: Mapping[str, list[str]], topic: Mapping[str, Any]) -> Iterator[str]:
    """The forms that ask for a topic in each of its words."""
    for kind, forms in asks.items():
        yield from (form.replace("<topic>", f"({topic[kind]})") for form in forms if kind in topic)


def _anything(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """Any words at all, up to one of the last tokens of a message."""
    last = len(message.tokens)
    yield from ((end, "") for end in range(max(at + 1, last - _MOST_ENDS), last + 1))
