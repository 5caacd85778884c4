from __future__ import annotations

import pytest

from agents.pipelines.ace.bullets import lines_in
from agents.pipelines.ace.reflecting import DOUBTFUL, NO_ERROR, Case, Reflection, reflect
from agents.pipelines.ace.solving import answer

RATIO = "What is the current ratio if current assets are €1,200 and current liabilities are €800?"
FORMULA = "current ratio = current assets / current liabilities"
RULE = "Write ratios with 2 decimals."


def looked_back(
    question: str, feedback: str, *bullets: str, reflection_round: int = 1, said: str | None = None
) -> Reflection:
    """What is thought of the generator's own answer, or of another that cites nothing."""
    lines = lines_in("\n".join(f"[b-{number:05}] helpful=0 harmful=0 :: {text}" for number, text in enumerate(bullets, 1)))
    found = answer(question, lines)
    given, cited = (found.final_answer, found.bullet_ids) if said is None else (said, [])
    reflection = reflect(Case(question, lines, given, cited, feedback, reflection_round))
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


def test_a_wrong_guess_leads_to_a_formula_and_a_house_rule():
    found = looked_back(RATIO, truth("1.50"))

    assert found.error_identification == "The answer is 2000, the right answer is 1.50."
    assert "was a guess" in found.root_cause_analysis
    assert found.correct_approach == f"{FORMULA}; e.g. current assets 1200 and current liabilities 800 give 1.50\n{RULE}"
    assert found.key_insight == "To get the current ratio, work out current assets / current liabilities."
    assert found.tags == ()


def test_a_bullet_that_misled_is_harmful_and_what_stood_beside_it_is_not():
    found = looked_back(RATIO, truth("1.50"), "current ratio = current liabilities / current assets", RULE)

    assert found.tags == (("b-00001", "harmful"), ("b-00002", "neutral"))
    assert found.root_cause_analysis.startswith("[b-00001] misled")
    assert found.correct_approach.startswith(FORMULA)


def test_a_wrong_step_in_a_row_is_found_in_the_formula_asked_for():
    found = looked_back(
        "With revenue of 500 and costs of 400, what is the margin?",
        truth("0.2"),
        "margin = profit * 2",
        "profit = revenue - costs",
    )

    assert found.tags == (("b-00001", "harmful"), ("b-00002", "neutral"))
    assert found.correct_approach.startswith("margin = 1 - costs / revenue; e.g. revenue 500 and costs 400 give 0.2")


def test_the_right_number_in_the_wrong_form_is_a_house_rule():
    found = looked_back(RATIO, truth("1.50"), FORMULA)

    assert found.error_identification == "The number is right, but it is written 1.5 instead of 1.50."
    assert found.correct_approach == RULE
    assert found.tags == (("b-00001", "helpful"),)


def test_a_rule_that_was_wrong_is_harmful_and_one_that_said_too_little_is_not():
    wrong = looked_back(RATIO, truth("1.500"), FORMULA, RULE)
    assert wrong.correct_approach == "Write ratios with 3 decimals."
    assert wrong.tags == (("b-00001", "helpful"), ("b-00002", "harmful"))

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
    lines = lines_in(f"[b-1] helpful=0 harmful=0 :: {FORMULA}\n[b-2] helpful=5 harmful=1 :: {RULE}")
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


def test_a_guess_that_was_right_is_worth_a_formula():
    found = looked_back("What is the total if cats are 3 and dogs are 4?", truth("7"))

    assert found.error_identification == NO_ERROR
    assert found.correct_approach == "total = cats + dogs; e.g. cats 3 and dogs 4 give 7"


# -- searching


def test_each_round_looks_farther_until_something_is_found():
    question = "What is the kinetic energy in J if the mass is 75 kg and the speed is 13 m/s?"
    first = looked_back(question, truth("6,337.50 J"))
    second = looked_back(question, truth("6,337.50 J"), reflection_round=2)

    assert first.correct_approach == ""
    assert first.key_insight == "No expression of up to 2 operations over mass, speed (round 1) comes to 6,337.50 J."
    assert second.correct_approach.startswith(
        "kinetic energy = 0.5 * mass * speed^2; e.g. mass 75 and speed 13 give 6337.50"
    )


def test_what_was_found_is_not_looked_for_again():
    previous = {"correct_approach": FORMULA, "reasoning": "It comes to 1.50."}

    assert reflect(Case(RATIO, (), "2000", [], truth("1.50"), 2, previous)) is None
    assert reflect(Case(RATIO, (), "2000", [], truth("1.50"), 2, {**previous, "reasoning": f"{DOUBTFUL}: …"})) is not None


@pytest.mark.parametrize(("result", "expression"), [("25", "c + a * b"), ("16.67", "b * c / a")])
def test_examples_that_a_bullet_remembers_decide_between_formulas(result, expression):
    remembered = f"score = a - b; e.g. a 3, b 5 and c 10 give {result}"

    found = looked_back("What is the score if a is 2, b is 4 and c is 8?", truth("16"), remembered)

    assert found.correct_approach.startswith(f"score = {expression}; e.g. a 3, b 5 and c 10 give {result}; e.g. a 2, b 4")
    assert found.tags == (("b-00001", "harmful"),)


def test_an_example_that_nothing_agrees_with_is_given_up():
    found = looked_back(
        RATIO, truth("1.50"), "current ratio = 2 * current assets; e.g. current assets 3 and current liabilities 2 give 977"
    )

    assert found.correct_approach.startswith(f"{FORMULA}; e.g. current assets 1200")
    assert "977" not in found.correct_approach
    assert "does not agree with what an earlier bullet remembers" in found.reasoning


# -- without the right answer


def test_a_person_who_says_wrong_marks_the_formula_and_nothing_is_made_up():
    found = looked_back(RATIO, "A person says the answer is wrong.", FORMULA, RULE)

    assert found.tags == (("b-00001", "harmful"), ("b-00002", "neutral"))
    assert found.correct_approach == ""
    assert "cannot know" in found.reasoning


def test_a_person_who_says_what_is_right_is_believed():
    found = looked_back(RATIO, "A person says the answer is wrong. They say: 1.50")

    assert found.correct_approach.startswith(FORMULA)


def test_a_person_who_says_right_confirms():
    found = looked_back(RATIO, "A person says the answer is right.", FORMULA)

    assert (found.error_identification, found.tags) == (NO_ERROR, (("b-00001", "helpful"),))


@pytest.mark.parametrize(("outcome", "tag"), [("exit code 0", "helpful"), ("exit code 2", "harmful")])
def test_an_outcome_counts_as_a_verdict(outcome, tag):
    assert looked_back(RATIO, f"Execution feedback: {outcome}", FORMULA).tags == (("b-00001", tag),)


def test_without_feedback_it_can_only_believe_itself_and_says_that_this_may_harm():
    guess = looked_back(RATIO, "None.")
    assert guess.correct_approach == "current ratio = current assets + current liabilities; unverified"
    assert guess.error_identification == NO_ERROR
    assert "that may do harm" in guess.reasoning
    assert guess.key_insight.startswith("Unverified")

    wrong = looked_back(RATIO, "None.", "current ratio = current liabilities / current assets")
    assert wrong.tags == (("b-00001", "helpful"),)
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
