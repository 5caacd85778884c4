"""Workflow agents: they run other agents in order, in a loop, or in parallel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any, ClassVar

from pydantic import Field, field_validator

from agents.agent import BaseAgent
from agents.errors import AnswerError, known
from agents.event import Event
from agents.flows.arrivals import Arrivals
from agents.flows.conditions import Condition
from agents.runtime.context import InvocationContext
from agents.runtime.position import Frame


class SequentialAgent(BaseAgent):
    """Runs its sub-agents one after the other, in one context. An escalation ends a loop further up."""

    _may_wait: ClassVar[bool] = False
    keeps_its_place: ClassVar[bool] = True

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        for child in _those_left(self, ctx.position):
            async with aclosing(child.run_async(ctx)) as events:
                async for event in events:
                    yield event
            if ctx.end_invocation or ctx.paused:
                return


class LoopAgent(BaseAgent):
    """Runs its sub-agents repeatedly, until an event escalates or the passes are used up.

    On an escalation the current sub-agent finishes, the rest of the pass is skipped and the loop ends.

    Attributes:
        max_iterations: Most passes; None for no limit, 0 or less for no pass.
        propagate_escalation: Whether an escalation ends the loops around this one too, as in ADK. If not, it ends the
            nearest loop only.
        until: Conditions as data, or one: an event in the loop that makes one true escalates.
    """

    _may_wait: ClassVar[bool] = False
    keeps_its_place: ClassVar[bool] = True

    max_iterations: int | None = None
    propagate_escalation: bool = False
    until: list[Condition] = Field(default_factory=list[Condition])

    @field_validator("until", mode="before")
    @classmethod
    def _is_a_list(cls, value: Any) -> Any:
        return [value] if isinstance(value, Condition | dict) else value

    @field_validator("until")
    @classmethod
    def _tests_something(cls, value: list[Condition]) -> list[Condition]:
        if any(not (condition.tests or condition.state or condition.error) for condition in value):
            raise ValueError("a loop ends at a test, such as `contains: No major issues`")
        return value

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        if not self.sub_agents:
            ctx.record("loop_finished", reason="empty", iterations=0)
            return
        stood = ctx.position if ctx.position is not None and ctx.position.iteration else None
        iteration = 0 if stood is None else stood.iteration - 1
        escalated_by = None if stood is None or self._was_handled_below(stood) else stood.escalated_by
        most = self._most_iterations(ctx)
        while most is None or iteration < most:
            iteration += 1
            if stood is None:
                ctx.add_record("loop_iteration", {"iteration": iteration, "max_iterations": most})
            for child in _those_left(self, stood, escalated=escalated_by is not None):
                events = child.run_async(ctx)
                try:
                    async for event in events:
                        if await self._is_ended_by(event, ctx):
                            escalated_by = escalated_by or event.author
                        yield event
                finally:
                    await events.aclose()
                if ctx.paused or escalated_by or ctx.end_invocation:
                    _record_last_pass(ctx, iteration, escalated_by)
                    return
            if escalated_by:  # before this run resumed, by the last agent of the pass
                _record_last_pass(ctx, iteration, escalated_by)
                return
            stood = None
            await asyncio.sleep(0)  # a pass of agents that never wait must not block the event loop
        ctx.record("loop_finished", reason="max_iterations", iterations=iteration)

    def _most_iterations(self, ctx: InvocationContext) -> int | None:
        """Most passes in this run."""
        return self.max_iterations

    def _was_handled_below(self, stood: Frame) -> bool:
        """Whether an escalation before this run resumed has ended a loop below this one, and goes no further."""
        return any(
            child.escalated_by == stood.escalated_by and _ends_here(self.find_agent(child.agent))
            for child in _all_below(stood)
        )

    async def _is_ended_by(self, event: Event, ctx: InvocationContext) -> bool:
        for condition in self.until:
            if await condition.holds_after(event, ctx):
                event.actions.escalate = True  # so the log says what ended the loop, and a resumed run knows it
                break
        return ctx.escalates(event) if self.propagate_escalation else ctx.handle_escalation(event)


def _record_last_pass(ctx: InvocationContext, iteration: int, escalated_by: str | None) -> None:
    """Records why a loop begins no further pass now."""
    if ctx.paused:
        if escalated_by:
            ctx.record("loop_escalated", by=escalated_by, iteration=iteration)
    elif escalated_by:
        ctx.record("loop_finished", iterations=iteration, reason="escalated", by=escalated_by)
    else:
        ctx.record("loop_finished", iterations=iteration, reason="ended")


class ParallelAgent(BaseAgent):
    """Runs its sub-agents in parallel, each on a branch of its own; they share state, not conversation.

    A branch waits until its event is stored. The first exception cancels the other branches and is
    raised unchanged; an escalation by a direct sub-agent cancels them without raising. If a branch pauses, the others
    continue and then the whole pauses; an escalation in another branch cancels the wait.
    """

    _may_wait: ClassVar[bool] = False
    keeps_its_place: ClassVar[bool] = True

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        if not self.sub_agents:
            return
        names = {child.name for child in self.sub_agents}
        prefix = f"{ctx.branch}.{self.name}" if ctx.branch else self.name
        branches = [(child, ctx.model_copy(update={"branch": f"{prefix}.{child.name}"})) for child in self.sub_agents]
        if (stood := ctx.position) is not None:
            if stood.is_cut and stood.escalated_by in names:
                return
            branches = [(child, context) for child, context in branches if not _has_ended(child, context.branch, stood)]
        arrivals = Arrivals[None]()
        running = len(branches)
        for child, context in branches:
            arrivals.start(partial(_send_events, child, context, arrivals.send))
        try:
            while running:
                if (arrival := await arrivals.get()) is None:
                    running -= 1
                    continue
                event, taken = arrival
                is_end = event.actions.escalate and event.author in names and ctx.escalates(event)
                yield event
                if is_end:
                    return
                if not taken.done():  # cancelled with its run
                    taken.set_result(None)
        finally:
            await arrivals.close()
        if any(context.paused for _, context in branches):
            ctx.pause()


async def _send_events(agent: BaseAgent, context: InvocationContext, send: Callable[[Event], Awaitable[None]]) -> None:
    async with aclosing(agent.run_async(context)) as events:
        async for event in events:
            await send(event)


def _those_left(agent: BaseAgent, stood: Frame | None, *, escalated: bool = False) -> list[BaseAgent]:
    """The sub-agents from the one to be continued on; all of them in a run that is not resumed.

    With `escalated` only the one to be continued: it ends the pass.

    Raises:
        AnswerError: The tree is not the one that paused.
    """
    children = agent.sub_agents
    if stood is None:
        return children
    begun = stood.children  # each one that was started has a frame
    if len(begun) > len(children) or any(child.name != frame.agent for child, frame in zip(children, begun, strict=False)):
        raise _other_tree(agent, stood)
    ended = len(begun) - bool(stood.waiting)
    return children[ended : len(begun)] if escalated else children[ended:]


def _has_ended(child: BaseAgent, branch: str | None, stood: Frame) -> bool:
    return any((frame.agent, frame.branch) == (child.name, branch) and not frame.is_paused for frame in stood.children)


def _all_below(frame: Frame) -> Iterator[Frame]:
    for child in frame.children:
        yield child
        yield from _all_below(child)


def _ends_here(agent: BaseAgent | None) -> bool:
    """Whether an escalation that ends this agent, a loop, ends none around it."""
    return isinstance(agent, LoopAgent) and not agent.propagate_escalation


def _other_tree(agent: BaseAgent, stood: Frame) -> AnswerError:
    was = stood.children[-1].agent if stood.children else "none of them"
    return AnswerError(
        f"The run cannot go on: when it paused, agent {agent.name!r} was at its sub-agent {was!r}, and now its sub-agents "
        f"are {known(child.name for child in agent.sub_agents)}. The pipeline was changed since: begin a new run."
    )
