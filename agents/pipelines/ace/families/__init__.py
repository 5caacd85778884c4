"""The school of the embedded learner: families of questions as data files, questions drawn by seed, scores of answers.

A new set of families is a TOML file in this folder: `family.read_families` reads it and says what is wrong with it, and
`draw_question` draws a question of a family. The files in `questions.SETS` are asked about unless families are named.
"""

from __future__ import annotations

from agents.pipelines.ace.families.counterfactual import made_wrong
from agents.pipelines.ace.families.questions import (
    FAMILIES,
    FREE_FAMILY,
    HOUSE,
    Question,
    as_message,
    draw_question,
    draw_questions,
    names,
)
from agents.pipelines.ace.families.scoring import is_right, rubric_score

__all__ = [
    "FAMILIES",
    "FREE_FAMILY",
    "HOUSE",
    "Question",
    "as_message",
    "draw_question",
    "draw_questions",
    "is_right",
    "made_wrong",
    "names",
    "rubric_score",
]
