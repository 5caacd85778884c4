"""Names of ADK that something else here does the work of."""

from __future__ import annotations

import os

from pydantic import SecretStr

from agents.errors import ConnectionInputError, DatabaseError
from agents.model import BaseLlm
from agents.models.gemini.model import Gemini
from agents.models.ollama.model import Ollama
from agents.models.openai_compatible.model import Llama
from agents.storage.sessions.sqlite import SqliteSessionService

_SQLITE = "sqlite"
_GEMINI, _OLLAMA = frozenset({"gemini", "vertex_ai"}), frozenset({"ollama", "ollama_chat"})
_HOSTS = {
    "anthropic": "https://api.anthropic.com/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "groq": "https://api.groq.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "xai": "https://api.x.ai/v1",
}
"""Providers with OpenAI's protocol: what LiteLLM calls them → their server. Their key is in PROVIDER_API_KEY."""


def DatabaseSessionService(db_url: str, **_options: object) -> SqliteSessionService:  # noqa: N802  ADK's name
    """ADK's sessions in a database, for SQLite.

    Args:
        db_url: As SQLAlchemy writes it: "sqlite:///FILE" or "sqlite+aiosqlite:///FILE".

    Raises:
        DatabaseError: It is the URL of another database, or has no file.
    """
    kind, _, path = db_url.partition(":///")
    if kind.partition("+")[0] != _SQLITE or not path:
        named = kind.partition(":")[0]
        raise DatabaseError(f"Sessions are kept in SQLite files, and this is {named}. Write `sqlite:///sessions.db`.")
    return SqliteSessionService(path.partition("?")[0])


def LiteLlm(model: str, *, api_base: str | None = None, api_key: str | None = None, **_options: object) -> BaseLlm:  # noqa: N802
    """A model by LiteLLM's name, asked by the provider that is here.

    Args:
        model: "PROVIDER/NAME".
        api_base: The server's address.
        api_key: Its key; None for that in PROVIDER_API_KEY, if the server is the provider's own.

    Raises:
        ConnectionInputError: It names a provider whose server is not known, and no address.
    """
    provider, _, name = model.partition("/")
    if not name:
        provider, name = "openai", model
    if provider in _GEMINI:
        return Gemini(model=name)
    if provider in _OLLAMA:
        return Ollama(model=f"ollama/{name}", base_url=api_base)
    if not (api_base or provider in _HOSTS):
        raise ConnectionInputError(
            f"LiteLlm({model!r}): the server of {provider} is not known here. Give its address as api_base=…; it must have "
            "OpenAI's protocol."
        )
    key = api_key or ("" if api_base else os.environ.get(f"{provider.upper()}_API_KEY", ""))
    return Llama(model=f"llama/{name}", base_url=api_base or _HOSTS[provider], api_key=SecretStr(key) if key else None)
