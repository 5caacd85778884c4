"""Tools that search what a user said in earlier sessions: when the model calls one, or before each answer."""

from __future__ import annotations

import logging

from google.genai import types
from pydantic import BaseModel, Field

from agents.model import LlmRequest
from agents.runtime.context import ToolContext
from agents.runtime.memory_service import MemoryEntry
from agents.tool import BaseTool
from agents.tools.function import FunctionTool

_log = logging.getLogger(__name__)

_NOTE = (
    "You remember earlier conversations with the user. When a question needs them, call load_memory with a query of a few "
    "words."
)
_BEFORE = "The user said the following in earlier conversations. It may help to answer the current message."


class LoadMemoryResponse(BaseModel):
    """What the tool found."""

    memories: list[MemoryEntry] = Field(default_factory=list[MemoryEntry])


class LoadMemoryTool(FunctionTool):
    """Lets a model search the memory of the user."""

    def __init__(self) -> None:
        async def load_memory(query: str, tool_context: ToolContext) -> LoadMemoryResponse:
            """Loads what is remembered of the user, by a query of a few words."""
            return LoadMemoryResponse(memories=(await tool_context.search_memory(query)).memories)

        super().__init__(load_memory)

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Declares the tool, and tells the model when to call it."""
        await super().process_llm_request(tool_context=tool_context, llm_request=llm_request)
        llm_request.append_instructions([_NOTE])


class PreloadMemoryTool(BaseTool):
    """Searches the memory for the user's message before each call of the model. The model does not see a tool."""

    def __init__(self) -> None:
        super().__init__(name="preload_memory", description="preload_memory")

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Adds the memories to the request, before the user's message. An error of the memory service is only logged."""
        said = tool_context.user_content
        query = " ".join(part.text for part in (said.parts or () if said else ()) if part.text)
        if not query:
            return
        try:
            found = await tool_context.search_memory(query)
        except Exception:  # noqa: BLE001  a memory service may raise anything; the answer does not depend on it
            _log.warning("The memory could not be searched for a message of %d characters.", len(query), exc_info=True)
            return
        if lines := [line for memory in found.memories for line in _lines(memory)]:
            text = "\n".join([_BEFORE, "<PAST_CONVERSATIONS>", *lines, "</PAST_CONVERSATIONS>"])
            _insert_before_message(llm_request.contents, types.Content(role="user", parts=[types.Part(text=text)]))


def _lines(memory: MemoryEntry) -> list[str]:
    text = " ".join(part.text for part in memory.content.parts or () if part.text)
    if not text:
        return []
    when = [f"Time: {memory.timestamp}"] if memory.timestamp else []
    return [*when, f"{memory.author}: {text}" if memory.author else text]


def _insert_before_message(contents: list[types.Content], content: types.Content) -> None:
    """Inserts before the user's last messages; at the end if the model continues after tool results."""
    place = len(contents)
    while place and contents[place - 1].role == "user" and not _has_answer(contents[place - 1]):
        place -= 1
    contents.insert(place, content)


def _has_answer(content: types.Content) -> bool:
    return any(part.function_response for part in content.parts or ())


load_memory = LoadMemoryTool()
preload_memory = PreloadMemoryTool()
