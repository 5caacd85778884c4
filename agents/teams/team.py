"""Makes the agents of a team from its files.

The fields of a file are those of the agent's class, found by reflection, in the form of ADK's Agent Config: callbacks,
schemas and tools are written as names of the runtime, or of the team's own code.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from agents.agent import BaseAgent
from agents.errors import PipelineLoadError, ToolError
from agents.flows.routing import RoutedAgent
from agents.flows.rules import Rule, Rules
from agents.flows.workflow import LoopAgent, ParallelAgent, SequentialAgent
from agents.llm.llm_agent import LlmAgent
from agents.teams.graphs.nodes import ChoiceNode, QuestionNode
from agents.teams.graphs.written_edges import START as WRITTEN_START
from agents.teams.graphs.written_edges import file_of, functions_in
from agents.teams.team_files import AgentFile, read_team
from agents.teams.yaml_text import Path as Place
from agents.tool import BaseTool, BaseToolset
from agents.tools.agent_tool import AgentTool
from agents.tools.artifacts import load_artifacts
from agents.tools.built_in import google_search, url_context
from agents.tools.function import FunctionTool
from agents.tools.long_running import LongRunningFunctionTool
from agents.tools.loop_exit import exit_loop
from agents.tools.memory_tools import load_memory, preload_memory
from agents.tools.table import TableTool
from agents.tools.transfer import transfer_to_agent
from agents.tools.user_choice import get_user_choice
from agents.toolsets.mcp.toolset import McpToolset
from agents.workflow import START, Edge, FunctionNode, JoinNode, Workflow, WorkflowConfigurationError

CLASSES: dict[str, type[BaseAgent]] = {
    "LlmAgent": LlmAgent,
    "Agent": LlmAgent,
    "LoopAgent": LoopAgent,
    "ParallelAgent": ParallelAgent,
    "SequentialAgent": SequentialAgent,
    "RoutedAgent": RoutedAgent,
    "Workflow": Workflow,
    "JoinNode": JoinNode,
    "FunctionNode": FunctionNode,
    "QuestionNode": QuestionNode,
    "ChoiceNode": ChoiceNode,
}
"""Classes of agents; one that ADK has not is written as `agents.RoutedAgent`, or `agents.teams.QuestionNode`."""
TOOLS: dict[str, Any] = {
    "exit_loop": exit_loop,
    "get_user_choice": get_user_choice,
    "google_search": google_search,
    "load_artifacts": load_artifacts,
    "load_memory": load_memory,
    "preload_memory": preload_memory,
    "transfer_to_agent": transfer_to_agent,
    "url_context": url_context,
}
"""Tools of the runtime, by their names in files."""
WRAPPERS: dict[str, type[BaseTool | BaseToolset]] = {
    "AgentTool": AgentTool,
    "FunctionTool": FunctionTool,
    "LongRunningFunctionTool": LongRunningFunctionTool,
    "TableTool": TableTool,
    "McpToolset": McpToolset,
}
"""Tools that are made of an agent, a function, a file or a server of the owner's, which stands in `args`."""
_RUNTIME = ("google.adk.agents.", "google.adk.tools.", "agents.")
"""Prefixes of names of the runtime; the first two are ADK's."""
_STRUCTURE = ("agent_class", "sub_agents", "tools", "edges")
_NOT_WRITTEN = ("parent_agent",)

Resolve = Callable[[str], Any]
"""Gives what a dotted name below the team's folder stands for, e.g. "my_team.tools.roll"."""


class BaseAgentConfig(BaseModel):
    """What ADK's classes of agents declare their fields in; here the fields of the agent are enough, and it is not used."""

    model_config = ConfigDict(extra="allow")


class ToolArgsConfig(BaseModel):
    """The `args` of a tool that a function of the team makes, as the function's one argument."""

    model_config = ConfigDict(extra="allow")


