"""A model file (GGUF) that runs in this process: no server, no key, no network.

`engine.py` runs it, `model_cache.py` keeps it in memory. Tools are offered by the JSON protocol, and the sampler is
constrained to its schema: small models rarely call tools of their own accord.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from pydantic import Field

from agents.config import models_folder
from agents.errors import ProviderError
from agents.model import BaseLlm, CallObserver, LlmRequest, LlmResponse
from agents.models.local import errors as local_errors
from agents.models.local.engine import Engine, Wanted
from agents.models.local.files import FILE_SUFFIX, LOCAL_PREFIX
from agents.models.local.model_cache import LoadedModel, ModelCache
from agents.models.local.spec import PROVIDER
from agents.models.openai_compatible.format import asks_for_json, body_of, declared_tools, say_bounds
from agents.models.openai_compatible.format_answer import OpenAIAnswer
from agents.scope import current_scope

__all__ = ["LoadedModel", "LocalLlm", "path_of"]

_TENTH = 0.1


class LocalLlm(BaseLlm):
    """A model file, loaded when it is first called, and kept until another one is needed.

    Attributes:
        model: "local/NAME" for NAME.gguf in the models folder, or the path of a file that ends with .gguf.
        n_ctx: The longest conversation in tokens, answer included; None for 8192, or less where the model reads less.
        slots: How many calls are answered at the same time; each takes memory for a conversation, and more calls wait.
        threads: Threads that compute; None for all cores but one.
        max_output_tokens: The limit of an answer if the agent sets none.
    """

    n_ctx: int | None = Field(default=None, ge=64, le=1_000_000)
    slots: int = Field(default=2, ge=1, le=64)
    threads: int | None = Field(default=None, ge=1, le=512)
    max_output_tokens: int = Field(default=1024, ge=1)

    @classmethod
    def supported_models(cls) -> list[str]:
        """Names of files in the models folder, and paths of files."""
        return PROVIDER.name_patterns

    @classmethod
    async def list_models(cls) -> list[str]:
        """The files in the models folder.

        Raises:
            ProviderError: The folder cannot be read.
        """
        return await asyncio.to_thread(_listed)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Answers with the file's model; see `BaseLlm`. The first call loads it, of which the request's observer is told.

        Closing the generator, or cancelling the task, stops llama.cpp. A load that has begun goes on.

        Raises:
            ProviderError: MODEL_FILE, EXTRA_MISSING, OUT_OF_MEMORY, CONTEXT_TOO_LONG or CLIENT_ERROR.
        """
        wanted = self._wanted()
        news = _LoadNews(llm_request.observer, self.model, wanted.path)
        async with current_scope().part(ModelCache).borrowed(wanted, news.progress) as engine:
            news.done(engine)
            body, answer = self._exchange(llm_request)
            async with aclosing(engine.stream(body)) as chunks:
                async for chunk in chunks:
                    for shown in answer.add(chunk):
                        if stream:
                            yield shown
            yield answer.whole(streamed=True)

    def _wanted(self) -> Wanted:
        path = path_of(self.model)
        try:
            changed = path.stat().st_mtime_ns
        except OSError:
            raise local_errors.no_file(self.model, path) from None
        return Wanted(path, n_ctx=self.n_ctx, threads=self.threads, slots=self.slots, changed=changed)

    def _exchange(self, request: LlmRequest) -> tuple[dict[str, Any], OpenAIAnswer]:
        """The body for llama.cpp, and the reader of its answer."""
        say_bounds(request, "json")
        body = body_of(
            request,
            model=self.model.removeprefix(LOCAL_PREFIX),
            stream=True,
            protocol="json",
            bounds=True,
            max_output_tokens=self.max_output_tokens,
        )
        tools = declared_tools(request)
        is_json = asks_for_json(request)
        return body, OpenAIAnswer(self.model, tools=tools, protocol="json", prefix=LOCAL_PREFIX, asks_for_json=is_json)


def path_of(model: str) -> Path:
    """The file of a model, whether it is there or not.

    Raises:
        ProviderError: The name would lead out of the models folder.
    """
    if not model.startswith(LOCAL_PREFIX):
        return Path(model).expanduser()
    name = model.removeprefix(LOCAL_PREFIX).removesuffix(FILE_SUFFIX)
    if not name or name.startswith(".") or any(sign in name for sign in "/\\:\0"):
        raise local_errors.bad_name(model)
    return models_folder() / f"{name}{FILE_SUFFIX}"


def _listed() -> list[str]:
    folder = models_folder()
    try:
        found = [path for path in folder.iterdir() if path.suffix == FILE_SUFFIX and path.is_file()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ProviderError(
            f"The models folder {folder} cannot be read ({error.strerror}). Check its permissions, or name another one with "
            "PLAYGROUND_MODELS.",
            code="MODEL_FILE",
        ) from None
    return sorted(f"{LOCAL_PREFIX}{path.stem}" for path in found)


class _LoadNews:
    """Reports a load to the observer of the call that waits for it; does nothing if there is no load."""

    def __init__(self, observer: CallObserver | None, model: str, path: Path) -> None:
        self._observer, self._model, self._path = observer, model, path
        self._told: float | None = None

    def progress(self, progress: float) -> None:
        """Records the progress, from 0 to 1."""
        if self._told is None or progress >= self._told + _TENTH:
            self._told = progress
            self._note("model_loading", progress=round(progress, 2))

    def done(self, engine: Engine) -> None:
        """The load is over, or there was none."""
        if self._told is not None:
            self._note(
                "model_loaded",
                seconds=round(engine.seconds, 3),
                bytes=engine.file.file_bytes,
                n_ctx=engine.n_ctx,
            )

    def _note(self, kind: str, **data: Any) -> None:
        if self._observer is not None:
            self._observer.note(kind, model=self._model, **data)
