"""The agent runtime's public names, each loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.lazy import public_names

if TYPE_CHECKING:
    from agents.agent import BaseAgent as BaseAgent
    from agents.artifact import BaseArtifactService as BaseArtifactService
    from agents.artifacts.memory import InMemoryArtifactService as InMemoryArtifactService
    from agents.artifacts.sqlite import SqliteArtifactService as SqliteArtifactService
    from agents.code_executors import BuiltInCodeExecutor as BuiltInCodeExecutor
    from agents.confirmation import ToolConfirmation as ToolConfirmation
    from agents.context import CallbackContext as CallbackContext
    from agents.context import ReadonlyContext as ReadonlyContext
    from agents.context import ToolContext as ToolContext
    from agents.event import Event as Event
    from agents.event import EventActions as EventActions
    from agents.failover import RouteDecision as RouteDecision
    from agents.failover import RoutingErrorContext as RoutingErrorContext
    from agents.fault import Fault as Fault
    from agents.invocation import InvocationContext as InvocationContext
    from agents.llm_agent import Agent as Agent
    from agents.llm_agent import LlmAgent as LlmAgent
    from agents.memory import BaseMemoryService as BaseMemoryService
    from agents.memory import InMemoryMemoryService as InMemoryMemoryService
    from agents.memory import MemoryEntry as MemoryEntry
    from agents.memory import SearchMemoryResponse as SearchMemoryResponse
    from agents.model import BaseLlm as BaseLlm
    from agents.model import LlmRequest as LlmRequest
    from agents.model import LlmResponse as LlmResponse
    from agents.model_call import ask_model as ask_model
    from agents.models.gemini import Gemini as Gemini
    from agents.models.llama import Llama as Llama
    from agents.models.registry import LLMRegistry as LLMRegistry
    from agents.planners import BasePlanner as BasePlanner
    from agents.planners import BuiltInPlanner as BuiltInPlanner
    from agents.planners import PlanReActPlanner as PlanReActPlanner
    from agents.plugins import BasePlugin as BasePlugin
    from agents.routing import ChosenModel as ChosenModel
    from agents.routing import RoutedAgent as RoutedAgent
    from agents.routing import RoutedLlm as RoutedLlm
    from agents.run_config import RunConfig as RunConfig
    from agents.run_config import StreamingMode as StreamingMode
    from agents.runner import InMemoryRunner as InMemoryRunner
    from agents.runner import Runner as Runner
    from agents.session import BaseSessionService as BaseSessionService
    from agents.session import GetSessionConfig as GetSessionConfig
    from agents.session import Session as Session
    from agents.sessions.memory import InMemorySessionService as InMemorySessionService
    from agents.sessions.sqlite import SqliteSessionService as SqliteSessionService
    from agents.state import State as State
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
    from agents.tools.memory import LoadMemoryTool as LoadMemoryTool
    from agents.tools.memory import PreloadMemoryTool as PreloadMemoryTool
    from agents.tools.memory import load_memory as load_memory
    from agents.tools.memory import preload_memory as preload_memory
    from agents.tools.transfer import transfer_to_agent as transfer_to_agent
    from agents.tools.user_choice import get_user_choice as get_user_choice
    from agents.workflow import LoopAgent as LoopAgent
    from agents.workflow import ParallelAgent as ParallelAgent
    from agents.workflow import SequentialAgent as SequentialAgent

__all__, __getattr__, __dir__ = public_names(
    __name__,
    {
        "agents.agent": ("BaseAgent",),
        "agents.artifact": ("BaseArtifactService",),
        "agents.artifacts.memory": ("InMemoryArtifactService",),
        "agents.artifacts.sqlite": ("SqliteArtifactService",),
        "agents.code_executors": ("BuiltInCodeExecutor",),
        "agents.confirmation": ("ToolConfirmation",),
        "agents.context": ("CallbackContext", "ReadonlyContext", "ToolContext"),
        "agents.event": ("Event", "EventActions"),
        "agents.failover": ("RouteDecision", "RoutingErrorContext"),
        "agents.fault": ("Fault",),
        "agents.invocation": ("InvocationContext",),
        "agents.llm_agent": ("Agent", "LlmAgent"),
        "agents.memory": ("BaseMemoryService", "InMemoryMemoryService", "MemoryEntry", "SearchMemoryResponse"),
        "agents.model": ("BaseLlm", "LlmRequest", "LlmResponse"),
        "agents.model_call": ("ask_model",),
        "agents.models.gemini": ("Gemini",),
        "agents.models.llama": ("Llama",),
        "agents.models.registry": ("LLMRegistry",),
        "agents.planners": ("BasePlanner", "BuiltInPlanner", "PlanReActPlanner"),
        "agents.plugins": ("BasePlugin",),
        "agents.routing": ("ChosenModel", "RoutedAgent", "RoutedLlm"),
        "agents.run_config": ("RunConfig", "StreamingMode"),
        "agents.runner": ("InMemoryRunner", "Runner"),
        "agents.session": ("BaseSessionService", "GetSessionConfig", "Session"),
        "agents.sessions.memory": ("InMemorySessionService",),
        "agents.sessions.sqlite": ("SqliteSessionService",),
        "agents.state": ("State",),
        "agents.tool": ("BaseTool",),
        "agents.tools.agent_tool": ("AgentTool",),
        "agents.tools.built_in": ("GoogleSearchTool", "UrlContextTool", "google_search", "url_context"),
        "agents.tools.loop_exit": ("exit_loop",),
        "agents.tools.function": ("FunctionTool",),
        "agents.tools.artifacts": ("LoadArtifactsTool", "load_artifacts"),
        "agents.tools.long_running": ("LongRunningFunctionTool",),
        "agents.tools.memory": ("LoadMemoryTool", "PreloadMemoryTool", "load_memory", "preload_memory"),
        "agents.tools.transfer": ("transfer_to_agent",),
        "agents.tools.user_choice": ("get_user_choice",),
        "agents.workflow": ("LoopAgent", "ParallelAgent", "SequentialAgent"),
    },
)
