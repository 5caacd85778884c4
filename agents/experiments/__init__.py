"""Experiments on sessions: the cursor over a log, and counterfactual runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.experiments.background import MOST_REPETITIONS as MOST_REPETITIONS
    from agents.experiments.background import BackgroundForks as BackgroundForks
    from agents.experiments.changes import AnswerChange as AnswerChange
    from agents.experiments.changes import Change as Change
    from agents.experiments.changes import FaultChange as FaultChange
    from agents.experiments.changes import InstructionChange as InstructionChange
    from agents.experiments.changes import MessageChange as MessageChange
    from agents.experiments.changes import ModelChange as ModelChange
    from agents.experiments.changes import PlaybookChange as PlaybookChange
    from agents.experiments.changes import StateChange as StateChange
    from agents.experiments.changes import ToolResultChange as ToolResultChange
    from agents.experiments.cursor import Moment as Moment
    from agents.experiments.cursor import Timeline as Timeline
    from agents.experiments.cursor import at as at
    from agents.experiments.fork import Fork as Fork
    from agents.experiments.fork import Forks as Forks
    from agents.experiments.repetitions import Repetitions as Repetitions
    from agents.experiments.repetitions import SameAnswers as SameAnswers
    from agents.experiments.stored_fork import Origin as Origin

__all__, __getattr__, __dir__ = public_names(
    __name__,
    {
        "agents.experiments.background": ("MOST_REPETITIONS", "BackgroundForks"),
        "agents.experiments.changes": (
            "AnswerChange",
            "Change",
            "FaultChange",
            "InstructionChange",
            "MessageChange",
            "ModelChange",
            "PlaybookChange",
            "StateChange",
            "ToolResultChange",
        ),
        "agents.experiments.cursor": ("Moment", "Timeline", "at"),
        "agents.experiments.fork": ("Fork", "Forks"),
        "agents.experiments.repetitions": ("Repetitions", "SameAnswers"),
        "agents.experiments.stored_fork": ("Origin",),
    },
)
