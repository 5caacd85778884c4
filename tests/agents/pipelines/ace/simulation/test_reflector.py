from __future__ import annotations

import pytest

from agents.pipelines.ace.simulation.bullets import Line, lines_in
from agents.pipelines.ace.simulation.curator import curate
from agents.pipelines.ace.simulation.generator import answer
from agents.pipelines.ace.simulation.reflection import NO_ERROR, Case, Reflection
from agents.pipelines.ace.simulation.reflector import reflect

RATIO = "What is the current ratio if current assets are €1,200 and current liabilities are €800?"
FORMULA = "current ratio = current assets / current liabilities"
OTHER = "debt ratio = debts / assets; e.g. debts 30 and assets 40 give"
EXAMPLE = "current ratio: formula not known yet; e.g. current assets 1200 and current liabilities 800 give 1.50"
EARLIER = "current ratio: formula not known yet; e.g. current assets 30 and current liabilities 20 give"
RULE = "Write ratios with 2 decimals."


def looked_back(question: str, feedback: str, *bullets: str, said: str | None = None) -> Reflection:
    """What is thought of the generator's own answer, or of another that cites nothing, with the bullets that it cites."""
    return _looked_back(question, feedback, _lines(bullets), said)


def learned(question: str, told: str, *bullets: str, said: str | None = None) -> list[str]:
    """What the curator writes then, with all bullets."""
    lines = _lines(bullets)
    found = _looked_back(question, truth(told), lines, said)
    harmful = {id_ for id_, tag in found.tags if tag == "harmful"}
    error = found.error_identification
    curated = curate(found.correct_approach, error=error, harmful=harmful, lines=lines, limits="", question=question)
    return [operation["content"] for operation in curated.operations]


def _lines(bullets: tuple[str, ...]) -> tuple[Line, ...]:
    return lines_in("\n".join(f"[b-{number:05}] helpful=0 harmful=0 :: {text}" for number, text in enumerate(bullets, 1)))


def _looked_back(question: str, feedback: str, lines: tuple[Line, ...], said: str | None) -> Reflection:
    found = answer(question, lines)
    given, cited = (found.final_answer, found.bullet_ids) if said is None else (said, [])
    shown = [line for line in lines if line.id in cited]
    reflection = reflect(Case(question, shown, given, cited, feedback))
    assert reflection is not None
    return reflection


def truth(answer_: str) -> str:
    return f"The right answer is: {answer_}"


# -- with the right answer


def test_a_right_answer_shows_that_its_bullets_help():
    found = looked_back(RATIO, truth("1.50"), FORMULA, RULE)

    assert found.error_identification == NO_ERROR
    assert found.tags == (("b-00001", "helpful"), ("b-00002", "helpful"))
    assert found.correct_approach == ""


def test_no_answer_leads_to_an_example_and_a_second_one_to_a_formula():
    first = looked_back(RATIO, truth("1.50"))
    assert first.error_identification == "The answer is “I do not know.”, the right answer is 1.50."
    assert first.root_cause_analysis == "No bullet that was cited says how the current ratio is worked out."
    assert first.correct_approach == EXAMPLE
    assert "but one example shows little" in first.reasoning
    assert first.tags == ()

    second = looked_back(RATIO, truth("1.50"), f"{EARLIER} 1.5", said="2000")
    assert second.correct_approach == EXAMPLE, "the earlier example was not cited"
    formula = f"{FORMULA}; e.g. current assets 30 and current liabilities 20 give 1.5"
    assert learned(RATIO, "1.50", f"{EARLIER} 1.5", said="2000") == [formula]
    assert learned(RATIO, "1.50", f"{EARLIER} 1.50", f"{OTHER} 0.75", said="2000") == [f"{formula}0", RULE]


def test_what_one_example_fits_is_tried_and_a_right_answer_makes_it_a_formula():
    found = looked_back(RATIO, truth("1.50"), f"{EARLIER} 1.50")

    assert found.error_identification == NO_ERROR
    assert found.tags == (("b-00001", "helpful"),)
    assert found.correct_approach == EXAMPLE
    assert "It is the second example" in found.reasoning
    for told in ("1.50", "1.500"):
        assert learned(RATIO, told, f"{EARLIER} 1.50")[0].startswith(f"{FORMULA}; e.g. current assets 30")


