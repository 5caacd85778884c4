"""The turns of a session: each event with its place in the agent tree, so that sessions can be aligned."""

from agents.experiments.turns.fold import TurnFold as TurnFold
from agents.experiments.turns.turn import COMPARED as COMPARED
from agents.experiments.turns.turn import Place as Place
from agents.experiments.turns.turn import Step as Step
from agents.experiments.turns.turn import Turn as Turn
from agents.experiments.turns.turn import Usage as Usage
