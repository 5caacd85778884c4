"""Descriptions of runs to begin with, from `presets.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Preset(NamedTuple):
    """A description to begin with.

    Attributes:
        title: What it is called.
        about: What is to be seen.
        text: The description, as TOML.
    """

    title: str
    about: str
    text: str


@cache
def presets() -> tuple[Preset, ...]:
    """All of them, in order."""
    read = tomllib.loads(Path(__file__).with_name("presets.toml").read_text(encoding="utf-8"))
    return tuple(Preset(one["title"], one["about"], one["text"].lstrip()) for one in read["preset"])
