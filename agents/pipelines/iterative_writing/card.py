"""How iterative writing is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.iterative_writing.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
