"""Agents on google-adk, with the sources of their functions and classes. What ADK lacks is listed, not written."""

from __future__ import annotations

import inspect
from typing import Any

from agents.agent import BaseAgent
from agents.errors import ToolError
from agents.flows.routing import RoutedAgent
from agents.pipeline import Pipeline
from agents.sharing.code.adk_names import adk_home
from agents.sharing.code.places import home_of, place_of
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CannotWriteError, CodeFile
from agents.sharing.code.python.sources import Sources, is_built_in
from agents.sharing.code.tree import TreeWriter
from agents.tools.function import FunctionTool

MODEL = "MODEL"
_LEFT_OUT = {"propagate_escalation", "output_retries"}
"""Fields whose meaning on ADK is fixed; see `adk_differences`."""
_TOOL_ERROR = '''\
class ToolError(Exception):
    """What a tool raises that cannot do what was asked."""'''


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
