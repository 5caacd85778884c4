"""The turns of a session: each event with its place in the agent tree, so that sessions can be aligned."""

from agents.history.turns.fold import TurnFold as TurnFold
from agents.history.turns.turn import COMPARED as COMPARED
from agents.history.turns.turn import Place as Place
from agents.history.turns.turn import Step as Step
from agents.history.turns.turn import Turn as Turn
from agents.history.turns.turn import Usage as Usage
