"""Feedback on an answer: the right answer in a message, the user's verdict, the outcome of something executed.

Pure functions of texts and values.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from agents.ace.roles.settings import FeedbackSource

NO_FEEDBACK = "None."
_MOST = 4000
"""Most characters of the user's comment and of an outcome; the rest is cut."""

_LABELS = tomllib.loads(Path(__file__).with_name("feedback_labels.toml").read_text(encoding="utf-8"))
_TRUTH, _OUTCOME = frozenset(_LABELS["truth"]), frozenset(_LABELS["outcome"])
_NAMED = re.compile(r"([^:：\n]{1,40})[:：]")
_ITEM = re.compile(r"\s*(?:[-–*•]\s|・|\d{1,3}(?:[.)]\s|、))\s*\S")
_SENTENCE_ENDS = '.?!。？！…"”」』）)'
_ANY_TRUTH = "|".join(map(re.escape, sorted(_TRUTH, key=len, reverse=True)))
_IN_LINE = re.compile(rf"(?<![^\s{re.escape(_SENTENCE_ENDS)}])({_ANY_TRUTH})[ \u3000]?[:：]", re.IGNORECASE)
_THUMB = re.compile("\\s*([\U0001f44d\U0001f44e])[\U0001f3fb-\U0001f3ff\ufe0f]*(.*)", re.DOTALL)
_UP = "\U0001f44d"
_NAMES = {
    "The right answer is: ": "the right answer",
    "A person says ": "a person's verdict",
    "Execution feedback: ": "the outcome of something executed",
}


class Question(NamedTuple):
    """A message: the question, and the feedback in it.

    Attributes:
        query: The question.
        ground_truth: The right answer.
        outcome: The outcome of something executed.
    """

    query: str
    ground_truth: str | None
    outcome: str | None = None


def split_message(text: str) -> Question:
    """Splits feedback off a message: `Answer: …`, `正解：…` or `Outcome: …` and their like, see `feedback_labels.toml`.

    It is the last line; in a message of one line it may follow the question, after a full stop or question mark, or with a
    capital letter. A right answer may be a list, an item a line, or stand below its label.
    """
    text = text.strip()
    query, line_break, last = text.rpartition("\n")
    name, said = _named(last)
    if query.strip() and said and name in _TRUTH:
        return Question(query.strip(), said)
    if query.strip() and said and name in _OUTCOME:
        return Question(query.strip(), None, said[:_MOST])
    if answer := _answer_below(text.split("\n")):
        return answer
    for found in reversed(() if line_break else tuple(_IN_LINE.finditer(text))):
        before, after = text[: found.start()].rstrip(), text[found.end() :].strip()
        if before and after and (before[-1] in _SENTENCE_ENDS or found[1][0].isupper()):
            return Question(before, after)
    return Question(text, None)


def _answer_below(lines: list[str]) -> Question | None:
    """A question and the right answer in the lines below a label; None if they say something else."""
    for at in range(len(lines) - 2, 0, -1):
        name, said = _named(lines[at])
        below = (lines[place] for place in range(at + 1, len(lines)))
        if name in _TRUTH and (not said or all(_ITEM.match(line) or not line.strip() for line in below)):
            return Question("\n".join(lines[:at]).strip(), "\n".join([said, *lines[at + 1 :]]).strip())
    return None


def truth_in(message: str) -> str | None:
    """The right answer that a message says with a label; None if it says none, or is a verdict on an earlier answer."""
    return None if verdict_in(None, message) is not None else split_message(message).ground_truth


def _named(line: str) -> tuple[str, str]:
    """What a line `Name: text` is called, in lower case, and its text; the colon may be a wide one."""
    found = _NAMED.match(line.strip())
    return (" ".join(found[1].casefold().split()), line.strip()[found.end() :].strip()) if found else ("", "")


class Verdict(NamedTuple):
    """Feedback after an answer: the user's thumb, or the outcome of something executed.

    Attributes:
        right: Whether the thumb is up; None for an outcome.
        comment: The user's comment, e.g. the right answer; "" for none.
        event: `seq` of the event that is judged; None for the session's last answer.
        outcome: The outcome of something executed, e.g. "exit code 1: expected 1.5"; "" for a thumb.
    """

    right: bool | None
    comment: str = ""
    event: int | None = None
    outcome: str = ""


def verdict_in(given: Any, message: str) -> Verdict | None:
    """The verdict of a message: as state has it, or as the message begins.

    Args:
        given: `{"right": bool, "answer": str, "event": seq}`, or `{"outcome": str, "event": seq}`.
        message: Begins with a thumb, or with `Outcome:`.
    """
    thumb = _THUMB.match(message)
    comment = (thumb[2] if thumb else "").strip()[:_MOST]
    if isinstance(given, Mapping):
        told = cast("Mapping[str, Any]", given)
        right, answer, event = told.get("right"), told.get("answer"), told.get("event")
        outcome = told.get("outcome")
        if isinstance(outcome, str) and outcome.strip():
            return Verdict(None, "", event if isinstance(event, int) else None, outcome.strip()[:_MOST])
        if isinstance(right, bool):
            said = answer.strip()[:_MOST] if isinstance(answer, str) else ""
            return Verdict(right, said or comment, event if isinstance(event, int) else None)
    if thumb is not None:
        return Verdict(thumb[1] == _UP, comment)
    name, outcome = _named(message[: _MOST + 100])
    return Verdict(None, outcome=outcome[:_MOST]) if name in _OUTCOME and outcome else None


def of_verdict(verdict: Verdict) -> str:
    """A verdict as text for the reflector."""
    if verdict.outcome:
        return f"Execution feedback: {verdict.outcome}"
    said = f"A person says the answer is {'right' if verdict.right else 'wrong'}."
    return f"{said} They say: {verdict.comment}" if verdict.comment else said


def of_question(source: FeedbackSource, ground_truth: str | None, outcome: str | None) -> str:
    """The feedback for the reflector on the answer to a new question.

    Args:
        source: The kind of feedback that it may get.
        ground_truth: The right answer, where one is known.
        outcome: The outcome of something executed, e.g. "exit code 1", if there is one.
    """
    if source == "ground truth" and ground_truth:
        return f"The right answer is: {ground_truth}"
    if source in ("ground truth", "execution") and outcome:
        return f"Execution feedback: {outcome[:_MOST]}"
    return NO_FEEDBACK


def rests_on(feedback: str) -> str:
    """The basis of a reflection, in a few words for the user."""
    found = next((name for begin, name in _NAMES.items() if feedback.startswith(begin)), None)
    return found or "nothing: no feedback, so this may well be wrong"
