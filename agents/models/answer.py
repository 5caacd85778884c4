"""Answers as every provider gives them: pieces while they stream, then the whole with its `stop_reason`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from google.genai import types

from agents.model import LlmResponse, StopReason, copy_with

_WORD = re.compile(r"\s*\S+|\s+")
_TEXT, _THOUGHT = types.Part(text=""), types.Part(text="", thought=True)
_CONTENT = types.Content(role="model", parts=[])
_PIECE = LlmResponse(content=_CONTENT, partial=True)


def words(text: str) -> list[str]:
    """`text` cut before the white space between words; joined, the pieces are `text` again."""
    return _WORD.findall(text)


def piece(text: str, *, thought: bool = False) -> LlmResponse:
    """A streamed piece of text, or of a thought. A copy, since a validated one takes half of a streaming run's time."""
    part = copy_with(_THOUGHT if thought else _TEXT, text=text)
    return copy_with(_PIECE, content=copy_with(_CONTENT, parts=[part]))


def content_of(text: str, calls: Iterable[types.FunctionCall] = (), *, thought: str = "") -> types.Content | None:
    """A model's output, in the order thought, text, calls; None if there is none."""
    parts: list[types.Part] = [types.Part(text=thought, thought=True)] if thought else []
    if text:
        parts.append(types.Part(text=text))
    parts.extend(types.Part(function_call=made) for made in calls)
    return types.Content(role="model", parts=parts) if parts else None


def natural_stop(parts: Sequence[types.Part] | None) -> StopReason:
    """The stop reason of an uninterrupted answer: tool calls, or the end of the turn."""
    return "tool_use" if any(part.function_call for part in parts or ()) else "end_turn"
