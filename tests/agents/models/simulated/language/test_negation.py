from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.simulated.language.negation import affirmed
from agents.models.simulated.language.things import pattern_of, things_in
from tests.architecture.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no bananas", ""),
        ("not 3 but 5 bananas", "but 5 bananas"),
        ("I don’t want 3 bananas, I want 5", "I , I want 5"),
        ("I want 5, no, 6 bananas", "I want 5, , 6 bananas"),
        ("3 apples without bananas", "3 apples"),
        ("no more than 5 bananas", "no more than 5 bananas"),
        ("No problem, 5 bananas", "No problem, 5 bananas"),
        ("不要香蕉，要 3 個蘋果", "，要 3 個蘋果"),
        ("不是三根而是五根香蕉", "而是五根香蕉"),
        ("別畫三根，畫四根香蕉", "，畫四根香蕉"),
        ("特別要三根香蕉", "特別要三根香蕉"),
        ("没有香蕉", ""),
        ("不好意思，来三根", "不好意思，来三根"),
        ("バナナはいらない、りんごを3個", "、りんごを3個"),
        ("バナナ3本じゃなくて5本", "5本"),
        ("りんご、バナナなし", "りんご、"),
        ("バナナだけでなくりんごも", "バナナだけでなくりんごも"),
    ],
)
def test_what_is_negated_is_blanked_out(text, left):
    assert " ".join(affirmed(text).split()) == left
    assert len(affirmed(text)) == len(text)


NAMES = {"apple": ["apple", "apples", "りんご", "蘋果", "苹果"], "banana": ["banana", "bananas", "バナナ", "香蕉"]}
NAMED = re.compile(pattern_of(NAMES))


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("3 apples and 2 ripe bananas", [("apple", 3), ("banana", 2)]),
        ("3 apples and bananas", [("apple", 3), ("banana", None)]),
        ("りんご3個とバナナ2本", [("apple", 3), ("banana", 2)]),
        ("3個のりんごと黄色いバナナを七本", [("apple", 3), ("banana", 7)]),
        ("バナナ 7本 りんご 3個", [("banana", 7), ("apple", 3)]),
        ("三個蘋果和兩根又大又黃的香蕉", [("apple", 3), ("banana", 2)]),
        ("香蕉八根", [("banana", 8)]),
        ("不要香蕉，要 3 個蘋果", [("apple", 3)]),
        ("pineapples", []),
    ],
)
def test_a_number_belongs_to_the_thing_beside_it(text, things):
    assert [(thing.name, thing.count) for thing in things_in(text, list(NAMES), NAMED)] == things


@given(st.text(max_size=100))
def test_any_text_keeps_its_length(text):
    assert len(affirmed(text)) == len(text)


@pytest.mark.parametrize("head", ["", "no ", "不要", "バナナ3"])
def test_negations_and_things_are_found_in_linear_time(head):
    assert_linear(affirmed, head=head)
    assert_linear(lambda text: things_in(text, list(NAMES), NAMED), head=head, tail="バナナ")
