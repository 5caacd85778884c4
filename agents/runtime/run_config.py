"""Run configuration: the settings that the caller of a run chooses."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from agents.runtime.fault import Fault
from agents.session import GetSessionConfig

_log = logging.getLogger(__name__)

UNLIMITED = 0


class StreamingMode(Enum):
    """Whether models stream: NONE gives whole answers only, SSE also their pieces as they come."""

    NONE = None
    SSE = "sse"


class RunConfig(BaseModel):
    """How an invocation runs.

    Attributes:
        streaming_mode: Whether partial events are yielded.
        max_llm_calls: Model calls an invocation may make, those before a pause included; 0 or less for no limit.
        max_events: Events an invocation may store; 0 or less for no limit. This and the next two begin anew after a pause.
        max_bytes: Bytes of its events, streamed text, state deltas and files; 0 or less for no limit.
        max_seconds: Seconds it may take; 0 or less for no limit.
        model: Name or object for agents that name no model themselves.
        agent_models: Models of single agents, name or object by the agent's name. They override the agents' own.
        model_timeout: Seconds that a model may be silent before it counts as hanging; None waits for ever.
        get_session_config: How much of the session's history is read.
        faults: Faults to inject. A resumed invocation has those that it was resumed with.
        delta_gate: Tries what agents learn before it is committed, see `agents.ace.gate.DeltaGate`; None commits it.
        needs_approval: Whether what agents learn waits for the owner of the playbook.
        owns_playbook: Whether the playbook is this run's own, so that the session's settings decide its refinement.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    streaming_mode: StreamingMode = StreamingMode.NONE
    max_llm_calls: int = 500
    max_events: int = 20_000
    max_bytes: int = 64_000_000
    max_seconds: float = 3600.0
    model: Any = None
    agent_models: Mapping[str, Any] = Field(default_factory=dict)  # `dict[str, Any]()` takes 200 times as long
    model_timeout: float | None = Field(default=240.0, gt=0)
    get_session_config: GetSessionConfig | None = None
    faults: tuple[Fault, ...] = ()
    delta_gate: Any = None
    needs_approval: bool = False
    owns_playbook: bool = False

    @field_validator("max_llm_calls")
    @classmethod
    def _is_limited(cls, value: int) -> int:
        if value >= sys.maxsize:
            raise ValueError(f"max_llm_calls should be less than {sys.maxsize}; use 0 for no limit.")
        if value <= 0:
            _log.warning(
                "max_llm_calls is %d: model calls are unlimited, so agents that call each other for ever never end. "
                "Set RunConfig(max_llm_calls=…) to a positive number to limit them.",
                value,
            )
        return value
