"""Agents that work at a task as nodes: they talk with the user until they call `finish_task`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Self

from google.genai import types
from pydantic import BaseModel, PrivateAttr, TypeAdapter, ValidationError

from agents.event import Event
from agents.llm.settings import LlmAgentSettings
from agents.model import LlmRequest
from agents.runtime.context import ToolContext
from agents.runtime.nodes.node_run import TASK_QUESTION
from agents.runtime.output import explain_misfit
from agents.tool import BaseTool
from agents.workflow.context import Context
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.request_input import RequestInput

FINISH_TASK = "finish_task"
_OUTPUT = "output"
_FIELDS = ("name", "description", "input_schema", "output_schema", "output_key", "state_schema", "retry_config", "timeout")
_INSTRUCTION = (
    f"Call `{FINISH_TASK}`, and say nothing else then, once every part of the task is done. Do not call it before: use your "
    "tools first, and ask the user if something is unclear. What you say without a call is said to the user, who answers."
)


class _Done(BaseModel, extra="forbid"):
    """What `finish_task` takes where the agent has no output schema."""

    result: str


class FinishTaskTool(BaseTool):
    """Ends an agent's task; its arguments are what the agent gives.

    Args:
        output_schema: The type of the output; None for a dictionary with a text `result`.
    """

    def __init__(self, output_schema: Any) -> None:
        super().__init__(name=FINISH_TASK, description="Says that the task is done, and what came of it.")
        self._adapter: TypeAdapter[Any] = TypeAdapter(output_schema or _Done)
        self._schema = self._adapter.json_schema()
        self._wraps = self._schema.get("type") != "object"

    def _get_declaration(self) -> types.FunctionDeclaration:
        schema = self._schema
        if self._wraps:
            held = {key: value for key, value in schema.items() if key != "$defs"}
            schema = {"type": "object", "properties": {"result": held}, "required": ["result"]}
            schema |= {"$defs": self._schema["$defs"]} if "$defs" in self._schema else {}
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Offers the tool, and says when to call it; see `BaseTool`."""
        await super().process_llm_request(tool_context=tool_context, llm_request=llm_request)
        llm_request.append_instructions([_INSTRUCTION])

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any]:
        """Ends the turn if the arguments fit; else the model is told what does not. See `BaseTool`."""
        try:
            value = self._adapter.validate_python(args.get("result") if self._wraps else args)
        except ValidationError as error:
            return {"error": f"{FINISH_TASK}: {explain_misfit(error, None)} Call it again with all of them."}
        tool_context.actions.skip_summarization = True
        return {_OUTPUT: self._adapter.dump_python(value, mode="json")}


def task_output(event: Event) -> Any:
    """What an agent gives with an event; None unless its task is finished with it."""
    given = [each.response or {} for each in event.get_function_responses() if each.name == FINISH_TASK]
    return next((response[_OUTPUT] for response in given if _OUTPUT in response), None)


class TaskNode(BaseNode):
    """Runs an agent with `mode="task"` again and again, until its task is finished. Its output is what the agent gives.

    What the agent says before is a question to the user; the answer is the next message that it is sent.
    """

    output_key: str | None = None
    _agent: LlmAgentSettings = PrivateAttr()
    _given: LlmAgentSettings = PrivateAttr()

    @classmethod
    def of(cls, agent: LlmAgentSettings, changes: Mapping[str, Any]) -> Self:
        """The node of an agent.

        Args:
            agent: The agent.
            changes: Fields of the node that are not the agent's.
        """
        fields: dict[str, Any] = {name: getattr(agent, name) for name in _FIELDS}
        fields |= {"rerun_on_resume": True, **changes}
        made = cls(**fields)
        inner: dict[str, Any] = {
            "name": agent.name,
            "mode": "task",
            "rerun_on_resume": True,
            "output_schema": None,
            "output_key": None,
            "retry_config": None,
            "timeout": None,
            "include_contents": "default",
            "tools": [*agent.tools, FinishTaskTool(agent.output_schema)],
            "parallel_worker": False,
        }
        made._agent, made._given = agent.clone(inner), agent.clone({"name": agent.name, **changes})
        return made

    @property
    def task_agent(self) -> LlmAgentSettings:
        """The agent as it would be given, with its node's fields."""
        return self._given

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        given = ctx.get_invocation_context().user_content if node_input is None else node_input
        turn = 1
        while (output := await ctx.run_node(self._agent, given)) is None:
            question = f"{TASK_QUESTION}{ctx.node_path}:{turn}"
            if question not in ctx.resume_inputs:
                yield RequestInput(interrupt_id=question, message=_last_words(ctx), response_schema=str)
                return
            turn += 1
        if self.output_key:
            ctx.state[self.output_key] = output
        yield Event(output=output)


def _last_words(ctx: Context) -> str | None:
    below = f"{ctx.node_path}/"
    said = (event.text for event in reversed(ctx.session.events) if event.node_info.path.startswith(below) and event.text)
    return next(said, None)
