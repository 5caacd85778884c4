"""The difference of two texts, word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.playbook.compare.word_diff import Piece, word_diff

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
