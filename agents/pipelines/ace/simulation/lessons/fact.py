"""Facts: what one example teaches. A question in other words is answered if no number and no name in it differs.

Asked: What is the return period for lamps? | How long can I return a lamp? Answer: 30 days
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from agents.pipelines.ace.simulation.lessons.similarity import (
    could_be_same,
    is_same_answer,
    is_same_question,
    likeness,
    meaning_of,
    rarity,
)

MOST_WORDINGS = 5
_LEAST_ALIKE = 0.6
_MARGIN = 0.06
"""How much more alike the best fact must be than the next one with another answer."""
_TEXT = re.compile(r"Asked: (.+?) Answer: (.+)", re.DOTALL)
_JOINT = " | "
Key = TypeVar("Key")


class Fact(NamedTuple):
    """A question, in the ways it was asked, and its answer."""

    questions: tuple[str, ...]
    answer: str

    def has_answer(self, answer: str) -> bool:
        """Whether the answer is the same, written differently or not."""
        return is_same_answer(self.answer, answer)

    def is_asked_by(self, question: str) -> bool:
        """Whether a question is one of those known, apart from words that say nothing."""
        return any(is_same_question(question, asked) for asked in self.questions)

    def may_be_asked_by(self, question: str) -> bool:
        """Whether a question with the same answer may be another wording."""
        return any(could_be_same(question, asked) for asked in self.questions)

    def with_wording(self, question: str) -> Fact:
        """The fact, asked for in one more way; the first wordings stay."""
        is_known = meaning_of(question).all_words in [meaning_of(asked).all_words for asked in self.questions]
        has_room = len(self.questions) < MOST_WORDINGS and not is_known
        return self._replace(questions=(*self.questions, question)) if has_room else self


def read_fact(text: str) -> Fact | None:
    """The fact in a bullet's text; None if it is none."""
    found = _TEXT.fullmatch(text.strip())
    questions = tuple(part for one in found[1].split(_JOINT) if (part := one.strip())) if found else ()
    return Fact(questions, found[2].strip()) if found and questions else None


def write_fact(fact: Fact) -> str:
    """A fact as a bullet's text."""
    return f"Asked: {_JOINT.join(' '.join(one.split()) for one in fact.questions)} Answer: {' '.join(fact.answer.split())}"


def find_fact(question: str, facts: Iterable[tuple[Key, Fact]]) -> Key | None:
    """The fact that a question asks for.

    Args:
        question: The question.
        facts: Keys and facts, the most trusted first.

    Returns:
        Its key; None if no fact is alike enough, or if two with different answers are.
    """
    known = list(facts)
    weights = rarity(fact.questions for _, fact in known)
    scores = [max(likeness(question, asked, weights) for asked in fact.questions) for _, fact in known]
    best = max(scores, default=0.0)
    if best < _LEAST_ALIKE:
        return None
    key, found = known[scores.index(best)]
    rivals = [score for score, (_, one) in zip(scores, known, strict=True) if not one.has_answer(found.answer)]
    return key if best == 1 or best - max(rivals, default=0.0) >= _MARGIN else None
