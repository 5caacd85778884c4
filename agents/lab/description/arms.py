"""The arms of a run: ways to get a context, each a table of the description."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.lab.task import Feedback
from agents.playbook import MAX_NAME

MOST_BATCH = 64
"""Most samples that are worked on with one revision of a playbook."""
_NAME_LENGTH = MAX_NAME - len(", seed 2147483647")

Name = Annotated[str, Field(min_length=1, max_length=_NAME_LENGTH, pattern=r"^[^\W_][\w .,()=–-]*$")]
Merge = Literal["transactional", "naive"]
"""How the operations of one batch of samples come together: each is applied to the stored playbook, in the order of the
samples; or each worker writes the whole playbook back, and the last one wins."""


class Table(BaseModel):
    """A table of a description: no other fields, and never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PlaybookSource(Table):
    """The playbook that an arm begins with.

    Attributes:
        file: A file in any format of playbooks; relative to the description's folder.
        name: Instead: a playbook of the database.
        revision: Its revision; the newest by default.
    """

    file: str | None = None
    name: str | None = None
    revision: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if (self.file is None) == (self.name is None):
            raise ValueError("name either a file or a playbook of the database")
        if self.revision is not None and self.name is None:
            raise ValueError("only a playbook of the database has revisions")
        return self


class _Arm(Table):
    """Any arm.

    Attributes:
        name: Unique in a run; by default the kind.
        models: Models of single agents, by the agent's name, such as Generator, ReflectorModel or Rewriter. The others have
            the run's.
    """

    name: Name | None = None
    models: dict[str, str] = Field(default_factory=dict[str, str])

    @property
    def title(self) -> str:
        """What the arm is called in results."""
        return self.name or str(getattr(self, "kind", ""))


class NoPlaybook(_Arm):
    """Answers without a playbook."""

    kind: Literal["none"] = "none"


class Frozen(_Arm):
    """Answers with a playbook that stays as it is."""

    kind: Literal["frozen"] = "frozen"
    playbook: PlaybookSource


class Learning(_Arm):
    """An arm that learns.

    Attributes:
        playbook: What it begins with; by default nothing.
        feedback: What the learner is told of an answer.
        harmful_every: At each n-th sample the learner is told the right answer of the sample before it.
        shuffled_truth: Control: the learner is told the right answers permuted over the questions of a split, so that each
            question has another one's. Answers are scored against the true ones.
    """

    playbook: PlaybookSource | None = None
    feedback: Feedback = "truth"
    harmful_every: int | None = Field(default=None, ge=1)
    shuffled_truth: bool = False

    @model_validator(mode="after")
    def _harm_is_told(self) -> Self:
        for name in ("harmful_every", "shuffled_truth"):
            if getattr(self, name) and self.feedback != "truth":
                raise ValueError(f'{name} tells a wrong answer, so it needs feedback = "truth"')
        if self.harmful_every is not None and self.shuffled_truth:
            raise ValueError("with shuffled_truth every answer told is another question's, so harmful_every has no meaning")
        return self


class _Cycle(Learning):
    """An arm that learns by the pipeline's own cycle; settings that are not given are the pipeline's.

    Attributes:
        reflector: Whether there is a reflector; without one the curator gets the plain feedback.
        rounds: Most reflections on one answer.
        similarity: Least similarity of near-duplicates.
        token_budget: Most tokens of the playbook.
        merge: How the operations of a batch come together.
        add_only_after: After this many samples bullets are only added and tagged, never changed, merged or removed.
    """

    reflector: bool = True
    rounds: int | None = Field(default=None, ge=1, le=10)
    similarity: float | None = Field(default=None, gt=0, le=1)
    token_budget: int | None = Field(default=None, ge=1)
    merge: Merge = "transactional"
    add_only_after: int | None = Field(default=None, ge=0)

    @property
    def settings(self) -> dict[str, Any]:
        """State that a session begins with: fields of `AceSettings`."""
        found = {
            "reflector_rounds": self.rounds if self.reflector else 1,
            "similarity": self.similarity,
            "token_budget": self.token_budget,
        }
        return {name: value for name, value in found.items() if value is not None}


