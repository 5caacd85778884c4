"""The models that a person can pick, and what is missing for one. Knows no provider's code, and asks no server."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from agents.config import models_folder
from agents.models.connections import connection
from agents.storage.preferences import SIMULATED, Preferences

GEMINI = ("gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-pro")
LOCAL, REPLAY = "local/", "replay/"
MODEL_FILE = ".gguf"

PROVIDERS = {
    "simulated": "Simulated",
    "gemini": "Gemini",
    "llama": "Llama server",
    "ollama": "Ollama",
    "local": "Local file",
    "replay": "Replay",
}
"""Provider → what a person calls it."""

NO_KEY, KEY_WITHHELD, NO_EXTRA, NO_FILE = "no key", "key not sent", "not installed", "no file"

CURES = {
    NO_EXTRA: "what runs model files is an extra that is not installed. Start the playground with it: "
    "`uv run --extra local playground`.",
    NO_FILE: "its file is not in the models folder. Fetch it with `playground models pull`, or put it there.",
}
"""What is missing → what to do, for what is not a key."""

MENDED_IN_SETTINGS = frozenset({"API_KEY_MISSING", "API_KEY_INVALID", "API_KEY_WITHHELD", "CONNECTION_FAILED"})
"""Codes of errors that a person mends on the Settings page."""


def provider_of(model: str) -> str | None:
    """The provider that a name belongs to; None for a name of somebody's own."""
    if is_simulated(model):
        return "simulated"
    if model.removeprefix("models/").startswith("gemini-"):
        return "gemini"
    if model.endswith(MODEL_FILE):
        return "local"
    prefix, slash, _ = model.partition("/")
    return prefix if slash and prefix in {"llama", "ollama", "local", "replay"} else None


def offered(preferences: Preferences, *named: str | None) -> list[str]:
    """Names to pick from.

    Args:
        preferences: What a person chose.
        *named: Names that are among them whatever they are, e.g. the one that the address says.
    """
    names = [SIMULATED, *GEMINI, *local_files(), *preferences.models, preferences.model, *named]
    return list(dict.fromkeys(name for name in names if name))


def local_files() -> dict[str, int]:
    """Models whose files are in the models folder: name → bytes."""
    try:
        found = sorted(models_folder().glob(f"*{MODEL_FILE}"))
        return {f"{LOCAL}{file.stem}": file.stat().st_size for file in found if file.is_file()}
    except OSError:  # no folder that can be read, or a file that went meanwhile: nothing to offer
        return {}


def is_simulated(model: str) -> bool:
    """Whether answers of this model are computed by the pipeline's own simulation."""
    return model == SIMULATED


def is_replay(model: str) -> bool:
    """Whether this model answers from a recorded session."""
    return model.startswith(REPLAY)


def replay_of(pipeline: str, session: str) -> str:
    """The model that answers as a session did."""
    return f"{REPLAY}{pipeline}/{session}"


def recorded_in(model: str) -> tuple[str, str]:
    """Pipeline and session that a replay answers from; empty where the name says none."""
    pipeline, _, session = model.removeprefix(REPLAY).partition("/")
    return pipeline, session


def lacks_key(model: str) -> str:
    """What keeps this model from answering for want of a key; "" where nothing does."""
    if provider_of(model) != "gemini":
        return ""
    known = connection("gemini")
    if known.api_key is not None:
        return ""
    return KEY_WITHHELD if known.withheld else NO_KEY


@cache
def lacks_extra() -> bool:
    """Whether what runs model files inside this process is not installed."""
    return find_spec("xllamacpp") is None


def missing(model: str) -> str:
    """What is missing for this model, in a few words; "" if nothing is, as far as can be told without asking it."""
    if lack := lacks_key(model):
        return lack
    if provider_of(model) != "local":
        return ""
    if lacks_extra():
        return NO_EXTRA
    return NO_FILE if model.startswith(LOCAL) and not _has_file(model.removeprefix(LOCAL)) else ""


def _has_file(name: str) -> bool:
    """Whether the models folder has this one; a look at all would be made for each model in a list."""
    try:
        return Path(name).name == name and (models_folder() / f"{name}{MODEL_FILE}").is_file()
    except OSError:  # a name that is too long, or a folder that may not be looked into
        return False


def shown(model: str) -> str:
    """A model in a list."""
    if is_simulated(model):
        return "Simulated model"
    lack = missing(model)
    return f"{short(model)} ({lack})" if lack else short(model)


def short(model: str) -> str:
    """A model in a few words."""
    if not is_replay(model):
        return model
    pipeline, session = recorded_in(model)
    return f"replay of {pipeline}, {session[:8]}"


HOW_TO_GET_A_KEY = (
    "Gemini answers with a key of your own. Get one at aistudio.google.com, then type it in on the Settings page, or start "
    "the playground with it: `GOOGLE_API_KEY=… playground`. It is never stored. Until then, the simulated model runs "
    "everything."
)
