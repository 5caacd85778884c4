"""How the tool loop is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.tool_loop.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
