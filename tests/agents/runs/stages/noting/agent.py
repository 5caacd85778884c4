"""An agent of its own kind: it knows nothing of users."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from agents import BaseAgent, Event, EventActions, InvocationContext
from agents.ace import DeltaBatch

BATCH = DeltaBatch.model_validate({"operations": [{"type": "ADD", "section": "a", "content": "what a user taught"}]})


class Notes(BaseAgent):
    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        said = ctx.user_content.parts[0].text
        delta = {"app:playbook": BATCH.model_dump(mode="json")} if said == "teach" else {"app:note": said, "user:note": said}
        yield Event(author=self.name, invocation_id=ctx.invocation_id, actions=EventActions(state_delta=delta))


root_agent = Notes(name="Notes")
