"""Operations on a playbook, batches of them, and the result of a batch.

Contracts only: nothing here changes a playbook. A curator, a reflector or a user submits a batch; a `Commit` says of each
operation whether it was applied, and if not, why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter, model_validator
from pydantic_core import CoreSchema

from agents.playbook import FeedbackKind

MAX_OPERATIONS = 50
"""Most operations of a model's batch; further ones are rejected."""
MAX_PLAYBOOK_BULLETS = 10_000
"""Most bullets of a playbook, since a model reads them. One of an earlier version that has more can only shrink."""
MAX_BULLET_LENGTH = 2000
"""Most characters of a bullet."""
MAX_SECTION = 80
"""Most characters of a section's name."""

BY_USER = "person"
"""The submitter of a user's changes."""
REVIEW_CALL = "review_delta"
"""The call by which a run waits for the user's decisions on operations."""

TagName = Literal["helpful", "harmful", "neutral"]
Change = dict[str, Any]
"""One applied operation as the log keeps it: resolved, with all that undoing it needs; see `changes`."""
Rejection = dict[str, Any]
"""`{"operation": {…}, "reason": "…"}`"""


class DeltaOperation(BaseModel):
    """One operation, told apart by `type`: `DeltaOperation(type="ADD", section="units", content="…")` makes an `Add`.

    Only what an operation needs is required of it. `metadata={"helpful": 1}` stands for the tag of a `TAG`.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    def __new__(cls, **values: Any) -> Self:
        """The operation of that `type`."""
        if "type" in cls.model_fields:
            return super().__new__(cls)
        return cast("Self", TypeAdapter(Operation).validate_python(values))

    @model_validator(mode="before")
    @classmethod
    def _tag_of_metadata(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "tag" in value or "tag" not in cls.model_fields:
            return cast("Any", value)
        given = cast("dict[str, Any]", value)
        counted = given.get("metadata")
        tags = (
            [name for name, count in cast("dict[str, Any]", counted).items() if count] if isinstance(counted, dict) else []
        )
        return {**given, "tag": tags[0]} if len(tags) == 1 else given

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A field of this type takes any operation."""
        is_any = cls.__name__ == "DeltaOperation" and "Operation" in globals()
        return handler.generate_schema(Operation) if is_any else handler(source)


class Add(DeltaOperation):
    """A new bullet; its id is given by the store."""

    type: Literal["ADD"] = "ADD"
    section: str
    content: str


class Update(DeltaOperation):
    """Changes the text of a bullet; its counters stay, unless it `corrects` a text that was wrong: then they start anew."""

    type: Literal["UPDATE"] = "UPDATE"
    bullet_id: str
    content: str
    corrects: bool = Field(default=False, exclude_if=lambda corrects: not corrects)


class Remove(DeltaOperation):
    """Removes a bullet."""

    type: Literal["REMOVE"] = "REMOVE"
    bullet_id: str
    reason: str = ""


class Merge(DeltaOperation):
    """Makes one new bullet of several; their counters are added up."""

    type: Literal["MERGE"] = "MERGE"
    bullet_ids: list[str]
    content: str


class Tag(DeltaOperation):
    """Counts that a bullet was helpful, harmful or neutral."""

    type: Literal["TAG"] = "TAG"
    bullet_id: str
    tag: TagName


class Archive(DeltaOperation):
    """Takes a bullet out of prompts; it stays in the playbook."""

    type: Literal["ARCHIVE"] = "ARCHIVE"
    bullet_id: str


class Unarchive(DeltaOperation):
    """Brings an archived bullet back into prompts."""

    type: Literal["UNARCHIVE"] = "UNARCHIVE"
    bullet_id: str


Operation = Annotated[Add | Update | Remove | Merge | Tag | Archive | Unarchive, Field(discriminator="type")]
"""Any operation, told apart by `type`."""
DeltaOperation.model_rebuild(force=True)  # now that `Operation` is defined


class RefinePolicy(BaseModel):
    """How a playbook is kept in order after a batch, in the same transaction.

    Attributes:
        mode: "proactive" looks for duplicates of new bullets after each batch, "lazy" for any duplicates once the token
            budget is exceeded, "off" never.
        similarity: Least similarity, 0 to 1, of near-duplicates.
        prune: Whether bullets that harmed more than they helped are removed.
        min_uses: Least number of helpful and harmful tags before a bullet may be pruned.
        token_budget: Most tokens of the rendered active bullets; None for no limit.
        archive_after: Queries without a citation after which a bullet leaves the prompt; None for never.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Literal["proactive", "lazy", "off"] = "proactive"
    similarity: float = Field(default=0.85, gt=0, le=1)
    prune: bool = True
    min_uses: int = Field(default=3, ge=1)
    token_budget: int | None = Field(default=None, ge=0)
    archive_after: int | None = Field(default=None, ge=1)


class Judgement(BaseModel):
    """What feedback said of an answer.

    Attributes:
        question: The question.
        answer_seq: `seq` of the event with the answer.
        right: Whether the answer is right; None if nothing said so.
        feedback: What said so.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    answer_seq: int
    right: bool | None
    feedback: FeedbackKind


class DeltaBatch(BaseModel):
    """Operations that are committed together, in one transaction.

    Attributes:
        reasoning: The reason for them.
        operations: In order; each sees the effect of those before it.
        by: The submitter, e.g. "curator", "reflector", "person", "import".
        playbook: Name of the playbook; None for the session's, or the store's own.
        cited: Ids of the bullets that an answer cites; counts one query. None if there was no query.
        judgement: What feedback said of the answer; stored for the playbook, also if that is frozen.
        refine: How to keep the playbook in order afterwards; None leaves it as it is.
        rejected: Operations that were rejected before, with reasons; kept for the record.
    """

    model_config = ConfigDict(extra="forbid")

    reasoning: str = ""
    operations: list[Operation] = Field(default_factory=list[Operation])
    by: str = "curator"
    playbook: str | None = None
    cited: list[str] | None = None
    judgement: Judgement | None = None
    refine: RefinePolicy | None = None
    rejected: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """The result of a batch.

    Attributes:
        playbook: Name of the playbook.
        revision: Its revision afterwards.
        applied: The changes made; an `ADD` carries the new `bullet_id`. Those of the refinement say so in `by`.
        rejected: The operations that were not applied, each with its reason.
        reasoning: Why, as submitted.
        by: Who submitted it.
        undoes: The revision that it undoes, or None.
        cited: The bullets cited for the query that it counts, or None.
    """

    playbook: str
    revision: int
    applied: list[Change] = field(default_factory=list[Change])
    rejected: list[Rejection] = field(default_factory=list[Rejection])
    reasoning: str = ""
    by: str = ""
    undoes: int | None = None
    cited: list[str] | None = None

    def to_json(self) -> dict[str, Any]:
        """The commit as an event's delta of `app:playbook` holds it."""
        more: dict[str, Any] = {} if self.undoes is None else {"undoes": self.undoes}
        if self.cited is not None:
            more["cited"] = self.cited
        return {
            "playbook": self.playbook,
            "revision": self.revision,
            "by": self.by,
            "reasoning": self.reasoning,
            "applied": self.applied,
            "rejected": self.rejected,
            **more,
        }
