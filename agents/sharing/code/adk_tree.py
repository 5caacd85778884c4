"""Agents on google-adk, with the sources of their functions and classes. What ADK lacks is listed, not written."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from agents.agent import BaseAgent
from agents.errors import ToolError
from agents.flows.routing import RoutedAgent
from agents.pipeline import Pipeline
from agents.sharing.code.places import home_of, place_of
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CannotWriteError, CodeFile
from agents.sharing.code.python.sources import Sources, is_built_in
from agents.sharing.code.tree import TreeWriter
from agents.tools.function import FunctionTool
from agents.workflow import Workflow

MODEL = "MODEL"
_LEFT_OUT = {"propagate_escalation", "output_retries"}
"""Fields whose meaning on ADK is fixed; see `adk_differences`."""
_TOOL_ERROR = '''\
class ToolError(Exception):
    """What a tool raises that cannot do what was asked."""'''
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


class AdkTree(TreeWriter):
    """Writes agents as google-adk has them.

    Attributes:
        lacks: For agents that cannot be written for ADK, a sentence on why.

    Args:
        file: The file; it has a constant `MODEL`.
        pipeline: The pipeline.
        models: The names of Gemini models that single agents have in the run.
    """

    def __init__(self, file: CodeFile, pipeline: Pipeline, models: dict[str, str]) -> None:
        super().__init__(file)
        self.lacks: dict[str, str] = {}
        self._home = home_of(pipeline)
        self._models = models
        self._sources = Sources(file, self._home.removesuffix(".agent"), self._imported)

    def agent(self, agent: BaseAgent) -> str:
        """Writes an agent; for one whose class ADK lacks, says so, and looks below it for more."""
        if isinstance(agent, RoutedAgent):
            self._lack(agent, f"{agent.name} is a RoutedAgent, which chooses between agents, and ADK has none.")
            for child in agent.sub_agents:
                self.agent(child)
            return "None"
        if isinstance(agent, Workflow):
            self._lack(
                agent,
                f"{agent.name} is a graph, which is not written. ADK runs its package as it is, if it imports google.adk.",
            )
            return "None"
        return super().agent(agent)

    def agent_class(self, agent: BaseAgent) -> str:
        """The name of an agent's class."""
        try:
            return super().agent_class(agent)
        except CannotWriteError as error:
            self._lack(agent, f"{agent.name}: {error}")
            return "None"

    def _field(self, agent: BaseAgent, name: str) -> str | None:
        if name in _LEFT_OUT:
            return None
        if name == "model":
            return self.model(agent, getattr(agent, name))
        try:
            return super()._field(agent, name)
        except CannotWriteError as error:
            self._lack(agent, f"{agent.name}: {error}")
            return None

    def _lack(self, agent: BaseAgent, sentence: str) -> None:
        self.lacks.setdefault(agent.name, sentence)

    def runtime(self, name: str) -> str:
        """A name that ADK has, too."""
        return self._imported("agents", name)

    def _imported(self, module: str, name: str) -> str:
        if (module, name) == (ToolError.__module__, ToolError.__name__):
            local = self.file.claim(name, ToolError)
            if _TOOL_ERROR not in self.file.statements:
                self.file.statements.append(_TOOL_ERROR)
            return local
        return self.file.imported(adk_home(module, name), name)

    def reference(self, thing: Any) -> str:
        """The source of a function, class or object, taken into the file."""
        module, path = place_of(thing, self._home)
        if "." in path:
            raise CannotWriteError(f"{path} in {module} is defined inside of something else.")
        if module.partition(".")[0] == "agents" and not is_built_in(module):
            raise CannotWriteError(f"{path} is a part of the playground ({module}), and ADK has none.")
        return self._sources.take(module, path)

    def function_tool(self, tool: FunctionTool) -> str:
        """A function as a tool."""
        arguments = [self.value(tool.func)]
        if tool.require_confirmation:
            arguments.append(f"require_confirmation={self._condition(tool)}")
        return literals.call(self.runtime(type(tool).__name__), arguments)

    def _condition(self, tool: FunctionTool) -> str:
        """When a call has to be confirmed. ADK calls the condition with all arguments of the tool."""
        condition: Any = tool.require_confirmation
        written = self.value(condition)
        if condition is True:
            return written
        taken = inspect.signature(condition).parameters
        if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in taken.values()) or {*taken} >= {*_parameters_of(tool)}:
            return written
        if inspect.iscoroutinefunction(condition):
            raise CannotWriteError(f"{written} takes only some arguments of {tool.name}, and ADK gives it all.")
        given = ", ".join(f"{name}={name}" for name in taken)
        return f"lambda {''.join(f'{name}, ' for name in taken)}**_: {written}({given})"

    def model(self, agent: BaseAgent, model: Any) -> str | None:
        """The model of an agent: a Gemini model that was chosen for it, its own, or the file's `MODEL`."""
        if not isinstance(model, str):
            self._lack(agent, f"{agent.name} has a model object of the class {type(model).__name__}, which ADK has not.")
            return None
        chosen = self._models.get(agent.name) or model
        return literals.quoted(chosen) if chosen.startswith("gemini-") else MODEL


def _parameters_of(tool: FunctionTool) -> list[str]:
    return list(inspect.signature(tool.func).parameters)


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
