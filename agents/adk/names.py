"""What each of ADK's names stands for here, and what is said of one that does not stand for anything."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import agents
import agents.workflow

ADK = "google.adk"
VERSION = "2.13.0"
"""The version of google-adk whose names these are."""

UNNEEDED = "annotations_of"
"""Package of names that are not here and that no import needs: each is an empty class there."""

_PUBLIC = (agents, agents.workflow)
_HOMES = {
    "agents": {
        "load_artifacts_tool": "load_artifacts",
        "load_memory_tool": "load_memory",
        "preload_memory_tool": "preload_memory",
    },
    "agents.adk.cloud_search": (
        *("EnterpriseWebSearchTool", "GoogleMapsGroundingTool", "VertexAiRagRetrieval", "VertexAiSearchTool"),
        *("enterprise_web_search", "google_maps_grounding"),
    ),
    "agents.adk.names": {"__version__": "VERSION"},
    "agents.adk.replaced": (
        *("AnthropicLlm", "Claude", "ContextCacheConfig", "DatabaseSessionService", "Gemma3Ollama", "LiteLlm", "OpenAILlm"),
        *("from_config", "inject_session_state"),
    ),
    "agents.errors": {
        "AlreadyExistsError": "SessionExistsError",
        "InvocationNotFoundError": "InvocationNotFoundError",
        "LlmCallsLimitExceededError": "LlmCallsLimitExceededError",
    },
    "agents.artifact": ("ArtifactVersion",),
    "agents.event": ("EventCompaction", "NodeInfo"),
    "agents.llm.compaction.config": ("BaseEventsSummarizer", "EventsCompactionConfig"),
    "agents.llm.compaction.summarizer": ("LlmEventSummarizer",),
    "agents.llm.instruction": ("InstructionProvider",),
    "agents.session": ("ListSessionsResponse",),
    "agents.tool": ("ToolPredicate",),
    "agents.toolsets.mcp.connection_params": {"StreamableHTTPServerParams": "StreamableHTTPConnectionParams"},
    "agents.toolsets.mcp.tool": {"McpTool": "McpTool", "MCPTool": "McpTool"},
    "agents.toolsets.mcp.toolset": {"MCPToolset": "McpToolset"},
    "agents.toolsets.openapi.credentials": (
        *("AuthCredential", "AuthCredentialTypes", "HttpAuth", "HttpCredentials"),
        "token_to_scheme_credential",
    ),
    "agents.toolsets.skills": ("Frontmatter", "Resources", "Script", "SkillDiscoveryMode", "load_skills_from_dir"),
}
"""Modules with names that are not among the public ones; ADK's name, or ADK's name → the name there."""

_VALUES = {
    name: (home, found[name] if isinstance(found, dict) else name) for home, found in _HOMES.items() for name in found
}


class _Missing(NamedTuple):
    """Why a name is not here, and what to use instead."""

    why: str
    use: str


def is_module(path: str, name: str) -> bool:
    """Whether a name in one of ADK's modules is a module of its own.

    Args:
        path: The module, without `google.adk`; "" for that itself.
        name: The name.
    """
    return name.islower() and path.rpartition(".")[2] != name and not _is_here(name) and name not in missing()


def is_here(path: str, name: str) -> bool:
    """Whether a name of one of ADK's modules can be imported here."""
    return is_module(path, name) or _is_here(name)


def value_of(path: str, name: str) -> Any:
    """What a name stands for.

    Args:
        path: ADK's module that it is imported from, without `google.adk`.
        name: The name.

    Raises:
        ImportError: It is not here; the message says why, and what to use.
    """
    top, _, below = path.partition(".")
    if top == UNNEEDED:
        return _empty_class(below, name)
    if place := _VALUES.get(name):
        return getattr(import_module(place[0]), place[1])
    for package in _PUBLIC:
        if name in package.__all__:
            return getattr(package, name)
    raise ImportError(_sentence(path, name), name=ADK)


def _empty_class(path: str, name: str) -> type:
    """A class for annotations, and for code that is not run. Any use of it says that the name is not here."""

    def refuse(*_: Any, **_more: Any) -> Any:
        raise ImportError(_sentence(path, name), name=ADK)

    def subscripted(*_: Any) -> type:
        return found

    def attribute(_: type, attribute_name: str) -> Any:
        if attribute_name.startswith("__"):
            raise AttributeError(attribute_name)
        refuse()

    meta = type("Missing", (type,), {"__getattr__": attribute})
    found = meta(name, (), {"__new__": refuse, "__class_getitem__": subscripted})
    return found


def _is_here(name: str) -> bool:
    return name in _VALUES or any(name in package.__all__ for package in _PUBLIC)


def _sentence(path: str, name: str) -> str:
    full = ".".join(part for part in (ADK, path, name) if part)
    why, use = missing().get(name) or _Missing("this runtime has nothing of that name", "")
    instead = f" {use}" if use else ""
    return f"{full} is not here: {why}.{instead} The page Coming from ADK lists what there is: `playground help adk`."


@cache
def missing() -> dict[str, _Missing]:
    """What is said of the names that are known to be missing."""
    return {name: _Missing(kind["why"], kind["use"]) for kind in kinds().values() for name in kind["names"]}


@cache
def kinds() -> dict[str, dict[str, Any]]:
    """`missing.toml`: kinds of names, each with `names`, `why` and `use`."""
    return tomllib.loads((Path(__file__).parent / "missing.toml").read_text(encoding="utf-8"))
