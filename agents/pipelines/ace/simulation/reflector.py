"""How the reflector looks back: compares an answer with what is known of it, and searches for what leads to the right one.

What it finds is an expression over the question's own numbers; that it is the right formula shows only as more questions
confirm it, and examples that bullets remember are held against it. Without feedback it claims nothing.
"""

from __future__ import annotations

from agents.pipelines.ace.simulation.advice.reflection import reflect_on_advice
from agents.pipelines.ace.simulation.bullets import Formula, Note, Open, understand, write_bullet
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.facts import cut, on_sum, on_unread, on_words
from agents.pipelines.ace.simulation.feedback import Feedback, compare, is_near, read_feedback, target_of
from agents.pipelines.ace.simulation.house_rules import form_of
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.reading.sums import Sum
from agents.pipelines.ace.simulation.reading.topic import Topic
from agents.pipelines.ace.simulation.reflection import DOUBTFUL, Case, Reflection
from agents.pipelines.ace.simulation.search.examples import example_of
from agents.pipelines.ace.simulation.search.expression_search import depth_of
from agents.pipelines.ace.simulation.search.formula_search import Candidate, Findings, find_formula
from agents.pipelines.ace.simulation.search.house_rule_search import Lesson, rule_to_learn
from agents.pipelines.ace.simulation.solver import Solved, kind_of_question, know, rule_for, shown, solve

_MOST_SHOWN = 3


def reflect(case: Case) -> Reflection | None:
    """Looks back at an answer.

    Returns:
        None if the reflection of the round before is to be repeated as it is.
    """
    if case.previous.get("correct_approach") and DOUBTFUL not in case.previous.get("reasoning", ""):
        return None
    feedback = read_feedback(case.feedback)
    match kind_of_question(case.question):
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


# -- quantities


def _on_quantities(case: Case, reading: Reading, feedback: Feedback) -> Reflection:
    if feedback.is_nothing:
        return _on_oneself(case, reading)
    if feedback.is_right:
        return _right(case, reading, case.final_answer, "Feedback says that the answer is right.")
    if feedback.truth is None:
        return _wrong_without_truth(case, reading)
    if (truth := amount_of(feedback.truth)) is not None:
        return _compared(case, reading, feedback.truth, truth)
    return _no_amount(case, reading, feedback, feedback.truth)


def _no_amount(case: Case, reading: Reading, feedback: Feedback, told: str) -> Reflection:
    """The right answer is no number: it may be noted where the question gives one by the way, and else teaches nothing."""
    noted = any(isinstance(understand(line.content), Note) for line in case.cited_lines)
    if noted or len(reading.quantities) == 1:
        return on_words(case, feedback)
    error = f"The answer is {cut(case.final_answer)}, the right answer given is “{cut(told)}”."
    none = "That is no amount, so no expression over the question's numbers can come to it."
    return Reflection(f"{error} {none}", error, none, key_insight="Nothing is learned from it.", tags=case.tags("neutral"))


def _compared(case: Case, reading: Reading, told: str, truth: Amount) -> Reflection:
    likeness = compare(case.final_answer, told)
    if likeness == "same":
        return _right(case, reading, told, f"The answer {case.final_answer} is the right one.")
    target = target_of(truth, reading.symbol)
    used = solve(reading.asked, reading, know(case.cited_lines))
    if used is not None and is_near(used.value.number, target):
        return _wrong_form(case, reading, told, target, used)
    return _wrong_number(case, reading, told, target, number_is_right=likeness == "form")


def _right(case: Case, reading: Reading, told: str, how: str) -> Reflection:
    """Right: the cited bullets helped; a guess that was right is worth to be written down."""
    truth = amount_of(told)
    if case.cited_lines:
        return _confirmed(case, reading, told, how)
    if truth is None:
        return Reflection(f"{how} It cites no bullets.", key_insight="Nothing is learned from it.")
    target = target_of(truth, reading.symbol)
    found = find_formula(case.question, reading, target, case.lines, depth_of(max(case.round, 2)))
    if found.formula is None:
        return Reflection(
            f"{how} It was a guess, and I find no single expression behind it.", key_insight="A guess was right."
        )
    approach = _approach(case, reading, found.formula, told)
    insight = f"The {reading.asked} is {found.formula.text}."
    return Reflection(
        f"{how} It was a guess; {found.formula.text} leads to it.", correct_approach=approach, key_insight=insight
    )


