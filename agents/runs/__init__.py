"""Background runs: start, stop, watch, and what to do with those that a killed process left behind."""

from agents.runs.manager import RunManager
from agents.runs.values import LogBatch, Partial, PendingCall, Run

__all__ = ["LogBatch", "Partial", "PendingCall", "Run", "RunManager"]
