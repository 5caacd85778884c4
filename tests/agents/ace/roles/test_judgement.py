"""Answers judged by their feedback alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.roles.judgement import is_same, judge


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("1.5", "1.5"),
        ("1.50", "1.5"),
        ("  Paris. ", "paris"),
        ("120,000 €", "120000 €"),
        ("30 %", "30%"),
        ("１２０", "120"),
        ("東京", "東京"),
        ("-7", "-7.0"),
    ],
)
def test_the_same_answer_is_right_however_it_is_written(answer, truth):
    assert is_same(answer, truth)
    assert is_same(truth, answer)


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("1.5", "1.6"),
        ("30", "30 %"),
        ("30 €", "30 $"),
        ("7", "-7"),
        ("I do not know.", "1.5"),
        ("1.5 or 1.6", "1.5"),
        ("", "1.5"),
        ("1,5,", "1.5"),
        ("大阪", "東京"),
    ],
)
def test_another_answer_is_wrong(answer, truth):
    assert not is_same(answer, truth)
    assert not is_same(truth, answer)


@given(st.text(max_size=60))
def test_any_answer_is_the_same_as_itself(text):
    assert is_same(text, text)


@pytest.mark.parametrize(
    ("feedback", "kind", "right"),
    [
        ("The right answer is: 1.5", "ground truth", True),
        ("The right answer is: 2", "ground truth", False),
        ("A person says the answer is right.", "person", True),
        ("A person says the answer is wrong. They say: it is right, but rude", "person", False),
        ("Execution feedback: exit code 0", "execution", True),
        ("Execution feedback: exited with status 1: expected 1.5", "execution", False),
        ("Execution feedback: 2 tests failed", "execution", False),
        ("Execution feedback: 3 passed, 0 failed", "execution", True),
        ("Execution feedback: it printed 1.5", "execution", None),
        ("None.", "nothing", None),
    ],
)
def test_the_feedback_alone_decides(feedback, kind, right):
    found = judge("How much?", "1.5", feedback, answer_seq=3)
    assert (found.feedback, found.right, found.answer_seq) == (kind, right, 3)


def test_a_long_question_is_cut():
    assert len(judge("x" * 100_000, "1", "None.", answer_seq=1).question) == 300
