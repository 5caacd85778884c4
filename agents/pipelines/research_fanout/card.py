"""How the research is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.research_fanout.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
