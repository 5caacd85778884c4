"""`AceSettings`: every switch of the cycle. The session's controls override an agent's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.ace.operations import RefinePolicy

FeedbackSource = Literal["ground truth", "person", "execution", "nothing"]


class AceSettings(BaseModel):
    """The settings of a cycle.

    Attributes:
        reflector_rounds: Most reflections on one answer; they end when one finds nothing new (arXiv 2510.04618 finds 5 best,
            and 10 worse).
        refinement: When the playbook is refined, see `RefinePolicy.mode`.
        pruning: Whether bullets that harm more than they help are removed.
        min_uses: Least number of tags before a bullet may be pruned.
        archive_after: Queries without a citation after which a bullet leaves the prompt; 0 for never.
        token_budget: Most tokens of the playbook in a prompt; 0 for no limit.
        top_k: Most bullets in a prompt, the most relevant ones; 0 for all.
        approval: Whether the user decides on each operation of the curator.
        ask_again: Whether the question is asked again with the delta, where the right answer is known: one model call more.
            What the curator wrote is taken back if the second answer is wrong.
        feedback_from: What feedback the reflector gets. "ground truth": the right answer where the message has one,
            else the outcome of something executed, else nothing. "person": it waits for the user's verdict.
            "execution": the outcome of something executed (an exit code, a test, a tool's answer), which may come later.
            "nothing": it has to guess. A later verdict or outcome counts with every choice.
        similarity: Least similarity, 0 to 1, of near-duplicates.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    reflector_rounds: int = Field(default=3, ge=1, le=10)
    refinement: Literal["proactive", "lazy", "off"] = "proactive"
    pruning: bool = True
    min_uses: int = Field(default=3, ge=1)
    archive_after: int = Field(default=0, ge=0)
    token_budget: int = Field(default=0, ge=0)
    top_k: int = Field(default=0, ge=0)
    approval: bool = False
    ask_again: bool = False
    feedback_from: FeedbackSource = "ground truth"
    similarity: float = Field(default=0.85, gt=0, le=1)

    @classmethod
    def from_state(cls, state: Mapping[str, Any], defaults: Self) -> Self:
        """The settings of a run: the valid ones in `state` over `defaults`.

        Args:
            state: A session's state; its controls have the names of the attributes.
            defaults: The agent's settings.
        """
        given = {name: _whole(state[name]) for name in cls.model_fields if state.get(name) is not None}
        if not given:
            return defaults
        chosen = {name: getattr(defaults, name) for name in cls.model_fields}
        for name, value in given.items():
            try:
                chosen[name] = getattr(cls.model_validate({name: value}, strict=True), name)
            except ValidationError:
                continue  # any agent may write state; invalid values are ignored
        return cls.model_construct(**chosen)

    def refine_policy(self) -> RefinePolicy:
        """The refinement after a curator's batch."""
        return RefinePolicy(
            mode=self.refinement,
            similarity=self.similarity,
            prune=self.pruning,
            min_uses=self.min_uses,
            token_budget=self.token_budget or None,
            archive_after=self.archive_after or None,
        )


def _whole(value: Any) -> Any:
    """A whole number as an int: a control may write 3.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
