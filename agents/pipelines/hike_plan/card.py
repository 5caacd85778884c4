"""How the hike plan is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.hike_plan.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
