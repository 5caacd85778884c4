from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pipelines.iterative_writing.prose import (
    cut,
    lead_in,
    repeated_opening,
    shield,
    split_sentences,
    vary_opening,
)


@given(st.text())
def test_a_shield_gives_back_what_it_took(text):
    shielded = shield(text, ("a", "the fox", ""))

    assert shielded.restore(shielded.text) == text


def test_a_shield_hides_quotations_and_phrases_but_not_parts_of_words():
    shielded = shield("The fox said “very well. Go.” to a foxglove, the fox.", ("the fox",))

    assert "fox " not in shielded.text
    assert "very" not in shielded.text
    assert "foxglove" in shielded.text
    assert len(split_sentences(shielded.text)) == 1


@pytest.mark.parametrize(
    ("phrase", "before", "after"),
    [
        ("very", "A very old man slept.", "An old man slept."),
        ("very", "He saw an very long day.", "He saw a long day."),
        ("Needless to say", "Needless to say, she slept.", "She slept."),
        ("as if time stood still", "She slept, as if time stood still.", "She slept."),
        ("suddenly", "Suddenly, a door shut.", "A door shut."),
        ("as luck would have it", "It was, as luck would have it, late.", "It was late."),
        ("very", "Very.", ""),
        ("very", "Very, very late.", "Late."),
        ("very", "Everything was everyday.", "Everything was everyday."),
        ("something", "Nothing.", "Nothing."),
    ],
)
def test_a_cut_leaves_good_prose(phrase, before, after):
    assert cut(phrase, before) == after


@pytest.mark.parametrize(
    ("sentence", "text", "led"),
    [
        ("She slept.", "She slept.", "Later, she slept."),
        ("I slept.", "I slept.", "Later, I slept."),
        ("Ana slept.", "It was Ana. Ana slept.", "Later, Ana slept."),
        ("“No,” she said.", "“No,” she said.", "Later, “No,” she said."),
    ],
)
def test_a_lead_in_makes_the_old_beginning_small(sentence, text, led):
    assert lead_in("Later", sentence, text) == led


def test_a_repeated_opening_is_found_and_varied():
    sentences = ["She came.", "She saw.", "It rained."]

    assert repeated_opening(sentences) == 1
    assert vary_opening(sentences, ["Later"], random.Random(1)) == ["She came.", "Later, she saw.", "It rained."]
    assert repeated_opening(["She came.", "It rained.", "She saw."]) is None
