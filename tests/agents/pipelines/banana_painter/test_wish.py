from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pipelines.banana_painter.wish import MOST_READ, read_wish


@pytest.mark.parametrize(
    ("request_text", "count"),
    [
        ("3", 3),
        ("a plate with seven bananas", 7),
        ("2 bowls of 7 bananas", 7),
        ("7 bowls with one banana", 1),
        ("Twenty-four ripe bananas", 24),
        ("twenty one bananas", 21),
        ("half a dozen bananas", 6),
        ("a dozen", 12),
        ("two dozen bananas", 24),
        ("a banana", 1),
        ("one big yellow banana", 1),
        ("7 or 8 bananas", 8),
        ("I want 5, no, 6 bananas", 6),
        ("no bananas", 0),
        ("-3 bananas", -3),
        ("3.5 bananas", 3.5),
        ("1,000 bananas", 1000),
        ("9" * 5000, 1_000_000),
        ("٣ bananas", 3),
        ("zwölf Bananen", None),
        ("no idea", None),
        ("as many bananas as you like", None),
        ("someone, attend: a tentative often", None),
        ("version2 of b7n", None),
        ("", None),
    ],
)
def test_the_number_of_bananas_is_read(request_text, count):
    assert read_wish(request_text).count == count


@given(st.integers(0, 10**5))
def test_every_number_in_digits_is_read(number):
    assert read_wish(f"please paint {number} bananas").count == number


@given(st.text(max_size=80))
def test_any_text_is_read(text):
    assert read_wish(text).count is None or isinstance(read_wish(text).count, int | float)


def test_of_a_very_long_request_only_the_beginning_is_read():
    assert read_wish("7 bananas" + " (" * MOST_READ).count == 7
    assert read_wish("(" * MOST_READ + " 7 bananas").count is None
