"""How the order counter is presented."""

from __future__ import annotations

from agents.pipelines.card_file import card_beside
from agents.pipelines.routed_fallback.simulation import SIMULATION

card = card_beside(__file__, simulation=SIMULATION)
