"""How the parcel desk is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.parcel_desk.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
