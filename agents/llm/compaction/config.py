"""When events are summed up, and by what."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, model_validator

from agents.event import Event


class BaseEventsSummarizer(ABC):
    """Sums events up."""

    @abstractmethod
    async def maybe_summarize_events(self, *, events: Sequence[Event]) -> Event | None:
        """An event with the summary in `actions.compaction`; None for no summary.

        Args:
            events: Those to sum up, oldest first.
        """


class EventsCompactionConfig(BaseModel):
    """When the events of a session are summed up. One pair of settings or both are set; that of tokens comes first.

    Attributes:
        summarizer: What sums them up; by default the root agent's model.
        compaction_interval: After so many new invocations they are summed up.
        overlap_size: So many invocations before them are summed up again.
        token_threshold: Events are summed up once a model was sent so many tokens: after a run, and before a model call.
        event_retention_size: So many of the latest events stay as they are then.
    """

    model_config = ConfigDict(extra="forbid")

    summarizer: InstanceOf[BaseEventsSummarizer] | None = None
    compaction_interval: int | None = Field(default=None, gt=0)
    overlap_size: int | None = Field(default=None, ge=0)
    token_threshold: int | None = Field(default=None, gt=0)
    event_retention_size: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        for one, other in (("token_threshold", "event_retention_size"), ("compaction_interval", "overlap_size")):
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                raise ValueError(f"{one} and {other} must be set together.")
        if self.token_threshold is None and self.compaction_interval is None:
            raise ValueError(
                "Nothing says when events are summed up: set compaction_interval and overlap_size, or token_threshold and "
                "event_retention_size."
            )
        return self
