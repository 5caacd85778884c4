"""What is known of an answer: the right one in a message, a person's verdict, the outcome of something executed.

Pure functions of texts and values. Knows no agent and no playbook.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from agents.ace.settings import FeedbackSource

NO_FEEDBACK = "None."
_MOST = 4000
"""Characters that are kept of a person's words and of an outcome."""

_TRUTH = re.compile(r"\s*(?:answer|expected(?: answer)?|right answer|correct answer)\s*:\s*(\S.*)", re.IGNORECASE)
_THUMB = re.compile("\\s*([\U0001f44d\U0001f44e])[\U0001f3fb-\U0001f3ff\ufe0f]*(.*)", re.DOTALL)
_UP = "\U0001f44d"
_NAMES = {
    "The right answer is: ": "the right answer",
    "A person says ": "a person's verdict",
    "Execution feedback: ": "the outcome of something executed",
}


class Question(NamedTuple):
    """A message: what is asked, and the right answer if it was given along."""

    query: str
    ground_truth: str | None


def split_message(text: str) -> Question:
    """Takes the right answer off a message: a last line `Answer: …`, `Expected: …` or `Right answer: …`."""
    query, _, last = text.rstrip().rpartition("\n")
    if query.strip() and (found := _TRUTH.fullmatch(last)):
        return Question(query.strip(), found[1])
    return Question(text.strip(), None)


class Verdict(NamedTuple):
    """A person's thumb.

    Attributes:
        right: Whether it is up.
        comment: What they say, e.g. the right answer; "" for nothing.
        event: `seq` of the event that they judge; None for the session's last answer.
    """

    right: bool
    comment: str = ""
    event: int | None = None


def verdict_in(given: Any, message: str) -> Verdict | None:
    """The verdict of a message: as state has it, `{"right": bool, "answer": str, "event": seq}`, or a thumb at its start."""
    thumb = _THUMB.match(message)
    comment = (thumb[2] if thumb else "").strip()[:_MOST]
    if isinstance(given, Mapping):
        told = cast("Mapping[str, Any]", given)
        right, answer, event = told.get("right"), told.get("answer"), told.get("event")
        if isinstance(right, bool):
            said = answer.strip()[:_MOST] if isinstance(answer, str) else ""
            return Verdict(right, said or comment, event if isinstance(event, int) else None)
    return None if thumb is None else Verdict(thumb[1] == _UP, comment)


def of_verdict(verdict: Verdict) -> str:
    """A verdict as a reflector reads it."""
    said = f"A person says the answer is {'right' if verdict.right else 'wrong'}."
    return f"{said} They say: {verdict.comment}" if verdict.comment else said


def of_question(source: FeedbackSource, ground_truth: str | None, outcome: str | None) -> str:
    """What a reflector reads about the answer to a new question.

    Args:
        source: What it may be told.
        ground_truth: The right answer, where one is known.
        outcome: What came of executing something, e.g. "exit code 1", where something was.
    """
    if source == "ground truth" and ground_truth:
        return f"The right answer is: {ground_truth}"
    if source == "ground truth" and outcome:
        return f"Execution feedback: {outcome[:_MOST]}"
    return NO_FEEDBACK


def rests_on(feedback: str) -> str:
    """What a reflection rested on, in a few words for a person."""
    found = next((name for begin, name in _NAMES.items() if feedback.startswith(begin)), None)
    return found or "nothing: no feedback, so this may well be wrong"
