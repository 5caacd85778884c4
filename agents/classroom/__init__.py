"""A class: who takes part, what is asked and answered, what is on the wall, and the games. Public names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.classroom.class_playbook import Check as Check
    from agents.classroom.class_playbook import ClassPlaybook as ClassPlaybook
    from agents.classroom.class_playbook import ShownBullet as ShownBullet
    from agents.classroom.class_playbook import check_questions as check_questions
    from agents.classroom.classroom import JOURNALS as JOURNALS
    from agents.classroom.classroom import Classroom as Classroom
    from agents.classroom.given_text import clean as clean
    from agents.classroom.stage_rows import StageRow as StageRow
    from agents.classroom.stage_rows import agent_names as agent_names
    from agents.classroom.stage_rows import next_author as next_author
    from agents.classroom.stage_rows import rows_of as rows_of
    from agents.classroom.state import ClassState as ClassState
    from agents.classroom.state import Hunt as Hunt
    from agents.classroom.state import Learner as Learner
    from agents.classroom.state import Question as Question
    from agents.classroom.state import Staged as Staged

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
