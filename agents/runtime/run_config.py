"""Run configuration: the settings that the caller of a run chooses, and the limits among them as a run keeps to them."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator, Mapping
from enum import Enum
from time import monotonic
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from agents.errors import RunLimitExceededError
from agents.event import Event
from agents.runtime.fault import Fault
from agents.session import GetSessionConfig

_log = logging.getLogger(__name__)

UNLIMITED = 0
NO_EFFECT = frozenset(
    {
        *("avatar_config", "context_window_compression", "enable_affective_dialog", "explicit_vad_signal", "history_config"),
        *("http_options", "include_thoughts_from_other_agents", "input_audio_transcription", "model_input_context"),
        *("output_audio_transcription", "proactivity", "realtime_input_config", "response_modalities", "service_tier"),
        *("save_input_blobs_as_artifacts", "save_live_audio", "save_live_blob", "session_resumption", "speech_config"),
        *("support_cfc", "telemetry", "tool_thread_pool_config", "translation_config"),
    }
)
"""Fields of ADK's `RunConfig` that are taken and left out: nearly all are of live audio and video."""
_ENVELOPE = 200
"""Bytes that an event counts beside its content: about what its names and ids take in the log."""


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
        asked_by_client: Whether a program asked with functions or settings of its own, without which nothing resumes it.
        team_revision: The revision of the team that is run, for the log; 0 for none.
        allowance: Awaited before each model call; raises `LimitReachedError` if the user may make no more today.
        custom_metadata: Stands in each event of the run, below what the event has itself.
        labels: Go with each request to a model.
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
    asked_by_client: bool = False
    team_revision: int = 0
    allowance: Any = None
    custom_metadata: dict[str, Any] | None = None
    labels: dict[str, str] | None = None

    @model_validator(mode="before")
    @classmethod
    def _leaves_out_what_has_no_effect(cls, given: Any) -> Any:
        if not isinstance(given, dict) or NO_EFFECT.isdisjoint(cast("dict[str, Any]", given)):
            return given  # pyright: ignore[reportUnknownVariableType]  pydantic looks at it
        fields = cast("dict[str, Any]", given)
        _log.warning("RunConfig: %s have no effect here.", ", ".join(sorted(NO_EFFECT & fields.keys())))
        return {name: value for name, value in fields.items() if name not in NO_EFFECT}

    @field_validator("max_llm_calls")
    @classmethod
    def validate_max_llm_calls(cls, value: int) -> int:
        """The number, if it is less than `sys.maxsize`; with 0 or less, a warning says that calls are unlimited."""
        if value >= sys.maxsize:
            raise ValueError(f"max_llm_calls should be less than {sys.maxsize}; use 0 for no limit.")
        if value <= 0:
            _log.warning(
                "max_llm_calls is %d: model calls are unlimited, so agents that call each other for ever never end. "
                "Set RunConfig(max_llm_calls=…) to a positive number to limit them.",
                value,
            )
        return value


