"""How the help desk is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.help_desk.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