def test_a_bullet_that_misled_is_harmful_and_what_stood_beside_it_is_not():
    found = looked_back(RATIO, truth("1.50"), "current ratio = current liabilities / current assets", RULE)

    assert found.tags == (("b-00001", "harmful"), ("b-00002", "neutral"))
    assert found.root_cause_analysis.startswith("[b-00001] misled")
    assert found.correct_approach == EXAMPLE


def test_a_wrong_step_in_a_row_is_found_in_the_formula_asked_for():
    found = looked_back(
        "With revenue of 500 and costs of 400, what is the margin?",
        truth("0.80"),
        "margin = profit * 2",
        "profit = revenue - costs",
    )

    assert found.tags == (("b-00001", "harmful"), ("b-00002", "neutral"))
    assert found.correct_approach.endswith("not known yet; e.g. revenue 500 and costs 400 give 0.80")


def test_the_right_number_in_the_wrong_form_is_a_house_rule_once_a_second_answer_is_written_so():
    found = looked_back(RATIO, truth("1.50"), FORMULA)

    assert found.error_identification == "The number is right, but it is written 1.5 instead of 1.50."
    assert found.correct_approach == f"{FORMULA}; e.g. current assets 1200 and current liabilities 800 give 1.50"
    assert found.key_insight.endswith("One answer shows no rule: a second one that is written so would.")
    assert found.tags == (("b-00001", "helpful"),)
    assert learned(RATIO, "1.50", FORMULA, f"{OTHER} 0.75") == [RULE]


def test_a_right_answer_that_is_the_second_of_its_form_makes_the_form_a_rule():
    formula = f"{FORMULA}; e.g. current assets 30 and current liabilities 9 give 3.33"

    found = looked_back(RATIO, truth("1.50"), formula)

    assert (found.error_identification, found.correct_approach) == (NO_ERROR, RULE)
    assert looked_back(RATIO, "A person says the answer is right.", formula).correct_approach == ""


def test_a_rule_that_was_wrong_is_harmful_and_one_that_said_too_little_is_not():
    once = looked_back(RATIO, truth("1.500"), FORMULA, RULE)
    assert "Write" not in once.correct_approach
    assert once.tags == (("b-00001", "helpful"), ("b-00002", "harmful"))

    assert learned(RATIO, "1.500", FORMULA, RULE, f"{OTHER} 0.750") == ["Write ratios with 3 decimals."]

    question = "What is the profit if revenue is €3,000 and costs are €500?"
    short = looked_back(
        question,
        truth("€2,500.00"),
        "profit = revenue - costs",
        "Write money with the currency sign in front and 2 decimals.",
    )
    assert short.correct_approach == "Write money with the currency sign in front, thousands separators and 2 decimals."
    assert short.tags == (("b-00001", "helpful"), ("b-00002", "neutral"))


def test_a_rule_that_helps_elsewhere_stays_and_the_exception_is_noted():
    formula = f"{FORMULA}; e.g. current assets 3 and current liabilities 2 give 1.500"
    lines = lines_in(f"[b-1] helpful=0 harmful=0 :: {formula}\n[b-2] helpful=5 harmful=1 :: {RULE}")
    found = reflect(Case(RATIO, lines, "1.50", ["b-1", "b-2"], truth("1.500")))

    assert found is not None
    assert found.correct_approach == "Write the current ratio with 3 decimals."


def test_a_rule_that_rounds_too_much_does_not_make_the_formula_wrong():
    found = looked_back(RATIO, truth("1.50"), FORMULA, "Write ratios with no decimals.")

    assert found.tags == (("b-00001", "helpful"), ("b-00002", "harmful"))


