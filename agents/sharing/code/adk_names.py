"""Where google-adk 2.13 has what the package `agents` has, and what it has not."""

from __future__ import annotations

from importlib import import_module

from agents.sharing.code.python.code_file import CannotWriteError

HOMES = {
    "Agent": "google.adk.agents",
    "AgentTool": "google.adk.tools",
    "BaseAgent": "google.adk.agents",
    "BaseLlm": "google.adk.models",
    "BasePlanner": "google.adk.planners",
    "BaseTool": "google.adk.tools",
    "BuiltInCodeExecutor": "google.adk.code_executors",
    "BuiltInPlanner": "google.adk.planners",
    "CallbackContext": "google.adk.agents.callback_context",
    "Event": "google.adk.events",
    "EventActions": "google.adk.events",
    "Example": "google.adk.examples",
    "ExampleTool": "google.adk.tools.example_tool",
    "FunctionTool": "google.adk.tools",
    "Gemini": "google.adk.models",
    "InMemoryRunner": "google.adk.runners",
    "InvocationContext": "google.adk.agents",
    "LlmAgent": "google.adk.agents",
    "LlmRequest": "google.adk.models.llm_request",
    "LlmResponse": "google.adk.models.llm_response",
    "LongRunningFunctionTool": "google.adk.tools",
    "LoopAgent": "google.adk.agents",
    "ParallelAgent": "google.adk.agents",
    "PlanReActPlanner": "google.adk.planners",
    "ReadonlyContext": "google.adk.agents.readonly_context",
    "RunConfig": "google.adk.agents",
    "SequentialAgent": "google.adk.agents",
    "Session": "google.adk.sessions",
    "State": "google.adk.sessions.state",
    "ToolConfirmation": "google.adk.tools.tool_confirmation",
    "ToolContext": "google.adk.tools",
    "exit_loop": "google.adk.tools",
    "get_user_choice": "google.adk.tools",
    "google_search": "google.adk.tools",
    "load_artifacts": "google.adk.tools",
    "load_memory": "google.adk.tools",
    "preload_memory": "google.adk.tools",
    "transfer_to_agent": "google.adk.tools",
    "url_context": "google.adk.tools",
}
"""The module of each name that ADK has with the same meaning."""

_WHAT = {
    "RoutedAgent": "an agent that chooses between agents",
    "RoutedLlm": "a model that chooses between models",
    "Condition": "a condition that ends a loop",
    "ChosenModel": "a model that stands for the run's",
    "RouteDecision": "the answer of a router",
    "RoutingErrorContext": "what a router is told of a failure",
    "ask_model": "a model call outside of an agent",
}


def adk_home(module: str, name: str) -> str:
    """The module of ADK with a name that is imported from one of this project's modules.

    Raises:
        CannotWriteError: ADK has none of that meaning.
    """
    import agents

    if name in HOMES and getattr(agents, name) is getattr(import_module(module), name, None):
        return HOMES[name]
    about = f", {_WHAT[name]}" if name in _WHAT else ""
    raise CannotWriteError(f"ADK has no {name}{about}.")
