"""How planning mode is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.planning_mode.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
