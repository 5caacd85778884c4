from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents.models.answer import content_of, natural_stop, words
from agents.models.scripted import call


@given(st.text())
def test_words_add_up_to_the_text(text):
    assert "".join(words(text)) == text


@given(st.lists(st.from_regex(r"\w+", fullmatch=True), min_size=1))
def test_each_word_is_a_piece(said):
    assert [piece.strip() for piece in words(" ".join(said))] == said


def test_nothing_said_is_no_content():
    assert content_of("") is None


def test_calls_make_a_stop_for_tools():
    content = content_of("Let me see.", [call("look")])

    assert natural_stop(content.parts) == "tool_use"
    assert natural_stop(content.parts[:1]) == "end_turn"
    assert natural_stop(None) == "end_turn"
