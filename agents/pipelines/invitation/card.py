"""How the invitation is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.invitation.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