class Online(_Cycle):
    """Predicts, scores, then learns, one batch of samples after another.

    Attributes:
        batch: Samples that are worked on with one revision of the playbook.
    """

    kind: Literal["online"] = "online"
    batch: int = Field(default=1, ge=1, le=MOST_BATCH)


class Parallel(_Cycle):
    """As many workers as there are samples in a batch, each on the same revision.

    Attributes:
        workers: How many.
    """

    kind: Literal["parallel"] = "parallel"
    workers: int = Field(default=8, ge=1, le=MOST_BATCH)


class HeldOut(_Arm):
    """An arm that is measured on samples that it never learned from.

    Attributes:
        train: The split to learn from.
        validation: The split that chooses the playbook or the text.
        test: The split that measures it at the end.
    """

    train: str = "train"
    validation: str = "validation"
    test: str = "test"


class Offline(_Cycle, HeldOut):
    """Learns in epochs over training samples, and is measured on others.

    Attributes:
        epochs: Passes over the training samples.
        validate_every: Training samples between two validations; the playbook that did best is kept.
        batch: Samples that are worked on with one revision of the playbook.
    """

    kind: Literal["offline"] = "offline"
    epochs: int = Field(default=5, ge=1, le=100)
    validate_every: int = Field(default=100, ge=1)
    batch: int = Field(default=1, ge=1, le=MOST_BATCH)


class SkillOpt(Learning, HeldOut):
    """A text is edited a little at a time, and an edit is kept only if it does better on held-out samples.

    After the wrong answers of a minibatch a model rewrites the text, and of what it would change, only the first edits are
    made. The text stays if more of the validation is right than with the best one so far; else the best one comes back.

    Attributes:
        steps: Minibatches.
        minibatch: Training samples of a step.
        edits: Most edits of a step, lines that are added or taken away: a learning rate in text.
    """

    kind: Literal["skillopt"] = "skillopt"
    steps: int = Field(default=20, ge=1, le=1000)
    minibatch: int = Field(default=8, ge=1, le=MOST_BATCH)
    edits: int = Field(default=4, ge=1, le=1000)


class Rewriting(Learning):
    """A model rewrites the whole text after each answer.

    Attributes:
        keep_all: Control: the model is told to leave out no line. The simulated rewriter then has no rule of loss.
    """

    kind: Literal["rewriting"] = "rewriting"
    keep_all: bool = False


class History(Learning):
    """The questions so far with their right answers, as they are, in place of anything learned from them.

    Attributes:
        tokens: Most tokens of the transcript in a prompt; the oldest questions are dropped first.
    """

    kind: Literal["history"] = "history"
    tokens: int = Field(default=8000, ge=1)

    @model_validator(mode="after")
    def _has_answers(self) -> Self:
        if self.feedback != "truth":
            raise ValueError('a history has the right answers in it, so it needs feedback = "truth"')
        return self


class Gepa(HeldOut):
    """GEPA looks for notes on training samples, and the best of them are measured on others.

    Attributes:
        playbook: What it begins with; by default nothing.
        feedback: What the rewriter is told of an answer.
        minibatch: Training samples that a candidate is compared on with the one that it was made from.
        evaluations: Most answers of training and validation together.
        reflection: Whose prompt rewrites the notes: that of the arm *rewriting*, once for each wrong answer, or GEPA's own,
            once for all answers of a minibatch, which needs a real model.
    """

    kind: Literal["gepa"] = "gepa"
    playbook: PlaybookSource | None = None
    feedback: Feedback = "truth"
    minibatch: int = Field(default=3, ge=1, le=MOST_BATCH)
    evaluations: int = Field(default=500, ge=1, le=100_000)
    reflection: Literal["rewriter", "gepa"] = "rewriter"


class Callable(_Arm):
    """A Python callable answers; it is given to `Lab.begin` under the arm's name."""

    kind: Literal["callable"] = "callable"


Arm = Annotated[
    NoPlaybook | Frozen | Online | Parallel | Offline | Rewriting | History | SkillOpt | Gepa | Callable,
    Field(discriminator="kind"),
]
KINDS = frozenset(str(one.model_fields["kind"].default) for one in get_args(get_args(Arm)[0]))
"""The kinds of arms."""
