"""Scorers: what an answer to a sample is worth. `make_scorer` makes one of a specification."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.lab.scorers.spec import make_scorer

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
