"""What a session was at any entry of its log: its runs as a tree, its state, and the turns that its events make up."""

from agents.history.cursor import Moment, Timeline, at
from agents.history.nodes import AgentRun, ModelCall, Run, ToolCall
from agents.history.run_tree import RunTree
from agents.history.turns import Place, Step, Turn, Usage

__all__ = [
    "AgentRun",
    "ModelCall",
    "Moment",
    "Place",
    "Run",
    "RunTree",
    "Step",
    "Timeline",
    "ToolCall",
    "Turn",
    "Usage",
    "at",
]
