"""How the banana painter is presented."""

from agents.pipelines.banana_painter.simulation import SIMULATION
from agents.pipelines.card_file import card_beside

card = card_beside(__file__, simulation=SIMULATION)
