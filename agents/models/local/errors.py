"""Errors of model files and of llama.cpp, in words that a user can act on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.config import models_folder
from agents.errors import ProviderError, known
from agents.models.http_errors import quoted
from agents.models.local.files import FILE_SUFFIX, LOCAL_PREFIX, found

_GIGA = 1_000_000_000
_CONTEXT = "exceed_context_size_error"


def extra_missing() -> ProviderError:
    """The extra that runs model files is not installed."""
    return ProviderError(
        "A model file needs the extra `local` (llama.cpp, through xllamacpp), which is not installed. Start with "
        '`uv run --extra local playground`, or install it with `pip install "multi-agent-playground[local]"`.',
        code="EXTRA_MISSING",
    )


def no_file(model: str, path: Path) -> ProviderError:
    """The file is not there."""
    if model.startswith(LOCAL_PREFIX):
        cure = f"Fetch it with `playground models pull NAME`, or put it there. In the folder there is: {known(found())}."
    else:
        cure = "Check the path."
    return ProviderError(f"There is no file for the model {model!r}: it should be {path}. {cure}", code="MODEL_FILE")


def bad_name(model: str) -> ProviderError:
    """A name that would lead out of the models folder."""
    return ProviderError(
        f"{model!r} names no file of the models folder: after {LOCAL_PREFIX!r} comes the name of a file in "
        f"{models_folder()}, without folders. For a file elsewhere, give its path, which ends with {FILE_SUFFIX}.",
        code="MODEL_FILE",
    )


def unusable(path: Path, what: str) -> ProviderError:
    """A file that is not a model, or not a whole one; `what` continues after "it …"."""
    return ProviderError(
        f"The model file {path} cannot be used: it {what.rstrip('.')}. Delete it and fetch it again, e.g. with `playground "
        "models pull NAME`, or choose another model.",
        code="MODEL_FILE",
    )


def not_loaded(path: Path, architecture: str) -> ProviderError:
    """llama.cpp refused the file. The reason is only in its log."""
    kind = f" of the kind {architecture!r}" if architecture else ""
    return ProviderError(
        f"llama.cpp cannot load the model file {path}{kind}: it is damaged, or newer than the llama.cpp that is installed. "
        "Fetch the file again, update xllamacpp, or choose another model.",
        code="MODEL_FILE",
    )


def too_little_memory(path: Path, *, needed: int, free: int, n_ctx: int) -> ProviderError:
    """The machine has less free memory than the model takes."""
    return ProviderError(
        f"The model file {path.name} takes about {_size(needed)} of memory with a context of {n_ctx} tokens, and only "
        f"{_size(free)} are free. Close other programs, give LocalLlm(n_ctx=…) fewer tokens, or choose a smaller model.",
        code="OUT_OF_MEMORY",
        retryable=True,
    )


def _size(count: int) -> str:
    return f"{count / _GIGA:.1f} GB"


def too_long(model: str, *, tokens: int, n_ctx: int, most: int | None) -> ProviderError:
    """The conversation is longer than what the model reads."""
    more = f"load it with LocalLlm(n_ctx=…), up to {most}; " if most and most > n_ctx else ""
    return ProviderError(
        f"The request has {tokens} tokens, and {model} reads {n_ctx} at most. To have it fit, {more}send less history "
        "(include_contents='none'), or begin a new session.",
        code="CONTEXT_TOO_LONG",
    )


def of_engine(error: Mapping[str, Any], model: str, *, most: int | None) -> ProviderError:
    """The error to raise for llama.cpp's error.

    Args:
        error: llama.cpp's error: `code`, `type`, `message`.
        model: The model's name.
        most: The longest context the model was made for.
    """
    if error.get("type") == _CONTEXT:
        tokens, n_ctx = int(error.get("n_prompt_tokens") or 0), int(error.get("n_ctx") or 0)
        return too_long(model, tokens=tokens, n_ctx=n_ctx, most=most)
    said = quoted(str(error.get("message") or ""))
    return ProviderError(
        f"llama.cpp ({model}) did not answer: {said} Check the agent's generate_content_config, tools and output_schema.",
        code="CLIENT_ERROR",
    )
