"""Sessions that are recorded, and sessions that replay them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from google.genai import types

from agents import Event, InMemorySessionService, RunConfig, Runner, StreamingMode
from agents.access import OWNER
from agents.agent import BaseAgent
from agents.models.replay.model import ReplayLlm
from agents.models.replay.record import Recording
from agents.models.simulated.model import SimulatedLlm
from agents.pipeline import Pipeline
from agents.runs.recordings.recording import read_recording
from agents.runs.recordings.replays import agents_with_models, replay_model
from agents.runs.values import SessionKey
from agents.session import BaseSessionService
from agents.storage.artifacts.memory import InMemoryArtifactService

APP = "stage"


@dataclass
class Taken:
    """What one run left behind.

    Attributes:
        events: What the runner yielded, partial ones left out.
        pieces: The partial ones.
        error: What it raised.
        log: The run's entries, as (kind, body).
        state: The session's, after it.
    """

    events: list[Event] = field(default_factory=list)
    pieces: list[Event] = field(default_factory=list)
    error: BaseException | None = None
    log: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)

    def records(self, kind: str) -> list[dict[str, Any]]:
        return [body for found, body in self.log if found == kind]

    @property
    def drifts(self) -> list[tuple[str, list[str]]]:
        return [(record["agent"], record["drifted"]) for record in self.records("replay_drifted")]

    @property
    def said(self) -> list[tuple[Any, ...]]:
        """What was said, called and answered, and by whom; sorted, since parallel agents have no order together."""
        return sorted(_said(event) for event in self.events)


def _said(event: Event) -> tuple[Any, ...]:
    calls = [(call.name, str(call.args)) for call in event.get_function_calls() if call.name != "adk_request_confirmation"]
    results = [(answer.name, str(answer.response)) for answer in event.get_function_responses()]
    thoughts = [part.text for part in event.parts if part.thought]
    return event.author, event.text, *map(str, (thoughts, calls, results, event.stop_reason, event.error_code))


class Studio:
    """Records and replays sessions of one tree of agents.

    Args:
        agent: The tree.
        state: What a session begins with.
        service: Where sessions are.
    """

    def __init__(self, agent: BaseAgent, *, app: str = APP, state: Mapping[str, Any] | None = None) -> None:
        self.agent = agent
        self.app = app
        self.state = dict(state or {})
        self.service: BaseSessionService = InMemorySessionService()
        self.model: Any = None
        self.limit: dict[str, int] = {}
        self.message_key: str | None = None
        self.suffix = ""
        """Ends the id of every session."""

    @classmethod
    def of(cls, pipeline: Pipeline) -> Studio:
        """Of a pipeline on its simulation."""
        made = cls(pipeline.root_agent, app=pipeline.name, state=pipeline.card.first_state)
        made.model = SimulatedLlm(simulation=pipeline.card.simulation, words_per_second=0)
        made.message_key = pipeline.card.message_key
        made.suffix = f" {uuid.uuid4()}"  # files of other tests' sessions are not theirs
        if pipeline.card.max_llm_calls is not None:
            made.limit = {"max_llm_calls": pipeline.card.max_llm_calls}
        return made

    async def record(self, message: str | types.Content, *, session: str = "recorded", **config: Any) -> Taken:
        """Runs the tree on a message, and keeps what it did."""
        return await self._run(message, session, **{"model": self.model, **config})

    async def recording(self, session: str = "recorded") -> Recording:
        return await read_recording(self.service, SessionKey(self.app, session + self.suffix, OWNER.id))

    async def replay(
        self,
        message: str | types.Content,
        *,
        session: str = "replaying",
        of: str = "recorded",
        invocation_id: str | None = None,
        **config: Any,
    ) -> Taken:
        """The same with a model that answers from a recorded session, for all agents."""
        model = await self.model_for(session, of=of, invocation_id=invocation_id)
        everybody = dict.fromkeys(agents_with_models(self.agent), model)
        return await self._run(message, session, **{"model": model, "agent_models": everybody, **config})

    async def model_for(self, session: str, *, of: str = "recorded", invocation_id: str | None = None) -> ReplayLlm:
        key = SessionKey(self.app, session + self.suffix, OWNER.id)
        known = await self.service.get_session(app_name=self.app, user_id=OWNER.id, session_id=key.session_id)
        return await replay_model(
            self.service,
            f"replay/{self.app}/{of}{self.suffix}",
            user=OWNER,
            session=key if known is not None else None,
            invocation_id=invocation_id,
            words_per_second=0,
        )

    async def _run(self, message: str | types.Content, session: str, *, stream: bool = False, **config: Any) -> Taken:
        session_id = session + self.suffix
        name = {"app_name": self.app, "user_id": OWNER.id, "session_id": session_id}
        if (before := await self.service.get_session(**name)) is None:
            before = await self.service.create_session(**name, state=self.state)
        said = user(message) if isinstance(message, str) else message
        delta = {self.message_key: message} if self.message_key and isinstance(message, str) else None
        mode = StreamingMode.SSE if stream else StreamingMode.NONE
        artifacts = InMemoryArtifactService()
        runner = Runner(app_name=self.app, agent=self.agent, session_service=self.service, artifact_service=artifacts)
        run = runner.run_async(
            user_id=OWNER.id,
            session_id=session_id,
            new_message=said,
            state_delta=delta,
            run_config=RunConfig(streaming_mode=mode, **{**self.limit, **config}),
        )
        taken = Taken()
        try:
            async with aclosing(run) as events:
                async for event in events:
                    (taken.pieces if event.partial else taken.events).append(event)
        except Exception as error:
            taken.error = error
        entries = await self.service.read_log(**name, after=before.last_seq)
        taken.log = [(entry.kind, entry.fields()) for entry in entries]
        stored = await self.service.get_session(**name)
        assert stored is not None
        taken.state = dict(stored.state)
        return taken


def user(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])


def answer_to(event: Event, response: Mapping[str, Any]) -> types.Content:
    """An answer to the call that `event` waits for."""
    waiting = event.long_running_tool_ids or set()
    (call,) = (call for call in event.get_function_calls() if call.id in waiting)
    given = types.FunctionResponse(id=call.id, name=call.name, response=dict(response))
    return types.Content(role="user", parts=[types.Part(function_response=given)])


def calls(recording: Recording, run: int = 1) -> Sequence[tuple[str, int, str]]:
    """Agent, position and ending of each call of a run."""
    found = recording.run(run)
    return [] if found is None else [(call.agent, call.position, call.ending) for call in found.calls]
