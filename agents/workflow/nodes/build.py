"""Nodes of what stands for them: functions, tools, agents and nodes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any, Literal, cast

from agents.agent import BaseAgent
from agents.errors import WorkflowConfigurationError
from agents.llm.settings import LlmAgentSettings
from agents.runtime.nodes.retry_config import RetryConfig
from agents.tool import BaseTool
from agents.workflow.context import Context
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.nodes.function_node import FunctionNode
from agents.workflow.nodes.parallel_worker import ParallelWorker, run_for_each
from agents.workflow.nodes.task_node import FinishTaskTool, TaskNode
from agents.workflow.nodes.tool_node import ToolNode


def build_node(
    node_like: Any,
    *,
    name: str | None = None,
    rerun_on_resume: bool | None = None,
    retry_config: RetryConfig | None = None,
    timeout: float | None = None,
    require_confirmation: bool | Callable[..., Any] | None = None,
    parameter_binding: Literal["state", "node_input"] = "state",
) -> BaseAgent:
    """The node of a node, an agent, a tool or a function, with some fields replaced where they are given.

    An agent with a model is copied. Without a `mode` it answers its input in a single turn, and is sent nothing else unless
    its `include_contents` is set.

    Raises:
        WorkflowConfigurationError: It cannot be a node.
    """
    given = {"name": name, "rerun_on_resume": rerun_on_resume, "retry_config": retry_config, "timeout": timeout}
    changes: dict[str, Any] = {field: value for field, value in given.items() if value is not None}
    if isinstance(node_like, FunctionNode) or not isinstance(node_like, BaseAgent | BaseTool):
        if require_confirmation is not None:
            changes["require_confirmation"] = require_confirmation
            if require_confirmation and rerun_on_resume is None:
                changes["rerun_on_resume"] = True
    elif require_confirmation:
        raise WorkflowConfigurationError(f"require_confirmation is for functions, not for a {type(node_like).__name__}.")
    if isinstance(node_like, LlmAgentSettings):
        return _agent_node(node_like, changes)
    if isinstance(node_like, BaseAgent):
        return node_like.clone({"name": node_like.name, **changes}) if changes else node_like
    if isinstance(node_like, BaseTool):
        fields: dict[str, Any] = {"name": node_like.name, "rerun_on_resume": True, **changes}
        return ToolNode(tool=node_like, **fields)
    if callable(node_like):
        return FunctionNode(func=node_like, parameter_binding=parameter_binding, **changes)
    raise WorkflowConfigurationError(
        f"Invalid node type: {type(node_like)}. A node is a node, an agent, a tool or a function."
    )


def _agent_node(agent: LlmAgentSettings, changes: dict[str, Any]) -> BaseAgent:
    if any(isinstance(tool, FinishTaskTool) for tool in agent.tools):
        return agent  # that of a TaskNode
    if agent.mode == "task":
        task = TaskNode.of(agent, changes)
        return ParallelWorker.of(task) if agent.parallel_worker else task
    mode = agent.mode or "single_turn"
    made: dict[str, Any] = {
        "rerun_on_resume": True,
        "mode": mode,
        "wait_for_output": mode == "chat",
        "parallel_worker": False,
    }
    if mode == "single_turn" and "include_contents" not in agent.model_fields_set:
        made["include_contents"] = "none"
    node = agent.clone({"name": agent.name, **made, **changes})
    return ParallelWorker.of(node) if agent.parallel_worker else node


def node(
    node_like: Any = None,
    *,
    name: str | None = None,
    rerun_on_resume: bool | None = None,
    retry_config: RetryConfig | None = None,
    timeout: float | None = None,
    parallel_worker: bool = False,
    max_parallel_workers: int | None = None,
    require_confirmation: bool | Callable[..., Any] | None = None,
    parameter_binding: Literal["state", "node_input"] = "state",
) -> Any:
    """Makes a node of a function, a tool or an agent; also as a decorator, `@node` or `@node(…)`.

    Args:
        node_like: What becomes a node.
        name: Its name; by default that of what becomes one.
        rerun_on_resume: See `BaseAgent`.
        retry_config: See `BaseAgent`.
        timeout: See `BaseAgent`.
        parallel_worker: Whether it is run once for each item of a list, in parallel.
        max_parallel_workers: Most runs at a time; None for no limit.
        require_confirmation: See `FunctionNode`.
        parameter_binding: See `FunctionNode`.

    Raises:
        WorkflowConfigurationError: It cannot be a node, or `max_parallel_workers` does not fit.
    """
    _check_workers(max_parallel_workers, parallel_worker=parallel_worker)

    def build(item: Any) -> BaseAgent:
        built = build_node(
            item,
            name=name,
            rerun_on_resume=rerun_on_resume,
            retry_config=retry_config,
            timeout=timeout,
            require_confirmation=require_confirmation,
            parameter_binding=parameter_binding,
        )
        return ParallelWorker.of(built, max_parallel_workers) if parallel_worker else built

    return build if node_like is None else build(node_like)


class Node(BaseNode):
    """A node for subclasses, which override `run_node_impl`.

    Attributes:
        parallel_worker: Whether it is run once for each item of a list, in parallel.
        max_parallel_workers: Most runs at a time; None for no limit.
    """

    parallel_worker: bool = False
    max_parallel_workers: int | None = None

    def model_post_init(self, context: Any, /) -> None:
        """Checks the limit."""
        super().model_post_init(context)
        _check_workers(self.max_parallel_workers, parallel_worker=self.parallel_worker)
        if self.parallel_worker:
            self.rerun_on_resume = True

    async def run_node_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        """What the node does; as `BaseNode._run_impl`."""
        raise NotImplementedError(f"{type(self).__name__} must define run_node_impl(self, *, ctx, node_input).")
        yield  # makes this an async generator, as overrides are

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        if self.parallel_worker:
            worker = cast("Node", self.clone({"name": self.name, "parallel_worker": False, "max_parallel_workers": None}))
            yield await run_for_each(ctx, worker, node_input, self.max_parallel_workers)
            return
        async for item in self.run_node_impl(ctx=ctx, node_input=node_input):
            yield item


def _check_workers(most: int | None, *, parallel_worker: bool) -> None:
    if most is not None and not parallel_worker:
        raise WorkflowConfigurationError("max_parallel_workers can only be set when parallel_worker is True.")
    if most is not None and most < 1:
        raise WorkflowConfigurationError("max_parallel_workers must be greater than or equal to 1.")
