"""Texts as they stream in which a model may write its calls out: what can be shown at once, and what they mean in the end.

What is shown at once is always how the whole begins. Knows no server's format.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from google.genai import types

from agents.models.tool_protocol import Reply, read_calls, read_reply
from agents.models.tool_protocol_reading import ResponseReader

_TAG = "<tool_call>"
_CALL_BEGINS = (
    _TAG,
    '{"name":',
    '{"tool_call":',
    '{"tool_calls":',
    '{"function":',
    '{"type":"function"',
    "```json{",
    "```{",
)


class TextReader(Protocol):
    """Takes a text in pieces."""

    def add(self, text: str) -> str:
        """Takes more of it; returns what can be shown."""
        ...

    def end(self, *, cut: bool) -> Reply:
        """What all of it means; `cut` if a length limit ended it."""
        ...


def reader_for(tools: Sequence[types.FunctionDeclaration], protocol: Literal["native", "json"]) -> TextReader:
    """The reader of an answer.

    Args:
        tools: The tools that were offered.
        protocol: How they were.
    """
    if not tools:
        return _PlainReader()
    return _ProtocolReader(tools) if protocol == "json" else _CallWatch(tools)


class _PlainReader:
    """A text in which nothing is looked for."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def add(self, text: str) -> str:
        self._texts.append(text)
        return text

    def end(self, *, cut: bool) -> Reply:
        return Reply("".join(self._texts))


class _ProtocolReader:
    """A reply of the JSON protocol; what grows at once is its response."""

    def __init__(self, tools: Sequence[types.FunctionDeclaration]) -> None:
        self._tools = tools
        self._texts: list[str] = []
        self._response = ResponseReader()

    def add(self, text: str) -> str:
        self._texts.append(text)
        return self._response.add(text)

    def end(self, *, cut: bool) -> Reply:
        return read_reply("".join(self._texts), self._tools, cut=cut)


class _CallWatch:
    """A text of a model with tools of its own, which may write a call as text; that is held back until it is known."""

    def __init__(self, tools: Sequence[types.FunctionDeclaration]) -> None:
        self._tools = tools
        self._shown: list[str] = []
        self._held = ""
        self._is_call = False

    def add(self, text: str) -> str:
        self._held += text
        grown = self._held[: self._safe_end()]
        if grown:
            self._shown.append(grown)
            self._held = self._held[len(grown) :]
        return grown

    def _safe_end(self) -> int:
        """Up to where the text cannot be part of a call."""
        if self._is_call:
            return 0
        if not self._shown:
            begun = "".join(self._held.split())
            self._is_call = any(begun.startswith(head) for head in _CALL_BEGINS)
            if self._is_call or any(head.startswith(begun) for head in _CALL_BEGINS):
                return 0
        if (tag := self._held.find(_TAG)) >= 0:
            self._is_call = True
            return tag
        return len(self._held) - next((n for n in range(len(_TAG) - 1, 0, -1) if self._held.endswith(_TAG[:n])), 0)

    def end(self, *, cut: bool) -> Reply:
        reply = Reply(self._held) if cut else read_calls(self._held, self._tools)
        return Reply("".join(self._shown) + reply.text, reply.calls)
