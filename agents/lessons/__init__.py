"""Lessons: steps that a learner does on runs of a pipeline, scored from the log; progress, grades, and tests of lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.lessons.copies import Copies as Copies
    from agents.lessons.copies import has_copy as has_copy
    from agents.lessons.desk import LessonDesk as LessonDesk
    from agents.lessons.desk import Stage as Stage
    from agents.lessons.grade import Grade as Grade
    from agents.lessons.grade import grade_folder as grade_folder
    from agents.lessons.headless import StepRunner as StepRunner
    from agents.lessons.lesson import Choice as Choice
    from agents.lessons.lesson import FindFault as FindFault
    from agents.lessons.lesson import Investigate as Investigate
    from agents.lessons.lesson import Lesson as Lesson
    from agents.lessons.lesson import Make as Make
    from agents.lessons.lesson import Modify as Modify
    from agents.lessons.lesson import Play as Play
    from agents.lessons.lesson import Predict as Predict
    from agents.lessons.lesson import Step as Step
    from agents.lessons.lesson_file import COURSE as COURSE
    from agents.lessons.lesson_file import ENGLISH as ENGLISH
    from agents.lessons.lesson_file import LESSON_FILE as LESSON_FILE
    from agents.lessons.lesson_file import Course as Course
    from agents.lessons.lesson_file import languages as languages
    from agents.lessons.lesson_file import load_course as load_course
    from agents.lessons.lesson_file import load_lesson as load_lesson
    from agents.lessons.lesson_file import read_lesson as read_lesson
    from agents.lessons.progress import ProgressLine as ProgressLine
    from agents.lessons.progress import StepProgress as StepProgress
    from agents.lessons.progress import to_csv as to_csv
    from agents.lessons.proof import Proof as Proof
    from agents.lessons.proof import prove as prove
    from agents.lessons.queries import entry_at as entry_at
    from agents.lessons.verdict import Answer as Answer
    from agents.lessons.verdict import Verdict as Verdict
    from agents.lessons.verdict import choices_in as choices_in
    from agents.lessons.verdict import is_meant_by_log as is_meant_by_log
    from agents.lessons.verdict import model_answers as model_answers
    from agents.lessons.verdict import score as score

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
