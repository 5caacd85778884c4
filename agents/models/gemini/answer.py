"""Turns Gemini's chunks into pieces and one whole response, with the stop reasons that all providers share.

Pure: no connection, no clock.
"""

from __future__ import annotations

from collections.abc import Iterator

from google.genai import types

from agents.errors import EmptyResponseError
from agents.model import LlmResponse, StopReason
from agents.models.answer import natural_stop, piece
from agents.models.gemini.errors import broken_off, why_blocked, why_stopped
from agents.models.tool_arguments.exact_json import UnreadableJsonError, checked
from agents.models.tool_arguments.unreadable_call import unreadable_call

_Reason = types.FinishReason

_HELD_BACK = frozenset(
    {
        _Reason.SAFETY,
        _Reason.RECITATION,
        _Reason.LANGUAGE,
        _Reason.BLOCKLIST,
        _Reason.PROHIBITED_CONTENT,
        _Reason.SPII,
        _Reason.IMAGE_SAFETY,
        _Reason.IMAGE_PROHIBITED_CONTENT,
        _Reason.IMAGE_RECITATION,
        _Reason.MODEL_ARMOR,
        _Reason.ESCALATION,
        _Reason.PUP_LIMITED_DISABLED,
    }
)
_NATURAL = frozenset({_Reason.STOP, _Reason.FINISH_REASON_UNSPECIFIED})


class GeminiAnswer:
    """Collects the chunks of one answer.

    Texts that follow each other become one part; thoughts stay apart from what is said, and a part with a thought
    signature stays unchanged, since the signature must go back in the same place.

    Args:
        model: The model's name, for messages.
        before: A malformed answer to the same request, whose tokens count, too.
    """

    def __init__(self, model: str, *, before: GeminiAnswer | None = None) -> None:
        self._model = model
        self._before = before
        self._parts: list[types.Part] = []
        self._texts: list[str] = []
        self._last: types.GenerateContentResponse | None = None
        self._usage: types.GenerateContentResponseUsageMetadata | None = None
        self._candidate: types.Candidate | None = None
        self._grounding: types.GroundingMetadata | None = None
        self._citations: types.CitationMetadata | None = None
        self._pages: types.UrlContextMetadata | None = None
        self._feedback: types.GenerateContentResponsePromptFeedback | None = None
        self.finish_reason: types.FinishReason | None = None

    def add(self, chunk: types.GenerateContentResponse) -> Iterator[LlmResponse]:
        """Takes a chunk (or the only response) and yields what to show of it at once."""
        self._last = chunk
        self._usage = chunk.usage_metadata or self._usage
        self._feedback = chunk.prompt_feedback or self._feedback
        if not chunk.candidates:
            return
        self._candidate = candidate = chunk.candidates[0]
        self._grounding = candidate.grounding_metadata or self._grounding
        self._citations = candidate.citation_metadata or self._citations
        self._pages = candidate.url_context_metadata or self._pages
        self.finish_reason = candidate.finish_reason or self.finish_reason
        for part in (candidate.content.parts or []) if candidate.content else []:
            self._keep(_readable(part))
            if part.text:
                yield piece(part.text, thought=bool(part.thought))

    @property
    def is_malformed(self) -> bool:
        """Whether the model wrote a tool call that the server cannot read; another answer may be better."""
        return self.finish_reason is _Reason.MALFORMED_FUNCTION_CALL

    @property
    def usage(self) -> types.GenerateContentResponseUsageMetadata | None:
        """The tokens of this answer and of the malformed one before it."""
        earlier = self._before.usage if self._before else None
        if earlier is None or self._usage is None:
            return self._usage or earlier
        counts = {
            name: value + (getattr(earlier, name) or 0)
            for name, value in vars(self._usage).items()
            if isinstance(value, int) and name.endswith("_count")
        }
        return self._usage.model_copy(update=counts)

    def whole(self, *, streamed: bool) -> LlmResponse:
        """The whole response.

        Raises:
            ProviderError: A stream that was cut: it had no end mark.
            EmptyResponseError: The server sent no answer and no reason for that.
        """
        if self._candidate is None:
            return self._without_answer()
        if streamed and self.finish_reason is None:
            raise broken_off(self._model)
        reason = self.finish_reason
        content = types.Content(role="model", parts=self._merged()) if self._parts else None
        stop = _stop_reason(reason, content)
        is_silent = all(part.thought for part in self._parts)
        unexplained = stop in ("safety", "error") or (stop == "max_tokens" and is_silent)
        return LlmResponse(
            content=content,
            stop_reason=stop,
            finish_reason=reason,
            error_code=reason.value if reason and unexplained else None,
            error_message=why_stopped(reason, self._candidate.finish_message) if reason and unexplained else None,
            usage_metadata=self.usage,
            grounding_metadata=self._grounding,
            citation_metadata=self._citations,
            url_context_metadata=self._pages,
            model_version=self._last.model_version if self._last else None,
        )

    def _without_answer(self) -> LlmResponse:
        if self._feedback is None or self._feedback.block_reason is None:
            raise EmptyResponseError(
                f"Gemini ({self._model}) sent an empty answer: no candidate and no reason. Try again.",
                code="EMPTY_RESPONSE",
                retryable=True,
            )
        reason = self._feedback.block_reason.value
        return LlmResponse(
            stop_reason="safety",
            error_code=f"PROMPT_BLOCKED_{reason}",
            error_message=why_blocked(reason, self._feedback.block_reason_message),
            usage_metadata=self.usage,
            model_version=self._last.model_version if self._last else None,
        )

    def _keep(self, part: types.Part) -> None:
        if self._texts and _is_plain_text(part) and bool(self._parts[-1].thought) == bool(part.thought):
            self._texts.append(part.text or "")
            return
        self._settle()
        if _is_plain_text(part):
            if not part.text:
                return
            self._texts = [part.text]
        self._parts.append(part)

    def _settle(self) -> None:
        """Ends the text that is being collected."""
        if len(self._texts) > 1:
            self._parts[-1] = self._parts[-1].model_copy(update={"text": "".join(self._texts)})
        self._texts = []

    def _merged(self) -> list[types.Part]:
        self._settle()
        return self._parts


def _readable(part: types.Part) -> types.Part:
    """A part whose call, if it is one, has arguments that can be stored as they are.

    A key that was there twice is not seen: google-genai decodes the message, and keeps the last value.
    """
    if (call := part.function_call) is None or not call.args:
        return part
    try:
        args = checked(call.args)
    except UnreadableJsonError as error:
        unreadable = unreadable_call(call.name or "", str(call.args), str(error), call_id=call.id)
        return part.model_copy(update={"function_call": unreadable})
    return part.model_copy(update={"function_call": call.model_copy(update={"args": args})})


def _is_plain_text(part: types.Part) -> bool:
    return part.text is not None and part.thought_signature is None


def _stop_reason(reason: types.FinishReason | None, content: types.Content | None) -> StopReason:
    if reason is None or reason in _NATURAL:
        return natural_stop(content.parts if content else None)
    if reason is _Reason.MAX_TOKENS:  # a call comes whole, and is run whatever was cut off after it
        return "tool_use" if natural_stop(content.parts if content else None) == "tool_use" else "max_tokens"
    return "safety" if reason in _HELD_BACK else "error"
