"""A rerun without a change gives the same session, from every event of every pipeline."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agents import REQUEST_CONFIRMATION, Event, InMemoryRunner, RunConfig
from agents.ace.store.playbook_store import PlaybookStore
from agents.forks import Forks
from agents.models.simulated.model import SimulatedLlm
from agents.pipelines.catalog import Catalog
from tests.agents.stage import USER, user

pytestmark = pytest.mark.anyio

CATALOG = Catalog()
NAMES = sorted(CATALOG.names())


_FORKED = re.compile(r", fork [0-9a-f]{8}")  # a fork's playbook is a copy with a name of its own


class Stage:
    """A pipeline that was run once on its first sample, with all of what it was run with."""

    def __init__(self, name: str) -> None:
        self.pipeline = CATALOG.get(name)
        self.card = self.pipeline.card
        self.runner = InMemoryRunner(self.pipeline.root_agent, app_name=name)
        self.service: Any = self.runner.session_service
        self.names = {"app_name": name, "user_id": USER}
        limit = {} if self.card.max_llm_calls is None else {"max_llm_calls": self.card.max_llm_calls}
        model = SimulatedLlm(simulation=self.card.simulation, words_per_second=0)
        self.config = RunConfig(model=model, **limit)
        self.forks = Forks(
            self.service,
            self.pipeline.root_agent,
            **self.names,
            playbooks=PlaybookStore(self.service.tables, ledger=self.service.reducers.for_key("app:playbook").ledger),
            artifact_service=self.runner.artifact_service,
        )

    async def run(self, message: str, *, each: Callable[[Event], Awaitable[None]] | None = None) -> None:
        if await self.service.get_session(**self.names, session_id="origin") is None:
            await self.service.create_session(**self.names, session_id="origin", state=self.card.first_state)
        key = self.card.message_key
        async for event in self.runner.run_async(
            user_id=USER,
            session_id="origin",
            new_message=user(message),
            state_delta={key: message} if key else None,
            run_config=self.config,
        ):
            if each is not None:
                await each(event)

    async def session(self, session_id: str = "origin") -> Any:
        return await self.service.get_session(**self.names, session_id=session_id)

    async def log(self, session_id: str = "origin") -> list[Any]:
        return await self.service.read_log(**self.names, session_id=session_id)


def told(event: Event) -> tuple[Any, ...]:
    """An event without what differs from run to run."""
    calls = [(call.name, None if call.name == REQUEST_CONFIRMATION else call.args) for call in event.get_function_calls()]
    results = [(result.name, result.response) for result in event.get_function_responses()]
    delta = {key: value for key, value in event.actions.state_delta.items() if key != "app:playbook"}
    text = _FORKED.sub("", event.text)
    return event.author, event.branch and event.branch.partition(":")[0], text, calls, results, delta


@pytest.mark.parametrize("name", NAMES)
async def test_every_cut_gives_the_same_session(name):
    stage = Stage(name)
    await stage.run(stage.card.samples[0])
    origin = await stage.session()
    for event in origin.events:
        fork = await stage.forks.rerun("origin", at=event.seq, run_config=stage.config)
        there = [told(found) for found in fork.events]
        assert sorted(map(repr, there)) == sorted(map(repr, map(told, origin.events))), (event.seq, event.author)
        if not any(found.branch for found in origin.events):
            assert there == [told(found) for found in origin.events]
        for key, value in origin.state.items():
            if key not in ("app:playbook", "playbook_name"):
                assert fork.state[key] == value, key
