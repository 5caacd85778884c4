"""Agents with a planner: what the model is sent, and what becomes of its answer."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import BasePlanner, BuiltInPlanner, LlmAgent, PlanReActPlanner
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import play

pytestmark = pytest.mark.anyio


def look(place: str) -> str:
    """Looks."""
    return f"Nothing in {place}."


def parts_of(event):
    return [(bool(part.thought), part.text) for part in event.parts if part.text is not None]


async def test_the_thinking_of_the_model_is_configured():
    config = types.ThinkingConfig(include_thoughts=True, thinking_budget=100)
    agent = LlmAgent(
        name="Ada",
        model=ScriptedLlm(script=["Hi."]),
        planner=BuiltInPlanner(thinking_config=config),
        generate_content_config=types.GenerateContentConfig(
            temperature=0.5, thinking_config=types.ThinkingConfig(thinking_budget=1)
        ),
    )

    result = await play(agent)

    (sent,) = agent.model.requests
    assert sent.config.thinking_config == config
    assert sent.config.temperature == 0.5
    assert agent.generate_content_config.thinking_config.thinking_budget == 1
    assert "/*PLANNING*/" not in sent.system_instruction
    assert result.records("model_started")[0]["contents"]["select"] == "default"


async def test_a_plan_is_a_thought_and_the_final_answer_is_the_answer():
    script = [
        ["/*PLANNING*/1. Look.\n/*ACTION*/", call("look", place="box"), "left over"],
        "/*REASONING*/It is empty./*FINAL_ANSWER*/The box is empty.",
    ]
    agent = LlmAgent(
        name="Ada", model=ScriptedLlm(script=script), tools=[look], planner=PlanReActPlanner(), output_key="answer"
    )

    result = await play(agent)

    assert parts_of(result.events[0]) == [(True, "1. Look.\n")]
    assert [made.name for made in result.events[0].get_function_calls()] == ["look"]
    assert parts_of(result.events[2]) == [(True, "It is empty."), (False, "The box is empty.")]
    assert result.state["answer"] == "The box is empty."
    first, second = agent.model.requests
    assert "/*FINAL_ANSWER*/" in first.system_instruction
    assert [part.text for content in second.contents for part in content.parts if part.text] == ["go", "1. Look.\n"]
    assert not any(part.thought for content in second.contents for part in content.parts)
    assert all("select" not in record["contents"] for record in result.records("model_started"))


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("Plain.", [(False, "Plain.")]),
        ("/*REASONING*/Only this.", [(True, "Only this.")]),
        ("So /*FINAL_ANSWER*/a /*FINAL_ANSWER*/b", [(True, "So a "), (False, "b")]),
        ("/*FINAL_ANSWER*/Yes", [(False, "Yes")]),
        ("We say /*PLANNING*/ in the middle.", [(False, "We say /*PLANNING*/ in the middle.")]),
    ],
)
async def test_how_tags_are_read(said, parts):
    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=[said]), planner=PlanReActPlanner())

    assert parts_of((await play(agent)).events[-1]) == parts


async def test_a_planner_of_ones_own_changes_state():
    class Shout(BasePlanner):
        def build_planning_instruction(self, readonly_context, llm_request):
            return f"Shout, {readonly_context.agent_name}, in {len(llm_request.contents)}."

        def process_planning_response(self, callback_context, response_parts):
            callback_context.state["heard"] = response_parts[0].text
            return [types.Part(text=response_parts[0].text.upper())]

    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=["hey"]), planner=Shout())

    result = await play(agent)

    assert result.events[-1].text == "HEY"
    assert result.state["heard"] == "hey"
    assert "Shout, Ada, in 1." in agent.model.requests[0].system_instruction
