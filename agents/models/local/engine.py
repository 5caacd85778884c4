"""A model file in memory: llama.cpp in this process, through xllamacpp.

Loading blocks the whole process for a moment, since the constructor of `xllamacpp.Server` holds Python's lock. The file
is read through once before, so that this moment is short on slow disks too. Answers do not need the lock.
"""

from __future__ import annotations

import asyncio
import atexit
import secrets
import threading
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from agents.models.local import errors as local_errors
from agents.models.local.gguf import Gguf, GgufError, read_gguf

Chunk = dict[str, Any]

_READ_STEP = 8 * 1024 * 1024
_WORKING_MEMORY = 250_000_000  # what llama.cpp computes in, seen with small models
_BATCH = 256  # tokens of a prompt between two checks for a waiting caller
_CONTEXT = 8192
_PROMPT_CACHE = 256  # MiB of cache for conversations that left their slot

_ending = threading.Event()
_threads: set[threading.Thread] = set()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file and its load settings.

    Attributes:
        path: The file.
        n_ctx: The longest conversation, in tokens; None for 8192, or less where the model reads less.
        threads: Threads that compute; None for all cores but one.
        slots: How many answer at the same time, each with a context of its own.
        changed: When the file last changed, so that a replaced file is loaded again.
    """

    path: Path
    n_ctx: int | None
    threads: int | None
    slots: int
    changed: int


@dataclass
class Speed:
    """Total times of all calls, as llama.cpp measured them."""

    tokens: int = 0
    seconds: float = 0.0
    prompt_tokens: int = 0
    prompt_seconds: float = 0.0

    def take(self, timings: dict[str, Any]) -> None:
        """Adds a call. Its first token belongs to the reading of the prompt."""
        self.tokens += max(0, timings.get("predicted_n", 0) - 1)
        self.seconds += timings.get("predicted_ms", 0.0) / 1000
        self.prompt_tokens += timings.get("prompt_n", 0)
        self.prompt_seconds += timings.get("prompt_ms", 0.0) / 1000


class Engine:
    """A loaded model. Making one takes seconds and blocks: do it in a thread.

    Args:
        wanted: What to load.
        progress: Told from time to time how much is done, from 0 to 1.

    Raises:
        ProviderError: The extra is missing, the file cannot be used, or there is too little memory.
    """

    def __init__(self, wanted: Wanted, progress: Callable[[float], object]) -> None:
        begun = time.perf_counter()
        xllamacpp = _library()
        self.path = wanted.path
        self.file = _described(wanted.path)
        self.n_ctx = _context(wanted, self.file)
        _require_memory(self.path, self.file, n_ctx=self.n_ctx, slots=wanted.slots)
        before = _memory()
        _read_through(wanted.path, self.file.file_bytes, progress)
        try:
            self._server = xllamacpp.Server(_parameters(xllamacpp, wanted, self.n_ctx))
        except RuntimeError:
            raise local_errors.not_loaded(self.path, self.file.architecture) from None
        self.memory_bytes = max(0, _memory() - before)
        self.seconds = time.perf_counter() - begun
        self.speed = Speed()
        self._running = 0
        self._changed = threading.Condition()

    @property
    def running(self) -> int:
        """How many calls are running, abandoned ones included."""
        return self._running

    def wait_idle(self, seconds: float) -> bool:
        """Waits until no call runs; False if that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, seconds)

    async def stream(self, body: Chunk) -> AsyncGenerator[Chunk, None]:
        """Answers a body of OpenAI's chat completions, chunk by chunk.

        Closing the generator, or cancelling the task, stops llama.cpp at its next token, or after the piece of the prompt
        that it is reading.

        Raises:
            ProviderError: It refuses the body, or the conversation is too long.
        """
        loop = asyncio.get_running_loop()
        arrived: asyncio.Queue[Chunk | None] = asyncio.Queue()
        gone = threading.Event()

        def take(chunk: Chunk | None) -> bool:
            """Returns True for llama.cpp to stop."""
            if gone.is_set() or _ending.is_set():
                return True
            try:
                loop.call_soon_threadsafe(arrived.put_nowait, chunk)
            except RuntimeError:  # the loop is closed: no caller waits
                return True
            return False

        self._start(body, take)
        try:
            while (chunk := await arrived.get()) is not None:
                if isinstance(error := chunk.get("error"), dict):
                    said = cast("dict[str, Any]", error)
                    raise local_errors.of_engine(said, self.path.stem, most=self.file.context_length)
                if isinstance(timings := chunk.get("timings"), dict):
                    self.speed.take(cast("dict[str, Any]", timings))
                yield chunk
        finally:
            gone.set()

    def _start(self, body: Chunk, take: Callable[[Chunk | None], bool]) -> None:
        def work() -> None:
            try:
                self._server.handle_chat_completions({**body, "stream": True, "return_progress": True}, take)
            except Exception as error:  # noqa: BLE001  raised where the answer is waited for
                take({"error": {"message": str(error)}})
            finally:
                with self._changed:
                    self._running -= 1
                    self._changed.notify_all()
                take(None)

        with self._changed:
            self._running += 1
        in_background(work)