class Team:
    """The files of a team, checked: nothing is named that is neither the runtime's nor the team's.

    Args:
        folder: The team's folder; its name is the first part of the names of its own code.

    Raises:
        PipelineLoadError: A file cannot be used; the message says which, and its line.
    """

    def __init__(self, folder: Path) -> None:
        self._name = folder.name
        self._folder = folder
        self.root = read_team(folder)
        self.agents = list(self.root.walk())
        names: dict[str, AgentFile] = {}
        for agent in self.agents:
            self._check(agent)
            name = str(agent.fields.get("name"))
            if (other := names.setdefault(name, agent)) is not agent:
                raise agent.error(("name",), f"{other.file.name} names an agent {name!r}, too. Rename one of them.")

    @property
    def sources(self) -> dict[str, str]:
        """The text of each file, by its name below the folder."""
        return {
            agent.file.resolve().relative_to(self._folder.resolve()).as_posix(): agent.text.source for agent in self.agents
        }

    def make(self, resolve: Resolve) -> BaseAgent:
        """Makes the agents.

        Raises:
            PipelineLoadError: A value does not fit its field, or a name stands for something else.
            Exception: Whatever the team's code raises.
        """
        return self._agent(self.root, resolve)

    def _is_own(self, name: str) -> bool:
        return name.startswith((f"{self._name}.", "."))

    def _check(self, agent: AgentFile) -> None:
        """Checks the names in a file, and its keys where the class is the runtime's."""
        written = agent.fields.get("agent_class", "LlmAgent")
        if not isinstance(written, str) or not (_bare(written) in CLASSES or self._is_own(written)):
            raise agent.error(("agent_class",), f"there is no class of agents {written!r}. There are: {', '.join(CLASSES)}.")
        if (known := CLASSES.get(_bare(written))) is not None:
            _check_keys(agent, known)
            if agent.keys and known is not RoutedAgent:
                place = ("sub_agents", next(iter(agent.keys)), "key")
                raise agent.error(place, "only the agents below an agents.RoutedAgent have keys. Remove it.")
        for place, name in _names_in(agent):
            kinds = {**TOOLS, **WRAPPERS} if place[0] == "tools" and place[-1] == "name" else {}
            if not self._is_own(name) and _bare(name) not in kinds:
                there = f" There are: {', '.join(kinds)}." if kinds else ""
                raise agent.error(
                    place,
                    f"{name!r} is neither the runtime's nor this team's, so nothing of it is imported.{there} Names of the "
                    f"team's own code begin with its folder: {self._name}.MODULE.NAME.",
                )
        for index, tool in enumerate(agent.fields.get("tools") or ()):
            _check_wrapper(agent, index, tool)
            if _bare(str(tool["name"])) == "TableTool":
                self._table_of(agent, index, tool)

    def _agent(self, agent: AgentFile, resolve: Resolve) -> BaseAgent:
        written = str(agent.fields.get("agent_class", "LlmAgent"))
        made: Any = CLASSES.get(_bare(written)) or self._named(agent, ("agent_class",), written, resolve)
        if not (isinstance(made, type) and issubclass(made, BaseAgent)):
            raise agent.error(("agent_class",), f"{written!r} is no class of agents.")
        _check_keys(agent, made)
        values: dict[str, Any] = {}
        for key, value in agent.fields.items():
            if key not in _STRUCTURE:
                name, found = self._value(agent, key, value, made, resolve)
                values[name] = found
        children = [self._child(agent, at, child, resolve) for at, child in enumerate(agent.sub_agents)]
        if issubclass(made, Workflow):
            return self._graph(agent, made, values, children, resolve)
        if children:
            values |= _routes(agent, children) if issubclass(made, RoutedAgent) else {"sub_agents": children}
        elif issubclass(made, RoutedAgent):
            raise agent.error((), "a router chooses one of the agents below it, and there is none. Add one.")
        if issubclass(made, RoutedAgent) and "router" in values and "router" in agent.fields:
            values["router"] = _rules(agent, values.get("agents", {}))
        if agent.fields.get("tools"):
            values["tools"] = [self._tool(agent, at, tool, resolve) for at, tool in enumerate(agent.fields["tools"])]
        return _made(agent, made, values)

    def _graph(
        self, agent: AgentFile, made: type[Workflow], values: dict[str, Any], children: list[BaseAgent], resolve: Resolve
    ) -> BaseAgent:
        """A graph. Nodes to which no edge leads are kept below it: a review says so, and they are not run."""
        ends: dict[Any, Any] = {WRITTEN_START: START, **{child.name: child for child in children}}
        ends |= {path: children[at] for path, at in agent.nodes.items()}
        edges: list[Edge] = []
        for edge in agent.edges:
            pair = [
                self._end(agent, end, ("edges", *place), ends, resolve)
                for end, place in zip(edge[:2], edge.places, strict=True)
            ]
            edges.append(Edge(from_node=pair[0], to_node=pair[1], route=edge.route))
        reached: list[Any] = [START]
        for node in reached:
            reached += [edge.to_node for edge in edges if edge.from_node is node and edge.to_node not in reached]
        graph = _made(agent, made, values | {"edges": [edge for edge in edges if edge.from_node in reached]})
        graph.sub_agents = [*graph.sub_agents, *(child for child in children if child not in reached)]
        return graph

    def _end(self, agent: AgentFile, end: Any, place: Place, ends: dict[Any, Any], resolve: Resolve) -> Any:
        """The node that an end of an edge names."""
        key = file_of(end) or str(end)
        if key not in ends:
            if "." not in key:
                raise agent.error(place, f"there is no node {key!r}. There are: {', '.join(map(str, ends))}.")
            found = self._named(agent, place, key, resolve)
            ends[key] = found if isinstance(found, BaseAgent) else FunctionNode(func=found)
        return ends[key]

    def _child(self, agent: AgentFile, at: int, child: AgentFile | str, resolve: Resolve) -> BaseAgent:
        if isinstance(child, AgentFile):
            return self._agent(child, resolve)
        found = self._named(agent, ("sub_agents", at), child, resolve)
        if not isinstance(found, BaseAgent):
            raise agent.error(("sub_agents", at), f"{child!r} is no agent, but {_kind(found)}.")
        return found

    def _tool(self, agent: AgentFile, at: int, tool: Mapping[str, Any], resolve: Resolve) -> Any:
        name, place, given = str(tool["name"]), ("tools", at), dict(tool.get("args") or {})
        if at in agent.tools:
            given["agent"] = self._agent(agent.tools[at], resolve)
        if "func" in given:
            given["func"] = self._named(agent, (*place, "args", "func"), str(given["func"]), resolve)
        bare = _bare(name)
        if bare == "TableTool":
            given["file"] = self._table_of(agent, at, tool)
        found: Any = TOOLS.get(bare) or WRAPPERS.get(bare) or self._named(agent, (*place, "name"), name, resolve)
        is_class = isinstance(found, type) and issubclass(cast("type[Any]", found), (BaseTool, BaseToolset))
        try:
            if is_class:
                return found(**given)
            return found(ToolArgsConfig(**given)) if given and callable(found) else found
        except TypeError as error:
            raise agent.error(place, f"{name} cannot be made with these args: {error}.") from None
        except ToolError as error:
            raise agent.error(place, str(error)) from None

    def _table_of(self, agent: AgentFile, at: int, tool: Mapping[str, Any]) -> Path:
        return agent.beside(("tools", at, "args", "file"), tool["args"]["file"], self._folder.resolve())

    def _value(self, agent: AgentFile, key: str, value: Any, made: type[BaseAgent], resolve: Resolve) -> tuple[str, Any]:
        """The field that a key is for, and its value."""
        name = _field_of(key, made)
        if not _is_named(key, name):
            return name, value
        named = [(place, text) for place, text in _names_in(agent) if place[0] == key]
        found = [self._named(agent, place, text, resolve) for place, text in named]
        return name, found if name.endswith("_callback") and len(found) > 1 else next(iter(found), None)

    def _named(self, agent: AgentFile, place: Place, name: str, resolve: Resolve) -> Any:
        """What a name of the team's own code stands for."""
        dotted = f"{self._name}{name}" if name.startswith(".") else name
        try:
            return resolve(dotted)
        except AttributeError:
            module, _, last = dotted.rpartition(".")
            raise agent.error(place, f"{module} has no {last!r}.") from None
        except ModuleNotFoundError as error:
            if not dotted.startswith(f"{self._name}."):
                raise
            raise agent.error(place, f"{name!r} cannot be imported: {error}.") from None