def test_a_form_that_no_rule_can_express_is_left_alone():
    found = looked_back(
        "What is the profit if revenue is 9 € and costs are 4 €?", truth("5 euros"), "profit = revenue - costs"
    )

    assert found.correct_approach == ""
    assert found.tags == (("b-00001", "helpful"),)


def test_an_answer_that_was_right_without_a_bullet_is_worth_an_example():
    found = looked_back("What is the total if cats are 3 and dogs are 4?", truth("7"), said="7")

    assert found.error_identification == NO_ERROR
    example = "total: formula not known yet; e.g. cats 3 and dogs 4 give 7"
    assert found.correct_approach == example
    again = learned("What is the total if cats are 5 and dogs are 6?", "11", example, said="11")
    assert again == ["total = cats + dogs; e.g. cats 3 and dogs 4 give 7"]


# -- searching


def test_a_small_constant_that_nobody_gave_takes_a_second_example():
    question = "What is the kinetic energy in J if the mass is 75 kg and the speed is 13 m/s?"
    first = looked_back(question, truth("6,337.50 J"))
    remembered = "kinetic energy: formula not known yet; e.g. mass 75 and speed 13 give 6,337.50 J"

    assert first.correct_approach == remembered
    assert "A second example of the kinetic energy is needed" in first.reasoning
    question = "What is the kinetic energy in J if the mass is 6 kg and the speed is 8 m/s?"
    (formula,) = learned(question, "192.00 J", remembered)
    assert formula.startswith("kinetic energy = 0.5 * mass * speed^2; e.g. mass 75 and speed 13 give 6,337.50 J; e.g. mass ")


def test_where_several_expressions_of_one_size_fit_none_is_learned():
    found = looked_back("What is the score if a is 2, b is 4 and c is 8?", truth("16"))

    assert found.correct_approach == "score: formula not known yet; e.g. a 2, b 4 and c 8 give 16"
    assert "Several expressions of the same size come to 16" in found.reasoning


@pytest.mark.parametrize("absurd", ["banana", "-7", "1e400", "NaN", "∞", "-0", "x" * 10_000])
def test_an_absurd_right_answer_teaches_nothing(absurd):
    found = looked_back(RATIO, truth(absurd))
    assert found.correct_approach == ""
    assert len(found.reasoning) < 1000


def test_an_expression_that_leaves_a_quantity_out_is_not_learned():
    found = looked_back("With prices of 7, costs of 5 and taxes of 31, what is the gain?", truth("2"))

    assert "gain =" not in found.correct_approach


@pytest.mark.parametrize(
    "question",
    [
        "What is 2 + 2?",
        "3 * 4 + 2",
        "sqrt of 16",
        "What is 20 % of 50?",
        "What is 3 km + 2 km?",
        "２＋２は？",
        "二加二等于几？",
    ],
)
def test_what_a_question_says_itself_is_not_learned(question):
    for told in ("4", "-7", "banana"):
        assert looked_back(question, truth(told)).correct_approach == ""


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch ist die Liquidität, wenn das Umlaufvermögen 120 und die Schulden 80 betragen?",
        "Quel est le ratio si les actifs sont 120 et les dettes sont 80 ?",
        "Каков коэффициент, если активы 120, а долги 80?",
    ],
)
def test_words_of_a_language_that_is_not_read_come_into_no_bullet(question):
    found = looked_back(question, truth("1,5"))

    assert found.correct_approach == ""
    assert "English, Japanese and Chinese" in found.reasoning
    assert found.error_identification.endswith("the right answer given is 1,5.")


def test_numbers_without_a_name_are_in_no_formula():
    assert looked_back("What is the average of 3 and 5?", truth("4")).correct_approach.startswith("Asked: ")
    assert "=" not in looked_back("Given 3, 4 and 9: what is the result?", truth("7")).correct_approach


def test_what_was_found_is_not_looked_for_again():
    previous = {"correct_approach": FORMULA, "reasoning": "It comes to 1.50."}

    assert reflect(Case(RATIO, (), "2000", [], truth("1.50"), previous)) is None


