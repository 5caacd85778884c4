"""Which ways to write a text are the same way, and which are not."""

from __future__ import annotations

import pytest
from hypothesis import given

from agents.ace.refine.wording import content_of, plain, stem, words_of
from tests.agents.ace.bullets import texts


def words(text: str) -> tuple[str, ...]:
    return words_of(plain(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Compare the units.", "  compare THE\tunits "),
        ("**Always** round", "Always round!"),
        ("- Always round", "Always round"),
        ("the long-term debt", "the long term debt"),
        ("“Quoted”, and more", '"Quoted" and more'),
        ("don’t", "don't"),
        ("ＦＵＬＬ　ｗｉｄｔｈ　１２", "full width 12"),
        ("ﬁnal", "final"),
        ("1,234,567.5 units", "1234567.5 units"),
        ("5 – 3", "5 - 3"),
        ("3 × 4 ÷ 2", "3 * 4 / 2"),
        ("Straße", "STRASSE"),
        ("`code` here", "code here"),
    ],
)
def test_ornament_makes_no_difference(one: str, other: str):
    assert words(one) == words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x²", "x2"),
        ("10²", "102"),
        ("5½", "51/2"),
        ("0.5", "5"),
        (".5", "5"),
        ("1.5", "15"),
        ("1,5", "15"),
        ("12:30", "1230"),
        ("a = b", "a != b"),
        ("a + b", "a - b"),
        ("a / b", "b / a"),
        ("$5", "€5"),
        ("5 %", "5"),
        ("👍", "👎"),
        ("!!!", "???"),
        ("Separate by ; not ,", "Separate by , not ;"),
        ("कि", "की"),
        ("2 ** 3", "2 * 3"),
    ],
)
def test_what_means_something_stays(one: str, other: str):
    assert words(one) != words(other)


def test_scripts_without_spaces_are_taken_by_the_character():
    assert words("四舍五入 always") == ("四", "舍", "五", "入", "always")


@pytest.mark.parametrize(("one", "other"), [("dividing", "divide"), ("assets", "asset"), ("two", "2"), ("don't", "not")])
def test_forms_of_a_word_have_one_stem(one: str, other: str):
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("gross", "net"), ("loss", "lo"), ("ring", "r"), ("used", "us")])
def test_other_words_have_other_stems(one: str, other: str):
    assert stem(one) != stem(other)


def test_content_leaves_out_what_a_sentence_can_lose():
    assert content_of(words("Please do this: compare the units of both.")) == ("compar", "unit", "both")
    assert content_of(words("it is")) == ("it", "is")


@given(texts)
def test_no_text_is_without_words(text: str):
    assert words(text)
    assert content_of(words(text))


@given(texts)
def test_words_of_words_are_the_same_words(text: str):
    found = words(text)
    assert words_of(" ".join(found)) == found
