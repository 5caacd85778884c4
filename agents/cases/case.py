"""A case: a session that was right, as a test. Messages, start state and playbook, and what its events have to show."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.cases.expectations import Expectation
from agents.pipelines.catalog import CODING_SESSION
from agents.state import REDUCED

VERSION = 1
"""The version of the file format that this code reads and writes."""
MAX_NAME = 120
"""Most characters of a case's name."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class NoPlaybook(_Value):
    """The session begins with an empty playbook, or has none."""

    take: Literal["none"] = "none"


class NewestPlaybook(_Value):
    """The newest revision of a stored playbook.

    Attributes:
        name: The playbook; "" for the pipeline's own.
    """

    take: Literal["newest"] = "newest"
    name: str = ""


class PlaybookAtRevision(_Value):
    """One revision of a stored playbook.

    Attributes:
        name: The playbook; "" for the pipeline's own.
        revision: The revision.
    """

    take: Literal["revision"] = "revision"
    name: str = ""
    revision: int = Field(ge=0)


class InlineBullet(_Value):
    """A bullet that the case itself brings."""

    id: str = Field(min_length=1)
    section: str = Field(min_length=1)
    content: str = Field(min_length=1)


class InlinePlaybook(_Value):
    """A playbook of bullets in the case."""

    take: Literal["bullets"] = "bullets"
    bullets: tuple[InlineBullet, ...]

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        times = Counter(one.id for one in self.bullets)
        if twice := next((id_ for id_, count in times.items() if count > 1), None):
            raise ValueError(f"two bullets have the id {twice!r}")
        return self

    def playbook(self) -> Playbook:
        """The bullets as a playbook."""
        return Playbook([StoredBullet(one.id, one.section, one.content) for one in self.bullets])


PlaybookChoice = Annotated[NoPlaybook | NewestPlaybook | PlaybookAtRevision | InlinePlaybook, Field(discriminator="take")]
"""Which playbook a case is run with."""


class Case(_Value):
    """A case.

    Attributes:
        version: The version of the file format.
        name: What it is called; unique in a folder.
        pipeline: The pipeline that is run.
        messages: The user's messages, in order, in one session.
        state: State of the session before the first message, by key; it overlays the pipeline's own.
        playbook: The playbook at the start.
        model: Name of the model; None for the one that is asked for.
        cited: Ids of the bullets that the answer cited when the case was kept.
        expect: What has to hold, all of it.
    """

    version: Literal[1] = VERSION
    name: str = Field(min_length=1, max_length=MAX_NAME)
    pipeline: str = Field(min_length=1)
    messages: tuple[Annotated[str, Field(min_length=1)], ...] = Field(min_length=1)
    state: dict[str, JsonValue] = Field(default_factory=dict[str, Any])
    playbook: PlaybookChoice = NoPlaybook()
    model: str | None = None
    cited: tuple[str, ...] = ()
    expect: tuple[Expectation, ...] = Field(min_length=1)

    @property
    def why_not(self) -> str:
        """Why what happened can hardly happen again, whatever the agents do; "" if it can."""
        if self.pipeline != CODING_SESSION:
            return ""
        return (
            "Another program recorded this session. Its agent's tools and files are not here, so what they gave is missing: "
            "a case of it holds only for what a model says without them."
        )

    @model_validator(mode="after")
    def _playbook_is_no_state(self) -> Self:
        if key := next((key for key in self.state if key in REDUCED), None):
            raise ValueError(f"state cannot have {key}: say in `playbook` which one to take")
        return self
