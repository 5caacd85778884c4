"""Model files in the models folder: lists them, and says what a model lacks to answer."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from agents.config import models_folder
from agents.models.provider import Lack

LOCAL_PREFIX = "local/"
"""Prefix of the names of models in the models folder: `local/NAME` for NAME.gguf."""
FILE_SUFFIX = ".gguf"
INSTALL_LOCAL = "uv run --extra local playground"
"""The command that starts the playground with the extra that runs model files."""

NO_EXTRA = Lack(
    "not installed",
    f"what runs model files is an extra that is not installed. Start the playground with it: `{INSTALL_LOCAL}`.",
)
NO_FILE = Lack("no file", "its file is not in the models folder. Fetch it with `playground models pull`, or put it there.")


def found() -> dict[str, int]:
    """Models whose files are in the models folder: name → bytes."""
    try:
        files = sorted(models_folder().glob(f"*{FILE_SUFFIX}"))
        return {f"{LOCAL_PREFIX}{file.stem}": file.stat().st_size for file in files if file.is_file()}
    except OSError:  # no readable folder, or a file that was just deleted: nothing to offer
        return {}


def lack(model: str) -> Lack | None:
    """What this model lacks; None if nothing is missing."""
    if lacks_extra():
        return NO_EXTRA
    return NO_FILE if model.startswith(LOCAL_PREFIX) and not _has_file(model.removeprefix(LOCAL_PREFIX)) else None


@cache
def lacks_extra() -> bool:
    """Whether the extra that runs model files is missing."""
    return find_spec("xllamacpp") is None


def _has_file(name: str) -> bool:
    """Whether the models folder has this file; listing them all would be repeated for each model in a list."""
    try:
        return Path(name).name == name and (models_folder() / f"{name}{FILE_SUFFIX}").is_file()
    except OSError:  # a name that is too long, or a folder without permission to read
        return False
