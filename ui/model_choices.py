"""The models that a person can pick, and what is missing for one. Knows no provider's code."""

from __future__ import annotations

from agents.config import gemini_api_key

SIMULATED = "simulated"
GEMINI = ("gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-pro")


def offered(current: str | None) -> list[str]:
    """Names to pick from; `current` is among them whatever it is."""
    names = [SIMULATED, *GEMINI]
    return names if current in {None, *names} else [*names, str(current)]


def is_simulated(model: str) -> bool:
    """Whether answers of this model are computed by the pipeline's own simulation."""
    return model == SIMULATED


def lacks_key(model: str) -> bool:
    """Whether this model cannot answer because no key is in the environment."""
    return model.removeprefix("models/").startswith("gemini-") and gemini_api_key() is None


def shown(model: str) -> str:
    """A model in a list."""
    if is_simulated(model):
        return "Simulated model"
    return f"{model} (no key)" if lacks_key(model) else model


HOW_TO_GET_A_KEY = (
    "Gemini answers with a key of your own. Get one at aistudio.google.com, then start the playground with it: "
    "`GOOGLE_API_KEY=… playground`. It is never stored. Until then, the simulated model runs everything."
)
