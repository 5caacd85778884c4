"""Experiments on sessions: the cursor over a log, counterfactual runs, and sessions as files."""

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
    from agents.experiments.cursor import Moment as Moment
    from agents.experiments.cursor import Timeline as Timeline
    from agents.experiments.cursor import at as at
    from agents.experiments.fork import Fork as Fork
    from agents.experiments.fork import Forks as Forks
    from agents.experiments.sharing.adk import read_adk_session as read_adk_session
    from agents.experiments.sharing.adk import to_adk as to_adk
    from agents.experiments.sharing.desk import Imported as Imported
    from agents.experiments.sharing.desk import export_session as export_session
    from agents.experiments.sharing.desk import import_session as import_session
    from agents.experiments.sharing.desk import read_shared as read_shared
    from agents.experiments.sharing.reader import MAX_SESSION_FILE_BYTES as MAX_SESSION_FILE_BYTES
    from agents.experiments.sharing.reader import read_session_file as read_session_file
    from agents.experiments.sharing.references import SCOPES as SCOPES
    from agents.experiments.sharing.session_file import SessionFile as SessionFile
    from agents.experiments.sharing.sharing import Sharing as Sharing

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
        "agents.experiments.cursor": ("Moment", "Timeline", "at"),
        "agents.experiments.fork": ("Fork", "Forks"),
        "agents.experiments.sharing.adk": ("read_adk_session", "to_adk"),
        "agents.experiments.sharing.desk": ("Imported", "export_session", "import_session", "read_shared"),
        "agents.experiments.sharing.reader": ("MAX_SESSION_FILE_BYTES", "read_session_file"),
        "agents.experiments.sharing.references": ("SCOPES",),
        "agents.experiments.sharing.session_file": ("SessionFile",),
        "agents.experiments.sharing.sharing": ("Sharing",),
    },
)
