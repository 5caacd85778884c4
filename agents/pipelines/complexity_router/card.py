"""How routing by complexity is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.complexity_router.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
