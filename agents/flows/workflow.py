"""Workflow agents: they run other agents in order, in a loop, or in parallel."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from typing import Any, ClassVar

from pydantic import Field, field_validator

from agents.agent import BaseAgent
from agents.errors import AnswerError, known
from agents.event import Event
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
        branches = [(child, ctx.in_branch(f"{prefix}.{child.name}")) for child in self.sub_agents]
        if (stood := ctx.position) is not None:
            if stood.is_cut and stood.escalated_by in names:
                return
            branches = [(child, context) for child, context in branches if not _has_ended(child, context.branch, stood)]
        arrivals = _Arrivals([child.run_async(context) for child, context in branches])
        try:
            while (arrival := await arrivals.get()) is not None:
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


class _Arrivals:
    """The events of parallel runs, in order of arrival, with one consumer. Close it in any case.

    Args:
        runs: Started now, each in a task of its own.
    """

    def __init__(self, runs: Sequence[AsyncGenerator[Event, None]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._come: deque[tuple[Event, asyncio.Future[None]] | BaseException | None] = deque()
        self._awaited: asyncio.Future[None] | None = None
        self._tasks = [self._loop.create_task(self._follow(run)) for run in runs]
        self._running = len(self._tasks)

    async def get(self) -> tuple[Event, asyncio.Future[None]] | None:
        """The next event, and what to set once it is taken: its run continues then. None after the last.

        Raises:
            BaseException: The error of a run.
        """
        while self._running:
            while not self._come:
                self._awaited = self._loop.create_future()
                await self._awaited
            arrival = self._come.popleft()
            if isinstance(arrival, BaseException):
                raise arrival
            if arrival is not None:
                return arrival
            self._running -= 1
        return None

    async def close(self) -> None:
        """Cancels the runs that have not ended."""
        if unfinished := [task for task in self._tasks if not task.done()]:
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)

    async def _follow(self, run: AsyncGenerator[Event, None]) -> None:
        try:
            try:
                async for event in run:
                    taken: asyncio.Future[None] = self._loop.create_future()
                    self._put((event, taken))
                    await taken
            finally:
                await run.aclose()
        except BaseException as error:
            self._put(error)  # raised where the events are taken
            if not isinstance(error, Exception):
                raise
        else:
            self._put(None)

    def _put(self, arrival: tuple[Event, asyncio.Future[None]] | BaseException | None) -> None:
        """Adds an event with what to set when it is taken, an error, or None for the end of a run."""
        self._come.append(arrival)
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)
