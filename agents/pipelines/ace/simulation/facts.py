"""How the reflector looks back at questions without a formula: sums, facts, and languages that it does not read."""

from __future__ import annotations

from agents.pipelines.ace.simulation.bullets import Note, write_bullet
from agents.pipelines.ace.simulation.feedback import Feedback, compare
from agents.pipelines.ace.simulation.reading.sums import Sum, has_operators
from agents.pipelines.ace.simulation.reflection import Case, Reflection
from agents.pipelines.ace.simulation.sentences.phrases import phrases_of
from agents.pipelines.ace.simulation.solver import know, same_question

LONGEST_NOTE = 300
"""Characters of a question, and of an answer, that are noted as they are."""


def on_unread(case: Case, feedback: Feedback) -> Reflection:
    """A question in a language that is not read: what was told is said, and nothing is learned."""
    reasoning = f"{phrases_of('en').said['not_read']} So nothing can be learned here."
    if error := _difference(case, feedback):
        return Reflection(f"{error} {reasoning}", error, tags=case.tags("neutral"))
    return Reflection(reasoning, tags=case.tags("neutral"))


def _difference(case: Case, feedback: Feedback) -> str:
    """What feedback says is wrong; "" where it says nothing of the kind."""
    if feedback.truth is not None and compare(case.final_answer, feedback.truth) == "other":
        return f"The answer is {cut(case.final_answer)}, the right answer given is {cut(feedback.truth)}."
    return "Feedback says that the answer is wrong." if feedback.is_right is False else ""


def on_sum(case: Case, asked: Sum, feedback: Feedback) -> Reflection:
    """Arithmetic: right or wrong, there is nothing in it for other questions."""
    told = f"The question says itself what is to be worked out ({asked.text}): nothing is learned from arithmetic."
    tags = case.tags("neutral")
    if error := _difference(case, feedback):
        return Reflection(f"{error} {told}", error, "What the sum comes to is not what feedback says.", tags=tags)
    return Reflection(told, tags=tags)


def on_words(case: Case, feedback: Feedback) -> Reflection:
    """A question with nothing to work out: what is right can be noted, and no more."""
    limits = "There is nothing here that I can work out: a simulation cannot know why an answer to such a question is right."
    if feedback.is_nothing:
        return Reflection(
            f"{limits} And there was no feedback.", key_insight="Nothing was checked.", tags=case.tags("neutral")
        )
    if feedback.is_right or (feedback.truth is not None and compare(case.final_answer, feedback.truth) == "same"):
        held = "The cited bullets hold." if case.cited_lines else "It cites no bullets."
        return Reflection(f"The answer is right. {limits}", tags=case.tags("helpful"), key_insight=held)
    error = f"The answer is “{cut(case.final_answer)}”" + (
        f", the right one is “{cut(feedback.truth)}”." if feedback.truth else ", and it is wrong."
    )
    misled = [one for one in know(case.cited_lines) if isinstance(one.says, Note)]
    wrong = {one.line.id for one in misled if isinstance(one.says, Note) and same_question(one.says.question, case.question)}
    tags = tuple((line.id, "harmful" if line.id in wrong else "neutral") for line in case.cited_lines)
    cause = "What was cited does not answer it." if case.cited_lines else "The answer cites no bullet."
    if feedback.truth is None:
        return Reflection(f"{error} {limits}", error, cause, key_insight="What would be right is not known here.", tags=tags)
    if (why := _not_to_be_noted(case.question, feedback.truth)) is not None:
        return Reflection(f"{error} {why}", error, cause, key_insight="Nothing is noted.", tags=tags)
    note = write_bullet(Note(case.question, feedback.truth))
    insight = "I can only note what I was told; it says nothing about other questions."
    return Reflection(f"{error} {limits}", error, cause, note, insight, tags)


def _not_to_be_noted(question: str, truth: str) -> str | None:
    if has_operators(question):
        return (
            "The question says itself what is to be done with its numbers, in a way that I cannot read; no answer is noted."
        )
    if max(len(question), len(truth)) > LONGEST_NOTE:
        return f"Question or answer has more than {LONGEST_NOTE} characters, which is no note."
    return None


def cut(text: str, most: int = 200) -> str:
    """A text in one line, as a sentence can quote it."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
