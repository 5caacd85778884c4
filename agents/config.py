"""The only reader of the environment, and the limits that hold everywhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

MAX_MESSAGE_BYTES = 64 * 1024
"""A longer message is refused: models read it again at every step."""

_OLLAMA_PORT = 11434

_CONNECTIONS = (
    ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
    ("LLAMA_API_KEY", "LLAMA_BASE_URL"),
)
"""Variables of a provider's key and server."""

_secrets: set[str] = set()
"""Values of `.env` files that are to be shown nowhere."""

GEMINI_URL = "https://generativelanguage.googleapis.com"
"""Google's own server for Gemini."""

USER_ID = "person"
"""The user of every session that is made in the browser or the terminal."""


def database_path() -> Path:
    """Where sessions are kept: `PLAYGROUND_DB`, else `playground.db` in the platform's folder for user data."""
    return _chosen("PLAYGROUND_DB") or _data_folder() / "playground.db"


def files_folder() -> Path:
    """Where sessions keep working files: `PLAYGROUND_FILES`, else `files` in the platform's folder for user data."""
    return _chosen("PLAYGROUND_FILES") or _data_folder() / "files"


def expanded(text: str) -> Path:
    """A path with its `~` or `~name` expanded; as it is written where there is no such user, like a shell."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def _chosen(variable: str) -> Path | None:
    text = os.environ.get(variable)
    return expanded(text) if text else None


def _data_folder() -> Path:
    from platformdirs import user_data_path  # only needed where the environment names no place

    return user_data_path("agent-playground", appauthor=False)


def simulated_words_per_second() -> float:
    """How fast simulated models speak: `PLAYGROUND_SIMULATED_SPEED` in words a second, 0 = at once, 40 by default."""
    text = os.environ.get("PLAYGROUND_SIMULATED_SPEED", "40")
    try:
        speed = float(text)
    except ValueError:
        raise ValueError(
            f"PLAYGROUND_SIMULATED_SPEED must be a number of words a second, not {text!r}; 0 is instant."
        ) from None
    if not 0 <= speed < float("inf"):
        raise ValueError(f"PLAYGROUND_SIMULATED_SPEED must be 0 (instant) or more, not {text!r}.")
    return speed


def models_folder() -> Path:
    """Where model files for `local/…` are: `PLAYGROUND_MODELS`, else `models` in the platform's folder for user data."""
    return _chosen("PLAYGROUND_MODELS") or _data_folder() / "models"


def model_hub() -> str:
    """Where model files are fetched from: `HF_ENDPOINT`, a mirror of the hub, else the hub itself."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def gemini_api_key() -> str | None:
    """`GOOGLE_API_KEY`, else `GEMINI_API_KEY`, else None: google-genai's own order."""
    return _key("GOOGLE_API_KEY") or _key("GEMINI_API_KEY")


def gemini_base_url() -> str | None:
    """`GOOGLE_GEMINI_BASE_URL`: another server than Google's, e.g. a proxy."""
    return os.environ.get("GOOGLE_GEMINI_BASE_URL") or None


def llama_base_url() -> str:
    """`LLAMA_BASE_URL`, the `/v1` of a server that speaks as OpenAI's; by default llama.cpp's on this machine."""
    return os.environ.get("LLAMA_BASE_URL") or "http://127.0.0.1:8080/v1"


def llama_api_key() -> str | None:
    """`LLAMA_API_KEY`, for a server that wants one."""
    return _key("LLAMA_API_KEY")


def ollama_base_url() -> str:
    """`OLLAMA_HOST` as Ollama reads it: HOST, HOST:PORT or a whole address; by default Ollama's on this machine."""
    given = os.environ.get("OLLAMA_HOST") or "127.0.0.1"
    parts = urlsplit(given if "://" in given else f"http://{given}")
    host = "127.0.0.1" if parts.hostname in {None, "0.0.0.0", "::"} else parts.hostname  # noqa: S104  listened on, not called
    port = parts.port or {"https": 443}.get(parts.scheme, _OLLAMA_PORT)
    return f"{parts.scheme}://{f'[{host}]' if ':' in str(host) else host}:{port}{parts.path.rstrip('/')}"


def environment_keys() -> tuple[str, ...]:
    """All keys that the environment holds, and those that were in `.env` files."""
    names = ("GOOGLE_API_KEY", "GEMINI_API_KEY", "LLAMA_API_KEY")
    return (*(key for name in names if (key := _key(name))), *_secrets)


def take_env(variables: Mapping[str, str]) -> None:
    """Sets the variables of a `.env` file that are not set yet.

    A provider's key and its server belong together: they are taken only where the environment has neither.
    """
    _secrets.update(value.strip() for name, value in variables.items() if value and _is_secret(name))
    kept_out = {name for pair in _CONNECTIONS if any(name in os.environ for name in pair) for name in pair}
    for name, value in variables.items():
        if name not in kept_out:
            os.environ.setdefault(name, value)


def _is_secret(name: str) -> bool:
    return any(word in name.upper() for word in ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"))


def _key(name: str) -> str | None:
    """A key without the line end that a file or a paste may have left on it."""
    return os.environ.get(name, "").strip() or None


def plain_terminal() -> bool:
    """Whether a terminal asks for text without colours: `NO_COLOR`, or one that has none."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
