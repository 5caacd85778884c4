"""How ACE is presented."""

from agents.pipelines.ace.simulation import SIMULATION
from agents.pipelines.card_file import card_beside

card = card_beside(__file__, simulation=SIMULATION)
