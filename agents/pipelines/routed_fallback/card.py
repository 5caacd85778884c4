"""How the order counter is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.routed_fallback.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