def _made(agent: AgentFile, made: Callable[..., BaseAgent], values: Mapping[str, Any]) -> Any:
    try:
        return made(**values)
    except ValidationError as error:
        whole = "edges" if "edges" in values else "name"  # an error of the whole has no place
        field = str((error.errors()[0]["loc"] or (whole,))[0])
        key = next((key for key in agent.fields if _field_of(key, cast("type[BaseAgent]", made)) == field), field)
        raise _misfit(agent, key, error) from None
    except WorkflowConfigurationError as error:
        raise agent.error((), str(error)) from None


def _routes(agent: AgentFile, children: list[BaseAgent]) -> dict[str, Any]:
    """The children of a router by the keys that it chooses between."""
    routes: dict[str, BaseAgent] = {}
    for at, child in enumerate(children):
        key = agent.keys.get(at, child.name)
        if key in routes:
            raise agent.error(("sub_agents", at), f"two of the agents have the key {key!r}. Give each a key of its own.")
        routes[key] = child
    return {"agents": routes}


def _rules(agent: AgentFile, routes: Mapping[str, BaseAgent]) -> Rules:
    """The rules of a router."""
    written = agent.fields["router"]
    try:
        rules = TypeAdapter(list[Rule]).validate_python(written)
    except ValidationError as error:
        raise _misfit(agent, "router", error) from None
    for at, rule in enumerate(rules):
        if rule.to and rule.to not in routes:
            why = f"there is no agent {rule.to!r} to choose from. There are: {', '.join(routes)}."
            raise agent.error(("router", at, "to"), why)
    return Rules(rules)


