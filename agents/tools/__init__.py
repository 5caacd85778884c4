"""Implementations of the tool contract in `agents.tool`. Their names are in the package `agents`, too."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.runtime.context import ToolContext
    from agents.tool import BaseTool
    from agents.tools.agent_tool import AgentTool
    from agents.tools.artifacts import LoadArtifactsTool, load_artifacts
    from agents.tools.built_in import GoogleSearchTool, UrlContextTool, google_search, url_context
    from agents.tools.function import FunctionTool
    from agents.tools.long_running import LongRunningFunctionTool
    from agents.tools.loop_exit import exit_loop
    from agents.tools.memory_tools import LoadMemoryTool, PreloadMemoryTool, load_memory, preload_memory
    from agents.tools.transfer import transfer_to_agent
    from agents.tools.user_choice import get_user_choice

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
