"""Scores answers: to questions of the families by their right answer, to free questions by the reflector's rubric."""

from __future__ import annotations

from fractions import Fraction

from agents.ace.roles.instructions import prompt
from agents.models.simulated.language.detect import answer_language
from agents.pipelines.ace.families.questions import Question
from agents.pipelines.ace.simulation.advice.rubric import criteria_in, judge
from agents.pipelines.ace.simulation.advice.topics import asks_for_advice, topic_of
from agents.pipelines.ace.simulation.expressions.amounts import amount_of
from agents.pipelines.ace.simulation.expressions.units import DATE_SYMBOL
from agents.pipelines.ace.simulation.feedback import compare
from agents.pipelines.ace.simulation.sentences.phrases import phrases_of

TOLERANCE = Fraction("0.001")
"""Of a number that need not be written by the house rule: as part of the right one."""


def is_right(answer: str, truth: str, question: Question) -> bool:
    """Whether an answer counts as right.

    Where the question has a rule, it must be written exactly as the right answer is, blanks around it and a full stop
    aside. Where it has none, the number is enough: within what the right answer was rounded from, or a thousandth of it;
    currency and unit may be missing, and percent may be written without their sign. Free questions need the same words.
    """
    given = answer.strip().rstrip(".")
    if question.rule is not None:
        return given == truth
    if compare(given, truth) != "other":
        return True
    found, right = amount_of(given), amount_of(truth)
    if found is None or right is None or DATE_SYMBOL in (found.symbol, right.symbol):
        return False
    return found.symbol in ("", right.symbol) and abs(found.value - right.value) <= abs(right.value) * TOLERANCE


def rubric_score(answer: str, question: str) -> tuple[int, int]:
    """How many criteria of the reflector's rubric an answer to a free question meets, and of how many.

    Raises:
        ValueError: The question asks for no advice.
    """
    topic, criteria = topic_of(question), criteria_in(prompt("reflector"))
    if topic is None and not asks_for_advice(question):
        raise ValueError(f"“{question}” asks for no advice, so no rubric applies to its answer.")
    phrases, name = phrases_of(answer_language(question)), topic.name if topic else ""
    return len(judge(answer, phrases, criteria, topic=name).met), len(criteria)
