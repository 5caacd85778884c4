"""Copies a pipeline into the files of a team: YAML in ADK's form where that can say it, Python beside it where not."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, cast, get_args, get_origin

import yaml
from google.genai import types

from agents.agent import BaseAgent
from agents.flows.conditions import Condition
from agents.flows.routing import RoutedAgent
from agents.flows.rules import Rules
from agents.pipeline import Pipeline
from agents.storage.given_file import decoded, read_given
from agents.teams.adk_form import not_in_adk
from agents.teams.edit import rename_code
from agents.teams.extract import extract, imported
from agents.teams.graphs.written_edges import START, WrittenEdge, as_data, file_of
from agents.teams.team import CLASSES, TOOLS
from agents.teams.team_files import ROOT
from agents.tools.agent_tool import AgentTool
from agents.tools.function import FunctionTool
from agents.tools.long_running import LongRunningFunctionTool
from agents.workflow import Edge, FunctionNode, Workflow
from agents.workflow.nodes.parallel_worker import ParallelWorker
from agents.workflow.nodes.task_node import TaskNode

_CARD, _LESSON = "card.toml", "lesson.md"
_PRESENTED = (_CARD, _LESSON, "lesson.toml")
"""How a pipeline is presented; the last has the solutions of a lesson, which a learner's copy is not to show."""
_BELOW = ("parent_agent", "sub_agents", "tools", "agents", "edges")
"""Fields that are written by what they hold."""
_FIRST = ("name", "model", "description", "instruction")
_HIGHLIGHTS = "\n[[highlights]]"
"""Where those begin in a card; they mark lines of the Python that is copied from."""
_IMPORT = re.compile(r"^([ \t]*+from )(\w++)(?=[. ])\.?", re.MULTILINE)
_WORD = re.compile(r"\w++")
_DATA = (".toml", ".md", ".txt", ".csv", ".json", ".yaml", ".yml")
_LARGEST = 250_000
_MOST_FILES = 100
_PLAIN = (str, int, float, bool, type(None))


class _UnsayableError(Exception):
    """YAML cannot say something; the text says what, to end a sentence."""


def team_of(pipeline: Pipeline) -> tuple[dict[str, str], list[str]]:
    """A pipeline as the files of a team: the copy has the same agents, and keeps the simulation while they are unchanged.

    Names of the copy's own Python are relative, such as `.tools.roll_dice`, so the team may have any name.

    Args:
        pipeline: The pipeline; its modules are loaded.

    Returns:
        The files, text by path; and sentences on what other programs that read ADK's form will not know.
    """
    card = _card_of(pipeline)
    if ROOT in pipeline.sources:
        files = _copy_of_yaml(pipeline)
        return files | card, not_in_adk(files)
    try:
        files = _Copy(pipeline).files
        return files | card, not_in_adk(files)
    except _UnsayableError as error:
        files = dict(pipeline.sources) if _is_own(pipeline) else {"agent.py": pipeline.sources["agent.py"]}
        if not _is_own(pipeline) and "card.py" in pipeline.sources:
            files["card.py"] = pipeline.sources["card.py"]
        own = {name: _relative(text, pipeline.name) for name, text in files.items()}
        note = f"The whole team is Python, in agent.py, because YAML cannot say {error}."
        return own | _data_beside(pipeline, own) | card, [note, *not_in_adk(own)]


