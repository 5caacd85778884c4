"""`TagBullets`: submits the tags of a reflection."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import ClassVar

from agents.ace.operations import DeltaBatch
from agents.ace.roles.agents import said
from agents.ace.roles.feedback import NO_FEEDBACK
from agents.ace.roles.guard import guarded_tags
from agents.ace.roles.instructions import (
    ANSWER_KEY,
    COUNTED_KEY,
    FEEDBACK_KEY,
    GIVEN_IDS_KEY,
    JUDGED_KEY,
    JUDGED_SEQ_KEY,
    QUERY_KEY,
    REFLECTION_KEY,
    playbook_in,
)
from agents.ace.roles.judgement import judge
from agents.ace.roles.schemas import GeneratorOutput, ReflectorOutput, role_output
from agents.ace.roles.steps.apply_delta import held_back
from agents.ace.roles.steps.submission import basis, number_of, submit
from agents.agent import BaseAgent
from agents.event import Event
from agents.runtime.context import InvocationContext


class TagBullets(BaseAgent):
    """Submits a reflection's tags, and the bullets that the answer cites.

    A tag “harmful” of a bullet that the right answer may contradict is left to `ApplyDelta`: the user may have to decide.
    """

    _may_wait: ClassVar[bool] = False

    name: str = "TagBullets"
    description: str = "Counts for each bullet whether it was helpful or harmful, and which ones were cited."

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = ctx.session.state
        answer, reflection = (
            role_output(state.get(ANSWER_KEY), GeneratorOutput),
            role_output(state.get(REFLECTION_KEY), ReflectorOutput),
        )
        if answer is None:
            yield said(self, "There is no answer, so there is nothing to count.")
            return
        if ctx.run_config.needs_approval:
            yield said(self, "Tags of this session are not counted: its user may not change the playbook.")
            return
        tags = [] if reflection is None else reflection.bullet_tags
        given = None if state.get(JUDGED_KEY) else state.get(GIVEN_IDS_KEY)
        waiting = held_back(ctx)
        tags = [tag for tag in tags if tag.tag != "harmful" or tag.id not in waiting]
        found, cited = guarded_tags(playbook_in(state), tags, answer.bullet_ids, given=given)
        batch = DeltaBatch(
            by="reflector",
            reasoning=reflection.key_insight if reflection is not None else "",
            operations=found.operations,
            rejected=found.rejected,
            cited=None if state.get(COUNTED_KEY) else cited,
            judgement=judge(
                str(state.get(QUERY_KEY) or ""),
                answer.final_answer,
                str(state.get(FEEDBACK_KEY) or NO_FEEDBACK),
                answer_seq=_answer_seq(ctx),
            ),
            playbook=playbook_in(state).name or None,
        )
        missing = "There is no reflection to take tags from. " if reflection is None else ""
        counts = f"{number_of(len(cited), 'bullet')} cited, {number_of(len(found.operations), 'tag')} submitted."
        async for event in submit(self, batch, f"{missing}{counts} {basis(state)}", {COUNTED_KEY: True}):
            yield event


def _answer_seq(ctx: InvocationContext) -> int:
    """`seq` of the event with the answer: the newest one, or the newest up to the event that the user judged."""
    judged = ctx.session.state.get(JUDGED_SEQ_KEY)
    for event in reversed(ctx.session.events):
        if event.actions.state_delta.get(ANSWER_KEY) and (judged is None or (event.seq or 0) <= judged):
            return event.seq or 0
    return 0
