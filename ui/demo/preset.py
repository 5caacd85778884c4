"""`Preset`: a demo as its file in the folder `presets` describes it."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

STORY, WATCH = "ace", "learn"
LAB = ("collapse", "world", "poison", "race")
_FOLDER = Path(__file__).with_name("presets")


class Preset(NamedTuple):
    """A demo.

    Attributes:
        title: A few words.
        about: What it shows, in half a sentence.
        icon: Name of a Material icon.
        time: How long it takes.
        tables: All that its file has; `steps` are its steps, each with `title` and `look_for`.
    """

    title: str
    about: str
    icon: str
    time: str
    tables: dict[str, Any]


@cache
def preset(name: str) -> Preset:
    """The demo of that name."""
    tables = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return Preset(tables["title"], tables["about"], tables["icon"], tables["time"], tables)


def lab_description(name: str) -> str:
    """The description of a demo's lab run, as TOML."""
    return (_FOLDER / f"{name}.lab.toml").read_text(encoding="utf-8")


DEMOS = {name: preset(name).about for name in (STORY, WATCH, *LAB)}
"""Name of a demo → what it shows."""
