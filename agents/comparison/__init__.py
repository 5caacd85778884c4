"""Two sessions side by side, turn by turn, and the words in which two texts differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.comparison.comparison import Comparison as Comparison
    from agents.comparison.comparison import GrowingComparison as GrowingComparison
    from agents.comparison.comparison import Row as Row
    from agents.comparison.comparison import compare as compare
    from agents.comparison.text_diff import Piece as Piece
    from agents.comparison.text_diff import word_diff as word_diff

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
