"""Loads the project's Streamlit settings and themes, wherever it is installed and started.

Streamlit itself looks only beside the script and in the working folder.
"""

from __future__ import annotations

import base64
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]


def settings_file() -> Path | None:
    """`.streamlit/config.toml`: inside the package when installed from a wheel, beside it in a checkout."""
    places = (PACKAGE / ".streamlit" / "config.toml", PACKAGE.parent / ".streamlit" / "config.toml")
    return next((place for place in places if place.is_file()), None)


def settings() -> dict[str, Any]:
    """Every setting by its dotted name, e.g. `theme.light.primaryColor`; empty without a file."""
    file = settings_file()
    return flat(tomllib.loads(file.read_text(encoding="utf-8"))) if file else {}


def apply() -> None:
    """Applies the file's settings, except those that the user set by a flag, a variable or a file."""
    from ui.dependencies.streamlit_private import set_default_option

    for name, value in settings().items():
        set_default_option(name, value, "the settings of Agent Playground")


def flat(tables: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flattens nested tables; keys are joined by dots."""
    found: dict[str, Any] = {}
    for key, value in tables.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


def icon() -> str:
    """The page icon. It is inline: it needs no font server, and open tabs keep it over a restart."""
    return _inline("icon.png", "image/png")


def wordmark() -> str:
    """The name with the icon, in colours that suit both themes."""
    return _inline("wordmark.svg", "image/svg+xml")


def light_style() -> str:
    """The style sheet of pages without Streamlit."""
    return (PACKAGE / "assets" / "light_page.css").read_text(encoding="utf-8")


@cache
def _inline(name: str, type: str) -> str:
    content = (PACKAGE / "assets" / name).read_bytes()
    return f"data:{type};base64,{base64.b64encode(content).decode()}"
