"""How the report writer is presented."""

from agents.pipelines.card_file import card_beside
from agents.pipelines.report_writer.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
