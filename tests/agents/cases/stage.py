"""Sessions to keep as cases: pipelines run with the simulated model, at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any

from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner
from agents.access import OWNER
from agents.ace import DeltaBatch, PlaybookStore
from agents.cases.check import model_for
from agents.log import LogEntry
from agents.pipelines.catalog import Catalog
from agents.runs.requests import RunRequest, user_message

CATALOG = Catalog()
BAKERY = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
CINEMA = "A cinema has current assets of 45,000 € and current liabilities of 18,000 €. What is its current ratio?"
FORMULA = "current ratio = current assets / current liabilities"
FALSE = "current ratio = current liabilities / current assets"


class Stage:
    """A service with its playbooks, in which messages are sent."""

    def __init__(self) -> None:
        self.service = InMemorySessionService()
        self.playbooks = PlaybookStore(self.service.tables)

    async def send(
        self,
        pipeline: str,
        *messages: str,
        state: Mapping[str, Any] | None = None,
        config: RunConfig | None = None,
        catalog: Catalog = CATALOG,
    ) -> list[LogEntry]:
        """Runs messages in a new session; its log."""
        found = catalog.get(pipeline)
        given = {**found.card.first_state, **(state or {})}
        session = await self.service.create_session(app_name=pipeline, user_id=OWNER.id, state=given)
        runner = Runner(app_name=pipeline, agent=found.root_agent, session_service=self.service)
        config = config or RunConfig(model=model_for(found, "simulated"))
        for message in messages:
            request = RunRequest(found, user_message(message), config.model, user_id=OWNER.id)
            events = runner.run_async(
                user_id=OWNER.id,
                session_id=session.id,
                new_message=request.message,
                state_delta=request.state_delta,
                run_config=config,
            )
            async with aclosing(events):
                async for _ in events:
                    pass
        return await self.service.read_log(app_name=pipeline, user_id=OWNER.id, session_id=session.id)

    def learn(self, *contents: str, name: str = "ace", section: str = "FORMULAS") -> Sequence[str]:
        """Adds bullets to a playbook; their ids."""
        operations: list[Any] = [{"type": "ADD", "section": section, "content": content} for content in contents]
        commit = self.playbooks.beside(name).commit(DeltaBatch(operations=operations))
        return [change["bullet_id"] for change in commit.applied]


def said(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])