def _confirmed(case: Case, reading: Reading, told: str, how: str) -> Reflection:
    """The cited bullets led there; with a second answer in the same form, that form becomes a rule."""
    used, truth = solve(reading.asked, reading, know(case.cited_lines)), amount_of(told)
    lesson = None
    is_told = read_feedback(case.feedback).truth is not None
    if is_told and used is not None and truth is not None and is_near(used.value.number, target_of(truth, reading.symbol)):
        lesson = _lesson(case, reading, used, told, truth)
    tags = case.tags("helpful")
    if lesson is None:
        return Reflection(f"{how} It rests on the bullets that it cites.", key_insight="The cited bullets hold.", tags=tags)
    rule = write_bullet(lesson.rule)
    seen = "It is the second of its kind that is written so."
    return Reflection(
        f"{how} It rests on the bullets that it cites. {seen}", correct_approach=rule, key_insight=rule, tags=tags
    )


def _lesson(case: Case, reading: Reading, used: Solved, told: str, truth: Amount) -> Lesson | None:
    example = example_of(reading, target_of(truth, reading.symbol))
    return rule_to_learn(used.value, used.expression, reading, told, know(case.lines), example)


def _wrong_form(case: Case, reading: Reading, told: str, target: Amount, used: Solved) -> Reflection:
    """The number is right, only written in another way."""
    applied = rule_for(used.value, used.expression, reading, know(case.cited_lines))
    lesson = _lesson(case, reading, used, told, target)
    tags = {line.id: "helpful" for line in used.lines}
    if applied is not None:
        tags[applied.line.id] = "neutral" if lesson and lesson.goes_on else "harmful"
    error = f"The number is right, but it is written {case.final_answer} instead of {told}."
    cause = f"[{applied.line.id}] says something else." if applied else "No house rule says how such answers are written."
    reasoning = f"{shown(used.value)} is the right number, so the formula holds. {error}"
    if lesson is not None:
        rule = write_bullet(lesson.rule)
        return Reflection(reasoning, error, cause, rule, rule, tuple(tags.items()))
    formula = understand(used.lines[0].content)
    if not isinstance(formula, Formula) or form_of(target) is None:
        return Reflection(reasoning, error, cause, tags=tuple(tags.items()))
    example = example_of(reading, target)
    noted = Formula(formula.name, formula.expression, (*formula.examples, example), formula.is_verified)
    insight = f"{told} is one way to write it. One answer shows no rule: a second one that is written so would."
    return Reflection(f"{reasoning} {insight}", error, cause, write_bullet(noted), insight, tuple(tags.items()))


def _wrong_number(case: Case, reading: Reading, told: str, target: Amount, *, number_is_right: bool) -> Reflection:
    tags, cause = _blame(case, reading)
    error = f"The answer is {cut(case.final_answer)}, the right answer is {cut(told)}."
    if number_is_right:  # by a guess, as no cited formula leads there
        error = f"The number is right by chance, but it is written {cut(case.final_answer)} instead of {cut(told)}."
    depth = depth_of(case.round)
    found = find_formula(case.question, reading, target, case.lines, depth)
    if found.formula is None:
        reasoning, approach, insight = _undecided(case, reading, told, target, found)
        return Reflection(f"{error} {reasoning}", error, cause, approach, insight, tags)
    best = found.formula
    doubt = f" {DOUBTFUL}: it does not agree with what an earlier bullet remembers." if best.disagrees else ""
    return Reflection(
        f"{error} I searched expressions over the question's numbers: {best.text} comes to {told}.{doubt}",
        error,
        cause,
        _approach(case, reading, best, told),
        f"To get the {reading.asked}, work out {best.text}.",
        tags,
    )


