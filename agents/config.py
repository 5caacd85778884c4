"""The only reader of the environment, and the limits that hold everywhere."""

from __future__ import annotations

import os
import re
from pathlib import Path

MAX_MESSAGE_BYTES = 64 * 1024
"""A longer message is refused: models read it again at every step."""

_KEY_LIKE = re.compile(
    r"((?:[?&](?:api_)?key=|\b(?:x-goog-api-key|api[-_]key|authorization)[\"']?\s*[:=]\s*[\"']?(?:Bearer\s+)?))[^\s&\"',}]+",
    re.IGNORECASE,
)

USER_ID = "person"
"""The user of every session that is made in the browser or the terminal."""


def database_path() -> Path:
    """Where sessions are kept: `PLAYGROUND_DB`, else `playground.db` in the platform's folder for user data."""
    if chosen := os.environ.get("PLAYGROUND_DB"):
        return Path(chosen).expanduser()
    return _data_folder() / "playground.db"


def files_folder() -> Path:
    """Where sessions keep working files: `PLAYGROUND_FILES`, else `files` in the platform's folder for user data."""
    if chosen := os.environ.get("PLAYGROUND_FILES"):
        return Path(chosen).expanduser()
    return _data_folder() / "files"


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


def gemini_api_key() -> str | None:
    """`GOOGLE_API_KEY`, else `GEMINI_API_KEY`, else None: google-genai's own order."""
    return os.environ.get("GOOGLE_API_KEY") or os.environ.get("GEMINI_API_KEY") or None


def redact(text: str) -> str:
    """`text` without keys: those in the environment, and what looks like one in an address or a header."""
    for key in (os.environ.get("GOOGLE_API_KEY"), os.environ.get("GEMINI_API_KEY")):
        if key:
            text = text.replace(key, "[key]")
    return _KEY_LIKE.sub(r"\1[key]", text)


def plain_terminal() -> bool:
    """Whether a terminal asks for text without colours: `NO_COLOR`, or one that has none."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def gemini_base_url() -> str | None:
    """`GOOGLE_GEMINI_BASE_URL`: another server than Google's, e.g. a proxy."""
    return os.environ.get("GOOGLE_GEMINI_BASE_URL") or None
