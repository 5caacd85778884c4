"""A desk, and an agent with a task that it calls."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from google.genai import types

from agents import BaseLlm, LlmAgent
from agents.model import LlmRequest, LlmResponse


class Asks(BaseLlm):
    """Asks twice, and gives the first answer."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """See `BaseLlm`."""
        sent = [part.text for content in llm_request.contents for part in content.parts or () if part.text]
        said = types.Part.from_function_call(name="finish_task", args={"result": sent[2]}) if len(sent) > 4 else None
        said = said or types.Part(text="Your name?" if len(sent) < 3 else "Sure?")
        yield LlmResponse(content=types.Content(role="model", parts=[said]))


class Calls(BaseLlm):
    """Calls the agent, and greets whom it has found."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """See `BaseLlm`."""
        last = (llm_request.contents[-1].parts or [types.Part()])[-1].function_response
        said = types.Part.from_function_call(name="Intake", args={"request": "Who is it?"})
        if last is not None:
            said = types.Part(text=f"Hello {(last.response or {})['result']}.")
        yield LlmResponse(content=types.Content(role="model", parts=[said]))


root_agent = LlmAgent(
    name="Desk",
    model=Calls(model="calls"),
    sub_agents=[LlmAgent(name="Intake", description="Asks for the name.", model=Asks(model="asks"), mode="task")],
)
