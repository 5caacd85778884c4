"""Forks: sessions that run on from an entry of another one, with something changed; repetitions of them."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.forks.background import MOST_REPETITIONS, BackgroundForks, prepare_fork
    from agents.forks.changes import (
        AnswerChange,
        Change,
        FaultChange,
        InstructionChange,
        MessageChange,
        ModelChange,
        PlaybookChange,
        StateChange,
        ToolResultChange,
    )
    from agents.forks.fork import Fork, Forks
    from agents.forks.kept_log import ended_its_run, is_done_again, is_user_message, run_at
    from agents.forks.repetitions import Repetitions, SameAnswers
    from agents.forks.stored_fork import Origin

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
