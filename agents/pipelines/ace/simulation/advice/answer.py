"""How a free question is answered: a few general sentences, and the strategies among the bullets that were given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agents.pipelines.ace.simulation.bullets import Line
from agents.pipelines.ace.simulation.reading.topic import Topic
from agents.pipelines.language.detect import language_of

MOST_USED = 12
"""Bullets in one answer, the best first."""


class Advice(NamedTuple):
    """An answer to a free question."""

    reasoning: list[str]
    bullet_ids: list[str]
    text: str


def advise(topic: Topic, lines: Sequence[Line]) -> Advice:
    """Answers a free question.

    Args:
        topic: What it asks advice on.
        lines: The bullets that were given.
    """
    phrases = topic.phrases
    used = strategies_for(topic, lines)
    base = [phrases.opening.format_map({"topic": topic.name}), *phrases.base]
    ids = [line.id for line in used]
    if ids:
        told = phrases.say("uses", ids=phrases.said["list"].join(f"[{id_}]" for id_ in ids))
    else:
        told = phrases.say("no_bullets" if lines else "no_playbook")
    general = phrases.say("only_general", topic=topic.name, count=len(phrases.base))
    text = phrases.separator.join([*base, *(_as_sentence(line.content, topic) for line in used)])
    return Advice([general, told], ids, text)


def strategies_for(topic: Topic, lines: Sequence[Line]) -> list[Line]:
    """The bullets of prose that are about a topic, in its language, in the playbook's order."""
    about = [line for line in lines if _is_about(line, topic)]
    best = sorted(about, key=lambda line: line.worth, reverse=True)[:MOST_USED]
    return [line for line in about if line in best]


def _is_about(line: Line, topic: Topic) -> bool:
    if line.says is not None or not _is_written_in(line.content, topic.phrases.language):
        return False
    return topic.is_section(line.section) or topic.is_named_in(line.content)


def _as_sentence(content: str, topic: Topic) -> str:
    text = " ".join(content.split())
    return text if text[-1:] in ".!?。！？" else text + ("." if topic.phrases.separator else "。")


def _is_written_in(text: str, language: str) -> bool:
    """Whether a text may be in a language: short ones do not show which of those in Latin letters, or of the Chinese two."""
    return (language_of(text) or "en")[:2] == language[:2]
