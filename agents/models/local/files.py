"""Model files in the models folder: which there are, and what keeps one from answering."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from agents.config import models_folder
from agents.models.provider import Lack

LOCAL_PREFIX = "local/"
"""Begins the name of a model whose file is in the models folder: `local/NAME` for NAME.gguf."""
FILE_SUFFIX = ".gguf"
INSTALL_LOCAL = "uv run --extra local playground"
"""The command that starts the playground with what runs model files."""

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
    except OSError:  # no folder that can be read, or a file that went meanwhile: nothing to offer
        return {}


def lack(model: str) -> Lack | None:
    """What this model needs and does not have; None if nothing is missing."""
    if lacks_extra():
        return NO_EXTRA
    return NO_FILE if model.startswith(LOCAL_PREFIX) and not _has_file(model.removeprefix(LOCAL_PREFIX)) else None


@cache
def lacks_extra() -> bool:
    """Whether what runs model files inside this process is not installed."""
    return find_spec("xllamacpp") is None


def _has_file(name: str) -> bool:
    """Whether the models folder has this one; a look at all would be made for each model in a list."""
    try:
        return Path(name).name == name and (models_folder() / f"{name}{FILE_SUFFIX}").is_file()
    except OSError:  # a name that is too long, or a folder that may not be looked into
        return False
