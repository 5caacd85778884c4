"""Agents as statements of a file: each a variable that is assigned a constructor with the arguments that are no defaults."""

from __future__ import annotations

import functools
import inspect
import types as python_types
from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import Enum
from typing import Any, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from agents.agent import BaseAgent
from agents.llm.llm_agent import LlmAgent
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CannotWriteError, CodeFile, snake
from agents.tools.agent_tool import AgentTool
from agents.tools.function import FunctionTool
from agents.tools.long_running import LongRunningFunctionTool
from agents.workflow import Workflow

ROOT = "root_agent"
_TEXTS = ("instruction", "global_instruction")
_LAST = ("tools", "sub_agents")
_LONG = 80
_SECRET = ("key", "token", "secret", "password", "credential")


class TreeWriter(ABC):
    """Writes agents into a file."""

    def __init__(self, file: CodeFile) -> None:
        self.file = file
        self._variables: dict[int, str] = {}
        self._written: set[int] = set()

    @abstractmethod
    def runtime(self, name: str) -> str:
        """The name in the file of something that the package `agents` has."""

    @abstractmethod
    def reference(self, thing: Any) -> str:
        """An expression for a function, a class or an object of the pipeline's own."""

    @abstractmethod
    def model(self, agent: BaseAgent, model: Any) -> str | None:
        """An agent's `model`; None to leave it out."""

    def write_root(self, root: BaseAgent) -> None:
        """Writes a tree; its top is called `root_agent`."""
        self.file.claim(ROOT, ROOT)
        self._variables[id(root)] = ROOT
        self.agent(root)

    def agent(self, agent: BaseAgent) -> str:
        """Writes an agent with all below it; returns its variable."""
        variable = self._variable_of(agent)
        if id(agent) in self._written:
            return variable
        if isinstance(agent, Workflow):
            raise CannotWriteError(f"{agent.name} is a graph, and its edges hold functions of its package.")
        kind = self.agent_class(agent)
        arguments = [f"name={literals.quoted(agent.name)}"]
        own = [name for name in type(agent).model_fields if name not in ("name", "parent_agent", *_LAST)]
        fields = [name for name in (*own, *_LAST) if name in type(agent).model_fields]
        written = [(name, self._field(agent, name)) for name in fields]
        arguments += [f"{name}={value}" for name, value in written if value is not None]
        self.file.statements.append(f"{variable} = {literals.call(kind, arguments)}")
        self._written.add(id(agent))
        return variable

    def _variable_of(self, agent: BaseAgent) -> str:
        if id(agent) not in self._variables:
            self._variables[id(agent)] = self.file.claim(snake(agent.name), f"agent {id(agent)}")
        return self._variables[id(agent)]

    def agent_class(self, agent: BaseAgent) -> str:
        """The name of an agent's class."""
        kind = type(agent)
        if runtime_name_of(kind) is not None:
            return self.runtime(kind.__name__)
        if kind.__init__ is not BaseModel.__init__:
            raise CannotWriteError(f"{agent.name} is of the class {kind.__name__}, which has a constructor of its own.")
        if kept := set(kind.__private_attributes__) - set(LlmAgent.__private_attributes__):
            raise CannotWriteError(f"{agent.name} keeps {', '.join(sorted(kept))}, which its constructor does not take.")
        return self.reference(kind)

    def _field(self, agent: BaseAgent, name: str) -> str | None:  # noqa: PLR0911  one for each kind of field
        value = getattr(agent, name)
        default = type(agent).model_fields[name].get_default(call_default_factory=True)
        if default is not PydanticUndefined and type(value) is type(default) and _same(value, default):
            return None
        if name == "sub_agents":
            return None if "agents" in type(agent).model_fields else literals.listed(map(self.agent, agent.sub_agents))
        if name == "agents":
            return self._routes(getattr(agent, "routes", value))
        if name == "model" and isinstance(agent, LlmAgent):
            return self.model(agent, value)
        if name == "tools":
            return literals.listed([self.tool(one) for one in value])
        if name in _TEXTS and isinstance(value, str):
            return self.long_text(f"{snake(agent.name).upper()}_{name.upper()}", value)
        return self.value(value)

    def _routes(self, routes: Mapping[str, BaseAgent]) -> str:
        written = {key: self.agent(agent) for key, agent in routes.items()}
        if all(key == agent.name for key, agent in routes.items()):
            return literals.listed(written.values())
        return literals.mapping([(literals.quoted(key), variable) for key, variable in written.items()])

    def long_text(self, name: str, text: str) -> str:
        """A text: itself if it is short, else the constant that holds it."""
        if len(text) <= _LONG and "\n" not in text:
            return literals.quoted(text)
        local = self.file.claim(name, f"text {name} {text}")
        statement = f"{local} = {literals.block(text)}"
        if statement not in self.file.statements:
            self.file.statements.append(statement)
        return local

    def tool(self, tool: Any) -> str:
        """A tool: one of the runtime's, a function, an agent, or an object of the pipeline's own."""
        if (name := runtime_name_of(tool)) is not None:
            return self.runtime(name)
        if type(tool) is AgentTool:
            more = ["skip_summarization=True"] if tool.skip_summarization else []
            return literals.call(self.runtime("AgentTool"), [self.agent(tool.agent), *more])
        if type(tool) in (FunctionTool, LongRunningFunctionTool):
            return self.function_tool(tool)
        return self.value(tool)

    def function_tool(self, tool: FunctionTool) -> str:
        """A function with settings of its own as a tool."""
        arguments = [self.value(tool.func)]
        if tool.require_confirmation:
            arguments.append(f"require_confirmation={self.value(tool.require_confirmation)}")
        arguments += ["raise_on_error=True"] if tool.raise_on_error else []
        arguments += ["read_only_hint=False"] if not tool.read_only_hint else []
        return literals.call(self.runtime(type(tool).__name__), arguments)

    def value(self, value: Any) -> str:
        """Any value of a field as an expression.

        Raises:
            CannotWriteError: There is none.
        """
        if id(value) in self._variables:
            return self._variables[id(value)]
        if isinstance(value, Enum):
            return f"{self.type_name(type(value))}.{value.name}"
        if isinstance(value, BaseModel):
            return self._model_object(value)
        if isinstance(value, functools.partial):
            return self._partial(cast("functools.partial[Any]", value))
        if isinstance(value, type | python_types.GenericAlias | python_types.UnionType) or get_origin(value) is not None:
            return self.type_name(value)
        return self._collection(value) or self._plain(value)

    def _collection(self, value: Any) -> str | None:
        if type(value) is list:
            return literals.listed(map(self.value, cast("list[Any]", value)))
        if type(value) is tuple:
            return literals.tupled(map(self.value, cast("tuple[Any, ...]", value)))
        if type(value) is dict:
            items = cast("dict[Any, Any]", value).items()
            return literals.mapping([(self.value(key), self.value(item)) for key, item in items])
        return None

    def _plain(self, value: Any) -> str:
        if runtime_name_of(type(value)) is not None:
            return self._runtime_object(value)
        try:
            return literals.literal(value)
        except literals.NoLiteralError:
            return self.reference(value)

    def type_name(self, kind: Any) -> str:
        """A type as an expression: of pydantic models, builtins, and what is made of them."""
        if (origin := get_origin(kind)) is not None and isinstance(kind, python_types.GenericAlias):
            return f"{self.type_name(origin)}[{', '.join(map(self.type_name, get_args(kind)))}]"
        if isinstance(kind, python_types.UnionType):
            return " | ".join(map(self.type_name, get_args(kind)))
        if kind is type(None):
            return "None"
        if not isinstance(kind, type):
            raise CannotWriteError(f"The type {kind} is not written here.")
        if kind.__module__ == "builtins":
            return kind.__name__
        if kind.__module__ == "google.genai.types":
            return f"{self.file.imported('google.genai', 'types')}.{kind.__qualname__}"
        return self.runtime(kind.__name__) if runtime_name_of(kind) else self.reference(kind)

    def _model_object(self, value: BaseModel) -> str:
        given: list[str] = []
        for name, field in type(value).model_fields.items():
            item = getattr(value, name)
            if _same(item, field.get_default(call_default_factory=True)):
                continue
            if any(word in name.lower() for word in _SECRET) and isinstance(item, str):
                raise CannotWriteError(f"{type(value).__name__} has a {name}, and secrets are not written.")
            given.append(f"{name}={self.value(item)}")
        return literals.call(self.type_name(type(value)), given)

    def _runtime_object(self, value: Any) -> str:
        """A planner or a code executor: an object of the runtime that keeps its arguments as attributes."""
        kind = cast("type[Any]", type(value))
        wanted = [] if kind.__init__ is object.__init__ else list(inspect.signature(kind.__init__).parameters)[1:]
        if not all(hasattr(value, name) for name in wanted) or isinstance(value, BaseAgent):
            raise CannotWriteError(f"An object of {kind.__name__} does not keep the arguments that it was made with.")
        return literals.call(self.runtime(kind.__name__), [f"{name}={self.value(getattr(value, name))}" for name in wanted])

    def _partial(self, value: functools.partial[Any]) -> str:
        given = [*map(self.value, value.args), *(f"{name}={self.value(item)}" for name, item in value.keywords.items())]
        return literals.call(self.file.imported("functools", "partial"), [self.value(value.func), *given])


def runtime_name_of(thing: Any) -> str | None:
    """The public name of a class, tool or function of the package `agents`; None for anything else."""
    import agents

    name = getattr(thing, "__name__", None) or getattr(thing, "name", None)
    if not isinstance(name, str) or name not in agents.__all__:
        return None
    return name if getattr(agents, name) is thing else None


def _same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    try:
        return bool(value == default)
    except Exception:  # noqa: BLE001  an object may compare as it likes
        return False
