from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pipelines.iterative_writing.prose import (
    cut,
    lead_in,
    repeated_openings,
    shield,
    split_sentences,
    vary_openings,
)


@given(st.text())
def test_a_shield_gives_back_what_it_took(text):
    shielded = shield(text, ("a", "the fox", ""))

    assert shielded.restore(shielded.text) == text


def test_a_shield_hides_quotations_and_phrases_but_not_parts_of_words():
    shielded = shield("The fox said “very well. Go.” to a foxglove, the fox.", ("the fox",))

    assert shielded.passages == ("The fox", "“very well. Go.”", "the fox")
    assert "foxglove" in shielded.text
    assert len(split_sentences(shielded.text)) == 1


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (["very"], "A very old man slept.", "An old man slept."),
        (["very"], "He saw an very long day.", "He saw a long day."),
        (["Needless to say"], "Needless to say, she slept.", "She slept."),
        (["as if time stood still"], "She slept, as if time stood still.", "She slept."),
        (["suddenly"], "It rained. Suddenly, a door shut.", "It rained. A door shut."),
        (["very"], "Very, very late.", "Late."),
        (["very"], "Everything was everyday.", "Everything was everyday."),
        ([], "Nothing.", "Nothing."),
    ],
)
def test_a_cut_leaves_good_prose(words, before, after):
    assert cut(words, before) == after


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


def test_repeated_openings_are_found_and_varied():
    sentences = ["She came.", "She saw.", "It rained.", "It poured.", "She left."]

    assert repeated_openings(sentences) == [1, 3]
    varied = vary_openings(sentences, random.Random(1))
    assert repeated_openings(varied) == []
    assert [varied[place] for place in (0, 2, 4)] == [sentences[place] for place in (0, 2, 4)]


@given(st.lists(st.sampled_from(["It was.", "She went.", "“x”", "1.", "…"]), max_size=12), st.integers())
def test_varying_loses_no_sentence(sentences, seed):
    assert len(vary_openings(sentences, random.Random(seed))) == len(sentences)
