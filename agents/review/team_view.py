"""A team as the rules of the review look at it."""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from agents.agent import BaseAgent
from agents.flows.conditions import Condition
from agents.flows.routing import RoutedAgent
from agents.flows.rules import Rules
from agents.flows.workflow import LoopAgent, ParallelAgent, SequentialAgent
from agents.llm.instruction import state_keys
from agents.llm.llm_agent import LlmAgent
from agents.pipeline import all_agents
from agents.tool import BaseTool, BaseToolset
from agents.tools.function import FunctionTool
from agents.workflow import FunctionNode, JoinNode, Workflow

_KNOWN = (LlmAgent, SequentialAgent, LoopAgent, ParallelAgent, RoutedAgent, Workflow, JoinNode)

_TEACHING = ("agents.pipelines.", "agents.ace.")
"""Packages of the project whose agents are teams as users' are."""
_STDLIB = str(Path(os.__file__).parent)
_MOST_CODE = 300
_WRITES_ANY, _READS_ANY = "state[…] = ", "state[…]"
"""Stand for every state key: the code computes the keys that it writes, or reads."""


class TeamView:
    """The agents of a team in the order of the tree, those used as tools too.

    Attributes:
        root: The top agent.
        given: State keys that are set before a run, e.g. by the start state.

    Args:
        root: The top agent.
        given: State keys that are set before a run.
    """

    def __init__(self, root: BaseAgent, given: Collection[str] = ()) -> None:
        self.root = root
        self.given = frozenset(given)
        self.agents = all_agents(root)

    @property
    def llm_agents(self) -> list[LlmAgent]:
        """Those that ask a model."""
        return [agent for agent in self.agents if isinstance(agent, LlmAgent)]

    def tools(self) -> Iterator[tuple[LlmAgent, str, BaseTool]]:
        """The tools of all agents, each with its agent and its name."""
        return ((agent, name, tool) for agent in self.llm_agents for name, tool in tools_of(agent).items())

    def names(self, word: str, agent: BaseAgent) -> bool:
        """Whether an agent's code may name a field; True if it cannot be read."""
        words = self._words[agent.name]
        return words is None or word in words

    def may_write(self, key: str) -> bool:
        """Whether code of the team may write a state key: it names it, or computes the keys that it writes."""
        return any(self.names(key, agent) or self.names(_WRITES_ANY, agent) for agent in self.agents)

    def may_read(self, key: str) -> bool:
        """Whether code of the team may read a state key: it names it, or computes the keys that it reads."""
        return any(self.names(key, agent) or self.names(_READS_ANY, agent) for agent in self.agents)

    @cached_property
    def _words(self) -> dict[str, frozenset[str] | None]:
        read: dict[str, dict[str, list[ast.AST]] | None] = {}
        return {agent.name: _words_of(agent, read) for agent in self.agents}

    @cached_property
    def read_keys(self) -> set[str]:
        """The state keys that instructions show and conditions test."""
        tested = {tested_key(condition) for agent in self.agents for condition in conditions_of(agent)}
        return {key for agent in self.llm_agents for key in shown_keys(agent)} | tested - {""}

    @cached_property
    def output_keys(self) -> set[str]:
        """The state keys that agents write with their answers."""
        return {agent.output_key for agent in self.llm_agents if agent.output_key}

    @cached_property
    def told(self) -> str:
        """All instructions that are texts, as one."""
        return "\n".join(agent.instruction for agent in self.llm_agents if isinstance(agent.instruction, str))


def shown_keys(agent: LlmAgent) -> dict[str, bool]:
    """The state keys that an agent's instructions show, each with whether it must be set."""
    texts = [text for text in (agent.instruction, agent.global_instruction) if isinstance(text, str)]
    return {key: needed for text in texts for key, needed in state_keys(text).items()}


def conditions_of(agent: BaseAgent) -> Sequence[Condition]:
    """The conditions by which a loop ends or a router chooses, if they are data."""
    if isinstance(agent, RoutedAgent):
        return agent.router.rules if isinstance(agent.router, Rules) else ()
    return agent.until if isinstance(agent, LoopAgent) else ()


def tested_key(condition: Condition) -> str:
    """The state key that a condition tests, without the field of it; "" for none."""
    return condition.state.partition(".")[0]


def tools_of(agent: LlmAgent) -> dict[str, BaseTool]:
    """An agent's tools by their names, with those of its toolsets that are known before a run."""
    made: dict[str, BaseTool] = {}
    for given in agent.tools:
        if isinstance(given, BaseToolset):
            made |= {tool.name: tool for tool in map(given.prefixed, given.known_tools)}
        else:
            tool = given if isinstance(given, BaseTool) else FunctionTool(cast("Any", given))
            made[tool.name] = tool
    return made


