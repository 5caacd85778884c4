"""Examples that a model reads below its instruction."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import Example, ExampleTool, LlmAgent, RunConfig
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import play, user

pytestmark = pytest.mark.anyio


async def test_the_model_reads_the_examples_and_can_call_none():
    rolled = types.Part(function_response=types.FunctionResponse(name="roll", response={"result": 4}))
    contents = [
        types.Content(role="model", parts=[types.Part(function_call=call("roll", sides=6))]),
        types.Content(role="user", parts=[rolled]),
        types.Content(role="model", parts=[types.Part(text="I rolled a 4.")]),
    ]
    tool = ExampleTool([Example(input=user("Roll a die."), output=contents)])
    with ScriptedLlm(script=["I rolled."]) as model:
        await play(LlmAgent(name="a", instruction="Roll.", tools=[tool]), config=RunConfig(model=model))
    (request,) = model.requests
    assert request.system_instruction.endswith(
        "Roll.\n\nExamples of how to answer:\n\nUser: Roll a die.\n"
        'Model calls roll with {"sides": 6}\nroll answers {"result": 4}\nModel: I rolled a 4.'
    )
    assert not request.config.tools
