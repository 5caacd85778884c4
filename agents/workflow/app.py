"""An agent with what belongs to it: its name, its plugins, and settings that code written for ADK gives."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, field_validator

from agents.agent import BaseAgent
from agents.flows.plugins import BasePlugin
from agents.llm.compaction.config import EventsCompactionConfig

_UNUSED = ("resumability_config", "context_cache_config")
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*")


class ResumabilityConfig(BaseModel):
    """Whether runs can be resumed. Has no effect: here they always can, as the log says where they stood.

    Attributes:
        is_resumable: Has no effect.
    """

    is_resumable: bool = False


class App(BaseModel):
    """An agent as an application.

    Attributes:
        name: Its name: letters, digits, underscores and hyphens, beginning with a letter; not "user".
        root_agent: The agent, or the graph.
        plugins: Callbacks for all of its agents, models and tools.
        resumability_config: Has no effect.
        events_compaction_config: When the events of a session are summed up; None for never.
        context_cache_config: Has no effect.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    name: str
    root_agent: InstanceOf[BaseAgent]
    plugins: list[InstanceOf[BasePlugin]] = Field(default_factory=list[BasePlugin])
    resumability_config: ResumabilityConfig | None = None
    events_compaction_config: EventsCompactionConfig | None = None
    context_cache_config: Any = None

    @property
    def unused(self) -> tuple[str, ...]:
        """The names of its settings that have no effect."""
        return tuple(name for name in _UNUSED if getattr(self, name) is not None)

    @field_validator("name")
    @classmethod
    def _name_is_usable(cls, value: str) -> str:
        if not _NAME.fullmatch(value):
            raise ValueError(
                f"Invalid app name {value!r}: it must start with a letter and have letters, digits, underscores, hyphens."
            )
        if value == "user":
            raise ValueError("App name cannot be 'user': that is the author of the person's messages.")
        return value
