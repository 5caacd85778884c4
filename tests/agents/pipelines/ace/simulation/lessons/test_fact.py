from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.simulation.lessons.fact import MOST_WORDINGS, Fact, find_fact, read_fact, write_fact
from tests.agents.pipelines.ace.simulation.lessons.learning import Pupil, count_right, taught

DATA = words_beside(__file__, "facts.toml")
FACTS = [(answer, wordings) for answer, *wordings in [*DATA["tuned_on"], *DATA["unseen"]]]
TAUGHT = [(wordings[0], answer) for answer, wordings in FACTS]
OTHER_WORDINGS = [(wording, answer) for answer, wordings in FACTS for wording in wordings[1:]]
ANSWERS = {answer for answer, _ in FACTS}
KETTLE = "How long is the warranty on the kettle?"


# -- the set


def test_one_example_teaches_a_fact_and_its_other_wordings():
    assert count_right(Pupil(), [*TAUGHT, *OTHER_WORDINGS]) == 0

    pupil = taught(TAUGHT)

    assert len(pupil.bullets) == count_right(pupil, TAUGHT) == len(TAUGHT) == 60
    assert count_right(pupil, OTHER_WORDINGS) >= 115, "of 120"
    half = [(wording, answer) for answer, *wordings in DATA["unseen"] for wording in wordings[1:]]
    assert count_right(pupil, half) >= 57, "of 60"


def test_no_fact_is_used_for_another_question():
    pupil = taught(TAUGHT)

    answered = [question for question in DATA["unknown"] if pupil.answer(question) in ANSWERS]
    wrong = [question for question, answer in OTHER_WORDINGS if pupil.answer(question) in ANSWERS - {answer}]

    assert (answered, wrong) == ([], [])


def test_without_its_bullet_a_fact_is_not_known():
    pupil = taught(TAUGHT)
    pupil.lines.clear()

    assert count_right(pupil, [*TAUGHT, *OTHER_WORDINGS]) == 0


def test_shuffled_answers_teach_nothing_that_is_right():
    answers = [answer for _, answer in TAUGHT]
    random.Random(3).shuffle(answers)
    pupil = taught(zip((question for question, _ in TAUGHT), answers, strict=True))

    assert count_right(pupil, OTHER_WORDINGS) <= 6


@pytest.mark.parametrize("seed", range(3))
def test_all_wordings_of_a_truth_are_one_bullet(seed):
    rows = [*TAUGHT, *OTHER_WORDINGS]
    random.Random(seed).shuffle(rows)
    pupil = taught(rows)

    assert len(pupil.bullets) <= 62, "60 facts"
    assert count_right(pupil, rows) >= 175, "of 180"


# -- its rules


def test_a_name_in_latin_letters_is_a_word_of_its_own_among_chinese_characters():
    assert taught([("公司的WiFi密码是多少？", "qingfeng88")]).answer("公司WiFi密码？") == "qingfeng88"


def test_five_wordings_are_one_bullet_that_can_be_read():
    pupil = taught(
        (question, "30 days")
        for question in (
            "What is the return period for lamps?",
            "How long can I send back a lamp?",
            "My lamp is broken: how many days do I have?",
            "lamp returns, deadline?",
            "Until when do you accept returned lamps?",
        )
    )

    (bullet,) = pupil.bullets
    assert bullet.startswith("Asked: What is the return period for lamps? | ")
    assert bullet.endswith(" Answer: 30 days")


@pytest.mark.parametrize(
    "other",
    [
        "How long is the warranty on the toaster?",
        "How much is the warranty on the kettle?",
        "How long is the warranty on the kettle in Spain?",
        "How long is the warranty on kettle 2?",
        "How long is there no warranty on the kettle?",
    ],
)
def test_another_thing_number_name_or_negation_is_not_known(other):
    pupil = taught([(KETTLE, "two years")])

    assert pupil.answer("kettle warranty") == "two years"
    assert pupil.answer(other) != "two years"


def test_the_same_answer_to_a_question_about_something_else_is_another_bullet():
    pupil = taught([(KETTLE, "two years"), (KETTLE.replace("kettle", "toaster"), "two years")])

    assert len(pupil.bullets) == 2


def test_another_answer_changes_the_bullet_and_keeps_its_wordings():
    pupil = taught([(KETTLE, "two years"), ("Until when can I have a kettle repaired for free?", "two years")])

    pupil.teach(KETTLE, "three years")

    assert pupil.bullets == [f"Asked: {KETTLE} | Until when can I have a kettle repaired for free? Answer: three years"]


def test_a_fact_that_misled_about_something_narrower_stays():
    pupil = taught([(KETTLE, "two years"), ("How long is the warranty on the lid of the kettle?", "none")])

    assert len(pupil.bullets) == 2
    assert pupil.answer(KETTLE) == "two years"


@pytest.mark.parametrize(
    ("question", "narrower"),
    [
        ("How much is a badge?", "What does a replacement badge cost?"),
        ("What is the wifi password?", "What is the guest wifi password?"),
        ("Who handles permits?", "Who handles parking permits?"),
    ],
)
def test_a_kind_of_a_thing_is_another_thing(question, narrower):
    assert taught([(question, "Ann")]).answer(narrower) != "Ann"
    pupil = taught([(narrower, "Ann")])
    assert pupil.answer(question) != "Ann"
    assert pupil.answer(narrower.lower()) == "Ann"


def test_two_answers_to_one_question_give_none():
    facts = [("a", Fact(("Who has the red key?",), "Ann")), ("b", Fact(("Who has the old key?",), "Bo"))]

    assert find_fact("Who has the key?", facts) is None
    assert find_fact("Who has the old key?", facts) == "b"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=MOST_WORDINGS), st.text(max_size=40))
def test_any_text_is_read_and_asked(questions, answer):
    fact = read_fact(write_fact(Fact(tuple(questions), answer)))

    assert fact is None or find_fact(questions[0], [("a", fact), ("b", Fact(("Who?",), "Me"))]) in (None, "a", "b")


@pytest.mark.parametrize(
    ("question", "other", "answer"),
    [
        ("How many days of holiday do new employees get?", "How much holiday do new employees have?", "25 days"),
        ("Wie hoch ist die Pauschale für Reisen?", "Wie viel beträgt die Pauschale für Reisen?", "80 Euro"),
        ("What temperature is the server room kept at?", "How warm is the server room?", "22 degrees"),
        ("保証期間はどのくらいですか？", "保証期間は何年ですか？", "2年"),
        ("谁管理会议室的预订？", "会议室的预订由谁管理？", "张伟"),
    ],
)
def test_what_is_asked_for_may_be_said_in_other_words(question, other, answer):
    assert taught([(question, answer)]).answer(other) == answer
    assert taught([("How much is the server room?", "10 euros")]).answer("How warm is the server room?") != "10 euros"
