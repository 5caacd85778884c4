"""How the data pipeline is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.data_pipeline.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
