"""A recorded session: its runs, and in each the model calls with their requests and answers.

Plain values; `agents.runs.recordings.recording` makes them from a log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from agents.model import LlmResponse
from agents.models.replay.request import SentRequest
from agents.models.replay.spec import REPLAY_PREFIX

REPLAY_MARK = "replay"
"""The key in `custom_metadata` of every answer that comes from a record, see `ReplayLlm`."""

REPLAYED = "replayed"
"""The key in a trace record that tells again what happened in the recorded call; its value is True."""

Ending = Literal["answered", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class RecordedFailure:
    """A model's failure.

    Attributes:
        kind: The exception's class.
        message: What it said.
        code: Its code; "" if the record does not tell.
    """

    kind: str
    message: str
    code: str = ""


@dataclass(frozen=True, kw_only=True)
class RecordedCall:
    """One call of a model.

    Attributes:
        agent: The agent that made it: the label of the request.
        position: Which call of this agent's it is in the run, from 1.
        model: The model's name.
        sent: Computes what was sent.
        answer: What was answered; None if nothing was, or it is not known.
        failure: What the model failed with, if it did.
        branch: The parallel branch that it happened in.
        notes: The model's trace records of the call, as (kind, data).
        is_simulated: Whether the answer was computed by a simulation.
        injected_fault: The kind of the fault that the answer comes from; "" for none.
    """

    agent: str
    position: int
    model: str
    sent: Callable[[], SentRequest] = field(repr=False, compare=False)
    answer: LlmResponse | None = None
    failure: RecordedFailure | None = None
    branch: str | None = None
    notes: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    is_simulated: bool = False
    injected_fault: str = ""

    @cached_property
    def request(self) -> SentRequest:
        """What was sent."""
        return self.sent()

    @property
    def ending(self) -> Ending:
        """How the call ended; one without a known end was cancelled."""
        return "failed" if self.failure is not None else "cancelled" if self.answer is None else "answered"


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One run: from a message to its end, pauses included.

    Attributes:
        invocation_id: Its id.
        message: The user's message.
        status: How it ended; "" if it is not known.
        calls: Its model calls, in the order in which they began.
        state: The state that was set with the message.
    """

    invocation_id: str
    message: str = ""
    status: str = ""
    calls: tuple[RecordedCall, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def calls_of(self, agent: str) -> tuple[RecordedCall, ...]:
        """An agent's calls, in order."""
        return tuple(call for call in self.calls if call.agent == agent)


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded session.

    Attributes:
        pipeline: Name of its pipeline.
        session_id: Its id.
        runs: Its runs, in the order in which they began.
    """

    pipeline: str
    session_id: str
    runs: tuple[RecordedRun, ...] = ()

    @property
    def model(self) -> str:
        """The name of the model that answers from it."""
        return f"{REPLAY_PREFIX}{self.pipeline}/{self.session_id}"

    @property
    def is_simulated(self) -> bool:
        """Whether every answer in it was computed by a simulation."""
        answered = [call for run in self.runs for call in run.calls if call.ending == "answered"]
        return bool(answered) and all(call.is_simulated for call in answered)

    def run(self, number: int) -> RecordedRun | None:
        """The run of that number, from 1; None if there are not so many."""
        return self.runs[number - 1] if 0 < number <= len(self.runs) else None
