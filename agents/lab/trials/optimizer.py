"""`Optimizer`: GEPA (arXiv 2507.19457; the package `gepa`) as a generator of requests that are answered in the event loop.

GEPA is synchronous, so it runs in a thread of its own, which waits for each answer. It is given numbers in place of samples,
and calls no model itself. The same answers make it ask for the same things in the same order.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any, Literal, NamedTuple

from agents.errors import LabError

INSTALL_GEPA = "uv run --extra lab playground"
"""The command that starts the playground with the extra that has GEPA."""

_TEXT = "notes"


class Place(NamedTuple):
    """A sample.

    Attributes:
        phase: What its split is for.
        place: Its place in the split.
    """

    phase: Literal["train", "validation"]
    place: int


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Asks for answers with a text, and whether each is right.

    Attributes:
        text: The text.
        places: The samples to answer.
        reply: A score for each.
    """

    text: str
    places: Sequence[Place]
    reply: Future[list[float]] = field(default_factory=Future[list[float]])


@dataclass(frozen=True, slots=True)
class Propose:
    """Asks for a better text, from the answers to the last request of training samples.

    Attributes:
        text: The text that they were answered with.
        reply: The new text; the same one for none.
    """

    text: str
    reply: Future[str] = field(default_factory=Future[str])


Request = Evaluate | Propose


class _EndedError(BaseException):
    """Nobody answers any more. Not an `Exception`: GEPA goes on after those."""


def check_gepa() -> None:
    """Checks that GEPA is installed.

    Raises:
        LabError: It is not; the message has the command that installs it.
    """
    if find_spec("gepa") is None:
        raise LabError(
            "An arm of the kind 'gepa' needs the extra `lab` (the package gepa), which is not installed. Start with "
            f'`{INSTALL_GEPA}`, or install it with `pip install "multi-agent-playground[lab]"`.'
        )


class Optimizer:
    """One optimisation.

    Args:
        text: The text that it begins with.
        train: The number of training samples.
        validation: The number of validation samples.
        minibatch: Training samples that two texts are compared on.
        seed: Of its random choices.
        is_over: Asked between two iterations, while no request is open.
    """

    def __init__(
        self, text: str, *, train: int, validation: int, minibatch: int, seed: int, is_over: Callable[[], bool]
    ) -> None:
        self._text, self._train, self._validation = text, train, validation
        self._minibatch, self._seed, self._is_over = minibatch, seed, is_over
        self._lock = Lock()
        self._open: Future[Any] | None = None
        self._has_ended = False
        self._error: Exception | None = None

    async def requests(self) -> AsyncGenerator[Request, None]:
        """What GEPA asks for, one request after the other. Each is answered before the next one is taken.

        Raises:
            LabError: GEPA itself failed.
        """
        queue: asyncio.Queue[Request | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def send(request: Request | None) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, request)

        thread = Thread(target=self._work, args=(send,), name="gepa", daemon=True)
        thread.start()
        try:
            while (request := await queue.get()) is not None:
                yield request
        finally:
            self._end()
            thread.join()  # it waits for no answer now, so it ends at once
        if self._error is not None:
            raise LabError(f"GEPA failed: {type(self._error).__name__}: {self._error}") from self._error

    def _end(self) -> None:
        with self._lock:
            self._has_ended = True
            if self._open is not None and not self._open.done():
                self._open.set_exception(_EndedError())

    def _work(self, send: Callable[[Request | None], None]) -> None:
        try:
            self._optimize(lambda request: self._ask(request, send))
        except _EndedError:
            pass
        except Exception as error:  # noqa: BLE001  raised again in the event loop
            self._error = error
        finally:
            send(None)

    def _ask(self, request: Request, send: Callable[[Request | None], None]) -> Any:
        with self._lock:
            if self._has_ended:
                raise _EndedError
            self._open = request.reply
        send(request)
        return request.reply.result()

    def _stops(self, gepa_state: Any) -> bool:
        return self._is_over()

    def _optimize(self, ask: Callable[[Request], Any]) -> None:
        import gepa

        untyped: Any = gepa
        untyped.optimize(
            {_TEXT: self._text},
            [Place("train", place) for place in range(self._train)],
            [Place("validation", place) for place in range(self._validation)],
            adapter=_Adapter(ask),
            reflection_minibatch_size=self._minibatch,
            stop_callbacks=self._stops,
            logger=_Silent(),
            track_best_outputs=False,
            seed=self._seed,
        )


class _Silent:
    """A log that nobody reads: what matters is in the run's results."""

    def log(self, message: str) -> None:
        """Drops it."""


class _Adapter:
    """What GEPA asks of the system that it optimises, see `gepa.GEPAAdapter`."""

    def __init__(self, ask: Callable[[Request], Any]) -> None:
        self._ask = ask

    def evaluate(self, batch: list[Place], candidate: dict[str, str], capture_traces: bool = False) -> Any:
        """Answers samples with a text."""
        import gepa

        untyped: Any = gepa
        scores: list[float] = self._ask(Evaluate(candidate[_TEXT], tuple(batch)))
        return untyped.EvaluationBatch(outputs=[None] * len(batch), scores=scores, trajectories=list(batch))

    def make_reflective_dataset(
        self, candidate: dict[str, str], eval_batch: Any, components_to_update: list[str]
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Which answers a new text is made from. The answers themselves stay in the event loop."""
        return {_TEXT: [{"place": place} for place in eval_batch.trajectories]}

    def propose_new_texts(
        self,
        candidate: dict[str, str],
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: list[str],
    ) -> dict[str, str]:
        """A new text; none if it would be the same."""
        text = self._ask(Propose(candidate[_TEXT]))
        return {} if text == candidate[_TEXT] else {_TEXT: text}
