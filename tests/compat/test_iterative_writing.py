"""A writer, then a loop of critic and refiner: the shape that ADK's documentation teaches for iterative refinement."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import InMemorySessionService, LlmAgent, LoopAgent, Runner, SequentialAgent, ToolContext
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import instruction_in

APP_NAME, USER_ID, SESSION_ID = "letters_app", "person", "session-1"

STATE_INITIAL_TOPIC = "initial_topic"
STATE_CURRENT_DOC = "current_document"
STATE_CRITICISM = "criticism"
COMPLETION_PHRASE = "No major issues found."


def exit_loop(tool_context: ToolContext):
    """Ends the refinement. Call it only when the critique holds nothing that is left to mend."""
    tool_context.actions.escalate = True
    return {}


def build(writer: ScriptedLlm, critic: ScriptedLlm, refiner: ScriptedLlm) -> SequentialAgent:
    initial_writer_agent = LlmAgent(
        name="InitialWriterAgent",
        model=writer,
        include_contents="none",
        instruction=f"Write two sentences about {{{STATE_INITIAL_TOPIC}}}. Give the sentences only.",
        description="Writes the first draft.",
        output_key=STATE_CURRENT_DOC,
    )
    critic_agent_in_loop = LlmAgent(
        name="CriticAgent",
        model=critic,
        include_contents="none",
        instruction=f"""Look at this text: {{{{current_document}}}}
        If it can be better, say in one sentence how. Else answer exactly "{COMPLETION_PHRASE}".""",
        description="Says what is wrong with the draft.",
        output_key=STATE_CRITICISM,
    )
    refiner_agent_in_loop = LlmAgent(
        name="RefinerAgent",
        model=refiner,
        include_contents="none",
        instruction=f"""Text: {{{{current_document}}}}
        Critique: {{{{criticism}}}}
        If the critique is exactly "{COMPLETION_PHRASE}", call exit_loop. Else write the text anew.""",
        description="Mends the draft, or ends the loop.",
        tools=[exit_loop],
        output_key=STATE_CURRENT_DOC,
    )
    refinement_loop = LoopAgent(
        name="RefinementLoop", sub_agents=[critic_agent_in_loop, refiner_agent_in_loop], max_iterations=5
    )
    return SequentialAgent(
        name="IterativeWritingPipeline",
        sub_agents=[initial_writer_agent, refinement_loop],
        description="Writes, then refines until nothing is left to mend.",
    )


async def run(root_agent: SequentialAgent) -> tuple[list[tuple[str, str]], dict[str, object]]:
    session_service = InMemorySessionService()
    await session_service.create_session(
        app_name=APP_NAME, user_id=USER_ID, session_id=SESSION_ID, state={STATE_INITIAL_TOPIC: "a harbour at night"}
    )
    runner = Runner(agent=root_agent, app_name=APP_NAME, session_service=session_service)
    content = types.Content(role="user", parts=[types.Part(text="begin")])
    finals = []
    async for event in runner.run_async(user_id=USER_ID, session_id=SESSION_ID, new_message=content):
        if event.is_final_response() and event.content and event.content.parts:
            finals.append((event.author, event.content.parts[0].text))  # noqa: PERF401  as one reads it there
    session = await session_service.get_session(app_name=APP_NAME, user_id=USER_ID, session_id=SESSION_ID)
    assert session is not None
    return finals, session.state


@pytest.mark.anyio
async def test_the_loop_ends_when_the_critic_is_satisfied():
    writer = ScriptedLlm(script=["Draft one."])
    critic = ScriptedLlm(script=["Name the lamp.", COMPLETION_PHRASE])
    refiner = ScriptedLlm(script=["Draft two.", [call("exit_loop")], []])
    finals, state = await run(build(writer, critic, refiner))
    assert finals == [
        ("InitialWriterAgent", "Draft one."),
        ("CriticAgent", "Name the lamp."),
        ("RefinerAgent", "Draft two."),
        ("CriticAgent", COMPLETION_PHRASE),
    ]
    assert state == {
        STATE_INITIAL_TOPIC: "a harbour at night",
        STATE_CURRENT_DOC: "Draft two.",
        STATE_CRITICISM: COMPLETION_PHRASE,
    }
    assert instruction_in(writer.requests[0]).startswith("Write two sentences about a harbour at night.")
    assert instruction_in(critic.requests[1]).startswith("Look at this text: Draft two.")
    assert "Critique: Name the lamp." in refiner.requests[0].system_instruction
    for model in (writer, critic, refiner):
        model.assert_used_up()


@pytest.mark.anyio
async def test_the_loop_ends_after_max_iterations():
    critic, refiner = ScriptedLlm(script=["Longer."] * 5), ScriptedLlm(script=[f"Draft {n}." for n in range(2, 7)])
    finals, state = await run(build(ScriptedLlm(script=["Draft 1."]), critic, refiner))
    assert len(finals) == 11
    assert state[STATE_CURRENT_DOC] == "Draft 6."
    refiner.assert_used_up()