class RunTimer:
    """The one timer that all time limits of a run share.

    With `asyncio.timeout`, which sets a timer for each wait, an event of the benchmark's loop takes 18 % longer.

    Args:
        *seconds: Those of the limits to come: it goes off after the shortest, so that it need not be set again for each.
    """

    def __init__(self, *seconds: float | None) -> None:
        self._shortest = min((limit for limit in seconds if limit is not None), default=0.0)
        self._limits: set[TimeLimit] = set()
        self._handle: asyncio.TimerHandle | None = None
        self._goes_off = 0.0

    def add(self, limit: TimeLimit) -> None:
        """Watches over a time limit."""
        self._limits.add(limit)
        if self._handle is not None and limit.until < self._goes_off:
            self._set(limit.until)

    def start(self) -> None:
        """Sets the timer, if it is not set; something waits."""
        if self._handle is None:
            self._set(monotonic() + self._shortest)

    def remove(self, limit: TimeLimit) -> None:
        """Forgets a time limit."""
        self._limits.discard(limit)

    def close(self) -> None:
        """Takes the timer away."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _set(self, until: float) -> None:
        self.close()
        self._goes_off = until
        self._handle = asyncio.get_running_loop().call_later(until - monotonic(), self._check)

    def _check(self) -> None:
        self._handle = None
        if left := [limit.until for limit in self._limits if not limit.ends_now()]:
            self._set(min(left))


class TimeLimit:
    """Limits the time of waits, of each or of all together: wait in a `with` block. Close it in the end.

    Attributes:
        until: When the time is over, by `time.monotonic`.

    Args:
        timer: The run's.
        seconds: How long; None for no limit.
        is_of_each: Whether the seconds are of each wait; otherwise they are of all, from now.
    """

    def __init__(self, timer: RunTimer, seconds: float | None, *, is_of_each: bool = False) -> None:
        self._timer = timer
        self._seconds = seconds
        self._is_of_each = is_of_each
        self._task: asyncio.Task[Any] | None = None
        self._is_over = False
        if seconds is not None:
            self.until = monotonic() + seconds
            timer.add(self)

    def __enter__(self) -> None:
        """Begins to wait.

        Raises:
            DeadlineError: The time is over.
        """
        if self._seconds is None:
            return
        if self._is_of_each:
            self.until = monotonic() + self._seconds
        elif monotonic() >= self.until:
            raise DeadlineError  # the timer has no turn where nothing waits
        self._timer.start()
        self._task = asyncio.current_task()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        """Ends the wait.

        Raises:
            DeadlineError: The time was over meanwhile, and what was waited for was cancelled.
        """
        task, self._task = self._task, None
        if isinstance(error, asyncio.CancelledError) and self._is_over and task is not None and task.uncancel() == 0:
            raise DeadlineError from error

    def ends_now(self) -> bool:
        """For the timer: whether the time is over. What waits is cancelled then, once."""
        is_late = monotonic() >= self.until
        if is_late and not self._is_over and self._task is not None:
            self._is_over = True
            self._task.cancel()
        return is_late

    def close(self) -> None:
        """Ends the limit."""
        self._timer.remove(self)


class DeadlineError(Exception):
    """What was waited for was not there in time; callers raise an error of their own for it."""


class RunUsage:
    """Counts the events and bytes that a run produces, and its seconds. Shared by all agents of the run.

    Text counts when it is streamed and when it is stored; beside texts count calls, responses, state deltas, files.
    """

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._events = 0
        self._bytes = 0
        self._is_closed = False
        seconds = config.max_seconds if config.max_seconds > UNLIMITED else None
        self.timer = RunTimer(seconds, config.model_timeout)
        self._time = TimeLimit(self.timer, seconds)

    def count(self, event: Event) -> None:
        """Counts an event, before it is stored or yielded.

        Raises:
            RunLimitExceededError: It is one too many, or too large.
        """
        if not event.partial:
            self._events += 1
            if UNLIMITED < self._config.max_events < self._events:
                self._exceed("max_events", f"{self._config.max_events:,} events", "goes round for ever")
        self.count_bytes(_ENVELOPE + _size_of(event))

    def count_bytes(self, count: int) -> None:
        """Counts bytes that are no event's, such as those of a file.

        Raises:
            RunLimitExceededError: They are too many.
        """
        self._bytes += count
        if UNLIMITED < self._config.max_bytes < self._bytes:
            used = f"{self._bytes:,} bytes of events, state and files, where {self._config.max_bytes:,} are allowed"
            self._exceed("max_bytes", used, "writes the same again and again")

    def close(self) -> None:
        """Counts no more: what says how the run ended is stored in any case."""
        self._is_closed = True
        self._time.close()  # timer and limit refer to each other, and would wait for the garbage collector
        self.timer.close()

    async def next(self, events: AsyncGenerator[Event, None]) -> Event | None:
        """The next event of the run, counted if it is partial; None after the last one.

        Raises:
            RunLimitExceededError: The run's time is over, also while it waits for something; or it streamed too much.
        """
        try:
            with self._time:
                event = await anext(events, None)
        except DeadlineError:
            self._exceed("max_seconds", f"{self._config.max_seconds:,g} seconds", "waits for something that never comes")
            raise
        if event is not None and event.partial:
            self.count(event)  # others are counted when they are stored
        return event

    def _exceed(self, limit: str, used: str, cause: str) -> None:
        if not self._is_closed:
            raise RunLimitExceededError(
                f"This run was ended after {used}: that is the limit {limit}. Check whether an agent {cause}; to allow "
                f"more, set RunConfig({limit}=…), or {limit} in the pipeline's card, 0 for no limit."
            )


def _size_of(event: Event) -> int:
    size = 0
    for part in event.parts:
        if part.text:
            size += len(part.text)
        elif part.inline_data is not None:
            size += len(part.inline_data.data or b"")
        elif (call := part.function_call) is not None:
            size += len(call.name or "") + len(repr(call.args))
        elif (response := part.function_response) is not None:
            files = [file.inline_data for file in response.parts or () if file.inline_data is not None]
            size += len(repr(response.response)) + sum(len(file.data or b"") for file in files)
    # A playbook's prompt in a delta is long: its length is known, and `repr` would write it out.
    return size + sum(
        len(key) + len(value if isinstance(value, str) else repr(value)) for key, value in event.actions.state_delta.items()
    )