def _undecided(case: Case, reading: Reading, told: str, target: Amount, found: Findings) -> tuple[str, str, str]:
    """Reasoning, approach and insight where no expression is the one."""
    if not reading.is_named:
        none = "The question does not name every number in it, so no formula could be told from it."
        return none, "", none
    if not found.is_open:
        names = ", ".join(one.name for one in reading.quantities)
        none = f"No expression over {names} that I can account for comes to {cut(told)} (round {case.round})."
        return none, "", none
    if len(found.candidates) == 1:
        why = f"{found.candidates[0].text} comes near {told}, but so rough an answer fits much."
    elif found.candidates:
        texts = "; ".join(one.text for one in found.candidates[:_MOST_SHOWN])
        more = f" and {len(found.candidates) - _MOST_SHOWN} more" if len(found.candidates) > _MOST_SHOWN else ""
        why = f"Several expressions of the same size come to {told}: {texts}{more}."
    else:
        why = f"The question's numbers alone do not come to {told}; with a constant that nobody gave, some expressions do."
    asks = f"A second example of the {reading.asked} is needed to tell, so no formula is learned yet."
    examples = (*found.examples, example_of(reading, target))
    return f"{why} {asks}", write_bullet(Open(reading.asked, examples)), asks


def _approach(case: Case, reading: Reading, best: Candidate, told: str) -> str:
    """The formula as a bullet would say it, and the house rule that its result needs, if any: one a line."""
    truth = amount_of(told)
    assert truth is not None
    example = example_of(reading, target_of(truth, reading.symbol))
    formula = Formula(reading.asked, best.expression, (*best.examples, example))
    lesson = rule_to_learn(best.value, best.expression, reading, told, know(case.lines), example)
    return "\n".join(write_bullet(part) for part in (formula, *([lesson.rule] if lesson else [])))


def _blame(case: Case, reading: Reading) -> tuple[tuple[tuple[str, str], ...], str]:
    """Tags for the bullets that a wrong answer cites, and the cause: what said it, not what stood beside that."""
    used = solve(reading.asked, reading, know(case.cited_lines))
    noted = [line for line in case.cited_lines if isinstance(understand(line.content), Note)]
    culprit = used.lines[0] if used else next(iter(noted), None)
    if culprit is None:
        because = f"No bullet that was cited says how the {reading.asked} is worked out."
        return case.tags("neutral"), because
    tags = tuple((line.id, "harmful" if line.id == culprit.id else "neutral") for line in case.cited_lines)
    return tags, f"[{culprit.id}] misled: {culprit.content.split(';')[0]} does not lead to the right answer."


def _wrong_without_truth(case: Case, reading: Reading) -> Reflection:
    tags, cause = _blame(case, reading)
    error = f"The answer {cut(case.final_answer)} is wrong."
    return Reflection(
        f"{error} That is all that is known: without the right answer I cannot know what would lead to it.",
        error,
        cause,
        key_insight="What is wrong is known here, what would be right is not.",
        tags=tags,
    )


def _on_oneself(case: Case, reading: Reading) -> Reflection:
    """Without feedback: cited bullets were only used, and a guess is written down as one, which may spoil a playbook."""
    alone = f"There was no feedback, so whether {cut(case.final_answer)} is right is not known."
    own = amount_of(case.final_answer)
    if case.cited_lines or own is None or not reading.is_named:
        insight = "The cited bullets were used, and nothing was checked." if case.cited_lines else "Nothing was checked."
        return Reflection(alone, key_insight=insight, tags=case.tags("neutral"))
    found = find_formula(case.question, reading, target_of(own, reading.symbol), (), depth_of(1)).formula
    if found is None:
        return Reflection(alone, key_insight="Nothing was checked, and nothing is learned.")
    guess = write_bullet(Formula(reading.asked, found.expression, is_verified=False))
    insight = f"Unverified: perhaps the {reading.asked} is {found.text}, as I guessed."
    return Reflection(
        f"{alone} I can only write my own guess down, and that may do harm.", correct_approach=guess, key_insight=insight
    )
