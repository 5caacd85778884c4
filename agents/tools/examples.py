"""Examples of answers, which a model reads below its instruction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from google.genai import types
from pydantic import BaseModel

from agents.model import LlmRequest
from agents.runtime.context import ToolContext
from agents.tool import BaseTool


class Example(BaseModel):
    """A message, and the contents that answer it."""

    input: types.Content
    output: list[types.Content]


class ExampleTool(BaseTool):
    """Shows the model examples of how to answer; it is nothing that a model calls.

    Args:
        examples: The examples.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        super().__init__(name="example_tool", description="Examples of how to answer.")
        self.examples = list(examples)

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Adds the examples; see `BaseTool`."""
        told = ["\n".join(_lines(example)) for example in self.examples]
        llm_request.append_instructions(["Examples of how to answer:", *told] if told else [])


def _lines(example: Example) -> Iterator[str]:
    for content in (example.input, *example.output):
        who = "Model" if content.role == "model" else "User"
        for part in content.parts or ():
            if part.text:
                yield f"{who}: {part.text}"
            elif (call := part.function_call) is not None:
                yield f"{who} calls {call.name} with {json.dumps(call.args or {}, ensure_ascii=False, default=str)}"
            elif (result := part.function_response) is not None:
                yield f"{result.name} answers {json.dumps(result.response or {}, ensure_ascii=False, default=str)}"
