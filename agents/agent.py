"""The agent contract: a node in a tree that, run in a context, yields events.

`BaseAgent` names the node, keeps the tree valid and wraps every run with callbacks and trace records. What an agent
does in between is its `_run_async_impl`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, field_validator

from agents.event import Event, EventActions
from agents.runtime.confirmation import PersonAsked
from agents.runtime.context import CallbackContext, InvocationContext
from agents.runtime.nodes.node_run import NodeRun
from agents.runtime.nodes.retry_config import RetryConfig
from agents.runtime.run_plugins import first_answer

_LAST_CALLBACKS = ("answer", "after")
"""Callbacks after whose event an agent has nothing left to do."""

AgentCallback = Callable[..., Awaitable[types.Content | None] | types.Content | None]


class BaseAgent(BaseModel):
    """A node of an agent tree. Subclass it and override `_run_async_impl` for an agent of your own.

    Attributes:
        name: An identifier, unique in its tree, not "user".
        description: What the agent is for; other agents' models read it.
        parent_agent: Set by the parent that lists this agent in its `sub_agents`.
        sub_agents: Children; to change them, assign a new list. An agent has at most one parent.
        before_agent_callback: Called as `callback(callback_context=…)` before the agent; content that it returns is the
            answer and the agent is skipped. One or a list, sync or async.
        after_agent_callback: The same, after; content that it returns is added as one more event.
        rerun_on_resume: As a node of a graph: whether it is run again after a question that it asked was answered; if not,
            the answer is its output.
        wait_for_output: As a node: whether the next nodes wait until a run of it gives an output or a route.
        retry_config: As a node: how often it is run again if it fails.
        timeout: As a node: seconds that it may run.
        state_schema: As a node: the state keys that it and the nodes below it may set, with their types.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    _may_wait: ClassVar[bool] = True
    """Whether an agent may wait before its next record is stored: then its start is stored at once."""

    keeps_its_place: ClassVar[bool] = False
    """Whether an agent can continue in the middle when its log was cut; any other is run again from its start."""

    _hands_over: ClassVar[bool] = False
    """Whether an agent may transfer to others, and they to it as their parent."""

    _is_node: ClassVar[bool] = False
    """Whether it is a node of a graph only: run by itself, it is a graph of its own."""

    name: str
    description: str = ""
    parent_agent: BaseAgent | None = Field(default=None, exclude=True, repr=False)
    sub_agents: list[BaseAgent] = Field(default_factory=list["BaseAgent"])
    before_agent_callback: AgentCallback | list[AgentCallback] | None = None
    after_agent_callback: AgentCallback | list[AgentCallback] | None = None
    rerun_on_resume: bool = False
    wait_for_output: bool = False
    retry_config: RetryConfig | None = None
    timeout: float | None = None
    state_schema: type[BaseModel] | None = None

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
        """Makes the sub-agents this agent's children and warns about names that two agents share."""
        self._adopt(self.sub_agents)
        self._warn_of_shared_names()

    def __setattr__(self, name: str, value: Any) -> None:
        """Keeps the tree valid when `sub_agents` is assigned: new children get this parent, removed ones get none."""
        before = list(self.sub_agents) if name == "sub_agents" else []
        super().__setattr__(name, value)
        if name == "sub_agents":
            try:
                self._adopt(self.sub_agents)
            except ValueError:
                super().__setattr__(name, before)
                raise
            for child in before:
                if child not in self.sub_agents:
                    child.parent_agent = None
            self._warn_of_shared_names()

    def _adopt(self, children: Sequence[BaseAgent]) -> None:
        """Makes `children` this agent's children: all of them, or none if one is refused."""
        for index, child in enumerate(children):
            if child.parent_agent not in (None, self) or child in children[:index]:
                raise ValueError(
                    f"Agent {child.name!r} already has the parent {(child.parent_agent or self).name!r} and cannot also be "
                    f"a child of {self.name!r}. Give the second parent a copy: {child.name}.clone(update={{'name': …}})."
                )
        for child in children:
            child.parent_agent = self

    def _warn_of_shared_names(self) -> None:
        names = [agent.name for agent in self._walk()]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            warnings.warn(
                f"Agents below {self.name!r} share the names {', '.join(twice)}: find_agent finds the first one only. "
                "Rename one, e.g. with clone(update={'name': …}).",
                UserWarning,
                stacklevel=4,
            )

    def __eq__(self, other: object) -> bool:
        """An agent is a place in a tree, not a value; comparing by fields would walk it in circles."""
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def _walk(self) -> list[BaseAgent]:
        found: list[BaseAgent] = [self]
        for child in self.sub_agents:
            found.extend(child._walk())
        return found

    @property
    def root_agent(self) -> BaseAgent:
        """The top of the tree that this agent is in."""
        agent: BaseAgent = self
        while (parent := agent.parent_agent) is not None:
            agent = parent
        return agent

    def find_agent(self, name: str) -> BaseAgent | None:
        """The first agent of that name, this one or below, depth first."""
        return self if self.name == name else self.find_sub_agent(name)

    def find_sub_agent(self, name: str) -> BaseAgent | None:
        """The first agent of that name below this one, depth first."""
        return next((found for child in self.sub_agents if (found := child.find_agent(name))), None)

    def clone(self, update: Mapping[str, Any] | None = None) -> Self:
        """A copy of this agent and all below it, with no parent.

        Fields that hold agents of this tree then hold their copies. Callbacks and tools that are methods of such agents
        become methods of the copies.

        Args:
            update: Fields to replace. Without a name the copy is called `<name>_clone`; those below keep their names.

        Raises:
            ValueError: A field does not exist, or is `parent_agent`.
        """
        changes = dict(update or {})
        if unknown := [key for key in changes if key not in type(self).model_fields or key == "parent_agent"]:
            fields = ", ".join(name for name in type(self).model_fields if name != "parent_agent")
            raise ValueError(f"clone cannot set {', '.join(unknown)} on {type(self).__name__}; it can set {fields}.")
        changes["name"] = type(self)._name_is_usable(changes.get("name", f"{self.name}_clone"))
        agents = self._walk()
        copies: dict[int, BaseAgent] = {id(agent): agent.model_copy(update={"parent_agent": None}) for agent in agents}
        for agent in copies.values():
            agent._hold(copies)
        copy = cast("Self", copies[id(self)])
        vars(copy).update(changes)
        for agent in copies.values():
            agent._adopt(agent.sub_agents)
        return copy

    def _hold(self, copies: Mapping[int, BaseAgent]) -> None:
        """Replaces agents by their copies in this agent's fields."""
        for values in (vars(self), self.__pydantic_private__ or {}):
            for name, value in values.items():
                values[name] = _with_copies(value, copies)

    async def run_async(self, parent_context: InvocationContext) -> AsyncGenerator[Event, None]:
        """Runs this agent, callbacks included, or resumes it where it paused.

        Args:
            parent_context: The caller's context; once it is paused, no other agent is started in it.

        Yields:
            The agent's events, not stored yet: the runner stores each before it takes the next.
        """
        if parent_context.paused:
            return
        context = parent_context.for_agent(self)
        before = self._begun(context)
        outcome: dict[str, Any] = {"outcome": "cancelled"}
        try:
            if self._may_wait or before:
                await context.flush()
            answer = await self._call_back(before, context) if before else None
            if answer is not None:
                context.record("agent_callback", callback="before" if answer.content is None else "answer")
                self._settle_callback_answer(answer)
                yield answer
            if (answer is None or answer.content is None) and not context.end_invocation:
                events = self._run_async_impl(context) if context.position is None else self._resumed(context)
                try:
                    async for event in events:
                        yield context.sign(event)
                finally:
                    await events.aclose()
                has_after = self.after_agent_callback or context.plugins is not None
                if has_after and (answer := await self._answer_after(context)) is not None:
                    context.record("agent_callback", callback="after")
                    yield answer
            outcome["outcome"] = "paused" if context.paused else "ok"
            parent_context.paused |= context.paused
        except PersonAsked as asked:
            outcome = {"outcome": "paused", "cut": True}  # what it was about to do is done again
            if asked.event is not None:
                yield context.sign(asked.event)
            context.wait_for_person()
            parent_context.pause()
        except Exception as error:
            outcome["outcome"] = "error"
            context.note_failure(error)
            raise
        finally:
            finished = outcome if (run := context.node_run) is None else {**outcome, "node": run.path, **run.ending}
            context.add_record("agent_finished", finished)

    def _begun(self, context: InvocationContext) -> AgentCallback | list[AgentCallback] | None:
        """Records that this agent starts or resumes, and returns the callbacks to call before it."""
        run = context.node_run
        if run is None and self._is_node:
            run = context.node_run = NodeRun.root(self, context.user_content, context.branch, context.position)
        node = {} if run is None else {"node": run.path}
        if context.position is None:
            context.add_record("agent_started", {"type": type(self).__name__, **node})
            if context.plugins is not None:
                return context.plugins.ahead_of("before_agent_callback", self.before_agent_callback, agent=self)
            return self.before_agent_callback
        context.record("agent_started", type=type(self).__name__, resumed=True, **node)
        return None

    async def _answer_after(self, context: InvocationContext) -> Event | None:
        """What the callbacks that are due after this agent add."""
        after = self.after_agent_callback
        if context.plugins is not None:
            after = context.plugins.ahead_of("after_agent_callback", after, agent=self)
        if not after or context.end_invocation or context.paused:
            return None
        if context.position is not None and context.position.callback in _LAST_CALLBACKS:
            return None
        return await self._call_back(after, context)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        """What the agent does; override this.

        A custom agent that runs others should end when one of them has paused (`ctx.paused`); nothing else starts in
        its context then. When the invocation resumes, this method runs again from its beginning with `ctx.position`
        set, and the paused agent continues where it was.

        Args:
            ctx: The invocation; `ctx.session.state` is live.

        Yields:
            Events with `author=self.name`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define _run_async_impl(self, ctx).")
        yield Event()  # makes this an async generator, as overrides are

    def _resumed(self, context: InvocationContext) -> AsyncGenerator[Event, None]:
        """The rest of a run that had paused, or whose log was cut."""
        if context.position is not None and context.position.callback in _LAST_CALLBACKS:
            return nothing_left()
        return self._run_async_impl(context)

    def _settle_callback_answer(self, event: Event) -> None:
        """Called when a callback answered in place of the agent, for agents that process their answer."""

    async def _call_back(self, callbacks: AgentCallback | list[AgentCallback], context: InvocationContext) -> Event | None:
        actions = EventActions()
        view = CallbackContext(context, actions)
        content = await first_answer(callbacks, callback_context=view)
        if content is None and not view.state.has_delta() and not actions.artifact_delta:
            return None
        view.state.collect_edits()
        return Event(
            invocation_id=context.invocation_id, author=self.name, branch=context.branch, content=content, actions=actions
        )


async def nothing_left() -> AsyncGenerator[Event, None]:
    """The rest of a run of which nothing is left."""
    return
    yield Event()  # makes this an async generator


def _with_copies(value: Any, copies: Mapping[int, BaseAgent]) -> Any:
    """`value` with agents and their methods replaced by those of their copies, inside collections too."""
    if isinstance(value, list):
        return [_with_copies(item, copies) for item in cast("list[Any]", value)]
    if type(value) is tuple:
        return tuple(_with_copies(item, copies) for item in cast("tuple[Any, ...]", value))
    if type(value) is dict:
        return {key: _with_copies(item, copies) for key, item in cast("dict[Any, Any]", value).items()}
    if inspect.ismethod(value) and id(value.__self__) in copies:
        return value.__func__.__get__(copies[id(value.__self__)])
    return copies.get(id(value), value)
