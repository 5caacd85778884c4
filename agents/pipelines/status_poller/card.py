"""How the status poller is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.status_poller.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
