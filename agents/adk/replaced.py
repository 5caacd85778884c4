"""Names of ADK that something else here does the work of."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr

from agents import (
    BaseAgent,
    BaseLlm,
    ConnectionInputError,
    DatabaseError,
    LLMRegistry,
    ReadonlyContext,
    SqliteSessionService,
)
from agents.config import api_key as key_in
from agents.llm.instruction import filled_in
from agents.teams.team import Team

_SQLITE = "sqlite"
_DEFAULT = "openai"
_PROVIDERS = Path(__file__).with_name("lite_llm.toml")


class ContextCacheConfig(BaseModel, extra="allow"):
    """How an `App` has prompts cached in ADK. Has no effect: providers that cache do so by themselves."""


def DatabaseSessionService(db_url: str, **_options: object) -> SqliteSessionService:  # noqa: N802  ADK's name
    """ADK's sessions in a database, for SQLite.

    Args:
        db_url: As SQLAlchemy writes it: "sqlite:///FILE" or "sqlite+aiosqlite:///FILE".

    Raises:
        DatabaseError: It is the URL of another database, or has no file.
    """
    kind, _, path = db_url.partition(":///")
    if kind.partition("+")[0] != _SQLITE or not path:
        named = kind.partition(":")[0] or "none"
        raise DatabaseError(f"Sessions are kept in SQLite files, and this is {named}. Write `sqlite:///sessions.db`.")
    return SqliteSessionService(path.partition("?")[0])


def from_config(config_path: str) -> BaseAgent:
    """The agents of a team's `root_agent.yaml`, as `config_agent_utils.from_config` makes them.

    Raises:
        PipelineLoadError: A file cannot be used; the message says which, and its line.
    """

    def named(dotted: str) -> Any:
        module, _, name = dotted.rpartition(".")
        return getattr(import_module(module), name)

    return Team(Path(config_path).resolve().parent).make(named)


async def inject_session_state(template: str, readonly_context: ReadonlyContext) -> str:
    """A template filled from state and artifacts, for a function that gives an agent its instruction.

    Raises:
        MissingStateKeyError: It names a state key that is not set, without `?`.
        MissingArtifactError: The same for an artifact.
    """
    context = readonly_context._invocation_context  # pyright: ignore[reportPrivateUsage]  artifacts are asked of it
    return (await filled_in(template, context)).text


def LiteLlm(  # noqa: N802  ADK's name
    model: str, *, api_base: str | None = None, api_key: str | None = None, **_options: object
) -> BaseLlm:
    """A model by LiteLLM's name, asked by the provider that is here.

    Args:
        model: "PROVIDER/NAME".
        api_base: The server's address.
        api_key: Its key; None for that in PROVIDER_API_KEY, if the server is the provider's own.

    Raises:
        ConnectionInputError: It names a provider whose server is not known, and no address; or there is no name.
    """
    if not model:
        raise ConnectionInputError(
            f"LiteLlm({model!r}) names no model. Write LiteLlm('PROVIDER/NAME'); if the name comes from an environment "
            "variable, set it, e.g. in a file .env beside the agent."
        )
    known = tomllib.loads(_PROVIDERS.read_text(encoding="utf-8"))
    provider, _, name = model.partition("/") if "/" in model else (_DEFAULT, "/", model)
    there = api_base or known["servers"].get(provider)
    prefix = known["prefixes"].get(provider, known["served"])
    if prefix == known["served"] and not there:
        raise ConnectionInputError(
            f"LiteLlm({model!r}): the server of {provider} is not known here. Give its address as api_base=…; it must have "
            "OpenAI's protocol."
        )
    key = api_key or (None if api_base or not there else key_in([f"{provider.upper()}_API_KEY"]))
    given: dict[str, Any] = {"base_url": there, "api_key": SecretStr(key) if key else None}
    return LLMRegistry.new_llm(f"{prefix}{name}").model_copy(update={k: v for k, v in given.items() if v})


class _OfProvider:
    """A model of one provider, as `LiteLlm` makes it; a class so that `LLMRegistry` can register it.

    Args:
        model: Its name, with or without the provider's.
    """

    provider = ""
    patterns: tuple[str, ...] = ()
    usual = ""

    def __new__(cls, model: str = "", **options: Any) -> Any:
        """The model."""
        name = (model or cls.usual).rpartition("/")[2]
        return LiteLlm(f"{cls.provider}/{name}", **options)

    @classmethod
    def supported_models(cls) -> list[str]:
        """Regular expressions; see `BaseLlm`."""
        return list(cls.patterns)


class AnthropicLlm(_OfProvider):
    """A model of Anthropic."""

    provider, patterns, usual = "anthropic", ("claude-.*",), "claude-sonnet-4-5"


Claude = AnthropicLlm


class OpenAILlm(_OfProvider):
    """A model of OpenAI."""

    provider, patterns, usual = "openai", ("gpt-.*", "o[0-9].*"), "gpt-5"


class Gemma3Ollama(_OfProvider):
    """Gemma in Ollama."""

    provider, patterns, usual = "ollama", ("ollama/gemma3.*",), "gemma3:12b"
