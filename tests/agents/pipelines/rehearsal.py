"""Runs a pipeline without a screen, on its simulation, and keeps what the run left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from google.genai import types

from agents import Event, InMemoryRunner, RunConfig
from agents.errors import PlaygroundError
from agents.models.simulated.model import SimulatedLlm
from agents.pipelines.catalog import Catalog
from agents.runtime.fault import Fault

USER = "person"
CATALOG = Catalog()


@dataclass
class Rehearsal:
    """What a run left behind: its events, the state, and the trace records by kind."""

    events: list[Event]
    state: dict[str, Any]
    records: list[dict[str, Any]]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [record for record in self.records if record["kind"] == kind]

    @property
    def passes(self) -> int:
        return len(self.of_kind("loop_iteration"))

    @property
    def loop_end(self) -> str:
        (record,) = self.of_kind("loop_finished")
        return record["reason"]

    def texts(self, author: str) -> list[str]:
        return [event.text for event in self.events if event.author == author and event.text]

    def results(self, tool: str) -> list[types.FunctionResponse]:
        return [answer for event in self.events for answer in event.get_function_responses() if answer.name == tool]

    def values(self, key: str) -> list[Any]:
        return [event.actions.state_delta[key] for event in self.events if key in event.actions.state_delta]


async def rehearse_async(
    pipeline: str,
    *messages: str,
    state: dict[str, Any] | None = None,
    faults: Sequence[Fault] = (),
    may_fail: bool = False,
    catalog: Catalog = CATALOG,
) -> Rehearsal:
    """Runs `messages` one after the other in one session; what is kept is of the last run.

    With `faults`, or if it `may_fail`, a run may end with an error: that is its last event then, as a person would see it.
    """
    found = catalog.get(pipeline)
    card = found.card
    runner = InMemoryRunner(found.root_agent, app_name=pipeline)
    service = runner.session_service
    session = await service.create_session(app_name=pipeline, user_id=USER, state={**card.first_state, **(state or {})})
    events: list[Event] = []
    model = SimulatedLlm(simulation=card.simulation, words_per_second=0)
    limit = {} if card.max_llm_calls is None else {"max_llm_calls": card.max_llm_calls}
    for message in messages:
        run = runner.run_async(
            user_id=USER,
            session_id=session.id,
            new_message=types.Content(role="user", parts=[types.Part(text=message)]),
            state_delta={card.message_key: message} if card.message_key else None,
            run_config=RunConfig(model=model, faults=tuple(faults), **limit),
        )
        events = []
        with suppress(*([PlaygroundError, ConnectionError] if faults or may_fail else [])):
            async for event in run:
                events.append(event)
    stored = await service.get_session(app_name=pipeline, user_id=USER, session_id=session.id)
    log = await service.read_log(app_name=pipeline, user_id=USER, session_id=session.id)
    records = [{"kind": entry.kind, **entry.fields()} for entry in log if entry.kind != "event"]
    last = [record for record in records if record.get("invocation_id") == events[-1].invocation_id]
    return Rehearsal(events, dict(stored.state), last)


def rehearse(pipeline: str, *messages: str, state: dict[str, Any] | None = None, faults: Sequence[Fault] = ()) -> Rehearsal:
    """The same, for tests that are not async."""
    return asyncio.run(rehearse_async(pipeline, *messages, state=state, faults=faults))
