"""How the fact check is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.fact_check.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