def in_background(work: Callable[[], object]) -> None:
    """Runs `work` in a thread that is told to stop and then joined at the end of the process.

    asyncio's pool would wait for a whole answer; a thread that is not joined crashes the process when llama.cpp calls back
    into a finalised Python.
    """

    def run() -> None:
        try:
            work()
        finally:
            _threads.discard(thread)

    thread = threading.Thread(target=run, name="llama.cpp", daemon=True)
    _threads.add(thread)
    thread.start()


@atexit.register
def _end() -> None:
    _ending.set()
    for thread in list(_threads):
        thread.join()


def _library() -> Any:
    try:
        import xllamacpp  # pyright: ignore[reportMissingTypeStubs]  it has none
    except ImportError:
        raise local_errors.extra_missing() from None
    return xllamacpp


def _described(path: Path) -> Gguf:
    try:
        return read_gguf(path)
    except GgufError as error:
        raise local_errors.unusable(path, str(error)) from None
    except OSError as error:
        raise local_errors.unusable(path, f"cannot be read ({error.strerror})") from None


def _context(wanted: Wanted, file: Gguf) -> int:
    most = file.context_length
    n_ctx = wanted.n_ctx or _CONTEXT
    return min(n_ctx, most) if most else n_ctx


def _require_memory(path: Path, file: Gguf, *, n_ctx: int, slots: int) -> None:
    import psutil

    free = psutil.virtual_memory().available
    needed = file.file_bytes + file.token_bytes * n_ctx * slots + _WORKING_MEMORY
    if needed > free:
        raise local_errors.too_little_memory(path, needed=needed, free=free, n_ctx=n_ctx)


def _memory() -> int:
    import psutil

    return psutil.Process().memory_info().rss


def _read_through(path: Path, size: int, progress: Callable[[float], object]) -> None:
    """Reads the file into the system's cache, from where llama.cpp maps it."""
    buffer, done = bytearray(_READ_STEP), 0
    try:
        with path.open("rb", buffering=0) as file:
            while (count := file.readinto(buffer)) and not _ending.is_set():
                done += count
                progress(min(1.0, done / size))
    except OSError as error:
        raise local_errors.unusable(path, f"cannot be read ({error.strerror})") from None


def _parameters(xllamacpp: Any, wanted: Wanted, n_ctx: int) -> Any:
    made = xllamacpp.CommonParams()
    made.model.path = str(wanted.path)
    made.model_alias = {wanted.path.stem}  # else answers would tell where the file is
    made.n_ctx, made.n_parallel = n_ctx * wanted.slots, wanted.slots
    made.n_batch = made.n_ubatch = _BATCH
    for threads in (made.cpuparams, made.cpuparams_batch):
        threads.n_threads = wanted.threads or _spare_cores()
    made.cache_ram_mib = _PROMPT_CACHE
    # Weights stay mapped as they are in the file: a copy in another order takes half as much memory again, and no prompt
    # was read faster for it. A trial run and a search for settings that fit would only lengthen the moment of blocking.
    made.no_extra_bufts, made.warmup, made.fit_params = True, False, False
    made.verbosity = -1  # its log would go to standard error
    # It listens on loopback, which cannot be turned off: without this key it answers no request.
    made.api_keys, made.hostnames = [secrets.token_urlsafe(32)], ["127.0.0.1"]
    made.ui, made.endpoint_slots, made.offline = False, False, True
    return made


def _spare_cores() -> int:
    """All but one: llama.cpp's threads wait for each other spinning, and are a hundred times slower where one must share."""
    import psutil

    return max(1, (psutil.cpu_count(logical=False) or psutil.cpu_count() or 2) - 1)
