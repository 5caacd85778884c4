from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.ace.roles.feedback import Verdict, of_question, of_verdict
from agents.pipelines.ace.simulation.expressions.amounts import amount_of
from agents.pipelines.ace.simulation.feedback import Feedback, compare, is_near, read_feedback, target_of


@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        (of_question("ground truth", "€1,200.00", None), Feedback(truth="€1,200.00")),
        (of_question("ground truth", None, "exit code 0"), Feedback(is_right=True)),
        (of_question("ground truth", None, "exit code 1"), Feedback(is_right=False)),
        (of_question("ground truth", None, "the test failed: expected 12"), Feedback(truth="12")),
        (of_question("ground truth", None, "done"), Feedback()),
        (of_question("nothing", "12", None), Feedback()),
        (of_verdict(Verdict(None, outcome="exit code 1: expected 1.5")), Feedback(truth="1.5")),
        (of_verdict(Verdict(None, outcome="test failed: expected 12, got 10")), Feedback(truth="12")),
        (
            of_verdict(Verdict(None, outcome="AssertionError: got 10, expected: €1,200.50 instead")),
            Feedback(truth="€1,200.50"),
        ),
        (of_verdict(Verdict(None, outcome="exited with status 0: no error expected")), Feedback(is_right=True)),
        (of_verdict(Verdict(None, outcome="exit code -9")), Feedback(is_right=False)),
        (of_verdict(Verdict(None, outcome="3 passed, 0 failed")), Feedback(is_right=True)),
        (of_verdict(Verdict(None, outcome="3 passed, 1 failed")), Feedback(is_right=False)),
        (of_verdict(Verdict(None, outcome='{"status": "ok"}')), Feedback(is_right=True)),
        (of_verdict(Verdict(None, outcome="ValueError: bad unit")), Feedback(is_right=False)),
        (of_verdict(Verdict(None, outcome="12 rows")), Feedback()),
        (of_verdict(Verdict(right=True)), Feedback(is_right=True)),
        (of_verdict(Verdict(right=True, comment="well done")), Feedback(is_right=True)),
        (of_verdict(Verdict(right=False)), Feedback(is_right=False)),
        (of_verdict(Verdict(right=False, comment="12.5")), Feedback(truth="12.5", is_right=False)),
        (of_verdict(Verdict(right=False, comment="It should be 12.5.")), Feedback(truth="12.5.", is_right=False)),
        ("", Feedback()),
    ],
)
def test_feedback_is_read_as_the_prompt_says_it(text, feedback):
    assert read_feedback(text) == feedback


@pytest.mark.parametrize(
    ("answer", "truth", "likeness"),
    [
        ("1.50", "1.50", "same"),
        (" The Caretaker. ", "the caretaker", "same"),
        ("1.5", "1.50", "form"),
        ("1.4962", "1.50", "form"),
        ("1.49", "1.50", "other"),
        ("1234.5", "€1,234.50", "form"),
        ("12.5", "12.5%", "form"),
        ("0.125", "12.5%", "form"),
        ("12.5%", "12.5", "form"),
        ("125", "12.5%", "other"),
        ("3 March 2026", "2026-03-03", "form"),
        ("739678", "2026-03-03", "other"),
        ("I do not know.", "12", "other"),
        ("3 or 4", "3", "other"),
    ],
)
def test_an_answer_is_right_in_its_form_in_another_or_not(answer, truth, likeness):
    assert compare(answer, truth) == likeness


def test_a_plain_number_for_percent_is_percent():
    truth = amount_of("25")
    assert truth is not None

    assert target_of(truth, "%").value == Fraction("0.25")
    assert is_near(Fraction("0.2544"), target_of(truth, "%"))
    assert not is_near(Fraction("0.2551"), target_of(truth, "%"))
    assert target_of(truth, "").value == 25


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=50))
def test_any_text_is_compared(text, other):
    read_feedback(text)
    assert compare(text, text) == "same"
    assert compare(text, other) in ("same", "form", "other")
