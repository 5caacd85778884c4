"""Two sessions side by side, turn by turn, and the words in which two texts differ."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.comparison.comparison import Comparison, GrowingComparison, Row, compare
    from agents.comparison.text_diff import Piece, word_diff

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