@pytest.mark.parametrize(("result", "expression"), [("25", "c + a * b"), ("16.67", "b * c / a")])
def test_examples_that_a_bullet_remembers_decide_between_formulas(result, expression):
    remembered = f"score = a - b; e.g. a 3, b 5 and c 10 give {result}"

    question = "What is the score if a is 2, b is 4 and c is 8?"
    assert looked_back(question, truth("16"), remembered).tags == (("b-00001", "harmful"),)
    assert learned(question, "16", remembered) == [f"score = {expression}; e.g. a 3, b 5 and c 10 give {result}"]


def test_an_example_that_nothing_agrees_with_is_given_up():
    found = looked_back(
        RATIO, truth("1.50"), "current ratio = 2 * current assets; e.g. current assets 3 and current liabilities 2 give 977"
    )

    assert found.correct_approach == EXAMPLE
    assert found.tags == (("b-00001", "harmful"),)


def test_a_constant_that_nobody_gives_is_in_no_formula_however_often_it_fits():
    example = "ROI: formula not known yet; e.g. gain 30 and cost 20 give 4.71"
    question = "What is the ROI if the gain is 70 and the cost is 40?"

    assert not any(text.startswith("ROI =") for text in learned(question, "5.50", example))
    assert learned(question, "1.75", example.replace("4.71", "1.5"))[0].startswith("ROI = gain / cost;")


# -- without the right answer


def test_a_person_who_says_wrong_marks_the_formula_and_nothing_is_made_up():
    found = looked_back(RATIO, "A person says the answer is wrong.", FORMULA, RULE)

    assert found.tags == (("b-00001", "harmful"), ("b-00002", "neutral"))
    assert found.correct_approach == ""
    assert "cannot know" in found.reasoning


def test_a_person_who_says_what_is_right_is_believed():
    found = looked_back(RATIO, "A person says the answer is wrong. They say: 1.50")

    assert found.correct_approach == EXAMPLE


def test_a_person_who_says_right_confirms():
    found = looked_back(RATIO, "A person says the answer is right.", FORMULA)

    assert (found.error_identification, found.tags) == (NO_ERROR, (("b-00001", "helpful"),))


@pytest.mark.parametrize(("outcome", "tag"), [("exit code 0", "helpful"), ("exit code 2", "harmful")])
def test_an_outcome_counts_as_a_verdict(outcome, tag):
    assert looked_back(RATIO, f"Execution feedback: {outcome}", FORMULA).tags == (("b-00001", tag),)


def test_without_feedback_nothing_is_learned():
    guess = looked_back(RATIO, "None.")
    assert (guess.correct_approach, guess.error_identification) == ("", NO_ERROR)
    assert "not known" in guess.reasoning

    wrong = looked_back(RATIO, "None.", "current ratio = current liabilities / current assets")
    assert wrong.tags == (("b-00001", "neutral"),), "used, and not checked"
    assert "not known" in wrong.reasoning


# -- free questions


def test_what_is_right_about_a_free_question_is_noted():
    found = looked_back("Who has the key?", truth("The caretaker"))

    assert found.correct_approach == "Asked: Who has the key? Answer: The caretaker"
    assert "cannot know why" in found.reasoning


def test_a_note_that_was_wrong_is_harmful_and_prose_is_not():
    found = looked_back("Who has the key?", truth("Nobody"), "Asked: Who has the key? Answer: The caretaker")
    assert found.tags == (("b-00001", "harmful"),)

    prose = looked_back("Who has the key?", truth("Nobody"), "The key is in the drawer and who has it knows.")
    assert prose.tags == (("b-00001", "neutral"),)


def test_a_free_question_that_is_only_known_to_be_wrong_teaches_nothing():
    found = looked_back("Who has the key?", "A person says the answer is wrong.")

    assert found.correct_approach == ""
    assert looked_back("Who has the key?", "None.").correct_approach == ""


def test_a_word_for_a_question_with_numbers_is_noted_too():
    found = looked_back("Which colour has the ball from urn 7?", truth("red"))

    assert found.correct_approach == "Asked: Which colour has the ball from urn 7? Answer: red"
