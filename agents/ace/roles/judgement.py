"""Judges an answer by its feedback alone: right, wrong, or unchecked. No model is asked.

The right answer is compared as text and as a number; a thumb and an outcome (exit code, words) say it themselves.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation

from agents.ace.operations import FeedbackKind, Judgement

_TRUTH, _PERSON, _OUTCOME = "The right answer is: ", "A person says the answer is ", "Execution feedback: "
_CODE = re.compile(r"\b(?:exit(?:ed)?|return)(?: with)? (?:code|status) (-?\d{1,5})\b")
_NONE_BAD = re.compile(r"\b(?:0|no|zero|without) (?:failed|failures?|errors?|mistakes?)\b")
_BAD = re.compile(
    r"\b(?:wrong|incorrect|mistaken|fail(?:s|ed|ure|ures|ing)?|[a-z]{0,30}error|errors|not (?:right|correct|ok|equal))\b"
)
_GOOD = re.compile(r"\b(?:right|correct|pass(?:es|ed|ing)?|success(?:ful|fully)?|succeeded|ok)\b")
_NUMBER = re.compile(r"([^\d+-]{0,4})([+-]?\d[\d,]{0,40}(?:\.\d{0,40})?)([^\d]{0,12})")
_MOST_QUESTION = 300


def judge(question: str, answer: str, feedback: str, *, answer_seq: int) -> Judgement:
    """What the feedback says of an answer.

    Args:
        question: The question; at most its first 300 characters are kept.
        answer: The final answer.
        feedback: As the reflector is given it, see `feedback.of_question` and `feedback.of_verdict`.
        answer_seq: `seq` of the event with the answer.
    """
    kind, right = _read(answer, feedback)
    return Judgement(question=question[:_MOST_QUESTION], answer_seq=answer_seq, right=right, feedback=kind)


def said_of(answer: str, feedback: str) -> str:
    """What code knows of an answer, as a sentence for the models that learn from it."""
    kind, right = _read(answer, feedback)
    if right is None:
        return "Nobody has checked the predicted answer."
    held = {
        "ground truth": ("matches the right answer", "does not match the right answer"),
        "person": ("is right, says a person", "is wrong, says a person"),
    }.get(kind, ("held when it was executed", "failed when it was executed"))
    return f"The predicted answer {held[0 if right else 1]}."


def is_right(answer: str, feedback: str) -> bool | None:
    """Whether feedback shows an answer to be right; None if it does not say."""
    return _read(answer, feedback)[1]


def _read(answer: str, feedback: str) -> tuple[FeedbackKind, bool | None]:
    if truth := right_answer_in(feedback):
        return "ground truth", is_same(answer, truth)
    if feedback.startswith(_PERSON):
        return "person", feedback.removeprefix(_PERSON).startswith("right")
    if feedback.startswith(_OUTCOME):
        return "execution", outcome_verdict(feedback.removeprefix(_OUTCOME))
    return "nothing", None


def right_answer_in(feedback: str) -> str:
    """The right answer that feedback names; "" if it does not."""
    return feedback.removeprefix(_TRUTH) if feedback.startswith(_TRUTH) else ""


def outcome_verdict(outcome: str) -> bool | None:
    """Whether something executed went well, by its exit code, else by its words; None if they do not say."""
    lower = _NONE_BAD.sub("", outcome.casefold())
    if code := _CODE.search(lower):
        return int(code[1]) == 0
    if _BAD.search(lower):
        return False
    return True if _GOOD.search(lower) else None


def is_same(answer: str, truth: str) -> bool:
    """Whether an answer is the right one: the same words, or the same number with the same unit.

    Letter case, white space and a full stop at the end do not count, nor do thousands separators and trailing zeros.
    """
    given, right = _plain(answer), _plain(truth)
    if given == right:
        return True
    one, other = _amount(given), _amount(right)
    return one is not None and one == other


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).rstrip(".").casefold()


def _amount(text: str) -> tuple[Decimal, str] | None:
    """The number that a text is, with the unit before or behind it; None if it is more than that."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    try:
        return Decimal(found[2].replace(",", "")), f"{found[1].strip()}{found[3].strip()}"
    except InvalidOperation:
        return None