def code_of(agent: BaseAgent) -> Iterator[Any]:
    """The functions and classes that an agent brings: callbacks, tools, providers of instructions, its own class."""
    if isinstance(agent, FunctionNode):
        yield agent.func
    elif type(agent) not in _KNOWN:
        yield type(agent)
    for name in type(agent).model_fields:
        value: Any = getattr(agent, name)
        if name.endswith("_callback") and value is not None:
            yield from cast("list[Any]", value) if isinstance(value, list) else [value]
        elif name in ("instruction", "global_instruction", "router") and callable(value) and not isinstance(value, Rules):
            yield value
    for tool in getattr(agent, "tools", []):
        if isinstance(tool, FunctionTool):
            yield tool.func
        elif not isinstance(tool, BaseTool):
            yield tool
        elif not type(tool).__module__.startswith("agents."):
            yield type(tool)


def branches_of(agent: BaseAgent) -> list[list[BaseAgent]]:
    """The agents of each branch of a parallel agent."""
    return [all_agents(child) for child in agent.sub_agents]


def _words_of(agent: BaseAgent, read: dict[str, dict[str, list[ast.AST]] | None]) -> frozenset[str] | None:
    """The texts, fields and arguments that an agent's code names; None if it cannot be read.

    Args:
        agent: The agent.
        read: What the modules that were read define, by their names; more are added.
    """
    words: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [inspect.unwrap(getattr(code, "func", code)) for code in code_of(agent)]
    while waiting:
        code = waiting.pop()
        module, name = inspect.getmodule(code), getattr(code, "__qualname__", "").partition(".")[0]
        if module is None:
            return None
        if module.__name__ not in read:
            read[module.__name__] = _defined_in(module)
        if (defined := read[module.__name__]) is None:
            return None
        if (module.__name__, name) in seen or len(seen) > _MOST_CODE:
            continue
        seen.add((module.__name__, name))
        nodes = defined.get(name) or [node for held in defined.values() for node in held]  # or: made by a function
        words.update(_words_in(nodes))
        for value in (getattr(module, node.id, None) for node in nodes if isinstance(node, ast.Name)):
            if isinstance(value, str):
                words.add(value)
            elif _is_own(value):
                waiting.append(inspect.unwrap(cast("Any", value)))
    return frozenset(words)


def _words_in(nodes: list[ast.AST]) -> Iterator[str]:
    listed = {
        node.target.id
        for node in nodes
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Tuple | ast.List)
    }
    for node in nodes:
        match node:
            case ast.Constant(value=str() as text):
                yield text
            case ast.Call(func=ast.Attribute(value=held, attr="update"), args=given) if _is_state(held):
                if not all(isinstance(one, ast.Dict) and None not in one.keys for one in given):
                    yield _WRITES_ANY
            case ast.Subscript(value=held, slice=key, ctx=context) if _is_state(held) and not _is_told(key, listed):
                yield _WRITES_ANY if isinstance(context, ast.Store) else _READS_ANY
            case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[key, *_]) if _is_state(held):
                if not _is_told(key, listed):
                    yield _READS_ANY
            case ast.Call(func=ast.Attribute(value=held, attr="to_dict" | "items" | "values")) if _is_state(held):
                yield _READS_ANY
            case ast.Attribute(attr=field) | ast.keyword(arg=str() as field):
                yield field
            case _:
                pass


def _is_told(key: ast.expr, listed: set[str]) -> bool:
    """Whether a key is written out where it is used, or in a constant or a list that is looked at."""
    return isinstance(key, ast.Constant) or (isinstance(key, ast.Name) and (key.id.isupper() or key.id in listed))


def _is_state(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.endswith("state")


def _is_own(value: object) -> bool:
    """Whether a function or class is a team's own: neither installed nor the runtime's."""
    if not (inspect.isfunction(value) or inspect.isclass(value)):
        return False
    module = value.__module__
    file = getattr(inspect.getmodule(value), "__file__", None) or ""
    is_runtime = module.startswith("agents.") and not module.startswith(_TEACHING)
    return not is_runtime and "site-packages" not in file and not file.startswith(_STDLIB)


def _defined_in(module: ModuleType) -> dict[str, list[ast.AST]] | None:
    """The syntax of what a module defines at its top, by name; None if its source cannot be read."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return None
    return {name: list(ast.walk(node)) for name, node in _definitions(tree)}


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """What a module defines at its top: functions, classes, and values by name."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node
            case ast.Assign(targets=targets):
                yield from ((target.id, node) for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node
            case _:
                pass
