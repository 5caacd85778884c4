"""The agent runtime's public names, each loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.agent import BaseAgent as BaseAgent
    from agents.artifact import BaseArtifactService as BaseArtifactService
    from agents.errors import AnswerError as AnswerError
    from agents.errors import CaseError as CaseError
    from agents.errors import ConnectionInputError as ConnectionInputError
    from agents.errors import DatabaseError as DatabaseError
    from agents.errors import DatabaseLostError as DatabaseLostError
    from agents.errors import DataSetError as DataSetError
    from agents.errors import FaultError as FaultError
    from agents.errors import LabError as LabError
    from agents.errors import MessageError as MessageError
    from agents.errors import NotPermittedError as NotPermittedError
    from agents.errors import PersonError as PersonError
    from agents.errors import PipelineLoadError as PipelineLoadError
    from agents.errors import PipelineNotFoundError as PipelineNotFoundError
    from agents.errors import PlaybookExistsError as PlaybookExistsError
    from agents.errors import PlaybookFormatError as PlaybookFormatError
    from agents.errors import PlaygroundError as PlaygroundError
    from agents.errors import PortTakenError as PortTakenError
    from agents.errors import ProviderError as ProviderError
    from agents.errors import SessionExistsError as SessionExistsError
    from agents.errors import SessionFileError as SessionFileError
    from agents.errors import SessionNotFoundError as SessionNotFoundError
    from agents.errors import StateInputError as StateInputError
    from agents.event import Event as Event
    from agents.event import EventActions as EventActions
    from agents.event import ToolConfirmation as ToolConfirmation
    from agents.flows.failover import RouteDecision as RouteDecision
    from agents.flows.failover import RoutingErrorContext as RoutingErrorContext
    from agents.flows.plugins import BasePlugin as BasePlugin
    from agents.flows.routing import ChosenModel as ChosenModel
    from agents.flows.routing import RoutedAgent as RoutedAgent
    from agents.flows.routing import RoutedLlm as RoutedLlm
    from agents.flows.workflow import LoopAgent as LoopAgent
    from agents.flows.workflow import ParallelAgent as ParallelAgent
    from agents.flows.workflow import SequentialAgent as SequentialAgent
    from agents.llm.code_executors import BuiltInCodeExecutor as BuiltInCodeExecutor
    from agents.llm.llm_agent import Agent as Agent
    from agents.llm.llm_agent import LlmAgent as LlmAgent
    from agents.llm.model_call import ask_model as ask_model
    from agents.llm.planners import BasePlanner as BasePlanner
    from agents.llm.planners import BuiltInPlanner as BuiltInPlanner
    from agents.llm.planners import PlanReActPlanner as PlanReActPlanner
    from agents.log import EVENT_KIND as EVENT_KIND
    from agents.log import LogEntry as LogEntry
    from agents.log import trace_kinds as trace_kinds
    from agents.model import BaseLlm as BaseLlm
    from agents.model import LlmRequest as LlmRequest
    from agents.model import LlmResponse as LlmResponse
    from agents.models.gemini.model import Gemini as Gemini
    from agents.models.openai_compatible.model import Llama as Llama
    from agents.models.registry import LLMRegistry as LLMRegistry
    from agents.runner import InMemoryRunner as InMemoryRunner
    from agents.runner import Runner as Runner
    from agents.runtime.confirmation import REQUEST_CONFIRMATION as REQUEST_CONFIRMATION
    from agents.runtime.context import CallbackContext as CallbackContext
    from agents.runtime.context import ReadonlyContext as ReadonlyContext
    from agents.runtime.context import ToolContext as ToolContext
    from agents.runtime.fault import Fault as Fault
    from agents.runtime.invocation import InvocationContext as InvocationContext
    from agents.runtime.memory_service import BaseMemoryService as BaseMemoryService
    from agents.runtime.memory_service import MemoryEntry as MemoryEntry
    from agents.runtime.memory_service import SearchMemoryResponse as SearchMemoryResponse
    from agents.runtime.run_config import RunConfig as RunConfig
    from agents.runtime.run_config import StreamingMode as StreamingMode
    from agents.session import BaseSessionService as BaseSessionService
    from agents.session import GetSessionConfig as GetSessionConfig
    from agents.session import Session as Session
    from agents.session import SessionFilter as SessionFilter
    from agents.session import SessionSummary as SessionSummary
    from agents.session import SummaryPage as SummaryPage
    from agents.state import State as State
    from agents.storage.artifacts.memory import InMemoryArtifactService as InMemoryArtifactService
    from agents.storage.artifacts.sqlite import SqliteArtifactService as SqliteArtifactService
    from agents.storage.memory import InMemoryMemoryService as InMemoryMemoryService
    from agents.storage.sessions.memory import InMemorySessionService as InMemorySessionService
    from agents.storage.sessions.sqlite import SqliteSessionService as SqliteSessionService
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
