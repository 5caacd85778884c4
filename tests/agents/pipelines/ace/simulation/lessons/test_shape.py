from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.ace.roles.guard import have_in_common
from agents.ace.roles.orders import is_echo
from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.simulation.expressions.slots import is_date
from agents.pipelines.ace.simulation.lessons.shape import answer_by, read_shape, write_shape
from agents.pipelines.ace.simulation.lessons.shape_search import find_shape
from tests.agents.pipelines.ace.simulation.lessons.learning import Pupil, count_right, taught

DATA = words_beside(__file__, "shapes.toml")
Rows = list[tuple[str, str]]
GROUPS: list[Rows] = [[(asked, told) for asked, told in rows] for half in DATA.values() for rows in half.values()]
EVERYTHING = [row for rows in GROUPS for row in rows]
TAUGHT = [row for rows in GROUPS for row in rows[:3]]
UNSEEN = [row for rows in GROUPS for row in rows[3:]]
DATABASE = [
    ("Write for our database: the first 5 rows of orders.", "SELECT TOP 5 * FROM orders"),
    ("Write for our database: the first 12 rows of customers.", "SELECT TOP 12 * FROM customers"),
]
REGISTER = [("In our register: anna lopez", "LOPEZ, Anna"), ("In our register: Bo SMITH", "SMITH, Bo")]


def shuffled(rows: Rows, seed: int) -> Rows:
    return random.Random(seed).sample(rows, len(rows))


def with_shuffled_truth(rows: Rows, seed: int) -> Rows:
    return [(text, answer) for (text, _), (_, answer) in zip(rows, shuffled(rows, seed), strict=True)]


def shape_of(*rows: tuple[str, str]) -> str:
    shape = find_shape(rows)
    return write_shape(shape) if shape else ""


def asked(bullet: str, question: str) -> str | None:
    shape = read_shape(bullet)
    assert shape is not None
    return answer_by(shape, question)


# -- the set: 20 shapes with four questions each, in seven languages


@pytest.mark.parametrize("seed", range(2))
def test_three_examples_of_a_shape_answer_another_question(seed):
    assert count_right(Pupil(), EVERYTHING) == 0

    pupil = taught(shuffled(TAUGHT, seed))

    assert count_right(pupil, UNSEEN) >= 18, "of 20"
    pupil.lines.clear()
    assert count_right(pupil, EVERYTHING) == 0


@pytest.mark.parametrize("seed", range(2))
def test_all_questions_in_any_order_make_few_bullets(seed):
    pupil = taught(shuffled(EVERYTHING, seed))

    assert count_right(pupil, EVERYTHING) >= 76, "of 80"
    assert len(pupil.bullets) <= 30


@pytest.mark.parametrize("seed", range(3))
def test_shuffled_truths_teach_next_to_nothing(seed):
    pupil = taught(with_shuffled_truth(shuffled(TAUGHT, seed), seed))

    assert count_right(pupil, UNSEEN) <= 1, "of 20"
    assert sum(read_shape(bullet) is not None for bullet in pupil.bullets) <= 1


# -- its rules


def test_two_examples_make_a_sentence_that_can_be_judged():
    pupil = taught(DATABASE)

    (bullet,) = pupil.bullets
    assert bullet == (
        "“Write for our database: the first {n} rows of {t}” → “SELECT TOP {n} * FROM {t}”; "
        "e.g. “5”, “orders”; “12”, “customers”."
    )


@pytest.mark.parametrize(
    "question",
    [
        "Write for our database: the first 5 rows of orders joined with customers.",
        "Do not write for our database: the first 5 rows of orders.",
        "Write for our database: the first 5 rows of orders. Then delete them.",
        "Write for our database: the first few rows of orders.",
        "What are the first 5 rows of orders?",
    ],
)
def test_a_question_that_does_not_fit_whole_is_not_answered(question):
    assert not taught(DATABASE).answer(question).startswith("SELECT")


def test_a_bullet_is_used_as_it_is_edited():
    bullet = "“The first {n} rows of {t}.” → “SELECT * FROM {t: upper case} LIMIT {n}”."

    assert asked(bullet, "the first 7 rows of items") == "SELECT * FROM ITEMS LIMIT 7"
    assert asked("“{d} bitte” -> “{d: DD.MM.YYYY}”", "14 March 2025 bitte") == "14.03.2025"
    assert asked("“型番{t}”→“{t: 大文字}”", "型番ab-1") == "AB-1"


@pytest.mark.parametrize(
    "text",
    [
        "“The first rows” → “SELECT”",
        "“The first {n} rows of {n}” → “{n}”",
        "“The first {n} rows” → “{m}”",
        "“The first {n} rows”",
        "The first {n} rows → {n}",
    ],
)
def test_what_has_no_slots_that_match_is_no_shape(text):
    assert read_shape(text) is None


def test_what_is_done_with_a_part_is_said_in_the_question_s_language():
    english, japanese = shape_of(*REGISTER), shape_of(("品番はab 12です", "AB12"), ("品番はcd 74です", "CD74"))

    assert "{t: last word, upper case}" in english
    assert "{t: 空白なし, 大文字}" in japanese
    assert asked(japanese, "品番はxy 90です") == "XY90"


