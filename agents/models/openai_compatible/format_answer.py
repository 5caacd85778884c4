"""Turns the chunks of a chat completion into pieces and one whole response, with the stop reasons all providers share.

Pure: no connection, no clock. A whole response is read as the one chunk that it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal, cast

from google.genai import types

from agents.errors import EmptyResponseError, ProviderError
from agents.model import LlmResponse
from agents.models.answer import content_of, natural_stop, piece
from agents.models.openai_compatible.thoughts_in_text import ThoughtsInText, Words
from agents.models.openai_compatible.tool_protocol import Reply
from agents.models.openai_compatible.tool_protocol_reader import mended, read_object
from agents.models.openai_compatible.tool_protocol_streams import reader_for

_REASONS = {
    "stop": types.FinishReason.STOP,
    "eos": types.FinishReason.STOP,
    "tool_calls": types.FinishReason.STOP,
    "function_call": types.FinishReason.STOP,
    "length": types.FinishReason.MAX_TOKENS,
    "content_filter": types.FinishReason.SAFETY,
}


@dataclass
class _Call:
    """A tool call that is being collected; its arguments come as text in pieces, or from some servers as an object."""

    id: str | None
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])
    given: dict[str, Any] | None = None

    def read(self, *, cut: bool) -> types.FunctionCall | None:
        """The call, None where its arguments cannot be read. Those of an answer that was cut off are not guessed."""
        text = "".join(self.arguments)
        arguments = self.given if self.given is not None else read_object(text, repair=not cut)
        return None if arguments is None else types.FunctionCall(id=self.id, name=self.name, args=arguments)


class OpenAIAnswer:
    """Collects the chunks of one answer.

    Args:
        model: The model's name, for messages.
        tools: The tools that were offered.
        protocol: How they were: "json" reads texts as replies of the JSON protocol.
        prefix: Prefix of the provider's model names, for the name of the one that answered.
        asks_for_json: Whether JSON was asked for: then an answer `{"response": "…"}` is that object and not its text.
    """

    def __init__(
        self,
        model: str,
        *,
        tools: Sequence[types.FunctionDeclaration] = (),
        protocol: Literal["native", "json"] = "native",
        prefix: str = "",
        asks_for_json: bool = False,
    ) -> None:
        self._model = model
        self._prefix = prefix
        self._words = ThoughtsInText()
        self._reader = reader_for(tools, protocol, asks_for_json=asks_for_json)
        self._thoughts: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[Any, _Call] = {}
        self._by_id: dict[str, _Call] = {}
        self._reply: Reply | None = None
        self._shown = 0
        self._has_choice = False
        self._reported: str | None = None
        self._usage: types.GenerateContentResponseUsageMetadata | None = None
        self.finish: str | None = None
        """The server's stop reason; None until the model has stopped."""

    def add(self, chunk: dict[str, Any]) -> Iterator[LlmResponse]:
        """Takes a chunk, or the only response, and yields what to show of it at once."""
        if isinstance(reported := chunk.get("model"), str) and reported:
            self._reported = reported
        if isinstance(usage := chunk.get("usage"), dict):
            self._usage = usage_of(cast("dict[str, Any]", usage))
        choices: Any = chunk.get("choices")
        choice: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        yield from self._add_choice(cast("dict[str, Any]", choice))

    def _add_choice(self, choice: dict[str, Any]) -> Iterator[LlmResponse]:
        said: Any = choice.get("delta") or choice.get("message")
        delta = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
        self._has_choice = True
        thought: Any = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(thought, str) and thought:
            yield from self._think(mended(thought))
        text: Any = delta.get("content") or delta.get("refusal")
        if isinstance(text, str) and text and self._reply is None:
            yield from self._take(self._words.add(mended(text)))
        listed: Any = delta.get("tool_calls")
        for made in cast("list[Any]", listed) if isinstance(listed, list) else []:
            if isinstance(made, dict):
                self._add_call(cast("dict[str, Any]", made))
        if isinstance(finish := choice.get("finish_reason"), str) and finish:
            self.finish = finish
            yield from self._settle()

    def _take(self, words: Iterable[Words]) -> Iterator[LlmResponse]:
        for text, is_thought in words:
            yield from self._think(text) if is_thought else self._show(self._reader.add(text))

    def _think(self, thought: str) -> Iterator[LlmResponse]:
        self._thoughts.append(thought)
        yield piece(thought, thought=True)

    def _show(self, text: str) -> Iterator[LlmResponse]:
        if text:
            self._shown += len(text)
            yield piece(text)

    def _settle(self) -> Iterator[LlmResponse]:
        """Ends the text; yields the rest, held back because it could have become a call."""
        if self._reply is None:
            yield from self._take(self._words.end())
            self._reply = self._reader.end(cut=self._cut)
            yield from self._show(self._reply.text[self._shown :])

    @property
    def _cut(self) -> bool:
        return self.finish == "length"

    def _add_call(self, made: dict[str, Any]) -> None:
        given: Any = made.get("function")
        function = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        call_id, name = made.get("id") or None, function.get("name")
        index: Any = made.get("index")
        key = index if isinstance(index, int) else len(self._calls) if call_id or name else len(self._calls) - 1
        call = self._by_index.get(key)
        # Some servers number all parallel calls 0.
        if call is None or (name and call_id and call.id and call_id != call.id):
            call = self._by_index[key] = _Call(id=None)
            self._calls.append(call)
        if isinstance(call_id, str) and self._by_id.setdefault(call_id, call) is call:
            call.id = call_id
        if isinstance(name, str) and name:
            call.name = name
        arguments: Any = function.get("arguments")
        if isinstance(arguments, dict):
            call.given = cast("dict[str, Any]", arguments)
        elif isinstance(arguments, str):
            call.arguments.append(arguments)

    def whole(self, *, streamed: bool) -> LlmResponse:
        """The whole response.

        Raises:
            ProviderError: A stream that was cut: it had no end mark.
            EmptyResponseError: The server sent no answer.
        """
        if not self._has_choice:
            raise EmptyResponseError(
                f"{self._model} sent an empty answer: no choice and no error. Try again.",
                code="EMPTY_RESPONSE",
                retryable=True,
            )
        if streamed and self.finish is None:
            raise ProviderError(
                f"The connection to {self._model} was cut before the answer was whole (no finish reason came). Try again.",
                code="CONNECTION_CUT",
                retryable=True,
            )
        for _ in self._settle():
            pass  # a whole answer without a reason
        assert self._reply is not None
        read = [call.read(cut=self._cut) for call in self._calls if call.name]
        calls = [*(call for call in read if call is not None), *self._reply.calls]
        content = content_of(self._reply.text, calls, thought="".join(self._thoughts))
        reason = _REASONS.get(self.finish or "stop", types.FinishReason.OTHER)
        if None in read and reason is types.FinishReason.STOP:
            reason = types.FinishReason.MALFORMED_FUNCTION_CALL
        return self._response(content, reason)

    def _response(self, content: types.Content | None, reason: types.FinishReason) -> LlmResponse:
        parts = content.parts if content else None
        error: str | None = None
        match reason:
            case types.FinishReason.STOP:
                stop = natural_stop(parts)
            case types.FinishReason.MAX_TOKENS:
                stop = "max_tokens"
                error = None if any(not part.thought for part in parts or []) else _CUT_SHORT
            case types.FinishReason.SAFETY:
                stop, error = "safety", f"{self._model} held its answer back (content filter). Put the request differently."
            case types.FinishReason.MALFORMED_FUNCTION_CALL:
                stop, error = "error", f"{self._model} wrote a tool call that cannot be read. Run the agent again."
            case _:
                stop, error = (
                    "error",
                    f"{self._model} stopped before its end ({str(self.finish)[:80]}). Try again.",
                )
        return LlmResponse(
            content=content,
            stop_reason=stop,
            finish_reason=reason,
            error_code=reason.value if error else None,
            error_message=error,
            usage_metadata=self._usage,
            model_version=self._answered_by(),
        )

    def _answered_by(self) -> str | None:
        name = self._reported
        if name and (name.startswith("/") or name.endswith(".gguf")):
            name = PurePath(name).name  # the path on the server's disk is private
        return f"{self._prefix}{name}" if name else None


_CUT_SHORT = (
    "The model used all of its max_output_tokens before it said anything whole, maybe for thoughts or in the middle of a "
    "tool call. Raise the limit."
)


def usage_of(usage: dict[str, Any]) -> types.GenerateContentResponseUsageMetadata:
    """Tokens as google-genai names them: thoughts are counted apart from what was said."""
    sent, received = _count(usage, "prompt_tokens") or 0, _count(usage, "completion_tokens") or 0
    thought = _count(usage.get("completion_tokens_details"), "reasoning_tokens")
    return types.GenerateContentResponseUsageMetadata(
        prompt_token_count=sent,
        candidates_token_count=max(0, received - (thought or 0)),
        thoughts_token_count=thought or None,
        cached_content_token_count=_count(usage.get("prompt_tokens_details"), "cached_tokens") or None,
        total_token_count=sent + received,
    )


def _count(held: Any, name: str) -> int | None:
    value = cast("dict[str, Any]", held).get(name) if isinstance(held, dict) else None
    return value if isinstance(value, int) and value >= 0 else None
