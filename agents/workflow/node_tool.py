"""Graphs as tools, and sub-agents that their parent's model calls."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from pydantic import BaseModel

from agents.agent import BaseAgent
from agents.errors import WorkflowConfigurationError
from agents.event import Event
from agents.history.branches import GRAPH_MARK
from agents.llm.settings import is_called
from agents.runtime.context import InvocationContext
from agents.runtime.nodes.node_run import NodeRun
from agents.runtime.position import Frame
from agents.tools.agent_tool import AgentTool
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.nodes.build import build_node
from agents.workflow.workflow import Workflow


class NodeTool(AgentTool):
    """A graph that a model calls as a tool, or a sub-agent with `mode="task"` or `mode="single_turn"`.

    Its output is the result. Unlike an `AgentTool` it can wait for the user, and the call then waits, too.

    Args:
        node: The graph, or the agent.
        caller: The agent whose tool it is; where the node names no model, that one's is asked.
    """

    answers_in_words: ClassVar[bool] = False
    _may_wait: ClassVar[bool] = True
    _mark: ClassVar[str] = GRAPH_MARK

    def __init__(self, node: BaseAgent, caller: BaseAgent) -> None:
        if isinstance(node, Workflow):
            graph = node.clone({"name": node.name})
        elif isinstance(node, BaseNode):
            raise WorkflowConfigurationError(
                f'{node.name!r} is no tool. Put it into a graph: Workflow(edges=[("START", …)]).'
            )
        elif not is_called(node):
            raise WorkflowConfigurationError(
                f"Agent {node.name!r} is no tool. Write AgentTool({node.name}), or give it as a sub-agent."
            )
        else:
            schema: Any = getattr(node, "input_schema", None)
            graph = Workflow(
                name=node.name,
                description=node.description,
                edges=[("START", build_node(node))],
                input_schema=schema,
            )
        graph.parent_agent = caller
        self._is_task = getattr(node, "mode", None) == "task"  # ADK names the value in its response otherwise then
        super().__init__(graph)

    async def _give(self, given: Any, context: InvocationContext, stood: Frame | None) -> None:
        branch = context.branch or ""
        data = given.request if self._takes_text else given.model_dump() if isinstance(given, BaseModel) else given
        path = f"{self.name}@{branch.rpartition(GRAPH_MARK)[2]}"
        context.node_run = NodeRun(self.agent, path, data, branch, stood, schema=self.agent.state_schema)

    def _result(self, answer: Event | None, context: InvocationContext) -> Any:
        run = context.node_run
        output: Any = None if run is None else run.output
        if not self._is_task or output is None or isinstance(output, dict):
            return cast("Any", output)
        return {"output": output}
