"""Forks: sessions that run on from an entry of another one, with something changed; repetitions of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.forks.background import MOST_REPETITIONS as MOST_REPETITIONS
    from agents.forks.background import BackgroundForks as BackgroundForks
    from agents.forks.background import prepare_fork as prepare_fork
    from agents.forks.changes import AnswerChange as AnswerChange
    from agents.forks.changes import Change as Change
    from agents.forks.changes import FaultChange as FaultChange
    from agents.forks.changes import InstructionChange as InstructionChange
    from agents.forks.changes import MessageChange as MessageChange
    from agents.forks.changes import ModelChange as ModelChange
    from agents.forks.changes import PlaybookChange as PlaybookChange
    from agents.forks.changes import StateChange as StateChange
    from agents.forks.changes import ToolResultChange as ToolResultChange
    from agents.forks.fork import Fork as Fork
    from agents.forks.fork import Forks as Forks
    from agents.forks.kept_log import ended_its_run as ended_its_run
    from agents.forks.kept_log import is_done_again as is_done_again
    from agents.forks.kept_log import is_user_message as is_user_message
    from agents.forks.kept_log import run_at as run_at
    from agents.forks.repetitions import Repetitions as Repetitions
    from agents.forks.repetitions import SameAnswers as SameAnswers
    from agents.forks.stored_fork import Origin as Origin

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
