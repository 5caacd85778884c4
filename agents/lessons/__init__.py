"""Lessons: steps that a learner does on runs of a pipeline, scored from the log; progress, grades, and tests of lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.lessons.lesson import Choice as Choice
    from agents.lessons.lesson import Edit as Edit
    from agents.lessons.lesson import FindEntry as FindEntry
    from agents.lessons.lesson import FindFault as FindFault
    from agents.lessons.lesson import Investigate as Investigate
    from agents.lessons.lesson import Lesson as Lesson
    from agents.lessons.lesson import Make as Make
    from agents.lessons.lesson import Modify as Modify
    from agents.lessons.lesson import Play as Play
    from agents.lessons.lesson import Predict as Predict
    from agents.lessons.lesson import Step as Step
    from agents.lessons.lesson_file import ENGLISH as ENGLISH
    from agents.lessons.lesson_file import LESSON_FILE as LESSON_FILE
    from agents.lessons.lesson_file import languages as languages
    from agents.lessons.lesson_file import load_lesson as load_lesson
    from agents.lessons.lesson_file import read_lesson as read_lesson
    from agents.lessons.verdict import Answer as Answer
    from agents.lessons.verdict import Verdict as Verdict
    from agents.lessons.verdict import score as score

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
