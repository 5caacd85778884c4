"""The tool that hands over, by itself."""

from __future__ import annotations

import pytest

from agents import InMemorySessionService, InvocationContext, LlmAgent, Session, ToolContext, transfer_to_agent
from agents.errors import ToolError
from agents.tools.transfer import TransferToAgentTool, transfer_instruction

pytestmark = pytest.mark.anyio


@pytest.fixture
def tool_context() -> ToolContext:
    session = Session(id="s", app_name="app", user_id="u")
    return ToolContext(
        InvocationContext(
            invocation_id="i", agent=LlmAgent(name="a"), session=session, session_service=InMemorySessionService()
        )
    )


def test_the_plain_function_sets_who_takes_over(tool_context):
    assert transfer_to_agent("b", tool_context) is None
    assert tool_context.actions.transfer_to_agent == "b"


async def test_the_tool_does_so_for_the_agents_it_knows(tool_context):
    assert await TransferToAgentTool(["b", "c"]).run_async(args={"agent_name": "c"}, tool_context=tool_context) is None
    assert tool_context.actions.transfer_to_agent == "c"


@pytest.mark.parametrize("args", [{"agent_name": "x"}, {}, {"agent_name": ["b"]}, {"agent_name": None}])
async def test_anything_else_is_refused_with_those_there_are(tool_context, args):
    with pytest.raises(ToolError, match=r"The agents are: b, c\. Call transfer_to_agent with one of them as agent_name"):
        await TransferToAgentTool(["b", "c"]).run_async(args=args, tool_context=tool_context)
    assert tool_context.actions.transfer_to_agent is None


def test_what_a_model_is_told_of_it():
    declaration = TransferToAgentTool(["b"])._get_declaration()
    assert declaration.name == "transfer_to_agent"
    assert declaration.description.startswith("Hands the conversation over to another agent")
    assert "Args" not in declaration.description


def test_agents_without_a_description_are_named_all_the_same():
    told = transfer_instruction([LlmAgent(name="b"), LlmAgent(name="c", description="Sees.")])
    assert "- b: no description\n- c: Sees.\n" in told
