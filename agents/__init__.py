"""The agent runtime's public names, each loaded when it is first used."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.agent import BaseAgent
    from agents.artifact import BaseArtifactService
    from agents.errors import (
        AnswerError,
        ArtifactError,
        CaseError,
        ClassError,
        ConnectionInputError,
        DatabaseError,
        DatabaseLostError,
        DataSetError,
        FaultError,
        LabError,
        LessonError,
        LimitReachedError,
        LinkError,
        MessageError,
        NotPermittedError,
        PersonError,
        PipelineLoadError,
        PipelineNotFoundError,
        PlaybookExistsError,
        PlaybookFormatError,
        PlaygroundError,
        PortTakenError,
        ProviderError,
        RunInProgressError,
        SessionExistsError,
        SessionFileError,
        SessionNotFoundError,
        StateInputError,
        TeamChangedError,
        TeamError,
        TokenError,
    )
    from agents.event import REQUEST_ANSWER, REQUEST_INPUT, Event, EventActions, ToolConfirmation
    from agents.flows.conditions import Condition
    from agents.flows.failover import RouteDecision, RoutingErrorContext
    from agents.flows.plugins import BasePlugin
    from agents.flows.routing import ChosenModel, RoutedAgent, RoutedLlm
    from agents.flows.rules import Rule, Rules
    from agents.flows.workflow import LoopAgent, ParallelAgent, SequentialAgent
    from agents.llm.code_executors import BuiltInCodeExecutor
    from agents.llm.llm_agent import Agent, LlmAgent
    from agents.llm.model_call import ask_model
    from agents.llm.planners import BasePlanner, BuiltInPlanner, PlanReActPlanner
    from agents.log import EVENT_KIND, LogEntry, trace_kinds
    from agents.model import BaseLlm, LlmRequest, LlmResponse
    from agents.models.gemini.model import Gemini
    from agents.models.openai_compatible.model import Llama
    from agents.models.registry import LLMRegistry
    from agents.plugins.console_log import LoggingPlugin
    from agents.plugins.context_filter import ContextFilterPlugin
    from agents.plugins.global_instruction import GlobalInstructionPlugin
    from agents.plugins.reflect_retry import ReflectAndRetryToolPlugin, TrackingScope
    from agents.plugins.save_files import SaveFilesAsArtifactsPlugin
    from agents.records import (
        AgentFinished,
        AgentStarted,
        ModelFinished,
        ModelLoading,
        ModelStarted,
        PlaybookGiven,
        RunFinished,
        RunStarted,
    )
    from agents.runner import InMemoryRunner, Runner
    from agents.runtime.confirmation import REQUEST_CONFIRMATION
    from agents.runtime.context import CallbackContext, ReadonlyContext, ToolContext
    from agents.runtime.fault import Fault
    from agents.runtime.invocation import InvocationContext
    from agents.runtime.memory_service import BaseMemoryService, MemoryEntry, SearchMemoryResponse
    from agents.runtime.run_config import RunConfig, StreamingMode
    from agents.session import BaseSessionService, GetSessionConfig, Session
    from agents.session_list import SessionFilter, SessionSummary, SummaryPage
    from agents.state import State
    from agents.storage.artifacts.memory import InMemoryArtifactService
    from agents.storage.artifacts.sqlite import SqliteArtifactService
    from agents.storage.memory import InMemoryMemoryService
    from agents.storage.sessions.memory import InMemorySessionService
    from agents.storage.sessions.sqlite import SqliteSessionService
    from agents.teams.team import BaseAgentConfig, ToolArgsConfig
    from agents.tool import BaseTool, BaseToolset
    from agents.tools.agent_tool import AgentTool
    from agents.tools.artifacts import LoadArtifactsTool, load_artifacts
    from agents.tools.built_in import GoogleSearchTool, UrlContextTool, google_search, url_context
    from agents.tools.examples import Example, ExampleTool
    from agents.tools.function import FunctionTool
    from agents.tools.long_running import LongRunningFunctionTool
    from agents.tools.loop_exit import exit_loop
    from agents.tools.memory_tools import LoadMemoryTool, PreloadMemoryTool, load_memory, preload_memory
    from agents.tools.table import TableTool
    from agents.tools.transfer import transfer_to_agent
    from agents.tools.user_choice import get_user_choice
    from agents.toolsets.mcp.connection_params import (
        SseConnectionParams,
        StdioConnectionParams,
        StdioServerParameters,
        StreamableHTTPConnectionParams,
    )
    from agents.toolsets.mcp.toolset import McpToolset
    from agents.toolsets.openapi.toolset import OpenAPIToolset
    from agents.toolsets.skills import Skill, SkillToolset, load_skill_from_dir
    from agents.workflow.app import App, ResumabilityConfig
    from agents.workflow.context import Context
    from agents.workflow.request_input import RequestInput
    from agents.workflow.workflow import Workflow

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