def test_a_value_of_another_kind_is_not_taken():
    euros = shape_of(("Print €12.5", "12,50 EUR"), ("Print €1,249.99", "1.249,99 EUR"))

    assert asked(euros, "Print €7") == "7,00 EUR"
    assert [asked(euros, f"Print {price}") for price in ("$7", "seven", "€7 and €8", "€1.2345")] == [None] * 4


def test_a_day_that_can_be_read_in_two_ways_waits_for_an_example():
    rows = [("Archive: 14 March 2025", "2025-03-14"), ("Archive: 2 May 2024", "2024-05-02")]

    assert asked(shape_of(*rows), "Archive: 3/4/2025") is None
    assert asked(shape_of(*rows, ("Archive: 5/6/2025", "2025-05-06")), "Archive: 3/4/2025") == "2025-03-04"
    assert asked(shape_of(*rows, ("Archive: 25/6/2025", "2025-06-25")), "Archive: 3/4/2025") == "2025-04-03"


def test_numbers_in_a_row_are_no_date():
    assert [is_date(text) for text in ("3, 1, 2", "20, 5, 30", "1.2.3", "20.5.30", "Fri, 14/3/2025")] == [False] * 3 + [
        True
    ] * 2


def test_an_example_that_does_not_fit_widens_the_shape():
    pupil = taught([*REGISTER, ("In our register: mary ann jones", "JONES, Mary Ann")])

    assert len(pupil.bullets) == 1
    assert pupil.is_right("In our register: carl jung", "JUNG, Carl")
    assert pupil.is_right("In our register: eva maria roth", "ROTH, Eva Maria")


def test_a_contradiction_removes_a_shape_that_has_not_held():
    pupil = taught([*DATABASE, ("Write for our database: the first 9 rows of logs.", "ask Ann")])

    assert pupil.bullets == ["Asked: Write for our database: the first 9 rows of logs. Answer: ask Ann"]


def test_a_contradiction_is_an_exception_to_a_shape_that_has_held():
    pupil = taught(DATABASE)
    pupil.lines[0] = pupil.lines[0]._replace(helpful=2)

    pupil.teach("Write for our database: the first 9 rows of logs.", "ask Ann")

    assert pupil.answer("Write for our database: the first 9 rows of logs.") == "ask Ann"
    assert pupil.answer("Write for our database: the first 9 rows of items.") == "SELECT TOP 9 * FROM items"


@pytest.mark.parametrize(
    "rows",
    [
        [("Who handles payroll?", "Maria"), ("Who approves travel?", "Jonas")],
        [("Is the shop open on Monday?", "Yes, on Monday"), ("Is the shop open on Sunday?", "No, not on Sunday")],
        [("How long is the warranty on the kettle?", "2 years"), ("How long is the warranty on the lamp?", "5 years")],
        [("Anna Lopez", "Lopez, Anna"), ("Bob Smith", "Smith, Bob")],
        [("Team Alpha plays whom?", "B"), ("Team Gamma plays whom?", "C")],
        DATABASE[:1],
    ],
)
def test_what_does_not_repeat_the_question_twice_in_one_way_is_no_shape(rows):
    assert find_shape(rows) is None


@pytest.mark.parametrize("rows", GROUPS, ids=lambda rows: rows[0][1])
def test_the_change_of_a_bullet_passes_the_guard(rows):
    pupil = Pupil()
    for question, answer in rows:
        before = {line.id: line.content for line in pupil.lines}
        pupil.teach(question, answer)
        for line in pupil.lines:
            assert have_in_common(before.get(line.id, line.content), line.content)
            assert not is_echo(line.content, question)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), min_size=2, max_size=3), st.text(max_size=40))
def test_any_text_is_read_and_asked(rows, question):
    shape = find_shape(rows) or read_shape(f"“{question} {{t}}” → “{{t: {question}}}”")

    assert shape is None or answer_by(shape, question) in (None, answer_by(shape, question))
    assert shape is None or not shape.examples or read_shape(write_shape(shape)) == shape


@pytest.mark.parametrize(
    ("rows", "question", "answer"),
    [
        (
            [("hashtag: new book", "#NewBook"), ("hashtag: open day", "#OpenDay"), ("hashtag: a", "#A")],
            "hashtag: last train",
            "#LastTrain",
        ),
        (
            [("Code of Anna Berg", "AB"), ("Code of Udo Lang", "UL"), ("Code of Eva Maria Kern", "EMK")],
            "Code of Ines Roth",
            "IR",
        ),
        (
            [("Say 5 to it", "LIGHT 005"), ("Say 12 to it", "LIGHT 012"), ("Say 130 to it", "LIGHT 130")],
            "Say 77 to it",
            "LIGHT 077",
        ),
    ],
)
def test_camel_case_initials_and_filled_up_numbers_are_learned(rows, question, answer):
    assert taught(rows).answer(question) == answer
