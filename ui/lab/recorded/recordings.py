"""The recorded runs that come with the playground: a folder beside this module for each."""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ui.state import runs

_ABOUT = "recording.toml"


class Recording(NamedTuple):
    """A run that was recorded.

    Attributes:
        folder: The run's folder, with its data and playbooks.
        title: What it is called.
        about: What it shows.
        model: The model that answered.
        sha256: Of the model's weights.
        day: When it was recorded.
    """

    folder: Path
    title: str
    about: str
    model: str
    sha256: str
    day: date


@cache
def recordings() -> tuple[Recording, ...]:
    """All of them, by the names of their folders."""
    found = sorted(Path(__file__).parent.glob(f"*/{_ABOUT}"))
    return tuple(Recording(folder=path.parent, **tomllib.loads(path.read_text(encoding="utf-8"))) for path in found)


def opened(recording: Recording) -> str:
    """Puts a recorded run beside the playground's own runs, if it is not there yet; the name that it has there.

    Raises:
        PlaygroundError: It cannot be written there, or the user may not.
    """
    return runs.workspace().lab.add_copy(recording.folder, f"recorded-{recording.folder.name}")
