"""The flat `agents` package: the names that code written for ADK finds there."""

from __future__ import annotations

import importlib

import pytest

import agents

NAMES = {
    *("Agent", "LlmAgent", "BaseAgent", "SequentialAgent", "ParallelAgent", "LoopAgent", "RoutedAgent", "RoutedLlm"),
    *("RouteDecision", "RoutingErrorContext", "Fault", "ask_model"),
    *("InvocationContext", "CallbackContext", "ReadonlyContext", "ToolContext", "RunConfig", "StreamingMode"),
    *("Event", "EventActions", "Session", "State"),
    *("BaseSessionService", "InMemorySessionService", "SqliteSessionService", "GetSessionConfig"),
    *("BaseArtifactService", "InMemoryArtifactService", "SqliteArtifactService"),
    *("Runner", "InMemoryRunner", "App", "ResumabilityConfig", "Workflow", "Context", "RequestInput"),
    *("BaseLlm", "LlmRequest", "LlmResponse", "LLMRegistry", "Gemini", "Llama", "ChosenModel"),
    *("BaseTool", "FunctionTool", "LongRunningFunctionTool", "AgentTool", "ToolConfirmation"),
    *("exit_loop", "transfer_to_agent", "google_search", "url_context", "load_artifacts", "load_memory", "preload_memory"),
    *("get_user_choice", "GoogleSearchTool", "UrlContextTool", "LoadArtifactsTool", "LoadMemoryTool", "PreloadMemoryTool"),
    *("BuiltInCodeExecutor", "BasePlanner", "BuiltInPlanner", "PlanReActPlanner", "BasePlugin"),
    *("Condition", "Rule", "Rules", "TableTool", "Example", "ExampleTool", "BaseAgentConfig", "ToolArgsConfig"),
    *(
        "ContextFilterPlugin",
        "GlobalInstructionPlugin",
        "LoggingPlugin",
        "ReflectAndRetryToolPlugin",
        "SaveFilesAsArtifactsPlugin",
        "TrackingScope",
    ),
    *("SseConnectionParams", "StdioConnectionParams", "StdioServerParameters", "StreamableHTTPConnectionParams"),
    *("BaseToolset", "McpToolset", "OpenAPIToolset", "Skill", "SkillToolset", "load_skill_from_dir"),
    *("BaseMemoryService", "InMemoryMemoryService", "MemoryEntry", "SearchMemoryResponse"),
}
FRONT_END = {
    *(
        "PlaygroundError",
        "NotPermittedError",
        "LimitReachedError",
        "LinkError",
        "PersonError",
        "AnswerError",
        "CaseError",
        "ConnectionInputError",
        "FaultError",
        "MessageError",
        "StateInputError",
    ),
    *("DataSetError", "LabError", "DatabaseError", "DatabaseLostError", "PortTakenError", "ProviderError"),
    *("PipelineLoadError", "PipelineNotFoundError", "PlaybookExistsError", "PlaybookFormatError"),
    *(
        "SessionExistsError",
        "SessionFileError",
        "SessionFilter",
        "SessionNotFoundError",
        "SessionSummary",
        "SummaryPage",
        "LogEntry",
        "EVENT_KIND",
        "REQUEST_ANSWER",
        "REQUEST_CONFIRMATION",
        "REQUEST_INPUT",
        "TeamChangedError",
        "TeamError",
    ),
    *("ClassError", "LessonError", "RunInProgressError", "TokenError", "ArtifactError"),
    "trace_kinds",
    *("AgentFinished", "AgentStarted", "RunFinished", "RunStarted"),
    *("ModelFinished", "ModelLoading", "ModelStarted", "PlaybookGiven"),
}
"""What else a front end needs: errors to show, and the log."""


def test_all_is_what_there_is():
    assert set(agents.__all__) == NAMES | FRONT_END
    assert agents.__all__ == sorted(agents.__all__)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_name_is_what_its_module_defines(name):
    value = getattr(agents, name)
    home = importlib.import_module(value.__module__)
    assert value.__module__.startswith("agents.")
    assert getattr(home, name) is value


@pytest.mark.parametrize("package", ["agents.tools", "agents.storage.sessions", "agents.storage.artifacts"])
def test_packages_have_their_part_of_the_names(package):
    part = importlib.import_module(package)
    for name in part.__all__:
        assert getattr(part, name) is getattr(agents, name)


def test_agent_is_llm_agent():
    assert agents.Agent is agents.LlmAgent


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(AttributeError, match=r"module 'agents' has no attribute 'LlmAgnet'; it has Agent, "):
        _ = agents.LlmAgnet


def test_names_can_be_listed_before_they_are_loaded():
    assert set(dir(agents)) >= NAMES
