"""A model that answers from a script, for tests and benchmarks. Deterministic, and without a wait."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import cached_property
from types import TracebackType
from typing import Any, Self, cast

from google.genai import types

from agents.errors import ScriptError
from agents.model import BaseLlm, LlmRequest, LlmResponse, copy_with
from agents.models.answer import content_of, natural_stop, piece, words

__all__ = ["ScriptItem", "ScriptedLlm", "call"]

ScriptItem = (
    str
    | LlmResponse
    | types.Content
    | Sequence[str | types.FunctionCall | types.Part]
    | Sequence[LlmResponse]
    | BaseException
    | type[BaseException]
    | Callable[[LlmRequest], Any]
)
"""One answer of a scripted model, see `ScriptedLlm`."""


def call(name: str, /, **args: Any) -> types.FunctionCall:
    """A function call for a script: `call("get_weather", city="Oslo")`."""
    return types.FunctionCall(name=name, args=args)


class ScriptedLlm(BaseLlm):
    """Gives the answers of its script, one for each call of the model.

    An item of the script is
    - a str: a text;
    - a list of function calls (`call("name", key=value)`), texts and parts, in the order they are said;
    - a `types.Content` or an `LlmResponse`: the answer itself;
    - a list of `LlmResponse`: the pieces of a streamed answer and the whole, given as they are (without the pieces
      when not streaming);
    - an exception, or a class of them: raised;
    - a function, sync or async, that takes the `LlmRequest` and returns one of these.

    Used as a context manager it checks at the end that nothing of the script is left. Gives usage only where an
    `LlmResponse` of the script has it.

    Attributes:
        model: Its name.
        script: The answers.
    """

    model: str = "scripted"
    script: tuple[Any, ...] = ()

    def __init__(self, *, script: Sequence[ScriptItem] = (), model: str = "scripted") -> None:
        super().__init__(model=model, script=script)  # pyright: ignore[reportCallIssue]  a field of this class
        _ = self._answers  # an invalid script is refused here

    @cached_property
    def _answers(self) -> list[Any]:
        """The script with all made beforehand that can be: responses are costly to make, for a benchmark."""
        return [item if _acts(item) else _responses(item) for item in self.script]

    @cached_property
    def requests(self) -> list[LlmRequest]:
        """The requests so far, those past the end of the script included."""
        return []

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """None: the script says what tools do."""
        return []

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Gives the next answer of the script, streamed word by word; see `BaseLlm`. The request is kept in `requests`.

        Raises:
            ScriptError: The script is used up.
        """
        requests = self.requests
        # The list is copied since the caller may add to it; the contents in it are shared.
        requests.append(copy_with(llm_request, contents=list(llm_request.contents), observer=None))
        if len(requests) > len(self.script):
            raise ScriptError(self._past_the_end())
        answer = self._answers[len(requests) - 1]
        if not isinstance(answer, list):
            answer = await _act(answer, llm_request)
        answer = cast("list[LlmResponse]", answer)
        for response in answer:
            if response.partial:
                if stream:
                    yield response
                continue
            if stream and len(answer) == 1:
                for streamed in _pieces(response):
                    yield streamed
            yield response

    def assert_used_up(self) -> None:
        """Checks that the model was called once for each item of the script.

        Raises:
            ScriptError: It was called less often, or more often.
        """
        if len(self.requests) < len(self.script):
            left = len(self.script) - len(self.requests)
            upcoming = repr(self.script[len(self.requests)])
            raise ScriptError(
                f"The scripted model {self.model!r} was called {len(self.requests)} times, but its script has "
                f"{len(self.script)} answers: {left} were never given, first {upcoming[:200]}. "
                "Take them out of the script, or find out why the agent stopped early."
            )
        if len(self.requests) > len(self.script):
            raise ScriptError(self._past_the_end())

    def _past_the_end(self) -> str:
        return (
            f"The scripted model {self.model!r} was called {len(self.requests)} times, but its script has only "
            f"{len(self.script)} answers. Add the missing ones, or find out why the agent goes on."
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:  # else that error says more than a script that is not used up
            self.assert_used_up()


def _acts(item: Any) -> bool:
    """Whether an item does something when it is its turn: raises, or computes its answer."""
    return isinstance(item, BaseException) or callable(item)


async def _act(item: Any, llm_request: LlmRequest) -> list[LlmResponse]:
    if callable(item) and not isinstance(item, type):
        item = cast("Callable[[LlmRequest], Any]", item)(llm_request)
        if inspect.isawaitable(item):
            item = await item
    if isinstance(item, BaseException) or (isinstance(item, type) and issubclass(item, BaseException)):
        raise item
    return _responses(item)


def _responses(item: Any) -> list[LlmResponse]:
    """A script item as the responses to give: pieces, if it has its own, and the whole."""
    if isinstance(item, str):
        return [_said(content_of(item))]
    if isinstance(item, LlmResponse):
        return [_fresh(item)]
    if isinstance(item, types.Content):
        return [_said(_fresh_content(item))]
    if not isinstance(item, Sequence) or isinstance(item, bytes):
        raise ScriptError(
            f"A script cannot hold {item!r}: give a text, a list of calls, a Content, an LlmResponse or a list of them, "
            "an exception, or a function that takes the request."
        )
    listed = cast("Sequence[Any]", item)
    if listed and all(isinstance(entry, LlmResponse) for entry in listed):
        return [_fresh(response) for response in listed]
    parts = [_part(entry) for entry in listed]
    return [_said(types.Content(role="model", parts=parts) if parts else None)]


def _part(entry: Any) -> types.Part:
    if isinstance(entry, types.FunctionCall):
        return types.Part(function_call=entry.model_copy())
    if isinstance(entry, str):
        return types.Part(text=entry)
    if isinstance(entry, types.Part):
        return _fresh_part(entry)
    raise ScriptError(f"A list in a script holds texts, calls and parts, or only LlmResponses, not {entry!r}.")


def _said(content: types.Content | None) -> LlmResponse:
    return LlmResponse(content=content, stop_reason=natural_stop(content.parts if content else None))


def _pieces(whole: LlmResponse) -> list[LlmResponse]:
    """The texts of a whole answer, word by word."""
    return [piece(word, thought=bool(part.thought)) for part in whole.parts if part.text for word in words(part.text)]


def _fresh(response: LlmResponse) -> LlmResponse:
    """A response of its own: agents give ids to calls, and a script may hold one response several times."""
    update: dict[str, Any] = {"content": _fresh_content(response.content)} if response.content else {}
    if response.stop_reason is None and not response.partial:
        update["stop_reason"] = "error" if response.error_code else natural_stop(response.parts)
    return response.model_copy(update=update)


def _fresh_content(content: types.Content) -> types.Content:
    return types.Content(role=content.role, parts=[_fresh_part(part) for part in content.parts or ()])


def _fresh_part(part: types.Part) -> types.Part:
    if part.function_call is None:
        return part
    return part.model_copy(update={"function_call": part.function_call.model_copy()})
