"""What a text is estimated to cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.value.tokens import count_tokens
from tests.agents.ace.bullets import texts

LETTERS = st.characters(min_codepoint=0, max_codepoint=127)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("   ", 0),
        ("units", 1),
        ("dividing", 1),
        ("exercises", 2),
        ("Compare the units of both sides.", 7),
        ("1234", 2),
        ("a = b / c", 5),
        ("::", 1),
        ("snake_case", 3),
        ("净利润", 3),
        ("東京です", 4),
        ("Größe", 2),
        ("два слова", 3),
        ("one\n\ntwo", 3),
        ("[sai-00001] helpful=4 harmful=0 :: ", 13),
    ],
)
def test_words_digits_signs_and_characters_count(text: str, tokens: int):
    assert count_tokens(text) == tokens


def test_prose_has_about_four_letters_to_a_token():
    prose = "Compare the units of both sides before dividing; when they differ, convert the smaller one first."
    assert 0.75 < count_tokens(prose) / (len(prose) / 4) < 1.25


@given(texts, texts)
def test_two_texts_with_a_space_between_them_count_as_much_as_both(one: str, other: str):
    assert count_tokens(f"{one} {other}") == count_tokens(one) + count_tokens(other)


@given(st.text(LETTERS, max_size=40))
def test_plain_text_counts_the_same_beside_a_foreign_letter(text: str):
    assert count_tokens(f"{text} é") == count_tokens(text) + 1


@given(texts, texts)
def test_more_text_never_counts_less(one: str, other: str):
    assert count_tokens(f"{one}\n{other}") >= max(count_tokens(one), count_tokens(other))
