"""The silence limit: how long a model may send nothing while its answer is awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from types import coroutine
from typing import Any, Self

from agents.errors import ModelTimeoutError
from agents.model import LlmResponse


class SilenceLimit:
    """Waits for a model's responses, at most `seconds` for each. Uses at most one timer, however many pieces come.

    Args:
        seconds: How long the model may be silent; None for ever.
        model: The model's name, for the error.
    """

    __slots__ = ("_model", "_passed", "_seconds", "_since", "_timer", "_waiting")

    def __init__(self, seconds: float | None, model: str | None) -> None:
        self._seconds = seconds
        self._model = model
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Task[Any] | None = None
        self._since = 0.0
        self._passed = False

    @coroutine
    def next_of(self, responses: AsyncGenerator[LlmResponse, None]) -> Generator[Any, Any, LlmResponse | None]:
        """The next response, None after the last. A response that is there at once costs no clock and no timer.

        Raises:
            ModelTimeoutError: It did not come in time.
        """
        steps = responses.__anext__().__await__()  # `anext` with a default is another object around it
        step: Callable[[Any], Any] = steps.send
        value: Any = None
        try:
            while True:
                try:
                    waits_for = step(value)
                except StopIteration as done:
                    return done.value
                except StopAsyncIteration:
                    return None
                self._begin_waiting()
                try:
                    step, value = steps.send, (yield waits_for)
                except BaseException as thrown:  # noqa: BLE001  it is for the model, which may go on, e.g. to clean up
                    step, value = steps.throw, thrown
        except asyncio.CancelledError as error:
            if self._waiting is None or not self._passed or self._waiting.uncancel() > 0:
                raise
            raise ModelTimeoutError(
                f"The model {self._model!r} was silent for {self._seconds:g} s. It may be overloaded or hanging: run again, "
                "choose another model, or allow more with RunConfig(model_timeout=…).",
                retryable=True,
            ) from error
        finally:
            self._waiting = None

    def _begin_waiting(self) -> None:
        """Called each time that the model waits for something."""
        if self._seconds is not None and self._waiting is None:
            loop = asyncio.get_running_loop()
            self._waiting, self._since = asyncio.current_task(), loop.time()
            if self._timer is None:
                self._timer = loop.call_at(self._since + self._seconds, self._check)

    def _check(self) -> None:
        assert self._seconds is not None
        loop = asyncio.get_running_loop()
        if self._waiting is None:
            self._timer = None
        elif loop.time() >= self._since + self._seconds:
            self._passed = True
            self._waiting.cancel()
        else:
            self._timer = loop.call_at(self._since + self._seconds, self._check)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Takes the timer away."""
        if self._timer is not None:
            self._timer.cancel()
