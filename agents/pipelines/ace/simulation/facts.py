"""Reflections on questions without a formula: sums, facts, and languages that are not read."""

from __future__ import annotations

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.numbers import numbers_in
from agents.pipelines.ace.simulation.bullets import saying, write_bullet
from agents.pipelines.ace.simulation.feedback import Feedback, compare
from agents.pipelines.ace.simulation.lessons.fact import Fact
from agents.pipelines.ace.simulation.lessons.form import ValueForm
from agents.pipelines.ace.simulation.lessons.label import Label
from agents.pipelines.ace.simulation.lessons.shape import Shape
from agents.pipelines.ace.simulation.lessons.shape_search import repeats
from agents.pipelines.ace.simulation.reading.sums import Sum, has_operators
from agents.pipelines.ace.simulation.reading.wording import read_by_wording
from agents.pipelines.ace.simulation.reflection import Case, Reflection, cut, reflection_from
from agents.pipelines.ace.simulation.sentences.phrases import Phrases, phrases_of, sentences_of
from agents.pipelines.ace.simulation.solver import solve

LONGEST_NOTE = 300
"""Characters of a question, and of an answer, that are noted as they are."""


def on_unread(case: Case, feedback: Feedback) -> Reflection:
    """A question in a language that is not read: its right answer can be noted, but nothing is worked out from numbers."""
    truth = feedback.truth
    if truth is not None and (len(numbers_in(case.question)) <= 1 or repeats(case.question, truth)):
        return on_words(case, feedback)
    told = _difference(case, feedback, phrases_of("en"))
    kind = "not_read_and_told_otherwise" if told else "not_read"
    return reflection_from(sentences_of("reflector"), kind, **told, tags=case.tags("neutral"))


def on_sum(case: Case, asked: Sum, feedback: Feedback) -> Reflection:
    """Arithmetic: right or wrong, it teaches nothing for other questions."""
    phrases = phrases_of(answer_language(case.question))
    told = _difference(case, feedback, phrases)
    kind = "sum_told_otherwise" if told else "sum"
    return reflection_from(phrases, kind, **told, sum=asked.text, tags=case.tags("neutral"))


def on_words(case: Case, feedback: Feedback) -> Reflection:
    """A question with nothing to work out: a right answer can be noted."""
    phrases = phrases_of(answer_language(case.question))
    if feedback.is_nothing:
        return reflection_from(phrases, "words_unchecked", tags=case.tags("neutral"))
    if feedback.is_right or (feedback.truth is not None and compare(case.final_answer, feedback.truth) == "same"):
        held = phrases.say("noted_is_right" if case.cited_lines else "right_by_itself")
        answers = [fact.answer for _, fact in saying(Fact, case.cited_lines)]
        answers += [label.name for _, label in saying(Label, case.cited_lines)]
        wording = "".join(write_bullet(Fact((case.question,), answer)) for answer in answers[:1]) if feedback.truth else ""
        return reflection_from(phrases, "words_right", held=held, approach=wording, tags=case.tags("helpful"))
    misled = [line.id for line, fact in saying(Fact, case.cited_lines) if fact.is_asked_by(case.question)]
    misled += [line.id for line in case.cited_lines if isinstance(line.says, Label | Shape | ValueForm)]
    used = solve(reading, case.cited_lines) if (reading := read_by_wording(case.question)) else None
    misled += [used.lines[0].id] if used else []
    tags = case.tags("neutral", harmful=misled)
    cause = phrases.say("misled" if case.cited_lines else "not_misled")
    if not feedback.truth:
        error = phrases.say("wrong_words_without_truth", answer=case.answer_in_short)
        return reflection_from(phrases, "words_wrong_without_truth", error=error, cause=cause, tags=tags)
    error = phrases.say("wrong_words", answer=case.answer_in_short, truth=cut(feedback.truth))
    if why := _not_to_be_noted(case.question, feedback.truth, phrases):
        return reflection_from(phrases, "words_not_noted", error=error, cause=cause, why=why, tags=tags)
    note = write_bullet(Fact((case.question,), feedback.truth))
    return reflection_from(phrases, "words_noted", error=error, cause=cause, approach=note, tags=tags)


def _difference(case: Case, feedback: Feedback, phrases: Phrases) -> dict[str, str]:
    """The error that feedback tells of; empty where it tells of none."""
    if feedback.truth is not None and compare(case.final_answer, feedback.truth) == "other":
        return {"error": phrases.say("differs", answer=case.answer_in_short, truth=cut(feedback.truth))}
    return {"error": phrases.say("is_wrong")} if feedback.is_right is False else {}


def _not_to_be_noted(question: str, truth: str, phrases: Phrases) -> str:
    """Why an answer is not noted; "" if it is."""
    if has_operators(question) and not repeats(question, truth) and not _says_what_it_is_about(question):
        return phrases.say("unread_operators")
    return phrases.say("too_long", most=LONGEST_NOTE) if max(len(question), len(truth)) > LONGEST_NOTE else ""


def _says_what_it_is_about(question: str) -> bool:
    """Whether a question has words of its own for its numbers, so that it is more than a sum: Summe 80 plus 10 Prozent."""
    reading = read_by_wording(question)
    return reading is not None and any(one.name.casefold() in question.casefold() for one in reading.quantities)
