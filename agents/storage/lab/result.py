"""What a run has come to: the result of each sample, and how far each arm and seed is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["waiting", "running", "finished", "limit"]
"""An arm and seed: not begun; begun, perhaps stopped; at its end; ended by a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far an arm and seed is, and what it has used.

    Attributes:
        key: Of its row.
        arm: The arm's title.
        seed: The seed.
        status: Whether it goes on.
        why: Why it ended early; "" if it did not.
        part: The part of its plan that is being worked on.
        place: The place of the next sample in that part.
        number: Samples done, of all parts.
        failed: Samples that failed, of all parts.
        calls: Model calls so far.
        input: Tokens sent.
        output: Tokens received.
        cost: US dollars; None if a model has no price.
        seconds: Seconds that samples took.
        most: The most calls, tokens and dollars of one sample so far.
        best: Revision and accuracy of the playbook that did best in a validation; None before one.
    """

    key: int
    arm: str
    seed: int
    status: Status = "waiting"
    why: str = ""
    part: int = 0
    place: int = 0
    number: int = 0
    failed: int = 0
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    most: tuple[int, int, float] = (0, 0, 0.0)
    best: tuple[int, float] | None = None

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output

    @property
    def playbook(self) -> str:
        """The name of its playbook."""
        return f"{self.arm}, seed {self.seed}"

    @property
    def has_ended(self) -> bool:
        """Whether nothing is left to do."""
        return self.status in ("finished", "limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of one sample.

    Attributes:
        number: Its number in the arm, from 0, over all parts.
        phase: What it was for, see `agents.lab.plan.plan.Part`.
        part: The part of the plan.
        place: The place in the split.
        sample: The sample's id.
        is_right: Whether the answer counts as right.
        failed: Whether there is no score: the model, the pipeline or the scorer failed.
        value: The score's value, from 0 to 1.
        right: Parts that are right.
        of: All parts.
        question: The question.
        truth: The right answer; None where none is known.
        answer: The answer.
        why: The scorer's reason.
        error: What went wrong.
        cited: Ids of the bullets that the answer cites.
        labels: The sample's labels.
        epoch: The pass over the training samples.
        before: The playbook's revision that it was answered with.
        revision: Its revision after the sample's batch.
        bullets: Its bullets then.
        playbook_tokens: Its tokens then.
        lost: Batches of operations that were lost, see `agents.lab.description.arms.Merge`.
        calls: Model calls.
        input: Tokens sent.
        output: Tokens received.
        cost: US dollars; None if unknown.
        seconds: Seconds that it took.
        roles: Calls and tokens by agent.
    """

    number: int
    phase: str
    part: int
    place: int
    sample: str
    is_right: bool
    failed: bool
    value: float
    right: int = 0
    of: int = 1
    question: str = ""
    truth: str | None = None
    answer: str = ""
    why: str = ""
    error: str = ""
    cited: tuple[str, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict[str, Any])
    epoch: int = 0
    before: int = 0
    revision: int = 0
    bullets: int = 0
    playbook_tokens: int = 0
    lost: int = 0
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    roles: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output
