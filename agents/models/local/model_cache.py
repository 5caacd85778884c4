"""The model files that are in memory: each is loaded once for all callers, and unloaded when another one is needed.

One cache for each workspace. One idle model stays loaded, besides those in use.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from agents.models.local.engine import Engine, Wanted, in_background
from agents.models.local.files import LOCAL_PREFIX

_LOOK = 0.5
"""Seconds between two reports of a load's progress."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model that is in memory, for display.

    Attributes:
        name: Its name, "local/…".
        path: Its file.
        file_bytes: The file's size.
        n_ctx: The longest conversation that it reads, in tokens.
        loaded_in: Seconds that loading took.
        memory_bytes: By how much the memory of this process grew, the mapped file included.
        tokens_per_second: How fast it writes, over all calls; None before the first whole one.
        prompt_tokens_per_second: How fast it reads.
        running: How many calls it works on now.
    """

    name: str
    path: str
    file_bytes: int
    n_ctx: int
    loaded_in: float
    memory_bytes: int
    tokens_per_second: float | None
    prompt_tokens_per_second: float | None
    running: int


@dataclass
class _CachedModel:
    future: Future[Engine] = field(default_factory=Future[Engine])
    progress: float = 0.0
    users: int = 0

    @property
    def engine(self) -> Engine | None:
        """The engine, None while it is being loaded and after that failed."""
        is_loaded = self.future.done() and self.future.exception() is None
        return self.future.result() if is_loaded else None

    @property
    def is_idle(self) -> bool:
        return not self.users and (engine := self.engine) is not None and not engine.running


class ModelCache:
    """The loaded model files of a workspace, a part of its `Scope`. May be used from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loading = threading.Lock()  # one load at a time: the memory of two could not be told apart
        self._models: dict[Wanted, _CachedModel] = {}
        atexit.register(self._models.clear)  # before the engines' own end, which waits for their calls

    @asynccontextmanager
    async def borrowed(self, wanted: Wanted, told: Callable[[float], object]) -> AsyncGenerator[Engine, None]:
        """The engine for a file, loaded if it is not yet; it stays while it is borrowed.

        Cancelling a caller does not stop the load: others may wait too, and the next call finds it done.

        Args:
            wanted: The file.
            told: Called from time to time with the load's progress, from 0 to 1; never if it is loaded already.

        Raises:
            ProviderError: It cannot be loaded.
        """
        held = self._take(wanted)
        try:
            yield held.engine or await _loaded(held, told)
        finally:
            with self._lock:
                held.users -= 1

    def loaded_models(self) -> list[LoadedModel]:
        """The models that are in memory, in the order in which they were asked for."""
        with self._lock:
            engines = [engine for held in self._models.values() if (engine := held.engine) is not None]
        return [_shown(engine) for engine in engines]

    def unload_model(self, name: str) -> bool:
        """Frees the memory of a model: at once, or when the calls that use it have ended.

        Args:
            name: As `loaded_models` gives it.

        Returns:
            Whether it was loaded.
        """
        return self._evict(lambda wanted, held: held.engine is not None and name_of(wanted) == name)

    def _take(self, wanted: Wanted) -> _CachedModel:
        with self._lock:
            held = self._models.get(wanted)
            if held is None:
                held = self._models[wanted] = _CachedModel()
                in_background(lambda: self._load(wanted, held))
            held.users += 1
            return held

    def _load(self, wanted: Wanted, held: _CachedModel) -> None:
        def note(progress: float) -> None:
            held.progress = progress

        with self._loading:
            self._evict(lambda _, held: held.is_idle)
            try:
                engine = Engine(wanted, note)
            except BaseException as error:  # noqa: BLE001  raised where the engine is waited for
                with self._lock:
                    self._models.pop(wanted, None)
                held.future.set_exception(error)
            else:
                held.future.set_result(engine)

    def _evict(self, due: Callable[[Wanted, _CachedModel], bool]) -> bool:
        """Drops models; the last reference frees the memory. Returns whether there were any."""
        with self._lock:
            found = [wanted for wanted, held in self._models.items() if due(wanted, held)]
            away = [self._models.pop(wanted) for wanted in found]
        return bool(away)


async def _loaded(held: _CachedModel, told: Callable[[float], object]) -> Engine:
    future = asyncio.wrap_future(held.future)
    future.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # there may be no caller left to read it
    while True:
        told(held.progress)
        if (await asyncio.wait({future}, timeout=_LOOK))[0]:
            return future.result()


def name_of(wanted: Wanted) -> str:
    """What a file's model is called."""
    return f"{LOCAL_PREFIX}{wanted.path.stem}"


def _shown(engine: Engine) -> LoadedModel:
    speed = engine.speed
    return LoadedModel(
        name=f"{LOCAL_PREFIX}{engine.path.stem}",
        path=str(engine.path),
        file_bytes=engine.file.file_bytes,
        n_ctx=engine.n_ctx,
        loaded_in=engine.seconds,
        memory_bytes=engine.memory_bytes,
        tokens_per_second=_rate(speed.tokens, speed.seconds),
        prompt_tokens_per_second=_rate(speed.prompt_tokens, speed.prompt_seconds),
        running=engine.running,
    )


def _rate(count: int, seconds: float) -> float | None:
    return count / seconds if count and seconds > 0 else None
