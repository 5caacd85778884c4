"""Routing between agents (`RoutedAgent`) or models (`RoutedLlm`): a router chooses one for each run or call.

If the chosen one fails before its first output, the router chooses again.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, ClassVar, Self, cast

from google.genai import types
from pydantic import field_validator

from agents.agent import BaseAgent, nothing_left
from agents.errors import ModelNotFoundError, RoutingError, known
from agents.event import Event
from agents.flows.failover import Choice, DecisionLog, Router, by_key, with_failover
from agents.llm.contents import without_own_id
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.call import generate
from agents.runtime.invocation import InvocationContext


class RoutedAgent(BaseAgent):
    """Runs the agent that a router chooses.

    If an agent raises before its first event, a partial one included, the router is asked again. After an event, its
    error is raised here. An event with an `error_code` is an answer, not a failure.

    Attributes:
        agents: The candidates: agents by key, or a sequence of agents, whose names are the keys. They are
            this agent's `sub_agents`. To change them, assign new ones.
        router: `router(agents, context, error_context=None)` returns a key or a `RouteDecision`, sync or async; `context`
            is the `InvocationContext`. When asked again, it gets a `RoutingErrorContext`: a new key is tried; for no key,
            or one that was tried, the error is raised. A resumed run keeps its agent without asking.
    """

    _may_wait: ClassVar[bool] = False  # its start is stored when its router waits
    keeps_its_place: ClassVar[bool] = True

    agents: Mapping[str, BaseAgent] | Sequence[BaseAgent]
    router: Router

    @field_validator("agents", mode="before")
    @classmethod
    def _are_held(cls, value: Any) -> Any:
        return _held(value)

    def model_post_init(self, context: Any, /) -> None:
        """Makes the candidates this agent's children."""
        if self.sub_agents:
            raise ValueError(f"RoutedAgent {self.name!r} has the agents to choose from as sub_agents: give agents=… only.")
        vars(self)["sub_agents"] = self._children(self.agents)
        super().model_post_init(context)

    def __setattr__(self, name: str, value: Any) -> None:
        """Keeps `sub_agents` equal to the candidates."""
        if name == "sub_agents":
            raise ValueError(f"The sub_agents of RoutedAgent {self.name!r} are what it chooses from: assign agents.")
        if name == "agents":
            value = _held(value)
            super().__setattr__("sub_agents", self._children(value))
        super().__setattr__(name, value)

    def _children(self, agents: Mapping[str, BaseAgent] | Sequence[BaseAgent]) -> list[BaseAgent]:
        routes = by_key(agents, _agent_name)
        keys: dict[BaseAgent, str] = {}
        for key, agent in routes.items():
            if (other := keys.setdefault(agent, key)) != key:
                raise ValueError(
                    f"RoutedAgent {self.name!r} has the agent {agent.name!r} under two keys, {other!r} and {key!r}. "
                    f"Put a copy under one of them: {agent.name}.clone(update={{'name': …}})."
                )
        return list(routes.values())

    @property
    def routes(self) -> dict[str, BaseAgent]:
        """The candidates by key."""
        return by_key(self.agents, _agent_name)

    def clone(self, update: Mapping[str, Any] | None = None) -> Self:
        """A copy of this agent with copies of its candidates, under the same keys; see `BaseAgent`.

        Raises:
            ValueError: A field does not exist, or is `parent_agent` or `sub_agents`.
        """
        changes = dict(update or {})
        if "sub_agents" in changes:
            raise ValueError(f"clone cannot set sub_agents on RoutedAgent {self.name!r}: it can set agents.")
        if "agents" in changes:
            changes["agents"] = _held(changes["agents"])
            changes["sub_agents"] = self._children(changes["agents"])
        return super().clone(changes)

    def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        if (stood := ctx.position) is not None and stood.route is not None:
            return self._chosen_before(stood.route).run_async(ctx) if stood.waiting else nothing_left()
        ctx.flush_soon()
        note = cast("DecisionLog", partial(ctx.record, "route_decided", router=self.name, level="agent"))
        choice = Choice(f"agent {self.name!r}", self.routes, self.router, ctx, note)
        return with_failover(choice, lambda agent: agent.run_async(ctx))

    def _chosen_before(self, key: str) -> BaseAgent:
        if (agent := self.routes.get(key)) is None:
            raise RoutingError(
                f"Agent {self.name!r} is to go on with what its router chose before the run paused, {key!r}, and there is "
                f"no such key any more, only {known(self.routes)}. Put it back, or begin a new run."
            )
        return agent


