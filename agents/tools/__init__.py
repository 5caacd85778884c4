"""Implementations of the tool contract in `agents.tool`. Their names are in the package `agents`, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.runtime.context import ToolContext as ToolContext
    from agents.tool import BaseTool as BaseTool
    from agents.tools.agent_tool import AgentTool as AgentTool
    from agents.tools.artifacts import LoadArtifactsTool as LoadArtifactsTool
    from agents.tools.artifacts import load_artifacts as load_artifacts
    from agents.tools.built_in import GoogleSearchTool as GoogleSearchTool
    from agents.tools.built_in import UrlContextTool as UrlContextTool
    from agents.tools.built_in import google_search as google_search
    from agents.tools.built_in import url_context as url_context
    from agents.tools.function import FunctionTool as FunctionTool
    from agents.tools.long_running import LongRunningFunctionTool as LongRunningFunctionTool
    from agents.tools.loop_exit import exit_loop as exit_loop
    from agents.tools.memory_tools import LoadMemoryTool as LoadMemoryTool
    from agents.tools.memory_tools import PreloadMemoryTool as PreloadMemoryTool
    from agents.tools.memory_tools import load_memory as load_memory
    from agents.tools.memory_tools import preload_memory as preload_memory
    from agents.tools.transfer import transfer_to_agent as transfer_to_agent
    from agents.tools.user_choice import get_user_choice as get_user_choice

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
