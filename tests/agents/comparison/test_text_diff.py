"""The difference of two texts, word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents.comparison.text_diff import Piece, word_diff

texts = st.one_of(st.text(max_size=60), st.text(alphabet="ab \n", max_size=60))


@given(texts, texts)
def test_the_pieces_make_up_both_texts(before, after):
    pieces = word_diff(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == after
    assert all(piece.text for piece in pieces)


def test_only_the_words_that_changed_are_lit():
    assert word_diff("Write 2 decimals.", "Write 3 decimals.") == [
        Piece("same", "Write "),
        Piece("gone", "2"),
        Piece("new", "3"),
        Piece("same", " decimals."),
    ]
    assert word_diff("same", "same") == [Piece("same", "same")]


def test_long_texts_that_have_nothing_in_common_are_shown_as_replaced():
    before, after = "a b " * 500, "c d " * 500
    assert word_diff(f"start {before}", f"start {after}") == [
        Piece("same", "start "),
        Piece("gone", before[:-1]),
        Piece("new", after[:-1]),
        Piece("same", " "),
    ]


def test_a_word_that_changed_in_a_long_text_is_found():
    sentences = [f"Sentence {n} says that the lamp of house {n} is dark." for n in range(60)]
    changed = [*sentences]
    changed[3], changed[50] = changed[3].replace("dark", "lit"), changed[50].replace("lamp", "door")
    pieces = word_diff("\n".join(sentences), "\n".join(changed))
    assert [piece for piece in pieces if piece.kind != "same"] == [
        Piece("gone", "dark"),
        Piece("new", "lit"),
        Piece("gone", "lamp"),
        Piece("new", "door"),
    ]


def test_japanese_and_chinese_are_compared_by_character():
    assert word_diff("暗い海を見た", "暗い空を見た") == [
        Piece("same", "暗い"),
        Piece("gone", "海"),
        Piece("new", "空"),
        Piece("same", "を見た"),
    ]


def test_words_that_were_replaced_one_after_the_other_are_one_change():
    assert word_diff("No major issues found.", "Nothing is left open.") == [
        Piece("gone", "No major issues found"),
        Piece("new", "Nothing is left open"),
        Piece("same", "."),
    ]
    assert word_diff("a b c", "a c") == [Piece("same", "a "), Piece("gone", "b "), Piece("same", "c")]
