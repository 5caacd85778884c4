"""How routing of models is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.routed_llm.simulation import QUICK_SIMULATION

card = card_beside(__file__, simulation=QUICK_SIMULATION)
