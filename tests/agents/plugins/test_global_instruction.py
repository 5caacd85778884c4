"""One instruction stands before that of every agent."""

from __future__ import annotations

import pytest

from agents import GlobalInstructionPlugin, InMemoryRunner, LlmAgent, RunConfig
from agents.llm.instruction import InstructionProvider
from agents.models.scripted import ScriptedLlm
from tests.agents.stage import user


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("instruction", "told"),
    [("Speak {tongue}.", "Speak Latin."), (lambda ctx: f"Of {ctx.agent_name} {{x}}.", "Of writer {x}.")],
)
async def test_it_is_filled_and_comes_first(instruction: str | InstructionProvider, told: str):
    model = ScriptedLlm(script=["Done."])
    agent = LlmAgent(name="writer", instruction="Write.")
    runner = InMemoryRunner(agent, "play", [GlobalInstructionPlugin(instruction)])
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s", state={"tongue": "Latin"})
    config = RunConfig(model=model)
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=user("go"), run_config=config):
        pass
    sent = model.requests[0].system_instruction
    assert sent.startswith(f"{told}\n\n")
    assert sent.endswith("Write.")
