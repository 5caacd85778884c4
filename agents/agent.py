"""The agent contract: a node in a tree that, run in a context, yields events.

`BaseAgent` names the node, keeps the tree right and wraps every run with callbacks and trace records. What an agent
does between is its `_run_async_impl`. Knows no model, no tool and no storage.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Self, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, field_validator

from agents.context import CallbackContext, InvocationContext
from agents.event import Event, EventActions

AgentCallback = Callable[..., Awaitable[types.Content | None] | types.Content | None]


class BaseAgent(BaseModel):
    """A node of an agent tree. Subclass it and override `_run_async_impl` for an agent of your own.

    Attributes:
        name: An identifier, unique in its tree, not "user".
        description: What the agent is for; other agents' models read it.
        parent_agent: Set by the parent that lists this agent in its `sub_agents`.
        sub_agents: Children. An agent has at most one parent.
        before_agent_callback: Called as `callback(callback_context=…)` before the agent; content that it returns is the
            answer and the agent is skipped. One or a list, sync or async.
        after_agent_callback: The same, after; content that it returns is added as one more event.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    name: str
    description: str = ""
    parent_agent: BaseAgent | None = Field(default=None, exclude=True, repr=False)
    sub_agents: list[BaseAgent] = Field(default_factory=list["BaseAgent"])
    before_agent_callback: AgentCallback | list[AgentCallback] | None = None
    after_agent_callback: AgentCallback | list[AgentCallback] | None = None

    @field_validator("name")
    @classmethod
    def _name_is_usable(cls, value: str) -> str:
        if not value.isidentifier():
            raise ValueError(
                f"{value!r} cannot name an agent: use letters, digits and underscores, not starting with a digit."
            )
        if value == "user":
            raise ValueError("An agent cannot be named 'user': that is the author of the person's messages.")
        return value

    def model_post_init(self, context: Any, /) -> None:
        """Takes the sub-agents as children and warns about names that stand for two agents."""
        for child in self.sub_agents:
            child._set_parent(self)
        names = [agent.name for agent in self._walk()]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            warnings.warn(
                f"Agents below {self.name!r} share the names {', '.join(twice)}: find_agent finds the first one only. "
                "Rename one, e.g. with clone(update={'name': …}).",
                UserWarning,
                stacklevel=3,
            )

    def __eq__(self, other: object) -> bool:
        """An agent is a place in a tree, not a value; comparing by fields would walk it in circles."""
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def _set_parent(self, parent: BaseAgent) -> None:
        if self.parent_agent is not None:
            raise ValueError(
                f"Agent {self.name!r} already has the parent {self.parent_agent.name!r} and cannot also be a child of "
                f"{parent.name!r}. Give the second parent a copy: {self.name}.clone(update={{'name': …}})."
            )
        self.parent_agent = parent

    def _walk(self) -> list[BaseAgent]:
        found: list[BaseAgent] = [self]
        for child in self.sub_agents:
            found.extend(child._walk())
        return found

    @property
    def root_agent(self) -> BaseAgent:
        """The top of the tree that this agent is in."""
        agent: BaseAgent = self
        while agent.parent_agent is not None:
            agent = agent.parent_agent
        return agent

    def find_agent(self, name: str) -> BaseAgent | None:
        """The first agent of that name, this one or below, depth first."""
        return self if self.name == name else self.find_sub_agent(name)

    def find_sub_agent(self, name: str) -> BaseAgent | None:
        """The first agent of that name below this one, depth first."""
        return next((found for child in self.sub_agents if (found := child.find_agent(name))), None)

    def clone(self, update: Mapping[str, Any] | None = None) -> Self:
        """A copy of this agent and all below it, with no parent.

        Args:
            update: Fields to replace. Without a name the copy is called `<name>_clone`.

        Raises:
            ValueError: A field does not exist, or is `parent_agent`.
        """
        changes = dict(update or {})
        if unknown := [key for key in changes if key not in type(self).model_fields or key == "parent_agent"]:
            fields = ", ".join(name for name in type(self).model_fields if name != "parent_agent")
            raise ValueError(f"clone cannot set {', '.join(unknown)} on {type(self).__name__}; it can set {fields}.")
        changes["name"] = type(self)._name_is_usable(changes.get("name", f"{self.name}_clone"))
        copies = {id(child): child.clone(update={"name": child.name}) for child in self.sub_agents}
        values = {name: _with_copies(getattr(self, name), copies) for name in type(self).model_fields}
        copy = self.model_copy(update={**values, **changes, "parent_agent": None})
        for child in copy.sub_agents:
            child._set_parent(copy)
        return copy

    async def run_async(self, parent_context: InvocationContext) -> AsyncGenerator[Event, None]:
        """Runs this agent, callbacks included.

        Args:
            parent_context: The context of whoever runs it.

        Yields:
            The agent's events, not stored yet: the runner stores each before it takes the next.
        """
        context = parent_context.for_agent(self)
        context.record("agent_started", type=type(self).__name__)
        await context.flush()
        outcome = "cancelled"
        try:
            answer = await self._call_back(self.before_agent_callback, context)
            if answer is not None:
                yield answer
            if (answer is None or answer.content is None) and not context.end_invocation:
                async with aclosing(self._run_async_impl(context)) as events:
                    async for event in events:
                        yield event
                if not context.end_invocation:
                    answer = await self._call_back(self.after_agent_callback, context)
                    if answer is not None:
                        yield answer
            outcome = "ok"
        except Exception:
            outcome = "error"
            raise
        finally:
            context.record("agent_finished", outcome=outcome)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        """What the agent does; override this.

        Args:
            ctx: The invocation; `ctx.session.state` is live.

        Yields:
            Events with `author=self.name`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define _run_async_impl(self, ctx).")
        yield Event()  # makes this an async generator, as overrides are

    async def _call_back(
        self, callbacks: AgentCallback | list[AgentCallback] | None, context: InvocationContext
    ) -> Event | None:
        if not callbacks:
            return None
        actions = EventActions()
        view = CallbackContext(context, actions)
        content = await first_answer(callbacks, callback_context=view)
        if content is None and not view.state.has_delta():
            return None
        view.state.collect_edits()
        return Event(
            invocation_id=context.invocation_id, author=self.name, branch=context.branch, content=content, actions=actions
        )


def _with_copies(value: Any, copies: Mapping[int, BaseAgent]) -> Any:
    """`value` with agents replaced by their copies, in lists and dictionaries too, which are themselves copied."""
    if isinstance(value, list):
        return [_with_copies(item, copies) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _with_copies(item, copies) for key, item in cast("dict[Any, Any]", value).items()}
    return copies.get(id(value), value)


async def first_answer(callbacks: Callable[..., Any] | Sequence[Callable[..., Any]] | None, **arguments: Any) -> Any:
    """Calls callbacks in order, sync or async, until one answers something other than None."""
    if not callbacks:
        return None
    for callback in cast("Sequence[Callable[..., Any]]", callbacks if isinstance(callbacks, Sequence) else [callbacks]):
        answer = callback(**arguments)
        if inspect.isawaitable(answer):
            answer = await answer
        if answer is not None:
            return answer
    return None
