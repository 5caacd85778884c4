"""How the A/B experiment is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.routed_ab.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
