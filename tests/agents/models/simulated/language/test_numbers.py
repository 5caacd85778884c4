from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.numbers import HUGE, numbers_in, whole_number
from tests.architecture.growth import assert_linear

SIGNS = "零一二三四五六七八九"


def in_han(number: int) -> str:
    """A number below 10,000 as Japanese and Chinese write it, with a 零 for none of it."""
    said = ""
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        said += f"{'' if digit == 1 and unit > 1 else SIGNS[digit]}{sign}" if digit else ""
    return said or "零"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("１２０", [120]),
        ("١٢٣ و ४५", [123, 45]),
        ("1,200.50 and 3,5", [1200.5, 3.5]),
        ("1.234.567", [1234567]),
        ("-3", [-3]),
        ("5-3", [5, 3]),
        ("五本", [5]),
        ("7本のバナナ", [7]),
        ("十二本描いて", [12]),
        ("八根香蕉", [8]),
        ("畫三根", [3]),
        ("两根和兩根", [2, 2]),
        ("廿根", [20]),
        ("壱万弐千参百円", [12300]),
        ("叁佰元", [300]),
        ("三十五", [35]),
        ("百二十枚", [120]),
        ("二〇二四", [2024]),
        ("四七一二在哪里", [4712]),
        ("1万2千円", [12000]),
        ("1.5億", [150_000_000]),
        ("3千", [3000]),
        ("半ダース", [6]),
        ("2ダース", [24]),
        ("半打", [6]),
        ("三個半", [3.5]),
        ("半個", [0.5]),
        ("一つ、二つ、九つ", [1, 2, 9]),
        ("ひとつとふたつ", [1, 2]),
        ("twenty-four and a dozen", [24, 12]),
        ("half a dozen", [6]),
        ("one two three", [1, 2, 3]),
        ("2024年3月", [2024, 3]),
        ("", []),
        ("一緒に一番", []),
        ("第三個", []),
        ("星期三、一起、一些", []),
        ("統一と唯一", []),
        ("三角形", []),
        ("要五香蕉", []),
        ("version2 of b7n", []),
        ("someone, attend: often", []),
        ("9" * 5000, [HUGE]),
        ("九" * 5000, [HUGE]),
        ("万" * 5000, [HUGE]),
    ],
)
def test_the_numbers_in_a_text(text, values):
    assert [number.value for number in numbers_in(text)] == values


def test_a_counter_belongs_to_its_number():
    (number,) = numbers_in("バナナ７本です")

    assert (number.begin, number.end, number.counter) == (3, 5, "本")
    assert [one.counter for one in numbers_in("3 個と四杯と5")] == ["個", "杯", ""]


@pytest.mark.parametrize(
    ("text", "value"), [("三百", 300), (" ７本 ", 7), ("3 apples", None), ("五本と六本", None), ("", None)]
)
def test_a_text_that_is_one_number(text, value):
    assert whole_number(text) == value


@given(st.integers(0, 9999), st.sampled_from(["本", "個", "根", "枚"]))
def test_every_number_is_read_in_numerals(number, counter):
    assert [one.value for one in numbers_in(f"{in_han(number)}{counter}")] == [number]


@given(st.integers(0, 10**9), st.sampled_from(["0123456789", "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९"]))
def test_every_number_is_read_in_the_digits_of_any_script(number, digits):
    written = "".join(digits[int(digit)] for digit in str(number))

    assert [one.value for one in numbers_in(f"バナナ{written}本")] == [number]


@given(st.text(max_size=100))
def test_any_text_is_read(text):
    assert len(plain(text)) == len(text)
    places = [place for number in numbers_in(text) for place in (number.begin, number.end)]
    assert places == sorted(places)


@pytest.mark.parametrize("head", ["", "バナナ", "3"])
def test_numbers_are_read_in_linear_time(head):
    assert_linear(numbers_in, head=head)
