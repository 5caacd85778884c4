"""Patterns with `*` match whole texts."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.flows.pattern import matches


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("1.5", "1.5", True),
        ("1.5", "11.5", False),
        ("*1.5*", "about 1.5 €", True),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*答え*は*", "その答えは\n42", True),
        ("*", "", True),
        ("ab*ba", "aba", False),
        ("[ab]", "a", False),
    ],
)
def test_a_pattern_matches_the_whole_text(pattern, text, fits):
    assert matches(pattern, text) is fits


@given(st.text("ab*", max_size=8), st.text("ab\n", max_size=12))
def test_it_is_what_a_glob_says(pattern, text):
    assert matches(pattern, text) is fnmatchcase(text, pattern)