class RoutedLlm(BaseLlm):
    """A model that passes each request to one of its models, chosen by a router.

    If a model raises before its first response, the router is asked again; each model gets its own copy of the request.
    The response's `model_version` says which model answered. For `RunConfig.model_timeout` all of this is one call: give
    a model a shorter timeout of its own to leave time for another.

    Attributes:
        models: The candidates: models by key, or a sequence of models, whose names are the keys.
        router: `router(models, llm_request, error_context=None)`, as for `RoutedAgent`.
        model: Its name; made of the keys by default.
    """

    models: Mapping[str, BaseLlm] | Sequence[BaseLlm]
    router: Router
    model: str = ""

    @field_validator("models", mode="before")
    @classmethod
    def _are_held(cls, value: Any) -> Any:
        return _held(value)

    def model_post_init(self, context: Any, /) -> None:
        """Sets the default name."""
        routes = self.routes  # two models of one name are refused here
        if not self.model:
            self.model = f"routed({','.join(routes)})"  # without white space: a fault may name it

    @property
    def routes(self) -> dict[str, BaseLlm]:
        """The candidates by key."""
        return by_key(self.models, _model_name)

    @property
    def simulated(self) -> bool:
        """Whether all its models are simulated."""
        return all(model.simulated for model in self.routes.values())

    @property
    def pairs_calls_by_id(self) -> bool:
        """Whether one of its models needs ids; the others are sent no generated ids."""
        return any(model.pairs_calls_by_id for model in self.routes.values())

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """None: the chosen model reports what it lacks."""
        return []

    def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        """Passes a copy of the request, which the router is given, to a model; see `BaseLlm`.

        Raises:
            RoutingError: The router's first answer was empty, or an answer is not a key.
            Exception: The model's error, if the router named no other model; or the router's own error.
        """
        note = partial(_note_decision, llm_request, router=self.model)
        choice = Choice(f"model {self.model!r}", self.routes, self.router, llm_request, note)
        return with_failover(choice, lambda model: _answer_of(model, llm_request, stream=stream))


class ChosenModel(BaseLlm):
    """Stands for the run's model, as a candidate of a `RoutedLlm`.

    Attributes:
        model: Its name.
        default: Used if the run has no model or a simulated one; None always uses the run's.
    """

    model: str = "chosen"
    default: BaseLlm | None = None

    @property
    def pairs_calls_by_id(self) -> bool:
        """True: which model answers is not known before the run; generated ids are removed then if need be."""
        return True

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """None: the run's model reports what it lacks."""
        return []

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Passes a copy of the request to the run's model, which its `observer` has; see `BaseLlm`.

        Raises:
            ModelNotFoundError: The run has no model, and there is no default.
        """
        run_model = llm_request.observer.run_model if llm_request.observer is not None else None
        real = run_model is not None and not run_model.simulated
        if (chosen := run_model if real or self.default is None else self.default) is None:
            raise ModelNotFoundError(
                f"The model {self.model!r} stands for the run's, and the run has none. Choose one: RunConfig(model=…)."
            )
        async with aclosing(_answer_of(chosen, llm_request, stream=stream)) as responses:
            async for response in responses:
                yield response


async def _answer_of(model: BaseLlm, request: LlmRequest, *, stream: bool) -> AsyncGenerator[LlmResponse, None]:
    async with aclosing(generate(model, _copy_for(model, request), stream=stream)) as responses:
        async for response in responses:
            if response.partial or response.model_version:
                yield response
            else:
                yield response.model_copy(update={"model_version": model.model})


def _note_decision(request: LlmRequest, **data: Any) -> None:
    if request.observer is not None:
        request.observer.note("route_decided", level="model", **data)


def _copy_for(model: BaseLlm, request: LlmRequest) -> LlmRequest:
    """A copy of the request for `model`, so that its changes do not reach the next model."""
    tools, labels = cast("Any", request.config).tools, request.config.labels
    config = request.config.model_copy(update={"tools": _copied(tools), "labels": labels and dict(labels)})
    contents = [_content_for(model, content) for content in request.contents]
    sent = {"model": model.model, "contents": contents, "config": config, "tools_dict": dict(request.tools_dict)}
    return request.model_copy(update=sent)


def _copied(tools: list[Any] | None) -> list[Any] | None:
    return tools and [tool.model_copy() if isinstance(tool, types.Tool) else tool for tool in tools]


def _content_for(model: BaseLlm, content: types.Content) -> types.Content:
    parts = content.parts
    if parts is None:
        return content.model_copy()
    kept = list(parts) if model.pairs_calls_by_id else [without_own_id(part) for part in parts]
    return content.model_copy(update={"parts": kept})


def _held(items: Any) -> Any:
    """A copy of a mapping or a sequence."""
    if isinstance(items, Mapping):
        return dict(cast("Mapping[Any, Any]", items))
    return list(cast("Sequence[Any]", items)) if isinstance(items, Sequence) else items


def _agent_name(agent: BaseAgent) -> str:
    return agent.name


def _model_name(model: BaseLlm) -> str:
    return model.model
