"""The contract of a graph's nodes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, ClassVar

from agents.agent import BaseAgent
from agents.event import Event
from agents.runtime.context import InvocationContext
from agents.workflow.context import Context, NodeInterruptedError
from agents.workflow.request_input import RequestInput
from agents.workflow.values import fitted


class BaseNode(BaseAgent):
    """A node of a graph. Subclass it and override `_run_impl`.

    A node gives at most one output a run, which is the input of the nodes after it; and at most one route, which selects
    the edges to follow.

    Attributes:
        input_schema: The type that the input must fit; None for any.
        output_schema: The same of the output.
    """

    _is_node: ClassVar[bool] = True
    _may_wait: ClassVar[bool] = False
    waits_for_all: ClassVar[bool] = False
    """Whether it is run once all nodes before it have ended, rather than after each."""

    input_schema: Any = None
    output_schema: Any = None

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        """What the node does; override this.

        Args:
            ctx: State, routes, and other nodes to run.
            node_input: What the node before it gave; of the first nodes, the user's message.

        Yields:
            Events, questions to the user, or values, of which each is an output. None is skipped.
        """
        raise NotImplementedError(f"{type(self).__name__} must define _run_impl(self, *, ctx, node_input).")
        yield  # makes this an async generator, as overrides are

    @property
    def runs_others(self) -> bool:
        """Whether its code may run other nodes."""
        return True

    @property
    def gives_one_item(self) -> bool:
        """Whether its code ends with its first event, output or question."""
        return False

    def check_input(self, data: Any) -> Any:
        """The input, as the schema has it.

        Raises:
            ValidationError: It does not fit.
        """
        return fitted(self.input_schema, data)

    def check_output(self, data: Any) -> Any:
        """The output, as the schema has it.

        Raises:
            ValidationError: It does not fit.
        """
        return fitted(self.output_schema, data)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        context = Context(ctx)
        if self.runs_others:
            ctx.flush_soon()
        try:
            async with aclosing(self._run_impl(ctx=context, node_input=context.run.input)) as items:
                async for item in items:
                    if item is not None and (event := context.note(self._event_of(item))) is not None:
                        yield event
        except NodeInterruptedError:
            pass
        except BaseException:  # a time limit cancels it
            context.collect_edits()
            context.run.unsaved = dict(context.actions.state_delta)
            raise
        if (rest := context.rest()) is not None:
            yield rest
        if context.run.waits:
            ctx.pause()

    def _event_of(self, item: Any) -> Event:
        if isinstance(item, Event):
            if item.output is not None:
                item.output = self.check_output(item.output)
            return item
        if isinstance(item, RequestInput):
            return item.event()
        return Event(output=self.check_output(item))


START = BaseNode(name="__START__")
"""Where a graph begins. It is never run."""
