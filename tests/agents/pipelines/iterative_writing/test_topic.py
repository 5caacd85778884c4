from __future__ import annotations

import pytest

from agents.models.simulated.reading.tokens import MOST_LETTERS
from agents.pipelines.iterative_writing.topic import read_topic


@pytest.mark.parametrize(
    ("message", "phrase", "again"),
    [
        ("a lighthouse keeper", "a lighthouse keeper", "the lighthouse keeper"),
        ("A lighthouse keeper.", "a lighthouse keeper", "the lighthouse keeper"),
        ("  an   old bakery  at dawn ", "an old bakery at dawn", "the old bakery at dawn"),
        ("the last train home", "the last train home", "the last train home"),
        ("my grandmother’s kitchen", "my grandmother’s kitchen", "my grandmother’s kitchen"),
        ("a robot and a dog", "a robot and a dog", "the robot and the dog"),
        ("robots", "robots", "robots"),
        ("Write a short story about the end of summer", "the end of summer", "the end of summer"),
        ("A story about two brothers", "two brothers", "two brothers"),
    ],
)
def test_a_noun_phrase_stands_as_it_is(message, phrase, again):
    topic = read_topic(message)

    assert topic is not None
    assert (topic.phrase, topic.again) == (phrase, again)


def test_a_topic_has_at_most_a_dozen_words():
    assert read_topic("the smell of the rain in the garden of my old school") is not None
    assert read_topic("the smell of the rain in the garden of my old quiet school") is None


@pytest.mark.parametrize(
    ("message", "pronoun"),
    [
        ("a lighthouse keeper", "they"),
        ("a robot who learns to paint", "they"),
        ("the king of the hill", "he"),
        ("my grandmother", "she"),
        ("a river", ""),
        ("the last train home", ""),
        ("two brothers", ""),
        ("a robot and a dog", ""),
        ("the letter from a sailor", ""),
    ],
)
def test_who_can_be_the_hero(message, pronoun):
    topic = read_topic(message)

    assert topic is not None
    assert topic.pronoun == pronoun


def test_a_message_of_any_length_is_no_topic():
    assert read_topic("a" * (MOST_LETTERS + 1)) is None
    assert read_topic("a very " * 20_000) is None
