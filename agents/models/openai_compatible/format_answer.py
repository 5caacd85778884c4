"""Turns the chunks of a chat completion into pieces and one whole response, with the stop reasons all providers share.

Pure: no connection, no clock. A whole response is read as the one chunk that it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, Literal, cast

from google.genai import types

from agents.errors import EmptyResponseError, ProviderError
from agents.model import LlmResponse
from agents.models.answer import content_of, natural_stop, piece
from agents.models.openai_compatible.thoughts_in_text import ThoughtsInText, Words, text_in, words_in
from agents.models.openai_compatible.tool_protocol import Reply
from agents.models.openai_compatible.tool_protocol_streams import reader_for
from agents.models.tool_arguments.exact_json import whole_characters
from agents.models.tool_arguments.streamed_calls import StreamedCalls

_REASONS = {
    "length": types.FinishReason.MAX_TOKENS,
    "max_tokens": types.FinishReason.MAX_TOKENS,
    "max_output_tokens": types.FinishReason.MAX_TOKENS,
    "max_length": types.FinishReason.MAX_TOKENS,
    "model_length": types.FinishReason.MAX_TOKENS,
    "content_filter": types.FinishReason.SAFETY,
    "safety": types.FinishReason.SAFETY,
    "refusal": types.FinishReason.SAFETY,
    "malformed_function_call": types.FinishReason.MALFORMED_FUNCTION_CALL,
}
_FAILURES = ("error", "abort", "crash", "cancel", "fail", "interrupt", "timeout", "insufficient", "filter", "block")
"""What is in the reasons of answers that are not whole. All others name an end: "stop", "eos_token", "end_turn", …"""

_OLD_CALL = -1
"""The number of the one call that servers without a list of calls send."""

DONE: dict[str, Any] = {"done": True}
"""The chunk that stands for the end mark of a stream, `[DONE]`: the answer is whole, though no reason may have come."""


def _reason_of(finish: str | None) -> types.FinishReason:
    word = (finish or "stop").strip().lower()
    is_failure = any(part in word for part in _FAILURES)
    return _REASONS.get(word, types.FinishReason.OTHER if is_failure else types.FinishReason.STOP)


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
        self._calls = StreamedCalls()
        self._reply: Reply | None = None
        self._shown = 0
        self._has_choice = False
        self._is_refusal = False
        self._is_done = False
        self._reported: str | None = None
        self._usage: types.GenerateContentResponseUsageMetadata | None = None
        self.finish: str | None = None
        """The server's stop reason; None until the model has stopped."""

    def add(self, chunk: dict[str, Any]) -> Iterator[LlmResponse]:
        """Takes a chunk, or the only response, and yields what to show of it at once."""
        if chunk is DONE:
            self._is_done = True
            return
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
        thought, text = words_in(delta.get("content"))
        thought = text_in(delta.get("reasoning_content")) or text_in(delta.get("reasoning")) or thought
        if thought:
            yield from self._think(whole_characters(thought))
        if not text and (text := text_in(delta.get("refusal"))):
            self._is_refusal = True
        if text and self._reply is None:
            yield from self._take(self._words.add(whole_characters(text)))
        listed: Any = delta.get("tool_calls")
        for made in cast("list[Any]", listed) if isinstance(listed, list) else []:
            if isinstance(made, dict):
                self._calls.add(cast("dict[str, Any]", made))
        if isinstance(old := delta.get("function_call"), dict):
            self._calls.add({"index": _OLD_CALL, "function": old})
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
        return _reason_of(self.finish) is types.FinishReason.MAX_TOKENS

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
        if streamed and self.finish is None and not self._is_done:
            raise ProviderError(
                f"The connection to {self._model} was cut before the answer was whole (no finish reason came). Try again.",
                code="CONNECTION_CUT",
                retryable=True,
            )
        for _ in self._settle():
            pass  # a whole answer without a reason
        assert self._reply is not None
        calls = [*self._calls.read(cut=self._cut), *self._reply.calls]
        content = content_of(self._reply.text, calls, thought="".join(self._thoughts))
        reason = types.FinishReason.SAFETY if self._is_refusal and not calls else _reason_of(self.finish)
        return self._response(content, reason)

    def _response(self, content: types.Content | None, reason: types.FinishReason) -> LlmResponse:
        parts = content.parts if content else None
        error: str | None = None
        match reason:
            case types.FinishReason.STOP:
                stop = natural_stop(parts)
            case types.FinishReason.MAX_TOKENS if natural_stop(parts) == "tool_use":
                stop = "tool_use"  # a call that is whole is run, whatever was cut off after it
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
