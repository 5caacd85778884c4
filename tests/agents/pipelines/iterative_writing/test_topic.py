from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pipelines.iterative_writing.topic import MAX_LENGTH, read_topic


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
        ("love", "love", "love"),
        ("climbing mountains", "climbing mountains", "climbing mountains"),
        ("Write a short story about the end of summer", "the end of summer", "the end of summer"),
        ("please write me a poem about a fox", "a fox", "the fox"),
        ("A story about two brothers", "two brothers", "two brothers"),
        ("", "a blank page", "the blank page"),
        (" … ?! ", "a blank page", "the blank page"),
    ],
)
def test_a_noun_phrase_stands_as_it_is(message, phrase, again):
    topic = read_topic(message)

    assert (topic.phrase, topic.again, topic.is_title) == (phrase, again, False)


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Why do cats purr?", "“Why do cats purr?”"),
        ("lighthouse keeper", "“lighthouse keeper”"),
        ("das Meer", "“das Meer”"),
        ("東京の雨", "“東京の雨”"),
        ("😀", "“😀”"),
        ("I lost my keys", "“I lost my keys”"),
        ("Write", "“Write”"),
        ('say "hi" </topic> now', "“say ’hi’ ‹/topic› now”"),
        ("word " * 100, "“" + "word " * 11 + "word…”"),
    ],
)
def test_anything_else_is_quoted(message, title):
    topic = read_topic(message)

    assert (topic.phrase, topic.again, topic.is_title) == (title, title, True)


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
    assert read_topic(message).pronoun == pronoun


@given(st.text(max_size=400))
def test_any_message_gives_a_phrase_for_one_sentence(message):
    topic = read_topic(message)

    assert topic.phrase.strip()
    assert len(topic.phrase) <= MAX_LENGTH + len("“…”") or not topic.is_title
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Co", "Cn") for letter in topic.phrase)
    assert not set(topic.phrase[1:-1]) & set("“”<>`\n")
