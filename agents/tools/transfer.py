"""The tool with which a model transfers the conversation to another agent."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Protocol

from google.genai import types

from agents.errors import ToolError, known
from agents.runtime.context import ToolContext
from agents.tool import BaseTool

TRANSFER = "transfer_to_agent"
"""The tool's name."""


class TransferTarget(Protocol):
    """The part of an agent that a transfer needs."""

    name: str
    description: str


def transfer_to_agent(agent_name: str, tool_context: ToolContext) -> None:
    """Hands the conversation over to another agent, which then answers in place of this one.

    Call this when another agent's description fits the request better.

    Args:
        agent_name: Name of the agent that takes over.
        tool_context: Given by the runtime.
    """
    tool_context.actions.transfer_to_agent = agent_name


class TransferToAgentTool(BaseTool):
    """`transfer_to_agent` for certain agents: the model may choose one of them, and is told so if it does not.

    Args:
        agent_names: The agents that may take over.
    """

    def __init__(self, agent_names: Sequence[str]) -> None:
        said, _, _ = inspect.cleandoc(transfer_to_agent.__doc__ or "").partition("\n\nArgs:")
        super().__init__(name=TRANSFER, description=said)
        self.agent_names = tuple(agent_names)

    def _get_declaration(self) -> types.FunctionDeclaration:
        name = {"type": "string", "enum": list(self.agent_names), "description": "Name of the agent that takes over."}
        schema = {"type": "object", "properties": {"agent_name": name}, "required": ["agent_name"]}
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> None:
        """Transfers; see `BaseTool.run_async`.

        Raises:
            ToolError: There is no agent of that name to transfer to.
        """
        name = args.get("agent_name")
        if name not in self.agent_names:
            raise ToolError(
                f"There is no agent {name!r} to hand over to. The agents are: {known(self.agent_names)}. "
                f"Call {TRANSFER} with one of them as agent_name, or answer yourself."
            )
        transfer_to_agent(name, tool_context)


def transfer_instruction(targets: Sequence[TransferTarget]) -> str:
    """The instruction about the agents that a model may transfer to."""
    listed = "\n".join(f"- {target.name}: {target.description or 'no description'}" for target in targets)
    return (
        f"Other agents can take over this conversation:\n{listed}\n"
        f"If one of them fits the request better than you do, call `{TRANSFER}` with its name and say nothing else. "
        "Otherwise answer yourself."
    )
