"""`Judge`: a model scores the answers."""

from __future__ import annotations

from dataclasses import dataclass

from agents.cases.judge import verdict_on
from agents.errors import CaseError, ScorerError
from agents.lab.sample import Sample
from agents.lab.scorer import Score
from agents.lab.scorers.texts import as_score
from agents.model import BaseLlm

_SAME = "The answer says the same as the right answer."
_NO_TRUTH = "(none is known)"


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that judges answers by a rubric, or by the right answer.

    Attributes:
        model: The model.
        rubric: What an answer has to fulfil; "" for saying the same as the right answer.
    """

    model: BaseLlm
    rubric: str = ""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer.

        Raises:
            ScorerError: The reply is no verdict, or there is neither a rubric nor a right answer.
            ProviderError: The model cannot be asked.
        """
        if not self.rubric and sample.truth is None:
            raise ScorerError(f"{sample.id} has no right answer, so its judge needs a rubric.")
        material = {
            "question": sample.question,
            "right_answer": _NO_TRUTH if sample.truth is None else sample.truth,
            "rubric": self.rubric or _SAME,
            "answer": answer,
        }
        try:
            holds, why = await verdict_on(material, self.model)
        except CaseError as error:
            raise ScorerError(f"{sample.id}: {error}") from None
        return as_score(is_right=holds, why=why)