class _Copy:
    """The files of a copy in YAML, as they are made."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._module = _module_of(pipeline)
        self._source = pipeline.sources.get("agent.py", "")
        self._imported = imported(self._source)
        self._names: set[str] = set()
        self._made: dict[str, str] = {}
        self._code = "tools" if "tools.py" not in pipeline.sources else "team_tools"
        self.files: dict[str, str] = {}
        self._write(pipeline.root_agent, ROOT)
        if code := self._python():
            self.files[f"{self._code}.py"] = code
        if _is_own(pipeline):
            beside = {name: text for name, text in pipeline.sources.items() if name not in ("agent.py", "card.py")}
            self.files |= {name: _relative(text, pipeline.name) for name, text in beside.items()}
        self.files |= _data_beside(pipeline, self.files)

    def _python(self) -> str:
        text = extract(self._source, self._names)
        made = "\n".join(f"{name} = {expression}" for name, expression in self._made.items())
        if not text:
            return ""
        return f'"""What the agents of this team use."""\n\n{_relative(text, self._pipeline.name)}' + (
            f"\n\n{made}\n" if made else ""
        )

    def _write(self, agent: BaseAgent, file: str) -> str:
        if file in self.files:
            raise _UnsayableError(f"that two agents are called {agent.name}")
        self.files[file] = ""  # a place for it: the root comes first
        text: Any = cast("Any", yaml).dump(
            self._fields(agent), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120
        )
        self.files[file] = text
        return file

    def _fields(self, agent: BaseAgent) -> dict[str, Any]:
        made = type(agent)
        plain = next((name for name, known in CLASSES.items() if known is made), "")
        written: dict[str, Any] = {"agent_class": plain or self._named(made, f"the class {made.__name__}")}
        if made is RoutedAgent:
            written["agent_class"] = "agents.RoutedAgent"
        taken = inspect.signature(made).parameters
        names = [name for name in made.model_fields if name in taken and name not in _BELOW]
        for name in sorted(names, key=lambda one: _FIRST.index(one) if one in _FIRST else len(_FIRST)):
            value = getattr(agent, name)
            default = made.model_fields[name].get_default(call_default_factory=True)
            if name == "name" or not (value is default or (type(value) is type(default) and value == default)):
                written |= self._field(agent, name, value)
        if isinstance(agent, FunctionNode):
            written["func_code"] = self._named(agent.func, f"the function of {agent.name}")
        if tools := getattr(agent, "tools", None):
            written["tools"] = [self._tool(tool) for tool in tools]
        if isinstance(agent, RoutedAgent):
            written["sub_agents"] = [
                {"config_path": self._write(child, f"{child.name}.yaml")} | ({"key": key} if key != child.name else {})
                for key, child in agent.routes.items()
            ]
        elif isinstance(agent, Workflow):
            ends = {one.name: self._node(one) for one in agent.sub_agents}
            written["edges"] = as_data([_edge_of(edge, ends) for edge in agent.graph.edges])
            written["sub_agents"] = [{"config_path": end} for end in ends.values() if file_of(end)]
        elif agent.sub_agents:
            written["sub_agents"] = [{"config_path": self._write(one, f"{one.name}.yaml")} for one in agent.sub_agents]
        return written

    def _node(self, node: BaseAgent) -> str:
        """How the edges of a graph name a node: by its file, or where it is made in Python by its name there."""
        if isinstance(node, TaskNode):
            return self._write(node.task_agent, f"{node.name}.yaml")
        is_code = isinstance(node, FunctionNode | ParallelWorker) and _name_in(self._module, node) is not None
        return self._named(node, f"the node {node.name}") if is_code else self._write(node, f"{node.name}.yaml")

    def _field(self, agent: BaseAgent, name: str, value: Any) -> dict[str, Any]:
        what = f"the {name} of {agent.name}"
        if name.endswith("_callback"):
            callbacks = cast("list[Any]", value) if isinstance(value, list) else [value]
            return {f"{name}s": [{"name": self._named(one, what)} for one in callbacks]}
        if name.endswith("_schema"):
            return {name: {"name": self._named(value, what)}}
        told = None if value is None else _as_data(value)
        if told is not None or value is None:
            return {name: told}
        return {f"{name}_code": {"name": self._named(value, what)}}

    def _tool(self, tool: Any) -> dict[str, Any]:
        if (known := next((name for name, one in TOOLS.items() if one is tool), None)) is not None:
            return {"name": known}
        if type(tool) is AgentTool:
            args: dict[str, Any] = {"agent": {"config_path": self._write(tool.agent, f"{tool.agent.name}.yaml")}}
            return {"name": "AgentTool", "args": args | ({"skip_summarization": True} if tool.skip_summarization else {})}
        name = getattr(tool, "name", None) or getattr(tool, "__name__", type(tool).__name__)
        return {"name": self._named(tool, f"the tool {name}")}

    def _named(self, value: Any, what: str) -> str:
        """The relative name of something in Python."""
        if (expression := self._expression(value)) is None:
            raise _UnsayableError(what)
        if not expression.isidentifier():
            kind, of = _WORD.findall(expression)[:2]
            name = f"{of.lower()}_{'list' if kind == 'list' else 'tool'}"
            self._made[name] = expression
            return f".{self._code}.{name}"
        module, name = self._imported.get(expression, ("", expression))
        if module.startswith((".", f"{self._pipeline.name}.")):
            self._names.discard(expression)
            return f".{module.removeprefix(self._pipeline.name).lstrip('.')}.{name}"
        return f".{self._code}.{expression}"

    def _expression(self, value: Any) -> str | None:
        """How the pipeline's module would write something; the names in it are noted."""
        if (name := _name_in(self._module, value)) is not None:
            self._names.add(name)
            return name
        if inspect.ismethod(value) and (owner := self._expression(value.__self__)):
            return f"{owner}.{value.__name__}"
        for holder, module in vars(self._module).copy().items():
            if inspect.ismodule(module) and (name := _name_in(module, value)) is not None:
                self._names.add(holder)
                return f"{holder}.{name}"
        if get_origin(value) is list and (item := self._expression(get_args(value)[0])):
            return f"list[{item}]"
        return self._tool_expression(value) if type(value) in (FunctionTool, LongRunningFunctionTool) else None

    def _tool_expression(self, tool: Any) -> str | None:
        given = [self._expression(type(tool)), self._expression(tool.func)]
        for flag, usual in (("require_confirmation", False), ("raise_on_error", False), ("read_only_hint", True)):
            if (found := getattr(tool, flag)) != usual:
                said = str(found) if isinstance(found, bool) else self._expression(found)
                given.append(said and f"{flag}={said}")
        made, *arguments = [one for one in given if one]
        return f"{made}({', '.join(arguments)})" if len(arguments) == len(given) - 1 else None


