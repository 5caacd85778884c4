"""How the reflector looks back: compares an answer with what is known of it, and searches for what leads to the right one.

What it finds is an expression over the question's own numbers; that it is the right formula shows only as more questions
confirm it, and examples that bullets remember are held against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.pipelines.ace.amounts import Amount, amount_of
from agents.pipelines.ace.bullets import Formula, Line, Note, understand, write_bullet
from agents.pipelines.ace.finding import Candidate, candidates_for, example_of
from agents.pipelines.ace.reading import Reading, read
from agents.pipelines.ace.restyling import rule_to_learn
from agents.pipelines.ace.search import depth_of
from agents.pipelines.ace.solving import UNKNOWN, Solved, know, rule_for, same_question, shown, solve
from agents.pipelines.ace.verdicts import Feedback, compare, is_near, read_feedback, target_of

NO_ERROR = "None."
DOUBTFUL = "This is doubtful"


@dataclass(frozen=True, slots=True)
class Reflection:
    """What the reflector says."""

    reasoning: str
    error_identification: str = NO_ERROR
    root_cause_analysis: str = ""
    correct_approach: str = ""
    key_insight: str = ""
    tags: tuple[tuple[str, str], ...] = ()


class Case(NamedTuple):
    """What the reflector is given.

    Attributes:
        question: As it was asked.
        lines: The bullets of the playbook.
        final_answer: The generator's answer.
        cited: The ids that it cites.
        feedback: What is known of the answer, as the prompt says it.
        round: Counted from 1.
        previous: The reflection of the round before; empty if there was none.
    """

    question: str
    lines: Sequence[Line]
    final_answer: str
    cited: Sequence[str]
    feedback: str
    round: int = 1
    previous: Mapping[str, str] = {}

    @property
    def cited_lines(self) -> list[Line]:
        """The bullets that the answer cites, those that there are."""
        return [line for line in self.lines if line.id in self.cited]

    def tags(self, tag: str) -> tuple[tuple[str, str], ...]:
        """The same tag for every bullet that the answer cites."""
        return tuple((line.id, tag) for line in self.cited_lines)


def reflect(case: Case) -> Reflection | None:
    """Looks back at an answer.

    Returns:
        None if the reflection of the round before is to be repeated as it is.
    """
    if case.previous.get("correct_approach") and DOUBTFUL not in case.previous.get("reasoning", ""):
        return None
    feedback, reading = read_feedback(case.feedback), read(case.question)
    is_number = feedback.truth is None or amount_of(feedback.truth) is not None
    if not reading.can_be_worked_out or not is_number:
        return _on_words(case, feedback)
    if feedback.is_nothing:
        return _on_oneself(case, reading)
    if feedback.is_right:
        return _right(case, reading, case.final_answer, "A person says that the answer is right.")
    if feedback.truth is None or (truth := amount_of(feedback.truth)) is None:
        return _wrong_without_truth(case, reading)
    return _compared(case, reading, feedback.truth, truth)


# -- with a right answer


def _compared(case: Case, reading: Reading, told: str, truth: Amount) -> Reflection:
    likeness = compare(case.final_answer, told)
    if likeness == "same":
        return _right(case, reading, told, f"The answer {case.final_answer} is the right one.")
    target = target_of(truth, reading.symbol)
    used = solve(reading.asked, reading, know(case.cited_lines))
    if used is not None and is_near(used.value.number, target):
        return _wrong_form(case, reading, told, used)
    return _wrong_number(case, reading, told, target, number_is_right=likeness == "form")


def _right(case: Case, reading: Reading, told: str, how: str) -> Reflection:
    """Right: the cited bullets helped; a guess that was right is worth to be written down."""
    tags = case.tags("helpful")
    truth = amount_of(told)
    if case.cited_lines or truth is None:
        return Reflection(f"{how} The bullets that it cites led there.", key_insight="The cited bullets hold.", tags=tags)
    found = candidates_for(reading, target_of(truth, reading.symbol), case.lines, depth_of(max(case.round, 2)))
    if not found:
        return Reflection(f"{how} It was a guess, and I find no expression behind it.", key_insight="A guess was right.")
    approach = _approach(case, reading, found[0], told)
    insight = f"The {reading.asked} is {found[0].text}."
    return Reflection(f"{how} It was a guess; {found[0].text} leads to it.", correct_approach=approach, key_insight=insight)


def _wrong_form(case: Case, reading: Reading, told: str, used: Solved) -> Reflection:
    """The number is right, only written in another way."""
    known = know(case.lines)
    applied = rule_for(used.value, used.expression, reading, know(case.cited_lines))
    lesson = rule_to_learn(used.value, used.expression, reading, told, known)
    tags = {line.id: "helpful" for line in used.lines}
    if applied is not None:
        tags[applied.line.id] = "neutral" if lesson and lesson.goes_on else "harmful"
    error = f"The number is right, but it is written {case.final_answer} instead of {told}."
    if lesson is None:
        return Reflection(
            f"{shown(used.value)} is the right number. {error}",
            error,
            "I can express no rule that would have written it so.",
            key_insight=f"{told} is written in a way that I can express no rule for.",
            tags=tuple(tags.items()),
        )
    rule = write_bullet(lesson.rule)
    return Reflection(
        f"{shown(used.value)} is the right number, so the formula holds. {error}",
        error,
        f"[{applied.line.id}] says something else." if applied else "No house rule says how such answers are written.",
        rule,
        rule,
        tuple(tags.items()),
    )


def _wrong_number(case: Case, reading: Reading, told: str, target: Amount, *, number_is_right: bool) -> Reflection:
    tags, cause = _blame(case, reading)
    error = f"The answer is {case.final_answer}, the right answer is {told}."
    if number_is_right:  # by a guess, as no cited formula leads there
        error = f"The number is right by chance, but it is written {case.final_answer} instead of {told}."
    depth = depth_of(case.round)
    found = candidates_for(reading, target, case.lines, depth)
    if not found:
        names = ", ".join(one.name for one in reading.quantities)
        none = f"No expression of up to {depth.operations} operations over {names} (round {case.round}) comes to {told}."
        return Reflection(f"{error} {none}", error, cause, "", none, tags)
    best = found[0]
    doubt = "" if best.is_strong else f" {DOUBTFUL}: it leaves something out, or its unit is another one."
    if best.disagrees:
        doubt += " It does not agree with what an earlier bullet remembers."
    others = f" {len(found) - 1} other expressions do so too, but are more far-fetched." if len(found) > 1 else ""
    return Reflection(
        f"{error} I searched expressions over the question's numbers: {best.text} comes to {told}.{others}{doubt}",
        error,
        cause,
        _approach(case, reading, best, told),
        f"To get the {reading.asked}, work out {best.text}.",
        tags,
    )


def _approach(case: Case, reading: Reading, best: Candidate, told: str) -> str:
    """The formula as a bullet would say it, and the house rule that its result needs, if any: one a line."""
    truth = amount_of(told)
    assert truth is not None
    example = example_of(reading, target_of(truth, reading.symbol))
    formula = Formula(reading.asked, best.expression, (*best.examples, example))
    lesson = rule_to_learn(best.value, best.expression, reading, told, know(case.lines))
    return "\n".join(write_bullet(part) for part in (formula, *([lesson.rule] if lesson else [])))


def _blame(case: Case, reading: Reading) -> tuple[tuple[tuple[str, str], ...], str]:
    """Tags for the bullets that a wrong answer cites, and the cause: what said it, not what stood beside that."""
    used = solve(reading.asked, reading, know(case.cited_lines))
    noted = [line for line in case.cited_lines if isinstance(understand(line.content), Note)]
    culprit = used.lines[0] if used else next(iter(noted), None)
    if culprit is None:
        return case.tags("neutral"), f"No bullet said how the {reading.asked} is worked out, so the answer was a guess."
    tags = tuple((line.id, "harmful" if line.id == culprit.id else "neutral") for line in case.cited_lines)
    return tags, f"[{culprit.id}] misled: {culprit.content.split(';')[0]} does not lead to the right answer."


# -- without one


def _wrong_without_truth(case: Case, reading: Reading) -> Reflection:
    tags, cause = _blame(case, reading)
    error = f"The answer {case.final_answer} is wrong."
    return Reflection(
        f"{error} That is all that is known: without the right answer I cannot know what would lead to it.",
        error,
        cause,
        key_insight="What is wrong is known here, what would be right is not.",
        tags=tags,
    )


def _on_oneself(case: Case, reading: Reading) -> Reflection:
    """Without feedback: it takes its own answer for right, which is how a playbook is spoilt."""
    alone = (
        f"There was no feedback, so whether {case.final_answer} is right is not known. I can only take my own answer for "
        "right, and that may do harm."
    )
    own = amount_of(case.final_answer)
    if case.cited_lines or own is None:
        insight = "Nothing was checked: the cited bullets count as helpful only because they were used."
        return Reflection(alone, key_insight=insight if case.cited_lines else "", tags=case.tags("helpful"))
    found = candidates_for(reading, target_of(own, reading.symbol), (), depth_of(1))
    if not found:
        return Reflection(alone, key_insight="Nothing was checked, and nothing is learned.")
    guess = write_bullet(Formula(reading.asked, found[0].expression, is_verified=False))
    insight = f"Unverified: perhaps the {reading.asked} is {found[0].text}, as I guessed."
    return Reflection(alone, correct_approach=guess, key_insight=insight)


# -- free questions


def _on_words(case: Case, feedback: Feedback) -> Reflection:
    """A free question: what is right can be noted, and no more."""
    limits = "There is nothing to work out here: a simulation cannot know why an answer to such a question is right."
    if feedback.is_nothing:
        return Reflection(
            f"{limits} And there was no feedback.", key_insight="Nothing was checked.", tags=case.tags("neutral")
        )
    if feedback.is_right or (feedback.truth is not None and compare(case.final_answer, feedback.truth) == "same"):
        return Reflection(f"The answer is right. {limits}", tags=case.tags("helpful"), key_insight="The cited bullets hold.")
    error = f"The answer is “{case.final_answer}”" + (
        f", the right one is “{feedback.truth}”." if feedback.truth else ", and it is wrong."
    )
    misled = [one for one in know(case.cited_lines) if isinstance(one.says, Note)]
    wrong = {one.line.id for one in misled if isinstance(one.says, Note) and same_question(one.says.question, case.question)}
    tags = tuple((line.id, "harmful" if line.id in wrong else "neutral") for line in case.cited_lines)
    cause = "No bullet answers it." if case.final_answer == UNKNOWN or not tags else "What was cited does not answer it."
    if feedback.truth is None:
        return Reflection(f"{error} {limits}", error, cause, key_insight="What would be right is not known here.", tags=tags)
    note = write_bullet(Note(case.question, feedback.truth))
    insight = "I can only note what I was told; it says nothing about other questions."
    return Reflection(f"{error} {limits}", error, cause, note, insight, tags)
