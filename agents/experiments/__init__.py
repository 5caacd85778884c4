"""Experiments on sessions: the cursor over a log, counterfactual runs, and the comparison of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.experiments.changes import AnswerChange as AnswerChange
    from agents.experiments.changes import Change as Change
    from agents.experiments.changes import FaultChange as FaultChange
    from agents.experiments.changes import InstructionChange as InstructionChange
    from agents.experiments.changes import MessageChange as MessageChange
    from agents.experiments.changes import ModelChange as ModelChange
    from agents.experiments.changes import PlaybookChange as PlaybookChange
    from agents.experiments.changes import StateChange as StateChange
    from agents.experiments.changes import ToolResultChange as ToolResultChange
    from agents.experiments.comparison import Comparison as Comparison
    from agents.experiments.comparison import Row as Row
    from agents.experiments.comparison import compare as compare
    from agents.experiments.cursor import Moment as Moment
    from agents.experiments.cursor import Timeline as Timeline
    from agents.experiments.cursor import at as at
    from agents.experiments.fork import Fork as Fork
    from agents.experiments.fork import Forks as Forks
    from agents.experiments.text_diff import Piece as Piece
    from agents.experiments.text_diff import word_diff as word_diff
    from agents.experiments.turns import Place as Place
    from agents.experiments.turns import Turn as Turn
    from agents.experiments.turns import Usage as Usage

__all__, __getattr__, __dir__ = public_names(
    __name__,
    {
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
        "agents.experiments.comparison": ("Comparison", "Row", "compare"),
        "agents.experiments.cursor": ("Moment", "Timeline", "at"),
        "agents.experiments.fork": ("Fork", "Forks"),
        "agents.experiments.turns": ("Place", "Turn", "Usage"),
        "agents.experiments.text_diff": ("Piece", "word_diff"),
    },
)
