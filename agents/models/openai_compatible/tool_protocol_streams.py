"""Readers of streamed answers in which a model may write calls as text: what can be shown at once, and the final meaning.

What is shown at once is always a prefix of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, Protocol

from google.genai import types

from agents.models.openai_compatible.tool_protocol import Reply, read_calls, read_reply
from agents.models.openai_compatible.tool_protocol_reader import LONGEST_HEAD, ResponseReader
from agents.models.tool_arguments.exact_json import UnreadableJsonError
from agents.models.tool_arguments.lenient_json import read_json

_TAG = "<tool_call>"
_CALL_BEGINS = (
    _TAG,
    '{"name":',
    '{"tool_call":',
    '{"tool_calls":',
    '{"tool":',
    '{"function":',
    '{"function_call":',
    '{"type":"function"',
    '{"type":"tool_use"',
    "```json{",
    "```{",
)
_RESPONSE_BEGINS = tuple(
    f"{fence}{{{key}:" for fence in ("", "```json", "```") for key in ('"response"', "'response'", "response")
)
_RESPONSE_KEY = re.compile(r"""\{\s*['"]?response['"]?\s*:""")


class TextReader(Protocol):
    """Takes a text in pieces."""

    def add(self, text: str) -> str:
        """Takes more of it; returns what can be shown."""
        ...

    def end(self, *, cut: bool) -> Reply:
        """What all of it means; `cut` if a length limit ended it."""
        ...


def reader_for(
    tools: Sequence[types.FunctionDeclaration], protocol: Literal["native", "json"], *, asks_for_json: bool = False
) -> TextReader:
    """The reader of an answer.

    Args:
        tools: The tools that were offered.
        protocol: How they were.
        asks_for_json: Whether JSON was asked for: then an answer `{"response": "…"}` is that object and not its text.
    """
    if tools and protocol == "json":
        return _ProtocolReader(tools)
    return _PlainReader() if asks_for_json and not tools else _Watch(tools, unwraps=not asks_for_json)


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


class _Watch:
    """A text of a model with tools of its own, which may write a call or a response of the JSON protocol as text.

    What may be one is held back until it is known.
    """

    def __init__(self, tools: Sequence[types.FunctionDeclaration], *, unwraps: bool) -> None:
        self._tools = tools
        self._unwraps = unwraps
        self._begins = (*(_CALL_BEGINS if tools else ()), *(_RESPONSE_BEGINS if unwraps else ()))
        self._shown: list[str] = []
        self._held = ""
        self._is_held = False
        self._more: list[str] = []
        """What came after `_held`, once it is clear that it is all held back."""

    def add(self, text: str) -> str:
        if self._is_held:
            self._more.append(text)
            return ""
        self._held += text
        grown = self._held[: self._safe_end()]
        if grown:
            self._shown.append(grown)
            self._held = self._held[len(grown) :]
        return grown

    def _safe_end(self) -> int:
        """Up to where the text cannot be part of a call or a response."""
        if not self._shown:
            begun = "".join(self._held[:LONGEST_HEAD].split())
            self._is_held = begun.startswith(self._begins)
            may_come = len(self._held) < LONGEST_HEAD and any(head.startswith(begun) for head in self._begins)
            if self._is_held or may_come:
                return 0
        if not self._tools:
            return len(self._held)
        if (tag := self._held.find(_TAG)) >= 0:
            self._is_held = True
            return tag
        return len(self._held) - next((n for n in range(len(_TAG) - 1, 0, -1) if self._held.endswith(_TAG[:n])), 0)

    def end(self, *, cut: bool) -> Reply:
        held = "".join([self._held, *self._more])
        reply = Reply(held) if cut or not self._tools else read_calls(held, self._tools)
        if self._unwraps and not self._shown and (said := response_in(reply.text)) is not None:
            return Reply(said, reply.calls)
        return Reply("".join(self._shown) + reply.text, reply.calls)


def response_in(text: str) -> str | None:
    """The text of an answer that is nothing but `{"response": "…"}`, fenced or not; None for any other answer."""
    reader = ResponseReader()
    said = reader.add(text) + reader.end()
    if reader.found:
        after = reader.rest.strip()
        return said if not after.removesuffix("```").strip("{}],\n\r\t ") else None
    body = _unfenced(text.strip())
    if not _RESPONSE_KEY.match(body):
        return None
    try:
        value = read_json(body)
    except UnreadableJsonError:
        return None
    match value:
        case {"response": str(said), **others} if not others:
            return said
        case _:
            return None


def _unfenced(text: str) -> str:
    """What is inside the fence, if the whole text is one."""
    if not (text.startswith("```") and text.endswith("```")):
        return text
    return text.removeprefix("```").removesuffix("```").removeprefix("json").strip()
