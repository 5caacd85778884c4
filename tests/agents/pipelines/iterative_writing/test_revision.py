from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pipelines.iterative_writing.agent import CRITIC_INSTRUCTION
from agents.pipelines.iterative_writing.prose import split_sentences
from agents.pipelines.iterative_writing.review import judge, read_criteria
from agents.pipelines.iterative_writing.revision import MOST_ADDED, revise
from tests.agents.pipelines.iterative_writing.test_review import GOOD, SPOILED

CRITERIA = read_criteria(CRITIC_INSTRUCTION.partition("<document>")[0])
FOX = ("a very old fox", "the very old fox")


def findings(text: str, topic=FOX) -> dict[str, str]:
    return {finding.name: finding.advice for finding in judge(text, CRITERIA, topic)}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_named_is_mended_in_a_text_by_anybody(name):
    spoiled = GOOD.replace(*SPOILED[name])

    mended = revise(spoiled, f"{name}: {findings(spoiled)[name]}", FOX)

    assert name not in findings(mended)


@pytest.mark.parametrize("name", ["Ending", "Senses", "Feeling"])
def test_a_new_sentence_leaves_the_others_as_they_are(name):
    spoiled = GOOD.replace(*SPOILED[name])

    mended = split_sentences(revise(spoiled, f"{name}: {findings(spoiled)[name]}", FOX))

    assert [sentence for sentence in mended if sentence in split_sentences(spoiled)] == split_sentences(spoiled)
    assert len(mended) == len(split_sentences(spoiled)) + 1


def test_only_what_is_named_is_mended():
    spoiled = GOOD.replace(*SPOILED["Numbers"]).replace(*SPOILED["Empty words"])

    mended = revise(spoiled, f"Numbers: {findings(spoiled)['Numbers']}", FOX)

    assert set(findings(mended)) == {"Empty words"}


@pytest.mark.parametrize(
    ("passive", "active"),
    [
        ("The lamp was lit up and carried home by the clerk.", "The lamp was lit up and carried home by the clerk."),
        ("The lamp was carried home by the clerk.", "The clerk carried the lamp home."),
        ("Later, the lamps were written off by my aunt, twice.", "Later, my aunt wrote the lamps off, twice."),
        ("The nets were mended by a very old fox.", "A very old fox mended the nets."),
    ],
)
def test_a_passive_sentence_is_turned_round(passive, active):
    assert revise(passive, "Voice: let somebody act.", FOX) == active


def test_the_words_of_the_topic_stay():
    text = "A very old fox met a very old crow. “A very old trick”, said the crow."

    assert revise(text, "Empty words: “very” adds nothing.", FOX) == (
        "A very old fox met an old crow. “A very old trick”, said the crow."
    )


@pytest.mark.parametrize("criticism", ["", "No major issues found.", "Make it better!", "Charm: more of it.", ":::"])
def test_a_criticism_that_names_nothing_known_changes_nothing(criticism):
    assert revise(GOOD, criticism, FOX) == GOOD


def test_a_wish_for_a_thousand_sentences_has_an_end():
    longer = revise(GOOD, "Length: 5 are too few, at least 1000.", FOX)

    assert 5 < len(split_sentences(longer)) <= 5 + MOST_ADDED


@given(st.text(max_size=300), st.lists(st.sampled_from(list(SPOILED)), max_size=4), st.text(max_size=40))
def test_any_text_can_be_revised(text, names, advice):
    criticism = "\n".join(f"{name}: {advice}" for name in names)

    assert isinstance(revise(text, criticism, (advice,)), str)
