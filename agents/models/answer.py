"""Answers as every provider gives them: pieces while they stream, then the whole with its `stop_reason`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from google.genai import types

from agents.model import LlmResponse, StopReason

_WORD = re.compile(r"\s*\S+|\s+")


def words(text: str) -> list[str]:
    """`text` cut before the white space between words; joined, the pieces are `text` again."""
    return _WORD.findall(text)


def piece(text: str, *, thought: bool = False) -> LlmResponse:
    """A streamed piece of text, or of a thought."""
    return LlmResponse(content=types.Content(role="model", parts=[text_part(text, thought=thought)]), partial=True)


def text_part(text: str, *, thought: bool = False) -> types.Part:
    """A part that holds text, or a thought."""
    return types.Part(text=text, thought=True) if thought else types.Part(text=text)


def content_of(text: str, calls: Iterable[types.FunctionCall] = (), *, thought: str = "") -> types.Content | None:
    """A model's output, in the order thought, text, calls; None if there is none."""
    parts: list[types.Part] = [text_part(thought, thought=True)] if thought else []
    if text:
        parts.append(types.Part(text=text))
    parts.extend(types.Part(function_call=made) for made in calls)
    return types.Content(role="model", parts=parts) if parts else None


def natural_stop(parts: Sequence[types.Part] | None) -> StopReason:
    """The stop reason of an uninterrupted answer: tool calls, or the end of the turn."""
    return "tool_use" if any(part.function_call for part in parts or ()) else "end_turn"
