"""Transfers and routes: whether they lead anywhere."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator

from agents.agent import BaseAgent
from agents.flows.routing import RoutedAgent
from agents.flows.rules import Rules
from agents.flows.workflow import LoopAgent, SequentialAgent
from agents.llm.llm_agent import LlmAgent
from agents.review.finding import Place, Rule
from agents.review.team_view import TeamView

_SENTENCE = re.compile(r"[^.!?\n]+")
_HANDS_ON = re.compile(r"\b(transfer|hand(s|ing)? (it |them )?(over|back|off)|delegat|escalat|rout(e|ing))", re.IGNORECASE)


def _bounces(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        parent = agent.parent_agent
        if isinstance(parent, LlmAgent) and agent.transfer_targets == [parent] and _only_hands_on(agent):
            yield Place(
                agent.name,
                "instruction",
                f"This agent has no tools and is only told to hand on, and it can hand to {parent.name} alone, which "
                "transfers to it. Say what it answers itself, or remove it.",
            )


def _only_hands_on(agent: LlmAgent) -> bool:
    if agent.tools or agent.planner or agent.code_executor or agent.before_model_callback:
        return False
    said = (
        [text for text in _SENTENCE.findall(agent.instruction) if text.strip()] if isinstance(agent.instruction, str) else []
    )
    return bool(said) and all(_HANDS_ON.search(sentence) for sentence in said)


def _late_failure(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        if not isinstance(agent, RoutedAgent) or not _falls_back(agent):
            continue
        first = next(iter(agent.routes.values()), None)
        if first is not None and _steps(first) > 1:
            yield Place(
                agent.name,
                "router",
                f"{first.name} answers in several steps, and another agent is tried only where it fails before its first "
                "output. Put the fallback around the step that may fail.",
            )


def _falls_back(agent: RoutedAgent) -> bool:
    """Whether its router looks at the error of a target that failed."""
    if isinstance(agent.router, Rules):
        return any(rule.error for rule in agent.router.rules)
    try:
        return "error_context" in inspect.signature(agent.router).parameters
    except (TypeError, ValueError):
        return False


def _steps(agent: BaseAgent) -> int:
    """How many agents an agent runs one after the other."""
    if not isinstance(agent, SequentialAgent | LoopAgent):
        return 1
    return sum(_steps(child) for child in agent.sub_agents)


def _unknown_route(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        if not isinstance(agent, RoutedAgent):
            continue
        for key in sorted(_returned_by(agent.router) - set(agent.routes)):
            yield Place(
                agent.name,
                "router",
                f"The router may return {key!r}, and there is no such agent: the run ends then. It chooses between "
                f"{', '.join(agent.routes)}.",
            )


def _returned_by(router: object) -> set[str]:
    """The keys that a router's function returns as they are written; what it computes is not among them."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(router)))  # pyright: ignore[reportArgumentType]  else: TypeError
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return set()
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef | ast.AsyncFunctionDef):
        return set()
    waiting: list[ast.AST] = list(tree.body[0].body)
    found: set[str] = set()
    while waiting:
        match waiting.pop():
            case ast.Return(value=ast.IfExp(body=first, orelse=other)):
                waiting += [ast.Return(first), ast.Return(other)]
            case ast.Return(value=ast.Constant(value=str() as key)):
                found.add(key)
            case ast.Return(value=ast.Call(func=ast.Name(id="RouteDecision"), args=[ast.Constant(value=str() as key), *_])):
                found.add(key)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                pass  # what it returns is not the router's
            case other:
                waiting += ast.iter_child_nodes(other)
    return found


RULES = (
    Rule("unknown-route", "error", "A router's answer is the key of an agent; any other ends the run.", _unknown_route),
    Rule(
        "transfer-bounces",
        "warning",
        "An agent that can only hand back costs a model call each time, and the request goes in circles.",
        _bounces,
    ),
    Rule(
        "fallback-too-late",
        "warning",
        "After the first output of a target, its error is raised: what was shown cannot be taken back.",
        _late_failure,
    ),
)
