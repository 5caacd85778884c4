"""A session as it is read, and how much of one to read."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from agents.event import Event


class Session(BaseModel):
    """A conversation: its events and the state they add up to, as read at some moment.

    Attributes:
        id: Unique among the sessions of one user in one app.
        app_name: The app, here: the pipeline.
        user_id: Whose session it is.
        state: Merged state of all scopes; `app:` and `user:` keys keep their prefix.
        events: Oldest first.
        last_update_time: Seconds since the epoch.
    """

    model_config = ConfigDict(extra="forbid")

    id: str
    app_name: str
    user_id: str
    state: dict[str, Any] = Field(default_factory=dict)
    events: list[Event] = Field(default_factory=list[Event])
    last_update_time: float = 0.0
    __slots__ = ("_claim", "_last_seq")  # not fields: how far an object has read, and for which run, is not its value

    @property
    def last_seq(self) -> int:
        """`seq` of the newest log entry in this object; the service sets it."""
        return getattr(self, "_last_seq", 0)

    @property
    def claim(self) -> object | None:
        """The claim that this object is written under; None outside of a run. The service sets it."""
        return getattr(self, "_claim", None)

    def claimed(self, claim: object | None) -> None:
        """For services: what is written by this object belongs to the run that holds `claim`; None for no run."""
        object.__setattr__(self, "_claim", claim)

    def read_up_to(self, seq: int) -> None:
        """For services: this object, made a moment ago, holds the log up to `seq`."""
        object.__setattr__(self, "_last_seq", seq)  # pydantic sets fields only

    def note(self, seq: int) -> None:
        """For services: this object now holds the log up to `seq`."""
        if seq > self.last_seq:
            self.read_up_to(seq)

    def __copy__(self) -> Self:
        """A copy keeps its place in the log, or its next append would catch up from the beginning; and its claim."""
        copied = super().__copy__()
        copied.note(self.last_seq)
        copied.claimed(self.claim)
        return copied

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """The same, with state and events copied."""
        copied = super().__deepcopy__(memo)
        copied.note(self.last_seq)
        copied.claimed(self.claim)
        return copied


class GetSessionConfig(BaseModel):
    """How much of a session to read.

    Attributes:
        num_recent_events: At most so many of the newest events; 0 for none.
        after_timestamp: Only events at or after this time, in seconds since the epoch.
    """

    num_recent_events: int | None = Field(default=None, ge=0)
    after_timestamp: float | None = None


class ListSessionsResponse(BaseModel):
    """Sessions without their events."""

    sessions: list[Session] = Field(default_factory=list[Session])
