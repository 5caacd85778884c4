"""How approval is presented."""

from agents.pipelines.approval.simulation import SIMULATION
from agents.pipelines.card_file import card_beside

card = card_beside(__file__, simulation=SIMULATION)
