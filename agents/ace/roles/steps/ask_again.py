"""`AskAgain`: asks a question once more with the delta that it led to: a bullet that does not help it is taken back."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import ClassVar

from pydantic import Field

from agents.ace.operations import DeltaBatch
from agents.ace.refine.application import apply_batch
from agents.ace.roles.agents import said
from agents.ace.roles.feedback import NO_FEEDBACK
from agents.ace.roles.instructions import (
    BEFORE_KEY,
    CURATION_KEY,
    FEEDBACK_KEY,
    GIVEN_KEY,
    SECOND_KEY,
    playbook_in,
)
from agents.ace.roles.judgement import right_answer_in
from agents.ace.roles.schemas import CuratorOutput, GeneratorOutput, role_output
from agents.ace.roles.settings import AceSettings
from agents.ace.roles.steps.apply_delta import checked, spoiled_by, writes
from agents.agent import BaseAgent
from agents.event import Event
from agents.runtime.context import InvocationContext


class AskAgain(BaseAgent):
    """Asks the question again with the curator's delta, where the switch `ask_again` is on and the right answer is known.

    Its only sub-agent answers, from the playbook as the delta would leave it. `ApplyDelta` takes back what did not help.
    """

    _may_wait: ClassVar[bool] = False

    name: str = "AskAgain"
    description: str = "Asks the question again with the delta: a bullet that does not help its own question is taken back."
    settings: AceSettings = Field(default_factory=AceSettings)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = ctx.session.state
        output = role_output(state.get(CURATION_KEY), CuratorOutput)
        if output is None or not AceSettings.from_state(state, self.settings).ask_again:
            return
        feedback, playbook = str(state.get(FEEDBACK_KEY) or NO_FEEDBACK), playbook_in(state)
        operations = checked(ctx, playbook, output)[0].operations
        if not right_answer_in(feedback) or not any(map(writes, operations)):
            yield said(self, "The question is not asked again: the delta writes nothing, or the right answer is not known.")
            return
        tried = apply_batch(playbook, DeltaBatch(operations=operations), at=0.0).playbook
        prompt = tried.as_prompt()  # whatever else is left out of prompts, the new bullets are to be seen
        if ctx.position is None:
            yield said(self, "The question is asked again with the delta.", {GIVEN_KEY: prompt, BEFORE_KEY: None})
        async with aclosing(self.sub_agents[0].run_async(ctx)) as events:
            async for event in events:
                yield event
        if ctx.end_invocation or ctx.paused:
            return
        second = role_output(state.get(SECOND_KEY), GeneratorOutput)
        if second is None:
            yield said(self, "There is no second answer, so the delta stays as it is.")
        elif spoiled_by(state):
            yield said(self, f"Asked again, the answer is “{second.final_answer}”, which is wrong: the delta is taken back.")
        else:
            yield said(self, f"Asked again, the answer is “{second.final_answer}”, which is right: the delta helps.")