def _edge_of(edge: Edge, ends: Mapping[str, str]) -> WrittenEdge:
    source, target = (ends.get(node.name, START) for node in (edge.from_node, edge.to_node))
    routes = edge.routes
    return WrittenEdge(source, target, list(routes) if len(routes) > 1 else next(iter(routes), None))


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are read, and lists indented."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)


def _text(dumper: Any, value: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


cast("Any", _Dumper).add_representer(str, _text)


def _name_in(module: ModuleType, value: object) -> str | None:
    return next((name for name, one in vars(module).copy().items() if one is value), None)


def _as_data(value: object) -> Any:
    """A value as YAML has it; None for one that only Python can say."""
    if _is_plain(value):
        return value
    match value:
        case Rules(rules=rules):
            return [_as_data(rule) for rule in rules]
        case Condition():
            return value.model_dump(exclude_defaults=True)
        case list():
            conditions = [_as_data(one) if isinstance(one, Condition) else None for one in cast("list[Any]", value)]
            return None if None in conditions else conditions if len(conditions) > 1 else conditions[0]
        case types.GenerateContentConfig():
            told = value.model_dump(mode="json", exclude_none=True)
            return told if types.GenerateContentConfig.model_validate(told) == value else None
        case _:
            return None


def _is_plain(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_is_plain, cast("list[object]", value)))
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(one) for key, one in cast("dict[object, object]", value).items())
    return type(value) in _PLAIN


def _module_of(pipeline: Pipeline) -> ModuleType:
    """The module with the pipeline's agents, as it is loaded."""
    file = str(pipeline.folder / "agent.py")
    found = next((one for one in list(sys.modules.values()) if getattr(one, "__file__", None) == file), None)
    if found is None or "agent.py" not in pipeline.sources:
        raise _UnsayableError(f"the agents of {pipeline.name}, whose agent.py is not loaded")
    return found


def _is_own(pipeline: Pipeline) -> bool:
    """Whether a pipeline is a user's, not one that comes with the playground."""
    return not pipeline.folder.is_relative_to(Path(__file__).parents[1])


def _relative(text: str, package: str) -> str:
    """A module's text with the names of a package's own modules written relative, as the copy has another name."""
    return _IMPORT.sub(lambda found: f"{found[1]}." if found[2] == package else found[0], text)


def _copy_of_yaml(pipeline: Pipeline) -> dict[str, str]:
    files = {
        name: _relative(text, pipeline.name) if name.endswith(".py") else text for name, text in pipeline.sources.items()
    }
    files = rename_code(files, pipeline.name, "")
    return _data_beside(pipeline, files) | files


def _card_of(pipeline: Pipeline) -> dict[str, str]:
    """The card in files; of a pipeline that comes with the playground it names the simulation that is kept."""
    found = {
        name: decoded(read_given(file, most=_LARGEST))
        for name in (_CARD, _LESSON)
        if (file := pipeline.folder / name).is_file()
    }
    if _CARD in found and not _is_own(pipeline):
        found[_CARD] = f'simulation = "{pipeline.name}"\n{found[_CARD].partition(_HIGHLIGHTS)[0]}'
    return found


def _data_beside(pipeline: Pipeline, files: Mapping[str, str]) -> dict[str, str]:
    """The text files in a pipeline's folder that those of its Python that are copied may read."""
    code = "\n".join(text for name, text in files.items() if name != "card.py")
    if "__file__" not in code and ROOT not in pipeline.sources:
        return {}
    found: dict[str, str] = {}
    for file in sorted(pipeline.folder.rglob("*")):
        name = file.relative_to(pipeline.folder).as_posix()
        is_hidden = any(part.startswith((".", "__")) for part in Path(name).parts)
        is_others = f"{file.stem}.py" in pipeline.sources.keys() - files.keys() and name not in code
        if is_hidden or is_others or file.suffix not in _DATA or name in _PRESENTED or len(found) == _MOST_FILES:
            continue
        if file.resolve().is_relative_to(pipeline.folder.resolve()):
            with suppress(OSError, UnicodeDecodeError):  # what is no text file, or a very large one, is not copied
                found[name] = decoded(read_given(file, most=_LARGEST))
    return found
