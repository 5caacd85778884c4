"""One session of a pipeline: message after message, with settings and faults that change on the way."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from agents import BaseLlm, InMemorySessionService, RunConfig, Runner, StreamingMode
from agents.event import Event, EventActions
from agents.models.simulated.model import SimulatedLlm, SimulatedRequest
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import CATALOG
from tests.agents.stage import APP, USER, Play, play, user


class Visit:
    """A person at a pipeline, on its simulation or another model. Begins with what the card's controls begin with.

    Attributes:
        asked: The simulated requests of the visit, oldest first.
    """

    def __init__(
        self, pipeline: str, *, stream: bool = False, session_id: str | None = None, model: BaseLlm | None = None
    ) -> None:
        found = CATALOG.get(pipeline)
        self.card = found.card
        self.asked: list[SimulatedRequest] = []
        self._agent = found.root_agent
        self._service = InMemorySessionService()
        self._session_id = session_id or str(uuid.uuid4())  # files of other visits are not its own
        self._mode = StreamingMode.SSE if stream else StreamingMode.NONE
        self._model = model or self._simulated()

    async def say(self, message: str, *, faults: Sequence[Fault] = (), **settings: Any) -> Play:
        """Sends a message; settings are set before it."""
        return await play(
            self._agent,
            message,
            state=dict(self.card.first_state),
            state_delta=settings,
            service=self._service,
            session_id=self._session_id,
            config=self._config(faults),
        )

    async def watch(self, message: str) -> AsyncGenerator[Event, None]:
        """Sends a message to a session that was used before, and gives each event as it comes."""
        runner = Runner(app_name=APP, agent=self._agent, session_service=self._service)
        run = runner.run_async(
            user_id=USER, session_id=self._session_id, new_message=user(message), run_config=self._config(())
        )
        async with aclosing(run) as events:
            async for event in events:
                yield event

    def _config(self, faults: Sequence[Fault]) -> RunConfig:
        return RunConfig(model=self._model, faults=tuple(faults), streaming_mode=self._mode)

    def _simulated(self) -> SimulatedLlm:
        simulation = {name: self._watched(one) for name, one in self.card.simulation.items()}
        return SimulatedLlm(simulation=simulation, words_per_second=0)

    async def turn(self, **settings: Any) -> None:
        """Sets state by an event of the person, as a control does."""
        session = await self._service.get_session(app_name=APP, user_id=USER, session_id=self._session_id)
        assert session is not None
        await self._service.append_event(session, Event(author="user", actions=EventActions(state_delta=settings)))

    def _watched(self, simulation: Any) -> Any:
        def answer(request: SimulatedRequest) -> Any:
            self.asked.append(request)
            return simulation(request)

        return answer


def routes(run: Play) -> list[tuple[str | None, str | None]]:
    """Key and reason of each decision."""
    return [(record["key"], record.get("reason")) for record in run.records("route_decided")]
