from __future__ import annotations

import pytest

from agents.models.simulated.language.detect import language_of
from agents.pipelines.ace.families import draw_questions
from agents.pipelines.ace.simulation.bullets import lines_in
from agents.pipelines.ace.simulation.generator import answer
from agents.pipelines.ace.simulation.reading.sums import has_operators, sum_in
from agents.pipelines.ace.simulation.reflection import Case
from agents.pipelines.ace.simulation.reflector import reflect
from agents.pipelines.ace.simulation.sentences.phrases import phrases_of

MISLEADING = lines_in("[f-00001] helpful=9 harmful=0 :: what is = number^what\n[f-00002] helpful=9 harmful=0 :: 10 = 5")


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("10 + 5", "15"),
        ("What is 2 + 2?", "4"),
        ("What is 3 * 4 + 2?", "14"),
        ("what's (2+3)*4 = ?", "20"),
        ("Please calculate 7 divided by 2", "3.5"),
        ("7 / 0", "7 cannot be divided by 0."),
        ("What is minus 3 plus 5?", "2"),
        ("0 * 5", "0"),
        ("3 - 10", "-7"),
        ("sqrt of 16", "4"),
        ("What is the square root of 2?", "1.4142"),
        ("What is 15% of 200?", "30"),
        ("2 to the power of 10", "1024"),
        ("two plus two", "4"),
        ("€5 + €3", "€8"),
        ("２＋３は？", "5"),
        ("１２×３＝？", "36"),
        ("3かける4はいくつですか？", "12"),
        ("16の平方根は？", "4"),
        ("3乘以4等于多少？", "12"),
        ("請計算 8 除以 2", "4"),
        ("二加二等于几？", "4"),
        ("10 ÷ 0 はいくつ？", "0で割ることはできません。"),
        ("10除以0是多少", "不能除以0。"),
        ("2^99999 はいくつ？", "数が大きすぎて計算できません。"),
    ],
)
def test_operators_are_worked_out_whatever_bullets_say(question, result):
    found = answer(question, MISLEADING)

    assert (found.final_answer, found.bullet_ids) == (result, [])


@pytest.mark.parametrize(
    "question",
    [
        "",
        "x",
        "5",
        "What is -7?",
        "2026-04-02",
        "What is 3 km + 2 km?",
        "https://example.com/?a=1+2",
        "9 to 17",
        "1 + x",
        "+",
        "1e400 + 1",
    ],
)
def test_what_says_anything_else_is_no_sum(question):
    assert sum_in(question) is None


def test_questions_of_the_bank_are_neither_sums_nor_foreign():
    for one in draw_questions(5, 200):
        assert (language_of(one.text), sum_in(one.text), has_operators(one.text)) == ("en", None, False)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Tell me about sleep", "en"),
        ("banana", "en"),
        ("", "en"),
        ("睡眠について", "ja"),
        ("怎么存钱", "zh"),
        ("請告訴我", "zh-Hant"),
        ("Pythonの書き方", "ja"),
        ("Wie kann ich besser schlafen?", None),
        ("¿Cómo puedo dormir mejor?", None),
        ("Comment mieux dormir avec du bruit ?", None),
        ("Как лучше спать?", None),
        ("어떻게 자나요?", None),
    ],
)
def test_the_language_of_a_text_shows_in_its_letters_and_small_words(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("流動資産が120、流動負債が80のとき、流動比率は？", "ja"),
        ("流动资产是120，流动负债是80，流动比率是多少？", "zh"),
        ("流動資產是120，流動負債是80，我想知道流動比率是多少？", "zh-Hant"),
    ],
)
def test_a_question_that_cannot_be_read_is_refused_in_its_language_with_reasons_in_it(question, language):
    phrases = phrases_of(language)
    found = answer(question, ())
    reflection = reflect(Case(question, (), found.final_answer, [], "The right answer is: 1.50"))

    assert found.final_answer == phrases.said["unknown_numbers"]
    assert found.reasoning == [phrases.said["nothing_to_work_out"], phrases.said["no_bullets_known"]]
    assert reflection is not None
    said = (reflection.reasoning, reflection.error_identification, reflection.root_cause_analysis, reflection.key_insight)
    assert not any(letter.isascii() and letter.isalpha() for text in said for letter in text)


def test_a_sum_is_explained_in_the_language_of_the_question():
    assert answer("２＋３は？", ()).reasoning == ["何を計算するかは質問に書いてあります: 2 + 3 = 5。箇条は要りません。"]
    assert answer("3加5等于多少？", ()).reasoning == ["问题里写明了要算什么：3 + 5 = 8。不需要条目。"]
