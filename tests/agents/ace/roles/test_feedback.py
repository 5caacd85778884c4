from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.roles.feedback import (
    NO_FEEDBACK,
    Verdict,
    of_question,
    of_verdict,
    rests_on,
    split_message,
    truth_in,
    verdict_in,
)
from tests.agents.ace.roles.test_schemas import JSON


@pytest.mark.parametrize(
    ("message", "query", "truth"),
    [
        ("What is 1+1?\nAnswer: 2", "What is 1+1?", "2"),
        ("What is 1+1?\n\n  answer :  2 apples \n\n", "What is 1+1?", "2 apples"),
        ("What?\nExpected: 1.50", "What?", "1.50"),
        ("What?\nRight answer: Yes: all of it", "What?", "Yes: all of it"),
        ("One.\nTwo?\nAnswer: 3", "One.\nTwo?", "3"),
        ("What is 1+1?", "What is 1+1?", None),
        ("What is 1+1? Answer: 2", "What is 1+1?", "2"),
        ("Where is the key? answer : in the drawer", "Where is the key?", "in the drawer"),
        ("Capital of France Correct answer: Paris", "Capital of France", "Paris"),
        ("Where is the key?\nGround truth： in the drawer", "Where is the key?", "in the drawer"),
        ("鍵はどこですか？正解：引き出し", "鍵はどこですか？", "引き出し"),
        ("鍵はどこですか？\n答え： 引き出し", "鍵はどこですか？", "引き出し"),
        ("钥匙在哪里？正确答案：抽屉里", "钥匙在哪里？", "抽屉里"),
        ("鑰匙在哪裡？\n正確答案:抽屜裡", "鑰匙在哪裡？", "抽屜裡"),
        ("Wo ist der Schlüssel? Antwort: in der Schublade", "Wo ist der Schlüssel?", "in der Schublade"),
        ("Say what the right answer: field is for", "Say what the right answer: field is for", None),
        ("この問題の答え：は何ですか", "この問題の答え：は何ですか", None),
        ("One.\nWhat? Answer: 2", "One.\nWhat? Answer: 2", None),
        ("Answer: 2", "Answer: 2", None),
        ("\nAnswer: 2", "Answer: 2", None),
        ("What?\nAnswer:", "What?\nAnswer:", None),
        ("What to pack?\nAnswer: - towel\n- water\n", "What to pack?", "- towel\n- water"),
        (
            "Pick:\n- a\n- b\nBest answer first.\nAnswer:\n1. b\n\n2. a",
            "Pick:\n- a\n- b\nBest answer first.",
            "1. b\n\n2. a",
        ),
        ("持ち物は？\n正解：\n・タオル\n・水", "持ち物は？", "・タオル\n・水"),
        ("What?\nAnswer:\n42", "What?", "42"),
        ("Which answer: yes or no?\n- a\n- b", "Which answer: yes or no?\n- a\n- b", None),
        ("What?\nAnswer: yes\nAnd why?", "What?\nAnswer: yes\nAnd why?", None),
        ("Answer: yes or no\nIs it?", "Answer: yes or no\nIs it?", None),
        ("How much is missing?\nSaved: 400\nTarget: 500", "How much is missing?\nSaved: 400\nTarget: 500", None),
        ("Which is heavier? Lead: 3 kg. Gold: 4 kg", "Which is heavier? Lead: 3 kg. Gold: 4 kg", None),
        ("", "", None),
    ],
)
def test_the_right_answer_is_taken_off_the_last_line(message, query, truth):
    assert split_message(message) == (query, truth, None)


@pytest.mark.parametrize(
    ("message", "truth"),
    [
        ("What?\nAnswer: 2", "2"),
        ("What?", None),
        ("\U0001f44e The right answer: 1.50", None),
        ("Outcome: exit code 1\nAnswer: 2", None),
    ],
)
def test_a_verdict_on_an_earlier_answer_has_no_right_answer_of_its_own(message, truth):
    assert truth_in(message) == truth


@given(st.text())
def test_a_message_without_that_line_stays_whole(message):
    query, truth, outcome = split_message(message)

    assert truth is not None or outcome is not None or query == message.strip()


def test_an_outcome_is_taken_off_the_last_line_too():
    assert split_message("What?\nOutcome: exit code 1: expected 1.5") == ("What?", None, "exit code 1: expected 1.5")
    assert split_message("Outcome: exit code 1") == ("Outcome: exit code 1", None, None)
    assert split_message("What?\n" + " " * 60_000 + "x") == ("What?\n" + " " * 60_000 + "x", None, None)


@pytest.mark.parametrize(
    ("given_", "message", "verdict"),
    [
        ({"right": True, "answer": None, "event": 7}, "👍", Verdict(right=True, event=7)),
        ({"right": False, "answer": " 1.5 ", "event": 7}, "👎 no", Verdict(right=False, comment="1.5", event=7)),
        ({"right": False}, "👎 it is 1.5", Verdict(right=False, comment="it is 1.5")),
        ({"right": False, "answer": 3, "event": "x"}, "No.", Verdict(right=False)),
        (None, "👎🏽 it is 1.5\nreally", Verdict(right=False, comment="it is 1.5\nreally")),
        (None, " 👍️", Verdict(right=True)),
        (None, "What is 1+1? 👍", None),
        ({"right": "yes"}, "What?", None),
        ({}, "What?", None),
        ("👎", "What?", None),
        ({"outcome": " exit code 1 ", "event": 7}, "x", Verdict(None, event=7, outcome="exit code 1")),
        ({"outcome": " "}, "x", None),
        (None, "Outcome: 2 failed", Verdict(None, outcome="2 failed")),
        (None, "Outcome:", None),
    ],
)
def test_a_verdict_is_read_from_state_or_from_a_thumb(given_, message, verdict):
    assert verdict_in(given_, message) == verdict


@given(JSON, st.text())
def test_no_state_and_no_message_are_too_odd_to_be_read(value, message):
    verdict = verdict_in(value, message)

    assert verdict is None or of_verdict(verdict).startswith(("A person says the answer is ", "Execution feedback: "))


def test_feedback_is_told_in_one_of_five_ways():
    assert of_question("ground truth", "2", "exit code 1") == "The right answer is: 2"
    assert of_question("ground truth", None, "exit code 1") == "Execution feedback: exit code 1"
    assert of_question("ground truth", None, None) == NO_FEEDBACK == "None."
    assert of_question("person", "2", "exit code 1") == NO_FEEDBACK
    assert of_question("nothing", "2", "exit code 1") == NO_FEEDBACK
    assert of_question("execution", "2", "exit code 1") == "Execution feedback: exit code 1"
    assert of_question("execution", "2", None) == NO_FEEDBACK
    assert of_verdict(Verdict(right=True)) == "A person says the answer is right."
    assert of_verdict(Verdict(right=False, comment="1.5")) == "A person says the answer is wrong. They say: 1.5"


@pytest.mark.parametrize(
    ("feedback", "words"),
    [
        ("The right answer is: 2", "the right answer"),
        ("A person says the answer is wrong.", "a person's verdict"),
        ("Execution feedback: exit code 1", "the outcome of something executed"),
        ("None.", "nothing: no feedback, so this may well be wrong"),
        ("something else", "nothing: no feedback, so this may well be wrong"),
    ],
)
def test_a_person_is_told_what_a_reflection_rests_on(feedback, words):
    assert rests_on(feedback) == words
