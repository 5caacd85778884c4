"""Has the user decide on operations that come in the session's state, as on those of a curator."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from agents.ace import PLAYBOOK_KEY, AceSettings, ApplyDelta, DeltaBatch
from agents.agent import BaseAgent
from agents.event import Event, EventActions
from agents.flows.workflow import SequentialAgent
from agents.runtime.context import InvocationContext


class OpenPlaybook(BaseAgent):
    """Opens the playbook that the state names in `NAME_KEY`."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        opened = DeltaBatch(by=self.name).model_dump(mode="json")
        yield Event(author=self.name, actions=EventActions(state_delta={PLAYBOOK_KEY: opened}))


root_agent = SequentialAgent(
    name="Proposal",
    description="Asks the user about changes of a playbook that another program proposes.",
    sub_agents=[
        OpenPlaybook(name="OpenPlaybook", description="Opens the playbook."),
        ApplyDelta(settings=AceSettings(approval=True)),
    ],
)
