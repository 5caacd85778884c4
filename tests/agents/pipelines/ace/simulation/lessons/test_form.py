from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.simulation.lessons.form import find_form, read_form, write_by, write_form
from tests.agents.pipelines.ace.simulation.lessons.learning import Pupil, count_right, taught

DATA = words_beside(__file__, "forms.toml")
Rows = list[tuple[str, str]]
KNOWN: Rows = [(question, answer) for question, answer in DATA["tuned_on"]["dates"]]
UNSEEN: Rows = [(question, answer) for question, answer in DATA["unseen"]["dates"]]
DATES = [("Write May 30, 2023 in our format", "2023-05-30"), ("Invoice date: 7 July 2022", "2022-07-07")]


def shuffled(rows: Rows, seed: int) -> Rows:
    return random.Random(seed).sample(rows, len(rows))


def learned(*rows: tuple[str, str], question: str = "") -> str:
    form = find_form(rows)
    return write_form(form, question) if form else ""


def asked(bullet: str, question: str) -> str | None:
    form = read_form(bullet)
    assert form is not None
    return write_by(form, question)


# -- the set: 40 dates in many notations and wordings


@pytest.mark.parametrize("seed", range(3))
def test_half_of_the_dates_teach_the_form_of_the_others(seed):
    assert count_right(Pupil(), [*KNOWN, *UNSEEN]) == 0

    pupil = taught(shuffled(KNOWN, seed))

    assert count_right(pupil, UNSEEN) >= 18, "of 20"
    assert count_right(pupil, KNOWN) >= 19, "of 20"
    assert [text for text in DATA["unrelated"]["questions"] if pupil.answer(text)[:2] in ("19", "20")] == []
    pupil.lines.clear()
    assert count_right(pupil, [*KNOWN, *UNSEEN]) == 0


@pytest.mark.parametrize("seed", range(3))
def test_all_dates_in_any_order_make_few_bullets(seed):
    rows = shuffled([*KNOWN, *UNSEEN], seed)

    pupil = taught(rows)

    assert count_right(pupil, rows) >= 38, "of 40"
    assert len(pupil.bullets) <= 6


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_truths_teach_nothing(seed):
    rows = shuffled(KNOWN, seed)
    answers = [answer for _, answer in rows]
    random.Random(seed + 5).shuffle(answers)

    pupil = taught(zip((question for question, _ in rows), answers, strict=True))

    assert count_right(pupil, UNSEEN) <= 1, "of 20"


# -- its rules


@pytest.mark.parametrize(
    ("rows", "bullet"),
    [
        (DATES, "Dates are written 2025-03-14."),
        (
            [("Write 3 May 2024", "3. Mai 2024"), ("Date: 2024-12-05", "5. Dezember 2024")],
            "Dates are written 14. März 2025.",
        ),
        (
            [("Write 3 May 2024", "on 05/03/2024"), ("12/25/2024", "on 12/25/2024")],
            "Dates are written on 03/14/2025 (month first).",
        ),
        (
            [("Print €12.5", "12,50 EUR"), ("How is 1,300 euros shown?", "1.300,00 EUR")],
            "Amounts in € are written 1.234,50 EUR.",
        ),
        ([("Write 12 kilograms", "12 kg"), ("Weight: 2 kilos", "2 kg")], "Amounts in kg are written 1234 kg."),
        ([("Meeting: 2:30 pm", "14:30"), ("Write 9 am our way", "09:00")], "Times are written 14:30."),
        ([("Write 12.5", "12,5"), ("Figure: 1,000.25", "1000,25")], "Numbers are written 1234,5…."),
    ],
)
def test_two_examples_make_a_sentence_that_is_read_again(rows, bullet):
    assert learned(*rows) == bullet
    assert read_form(bullet) == find_form(rows)


def test_the_sentence_is_in_the_language_of_the_question():
    assert learned(*DATES, question="日付の書き方は") == "日付は2025-03-14と書く。"
    assert learned(*DATES, question="日期怎么写") == "日期写作2025-03-14。"
    assert asked("日付は2025/03/14と書く。", "2024年1月2日を書いてください") == "2024/01/02"


def test_a_bullet_is_used_as_it_is_edited():
    assert asked("Dates are written 01.12.2024.", "Write 3 May 2024") == "03.05.2024"
    assert asked("Dates are written 14/03/2025 (month first).", "Write 4/5/2024") == "05/04/2024"
    assert asked("Amounts in $ are written USD 1,234.50.", "Write 1500 dollars") == "USD 1,500.00"
    assert read_form("Dates are written well.") is None


@pytest.mark.parametrize("question", ["Write $7", "Write 7 or 8 €", "Why €7?", "Add 3 to €7", "Who paid €7?"])
def test_another_unit_or_another_question_gets_no_answer(question):
    bullet = "Amounts in € are written 1.234,50 EUR."

    assert asked(bullet, "Write €7") == "7,00 EUR"
    assert asked(bullet, question) is None


def test_how_a_date_is_read_is_learned_when_it_matters():
    pupil = taught(DATES)
    assert pupil.answer("Write 3/4/2025 in our format") == "I do not know."

    pupil.teach("Due date: 5/6/2024", "2024-05-06")

    assert "Dates are written 2025-03-14 (month first)." in pupil.bullets
    assert pupil.answer("Write 3/4/2025 in our format") == "2025-03-04"


def test_a_contradiction_removes_a_form_that_has_not_held():
    pupil = taught([*DATES, ("How do we write 1 June 2024?", "1 June")])

    assert not any(bullet.startswith("Dates") for bullet in pupil.bullets)
    assert pupil.answer("How do we write 1 June 2024?") == "1 June"


def test_a_contradiction_is_an_exception_to_a_form_that_has_held():
    pupil = taught(DATES)
    pupil.lines = [line._replace(helpful=2) for line in pupil.lines]

    pupil.teach("How do we write 1 June 2024?", "1 June")

    assert pupil.answer("How do we write 1 June 2024?") == "1 June"
    assert pupil.answer("How do we write 2 June 2024?") == "2024-06-02"


@pytest.mark.parametrize(
    "rows",
    [
        [("Write 3 May 2024", "2024-05-03"), ("Write 4 May 2024", "04.05.2024")],
        [("Write 3 May 2024", "3 May 2024"), ("Write 4 June 2024", "4 June 2024")],
        [("Write 3 May 2024", "2024-05-04"), ("Write 4 June 2024", "2024-06-05")],
        [("Write €12.5", "12,50 EUR"), ("Write $12.5", "12,50 USD")],
    ],
)
def test_answers_without_a_notation_in_common_are_no_form(rows):
    assert find_form(rows) is None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.dates())
def test_any_text_is_read_and_asked(text, question, day):
    form = read_form(f"Dates are written {text}{day.isoformat()}.") or read_form(text)

    assert form is None or read_form(write_form(form)) in (form, None)
    assert form is None or write_by(form, question) is None or any(map(str.isdigit, question))


@pytest.mark.parametrize(
    ("bullet", "day"), [("Dates are written 20250314.", "20240502"), ("Dates are written 03-14-25.", "05-02-24")]
)
def test_a_date_in_digits_alone_or_with_a_short_year_is_a_form(bullet, day):
    assert asked(bullet, "Invoice date: 2 May 2024") == day
    assert learned(("Due: 14 March 2025", "20250314"), ("Due: 5 July 2024", "20240705")) == "Dates are written 20250314."
