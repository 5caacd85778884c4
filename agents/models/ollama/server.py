"""Texts about an Ollama server, for error messages."""

from __future__ import annotations

from agents.models.openai_compatible.errors import Server


class OllamaServer(Server):
    """An Ollama server."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """Its name."""
        return "Ollama"

    @property
    def how_to_start(self) -> str:
        """The command."""
        return "Start Ollama (`ollama serve`)"

    @property
    def key_settings(self) -> tuple[str, str]:
        """Only an Ollama behind a proxy wants a key, which neither the environment nor the Settings page has."""
        return (
            "Check the argument `api_key` of Ollama where the model is made.",
            "Give it where the model is made, as the argument `api_key` of Ollama.",
        )

    def unknown(self, said: str, why: str) -> str:
        """The command that fetches the model; see `Server`."""
        cure = f"Fetch it with `ollama pull {self.bare_model}`, or choose one that is there on the Settings page."
        return f"has no model {self.bare_model!r} {why} {cure}"
