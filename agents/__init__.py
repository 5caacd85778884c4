"""The agent runtime's public names, each loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.lazy import public_names

if TYPE_CHECKING:
    from agents.agent import BaseAgent as BaseAgent
    from agents.artifact import BaseArtifactService as BaseArtifactService
    from agents.artifacts.memory import InMemoryArtifactService as InMemoryArtifactService
    from agents.artifacts.sqlite import SqliteArtifactService as SqliteArtifactService
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
    from agents.model import BaseLlm as BaseLlm
    from agents.model import LlmRequest as LlmRequest
    from agents.model import LlmResponse as LlmResponse
    from agents.model_call import ask_model as ask_model
    from agents.models.gemini import Gemini as Gemini
    from agents.models.llama import Llama as Llama
    from agents.models.registry import LLMRegistry as LLMRegistry
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
    from agents.tools.exit_loop import exit_loop as exit_loop
    from agents.tools.function import FunctionTool as FunctionTool
    from agents.tools.long_running import LongRunningFunctionTool as LongRunningFunctionTool
    from agents.tools.transfer import transfer_to_agent as transfer_to_agent
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
        "agents.confirmation": ("ToolConfirmation",),
        "agents.context": ("CallbackContext", "ReadonlyContext", "ToolContext"),
        "agents.event": ("Event", "EventActions"),
        "agents.failover": ("RouteDecision", "RoutingErrorContext"),
        "agents.fault": ("Fault",),
        "agents.invocation": ("InvocationContext",),
        "agents.llm_agent": ("Agent", "LlmAgent"),
        "agents.model": ("BaseLlm", "LlmRequest", "LlmResponse"),
        "agents.model_call": ("ask_model",),
        "agents.models.gemini": ("Gemini",),
        "agents.models.llama": ("Llama",),
        "agents.models.registry": ("LLMRegistry",),
        "agents.routing": ("ChosenModel", "RoutedAgent", "RoutedLlm"),
        "agents.run_config": ("RunConfig", "StreamingMode"),
        "agents.runner": ("InMemoryRunner", "Runner"),
        "agents.session": ("BaseSessionService", "GetSessionConfig", "Session"),
        "agents.sessions.memory": ("InMemorySessionService",),
        "agents.sessions.sqlite": ("SqliteSessionService",),
        "agents.state": ("State",),
        "agents.tool": ("BaseTool",),
        "agents.tools.agent_tool": ("AgentTool",),
        "agents.tools.exit_loop": ("exit_loop",),
        "agents.tools.function": ("FunctionTool",),
        "agents.tools.long_running": ("LongRunningFunctionTool",),
        "agents.tools.transfer": ("transfer_to_agent",),
        "agents.workflow": ("LoopAgent", "ParallelAgent", "SequentialAgent"),
    },
)
