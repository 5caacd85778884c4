"""The simulated reflector: compares an answer with the feedback, and searches for the formula of the right answer.

It tries expressions over the question's numbers. What fits one example is no formula yet: the curator, which has the whole
playbook, sees whether another one agrees. Without feedback nothing is claimed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.reading.expression import typed
from agents.pipelines.ace.simulation.advice.reflection import reflect_on_advice
from agents.pipelines.ace.simulation.advice.topics import Topic
from agents.pipelines.ace.simulation.bullets import Formula, Line, Open, saying, write_bullet
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.facts import on_sum, on_unread, on_words
from agents.pipelines.ace.simulation.feedback import Feedback, compare, is_near, read_feedback, target_of
from agents.pipelines.ace.simulation.house_rule_search import rule_to_learn
from agents.pipelines.ace.simulation.lessons.fact import Fact
from agents.pipelines.ace.simulation.lessons.form import ValueForm
from agents.pipelines.ace.simulation.lessons.house_rules import form_of
from agents.pipelines.ace.simulation.lessons.label import Label
from agents.pipelines.ace.simulation.lessons.shape import Shape
from agents.pipelines.ace.simulation.lessons.shape_search import repeats
from agents.pipelines.ace.simulation.reading.kind import kind_of_question
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.reading.sums import Sum
from agents.pipelines.ace.simulation.reflection import Case, Reflection, Tags, cut, reflection_from
from agents.pipelines.ace.simulation.search.examples import example_of
from agents.pipelines.ace.simulation.search.formula_search import Candidate, Findings, find_formula
from agents.pipelines.ace.simulation.sentences.phrases import sentences_of
from agents.pipelines.ace.simulation.solver import Solved, rule_for, shown, solve

_MOST_SHOWN = 3
_SENTENCES = sentences_of("reflector")
_reflection = partial(reflection_from, _SENTENCES)


def reflect(case: Case) -> Reflection | None:
    """Reflects on an answer.

    Returns:
        None to repeat the reflection of the previous round.
    """
    if case.previous:
        return None
    feedback = read_feedback(case.feedback)
    is_of_a_shape = any(isinstance(line.says, Shape | ValueForm) for line in case.cited_lines)
    match answer_language(case.question) if is_of_a_shape else kind_of_question(case.question):
        case Sum() as asked:
            return on_sum(case, asked, feedback)
        case Reading() as reading:
            return _on_quantities(case, reading, feedback)
        case Topic() as topic if feedback.truth is None or feedback.is_right is not None:
            return reflect_on_advice(case, topic, feedback)
        case None:
            return on_unread(case, feedback)
        case _:
            return on_words(case, feedback)


# -- questions with quantities


def _on_quantities(case: Case, reading: Reading, feedback: Feedback) -> Reflection:
    if feedback.is_nothing:
        return _unchecked(case)
    if feedback.is_right:
        return _right(case, reading, case.final_answer, _SENTENCES.say("told_right"))
    if feedback.truth is None:
        tags, cause = _blame(case, reading)
        return _reflection("wrong_without_truth", answer=case.answer_in_short, cause=cause, tags=tags)
    return _compared(case, reading, feedback, feedback.truth)


def _compared(case: Case, reading: Reading, feedback: Feedback, told: str) -> Reflection:
    if (truth := amount_of(told)) is None:
        return _no_amount(case, reading, feedback, told)
    likeness = compare(case.final_answer, told)
    if likeness == "same":
        return _right(case, reading, told, _SENTENCES.say("compared_right", answer=case.final_answer))
    target, reading = target_of(truth, reading.symbol), reading.beside(truth)
    used = solve(reading, case.cited_lines)
    if used is not None and is_near(used.result.value, target):
        return _wrong_form(case, reading, told, target, used)
    return _wrong_number(case, reading, told, target, number_is_right=likeness == "form")


def _no_amount(case: Case, reading: Reading, feedback: Feedback, told: str) -> Reflection:
    """The right answer is no number: it is noted if no formula is about the question, or if a note was cited."""
    is_noted = bool(_notes(case)) or len(reading.quantities) == 1 or not reading.is_named
    if is_noted or repeats(case.question, told):
        return on_words(case, feedback)
    return _reflection("no_amount", answer=case.answer_in_short, truth=cut(told), tags=case.tags("neutral"))


def _right(case: Case, reading: Reading, told: str, how: str) -> Reflection:
    """Right: the cited bullets helped, or an answer that was right without any is an example."""
    if case.cited_lines:
        return _confirmed(case, reading, told, how)
    truth = amount_of(told)
    if truth is None:
        return _reflection("right_without_bullets", how=how)
    target = target_of(truth, reading.symbol)
    is_open = find_formula(case.question, reading, target, case.lines).is_open
    return _reflection("right_and_kept", how=how, approach=_example(reading, target) if is_open else "")


def _confirmed(case: Case, reading: Reading, told: str, how: str) -> Reflection:
    """The cited bullets gave the answer; a second answer in the same form makes that form a rule."""
    tags = case.tags("helpful")
    used, truth = solve(reading, case.cited_lines), amount_of(told)
    if used is None or truth is None or not is_near(used.result.value, target := target_of(truth, reading.symbol)):
        return _reflection("right", how=how, tags=tags)
    if isinstance(used.lines[0].says, Open):
        formula, approach = typed(used.expression), _example(reading, target)
        return _reflection("right_and_second_example", how=how, formula=formula, approach=approach, tags=tags)
    is_told = read_feedback(case.feedback).truth is not None
    if is_told and (lesson := rule_to_learn(used.result, used.expression, reading, told, case.lines)):
        rule = write_bullet(lesson.rule)
        return _reflection("right_and_second_of_its_form", how=how, rule=rule, approach=rule, tags=tags)
    return _reflection("right", how=how, tags=tags)


def _wrong_form(case: Case, reading: Reading, told: str, target: Amount, used: Solved) -> Reflection:
    """The number is right, in another form."""
    applied = rule_for(used.result, used.expression, reading, case.cited_lines)
    lesson = rule_to_learn(used.result, used.expression, reading, told, case.lines)
    tags = {line.id: "helpful" for line in used.lines}
    cause = _SENTENCES.say("no_rule")
    if applied is not None:
        tags[applied[0].id] = "neutral" if lesson and lesson.goes_on else "harmful"
        cause = _SENTENCES.say("other_rule", id=applied[0].id)
    approach, kind = "", "wrong_form"
    if isinstance(used.lines[0].says, Open):
        approach = _example(reading, target)
    elif lesson is not None:
        approach = write_bullet(lesson.rule)
    elif form_of(target) is not None or target.decimals:
        kind, examples = "wrong_form_for_the_first_time", (*used.formula.examples, example_of(reading, target))
        approach = write_bullet(replace(used.formula, examples=examples))
    rule = write_bullet(lesson.rule) if lesson is not None else ""
    told_as = {"answer": case.final_answer, "truth": told, "value": shown(used.result)}
    return _reflection(kind, **told_as, rule=rule, cause=cause, approach=approach, tags=tuple(tags.items()))


def _wrong_number(case: Case, reading: Reading, told: str, target: Amount, *, number_is_right: bool) -> Reflection:
    tags, cause = _blame(case, reading)
    kind = "right_by_chance" if number_is_right else "wrong"  # by chance: no cited formula gives it
    error = _SENTENCES.say(kind, answer=case.answer_in_short, truth=cut(told))
    found = find_formula(case.question, reading, target, case.lines)
    is_rewritten = not found.candidates and len(reading.quantities) == 1 and repeats(case.question, told)
    if (
        is_rewritten or not reading.is_named
    ):  # the only number of the question, written otherwise; or the average of 4, 8, 15
        return on_words(case, Feedback(told))
    formulas = {line.id for line, _ in saying(Formula, case.lines)}
    reasoning, insight = _undecided(reading, told, found)
    # a formula that is contradicted is open again
    is_open = found.is_open or any(tag == "harmful" and id_ in formulas for id_, tag in tags)
    return Reflection(f"{error} {reasoning}", error, cause, _example(reading, target) if is_open else "", insight, tags)


def _undecided(reading: Reading, told: str, found: Findings) -> tuple[str, str]:
    """Reasoning and insight of one example, which shows no formula."""
    say = _SENTENCES.say
    if not found.is_open:
        none = say("not_found", names=", ".join(one.name for one in reading.quantities), truth=cut(told))
        return none, none
    asks = say("asks_for_second", asked=reading.asked)
    return f"{_several(found.candidates, told)} {asks}", asks


def _example(reading: Reading, target: Amount) -> str:
    """The bullet of the question and its right answer; with others the curator may see the formula."""
    return write_bullet(Open(reading.asked, (example_of(reading, target),)))


def _several(candidates: list[Candidate], told: str) -> str:
    """Why none of the expressions is certain."""
    if not candidates:
        return _SENTENCES.say("needs_constant", truth=told)
    if len(candidates) == 1:
        return _SENTENCES.say("single", formula=candidates[0].text, truth=told)
    formulas = "; ".join(one.text for one in candidates[:_MOST_SHOWN])
    more = len(candidates) - _MOST_SHOWN
    return _SENTENCES.say(
        "several", truth=told, formulas=formulas + (_SENTENCES.say("and_more", count=more) if more > 0 else "")
    )


def _unchecked(case: Case) -> Reflection:
    """Without feedback nothing is claimed, and nothing is learned."""
    kind = "unchecked_with_bullets" if case.cited_lines else "unchecked"
    return _reflection(kind, answer=case.answer_in_short, tags=case.tags("neutral"))


def _blame(case: Case, reading: Reading) -> tuple[Tags, str]:
    """Tags for the bullets that a wrong answer cites, and the cause: only the bullet that gave the answer is harmful."""
    used = solve(reading, case.cited_lines)
    culprit = used.lines[0] if used else next(iter(_notes(case)), None)
    if culprit is None:
        return case.tags("neutral"), _SENTENCES.say("no_bullet", asked=reading.asked)
    cause = _SENTENCES.say("misled", id=culprit.id, said=culprit.content.split(";")[0])
    return case.tags("neutral", harmful=[culprit.id]), cause


def _notes(case: Case) -> list[Line]:
    """The facts and labels that the answer cites."""
    return [line for line in case.cited_lines if isinstance(line.says, Fact | Label)]
