"""How code refinement is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.code_refinement.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
