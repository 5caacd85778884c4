"""Formulas from what people ask: two examples teach one, and noise teaches none."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import value_of
from agents.pipelines.ace.simulation.bullets import Formula, Line, Open
from agents.pipelines.ace.simulation.reading.wording import read_by_wording
from tests.agents.pipelines.ace.simulation.lessons.learning import Pupil, count_right, taught


def example(row: list[Any], number: int) -> tuple[str, str]:
    """A question and its right answer."""
    question, numbers, calculation, written = row
    values = {name: Fraction(str(one)) for name, one in zip("abc", numbers[number], strict=False)}
    return question.format(*numbers[number]), written.format(float(value_of(parse(calculation), values)))


ROWS = words_beside(__file__, "formulas.toml")["formulas"]
ASKED = [example(row, 2) for row in ROWS]
TAUGHT = [example(row, number) for row in ROWS for number in (0, 1)]


def formulas_of(pupil: Pupil) -> list[str]:
    return [line.content for line in pupil.lines if isinstance(line.says, Formula)]


@pytest.mark.parametrize("seed", range(3))
def test_two_examples_teach_a_formula_in_any_order_and_without_its_bullets_nothing_is_known(seed):
    assert (len(ROWS), count_right(Pupil(), ASKED)) == (30, 0)

    pupil = taught(random.Random(seed).sample(TAUGHT, len(TAUGHT)))
    assert (count_right(pupil, ASKED), len(formulas_of(pupil))) == (30, 30)

    pupil.lines.clear()
    assert count_right(pupil, ASKED) == 0


def test_one_example_teaches_no_formula():
    assert formulas_of(taught(TAUGHT[::2])) == []


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_answers_teach_no_formula(seed):
    answers = [answer for _, answer in TAUGHT]
    random.Random(seed).shuffle(answers)
    pupil = taught(zip((question for question, _ in TAUGHT), answers, strict=True))

    assert formulas_of(pupil) == []
    assert count_right(pupil, ASKED) <= 1


def test_the_example_of_everyone_is_a_formula_that_can_be_read():
    pupil = taught([("80 EUR net with 19 % VAT", "95.20"), ("250 EUR net with 7 % VAT", "267.50")])

    assert formulas_of(pupil) == [
        "net VAT = net * (1 + VAT); e.g. net 80 and VAT 19 % give 95.20; e.g. net 250 and VAT 7 % give 267.50"
    ]
    assert pupil.answer("1,240 EUR net with 19 % VAT") == "1475.60"
    assert pupil.answer("1,240 EUR net with 19 % duty") == "I do not know."


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("{} EUR net with {} % VAT", ("95.20", "267.50", "111.11")),
        ("What is the net salary if the gross salary is {} and the deductions are {}?", ("61", "243", "777")),
    ],
)
def test_an_answer_that_contradicts_a_formula_takes_it_away_and_a_further_one_gives_it_back(question, answers):
    asked = [question.format(*numbers) for numbers in ((80, 19), (250, 7), (90, 12), (300, 20))]
    pupil = taught(zip(asked, answers, strict=False))
    assert formulas_of(pupil) == []

    last = {"95.20": "360.00", "61": "280"}[answers[0]]
    pupil.teach(asked[3], last)
    assert len(formulas_of(pupil)) == 1
    assert not any(isinstance(line.says, Open) for line in pupil.lines)


WITH_OPERATORS = [
    ("Nettopreis {} Euro mal 1,19?", [(80, "95,20"), (250, "297,50")], (100, "119,00")),
    (
        "Was kostet das brutto: Nettopreis {} mal {}?",
        [((80, "1,19"), "95,20"), ((250, "1,07"), "267,50")],
        ((40, "1,19"), "47,60"),
    ),
    ("Summe {} plus 10 Prozent", [(80, "88,00"), (125, "137,50")], (50, "55,00")),
    ("Summe {} Euro plus {} Prozent Trinkgeld", [((80, 10), "88 €"), ((120, 5), "126 €")], ((50, 20), "60 €")),
    ("Gesamtlänge {} m geteilt durch {} Stücke?", [((12, 4), "3 m"), ((45, 9), "5 m")], ((28, 7), "4 m")),
    ("Celsius {} mal 1,8 plus 32", [(20, "68"), (35, "95")], (10, "50")),
    ("Nettopreis mal 1,19 bei {} Euro", [(80, "95,20 Euro"), (250, "297,50 Euro")], (40, "47,60 Euro")),
    ("单价{}元乘以数量{}", [((12, 7), "84元"), ((35, 4), "140元")], ((8, 23), "184元")),
]


@pytest.mark.parametrize(("question", "rows", "asked"), WITH_OPERATORS)
def test_questions_that_say_what_is_done_with_their_numbers_teach_a_formula_too(question, rows, asked):
    def filled(numbers: Any) -> str:
        return question.format(*(numbers if isinstance(numbers, tuple) else (numbers,)))

    pupil = taught((filled(numbers), answer) for numbers, answer in rows[:1])
    assert formulas_of(pupil) == []
    pupil.teach(filled(rows[1][0]), rows[1][1])
    assert len(formulas_of(pupil)) == 1
    assert pupil.answer(filled(asked[0])) == asked[1]


def test_numbers_are_read_and_written_as_those_of_the_examples_are():
    comma = taught(
        [
            ("Umsatz 1.200,50 Euro, Kosten 800,25 Euro. Gewinn?", "400,25 Euro"),
            ("Umsatz 2.000,00 Euro, Kosten 900,00 Euro. Gewinn?", "1.100,00 Euro"),
        ]
    )
    assert comma.answer("Umsatz 5.240 Euro, Kosten 1.500 Euro. Gewinn?") == "3.740,00 Euro"

    balance = "Opening balance {} EUR, deposit {} EUR. Closing balance?"
    negative = taught([(balance.format(-120, 50), "-70 EUR"), (balance.format(-300, 110), "-190 EUR")])
    assert [negative.answer(balance.format(-20, plus)) for plus in (75, 5)] == ["55 EUR", "-15 EUR"]


def test_the_unit_of_an_example_is_not_that_of_a_question_in_other_units():
    speed = "What is the speed if the distance is {} and the time is {}?"
    pupil = taught([(speed.format("100 km", "2 h"), "50 km/h"), (speed.format("90 km", "3 h"), "30 km/h")])

    assert [pupil.answer(speed.format(*given)) for given in (("60 km", "4 h"), ("100 m", "20 s"))] == ["15 km/h", "5"]


def test_the_right_answer_to_numbers_without_names_is_noted():
    rows = [("Average of 4, 8 and 15?", "9"), ("Aspect ratio of 1920 by 1080?", "16:9")]
    pupil = taught(rows)

    assert (count_right(pupil, rows), formulas_of(pupil)) == (2, [])


@pytest.mark.parametrize(
    ("bullet", "question", "answer"),
    [
        ("Bruttopreis = Nettopreis mal 1,19", "Nettopreis 80 Euro. Bruttopreis?", "95.2"),
        ("Bruttopreis = Nettopreis plus 19 Prozent", "Nettopreis 80 Euro. Bruttopreis?", "95.2"),
        ("Stückpreis = Gesamtpreis geteilt durch Menge", "Gesamtpreis 84, Menge 12. Stückpreis?", "7"),
        ("total = bill + 10 %", "The bill is 80. What is the total?", "88"),
        ("new rate = base rate + 2 %", "The base rate is 3 %. What is the new rate?", "0.05"),
    ],
)
def test_a_formula_in_words_is_read_as_people_mean_it(bullet, question, answer):
    pupil = Pupil()
    pupil.lines.append(Line("n-00001", "FORMULAS", 0, 0, bullet, 0))

    assert pupil.answer(question).rstrip(" €%") == answer


LARGER = [
    ("How many handshakes are there with {} people?", "a * (a - 1) / 2", [(12,), (25,), (31,), (47,)], (60,)),
    (
        "Resistors of {} ohm and {} ohm side by side: what is the total resistance?",
        "a * b / (a + b)",
        [(47, 68), (33, 91), (12, 56)],
        (22, 150),
    ),
]


@pytest.mark.parametrize(("question", "calculation", "rows", "last"), LARGER)
def test_a_quantity_that_is_there_twice_and_a_second_constant_take_examples_that_rule_chance_out(
    question, calculation, rows, last
):
    def row(numbers: tuple[int, ...]) -> tuple[str, str]:
        values = {name: Fraction(one) for name, one in zip("abc", numbers, strict=False)}
        result = value_of(parse(calculation), values)
        return question.format(*numbers), f"{float(result):.2f}" if result.denominator > 1 else str(result)

    assert formulas_of(taught(map(row, rows[:1]))) == []
    pupil = taught(map(row, rows))
    assert len(formulas_of(pupil)) == 1
    assert pupil.is_right(*row(last))


def test_two_round_results_do_not_show_a_quantity_twice():
    rows = [("How many handshakes are there with 5 people?", "10"), ("How many handshakes are there with 4 people?", "6")]

    assert formulas_of(taught(rows)) == []


@pytest.mark.parametrize(
    ("question", "names", "asked"),
    [
        ("Rent of 1,240 EUR split between 3 flatmates: how much for each?", ["rent", "flatmates"], "split between"),
        ("I have 30 eggs and use 7 for a cake. How many are left?", ["eggs", "cake"], "left"),
        ("税抜き1200円、消費税率10%の税込価格はいくらですか？", ["税抜き", "消費税率"], "税込価格"),
        ("1本120円のペンを5本買うと代金はいくら？", ["本", "ペン"], "買う代金"),
        ("工厂每小时生产45个零件，6小时生产多少个？", ["工厂每小时生产", "零件"], "生产个"),
    ],
)
def test_numbers_are_named_by_the_words_beside_them(question, names, asked):
    reading = read_by_wording(question)

    assert reading is not None
    assert ([one.name for one in reading.quantities], reading.asked) == (names, asked)


@pytest.mark.parametrize("question", ["", "Who has the key?", "Given 3, 4 and 9: what is the result?", "80, 90"])
def test_numbers_without_words_have_no_names(question):
    assert read_by_wording(question) is None


@pytest.mark.parametrize(
    ("question", "rows", "asked", "answer"),
    [
        (
            "What is the growth in percent if the old value is {} and the new value is {}?",
            [(200, 250, "25 %"), (400, 500, "25 %"), (300, 360, "20 %")],
            (200, 211),
            "5.5 %",
        ),
        ("{} km in {} hours: speed?", [(60, 3, "20 km/h"), (90, 2, "45 km/h")], (50, 4), "12.5 km/h"),
        ("{} km in {} hours: speed?", [(62, 3, "21 km/h"), (91, 2, "46 km/h")], (50, 4), "13 km/h"),
    ],
)
def test_whole_results_do_not_show_that_others_are_rounded(question, rows, asked, answer):
    pupil = taught((question.format(*numbers), told) for *numbers, told in rows)

    assert pupil.answer(question.format(*asked)) == answer
