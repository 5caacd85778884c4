"""Background runs: start, stop, watch, and what to do with those that a killed process left behind."""

from agents.runs.manager import RunManager
from agents.runs.values import LogBatch, LostRun, Partial, PendingCall, Run, Waiting

__all__ = ["LogBatch", "LostRun", "Partial", "PendingCall", "Run", "RunManager", "Waiting"]