def _misfit(agent: AgentFile, key: str, error: ValidationError) -> PipelineLoadError:
    """The error for a value that does not fit its field, at the line of the part that does not."""
    first = error.errors()[0]
    place: Place = (key,)
    for part in first["loc"]:
        place = (*place, part) if (*place, part) in agent.text.lines else place
    return agent.error(place, f"{'.'.join(map(str, place))}: {first['msg'].removeprefix('Value error, ')}.")


def _bare(name: str) -> str:
    """A name of the runtime without its module; any other as it is."""
    return name.rpartition(".")[2] if name.startswith(_RUNTIME) else name


def _field_of(key: str, made: type[BaseAgent]) -> str:
    """The field that a key is for: `before_model_callbacks` and `model_code` are forms of ADK's."""
    for name in (key, key.removesuffix("s"), key.removesuffix("_code")):
        if name in _fields(made) and (name == key or name.endswith("_callback") or key.endswith("_code")):
            return name
    return key


def _fields(made: type[BaseAgent]) -> list[str]:
    """The fields that a file may have for a class: those that its constructor takes."""
    if not issubclass(made, FunctionNode):
        return list(made.model_fields)
    return [name for name in inspect.signature(made).parameters if name != "self"]


def _is_named(key: str, field: str) -> bool:
    """Whether a key's value names something in Python."""
    return field.endswith(("_callback", "_schema")) or (key.endswith("_code") and key != field)


def _check_keys(agent: AgentFile, made: type[BaseAgent]) -> None:
    known = [name for name in (*_STRUCTURE[:2], *_fields(made)) if name not in _NOT_WRITTEN]
    for key in agent.fields:
        if key not in _STRUCTURE[:2] and (_field_of(key, made) not in known or key in _NOT_WRITTEN):
            near = get_close_matches(key, known, n=1)
            hint = f" Is it {near[0]}?" if near else f" It has: {', '.join(known)}."
            raise agent.error((key,), f"{made.__name__} has no field {key!r}.{hint}")
    if "name" not in agent.fields:
        raise agent.error((), "the agent has no name: add a line such as `name: writer`.")


def _check_wrapper(agent: AgentFile, index: int, tool: Mapping[str, Any]) -> None:
    """Checks that a tool that is made of something says of what."""
    bare, given = _bare(str(tool["name"])), cast("Any", tool.get("args"))
    if given is not None and not isinstance(given, dict):
        raise agent.error(("tools", index, "args"), "args are keys with values, e.g. `args: {skip_summarization: true}`.")
    needed = {"AgentTool": "agent", "TableTool": "file", "McpToolset": "connection_params"}.get(
        bare, "func" if bare in WRAPPERS else ""
    )
    if needed and needed not in (given or {}):
        raise agent.error(("tools", index), f"{bare} needs `args:` with `{needed}:`.")
    if bare == "McpToolset" and not isinstance(cast("Any", given)["connection_params"], str):
        place = ("tools", index, "args", "connection_params")
        raise agent.error(place, "a team names a server of Settings, e.g. `connection_params: files`.")
    if bare in TOOLS and given:
        raise agent.error(("tools", index, "args"), f"{bare} takes no args.")


def _names_in(agent: AgentFile) -> Iterator[tuple[Place, str]]:
    """The names in a file that stand for something in Python, each with its place."""
    for key, value in agent.fields.items():
        if key == "tools":
            yield from _tool_names(agent, cast("list[dict[str, Any]]", value or []))
        elif key == "edges":
            yield from (((key, *place), name) for name, place in functions_in(agent.edges))
        elif key == "sub_agents":
            yield from (((key, at), child) for at, child in enumerate(agent.sub_agents) if isinstance(child, str))
        elif value is not None and _is_named(key, key.removesuffix("s").removesuffix("_code")):
            for at, entry in enumerate(cast("list[Any]", value) if isinstance(value, list) else [value]):
                name = cast("dict[str, Any]", entry).get("name") if isinstance(entry, dict) else entry
                place = (key, at) if isinstance(value, list) else (key,)
                if not isinstance(name, str) or not name.strip(" ."):
                    raise agent.error(place, f"{key} names something in Python, e.g. `- name: my_team.tools.check`.")
                yield place, name


def _tool_names(agent: AgentFile, tools: list[dict[str, Any]]) -> Iterator[tuple[Place, str]]:
    for index, tool in enumerate(tools):
        place: Place = ("tools", index)
        if not isinstance(tool.get("name"), str):
            raise agent.error(place, "a tool has a name, e.g. `- name: exit_loop`.")
        yield (*place, "name"), tool["name"]
        given = tool.get("args")
        if isinstance(given, dict) and "func" in given:
            yield (*place, "args", "func"), str(cast("dict[str, Any]", given)["func"])


def _kind(value: object) -> str:
    return f"something of type {type(value).__qualname__}"
