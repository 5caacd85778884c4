"""`FunctionScorer`: a Python function scores the answers."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from agents.errors import ScorerError
from agents.lab.sample import Sample
from agents.lab.scorer import Score
from agents.lab.scorers.texts import as_score

Result = Score | bool | float


@dataclass(frozen=True, slots=True)
class FunctionScorer:
    """Calls a function with the answer and the sample.

    Attributes:
        function: Gives a `Score`, whether the answer is right, or a number from 0 to 1, where 1 is right. It may be async.
    """

    function: Callable[[str, Sample], Result | Awaitable[Result]]

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer. What the function raises is passed on."""
        found: Any = self.function(answer, sample)
        if inspect.isawaitable(found):
            found = await found
        if isinstance(found, Score):
            return found
        if isinstance(found, bool):
            return as_score(is_right=found)
        if isinstance(found, int | float) and 0 <= found <= 1:
            return Score(value=float(found), is_right=found == 1, right=int(found == 1))
        name = getattr(self.function, "__name__", "the scorer")
        raise ScorerError(f"{name} gave {found!r} for {sample.id}. It has to give a Score, a bool, or a number from 0 to 1.")
