"""Directions of texts."""

from __future__ import annotations

import pytest

from agents.ace.refine.vectors import cosine, unit_vectors


def test_length_makes_no_difference():
    long, short = unit_vectors(lambda texts: [[3.0 * len(text), 4.0 * len(text)] for text in texts], ["aaaa", "a"])
    assert long == pytest.approx([0.6, 0.8])
    assert short == pytest.approx([0.6, 0.8])
    assert cosine(long, short) == pytest.approx(1)


def test_a_vector_without_direction_is_like_nothing():
    nothing, some = unit_vectors(lambda _: [[0.0, 0.0], [1.0, 0.0]], ["", "a"])
    assert cosine(nothing, some) == cosine(nothing, nothing) == 0


def test_too_few_vectors_are_refused():
    with pytest.raises(ValueError, match="gave 1 vectors for 2 texts"):
        unit_vectors(lambda _: [[1.0]], ["a", "b"])
