"""Tools: what a model is told of them, and which go together."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from agents.agent import BaseAgent
from agents.llm.llm_agent import LlmAgent
from agents.review.finding import Fix, Place, Rule
from agents.review.team_view import TeamView, tools_of
from agents.tools.built_in import GoogleSearchTool, UrlContextTool
from agents.tools.function import FunctionTool

_BUILT_IN = (GoogleSearchTool, UrlContextTool)
_TOOL_NAMES = frozenset({"exit_loop", "get_user_choice", "google_search", "load_memory", "url_context"})
_LIVE = "-live-"
"""Part of the names of models of the Live API, which take a search of their own beside functions."""
_NAME = re.compile(r"[A-Za-z_][\w.:-]{0,63}", re.ASCII)
_CALLED = re.compile(r"\b(?i:call|use|using|calls|with|tool)\s+(?:the\s+)?(?:tool\s+)?[`'\"]?([a-z]\w{2,60})\b", re.ASCII)


def _undescribed(team: TeamView) -> Iterator[Place]:
    for agent, name, tool in team.tools():
        if not tool.description.strip():
            text = f"The model is not told what {name} is for. Add a docstring, or a description to the agent."
            yield Place(agent.name, "tools", text)


def _untyped(team: TeamView) -> Iterator[Place]:
    for agent, name, tool in team.tools():
        for parameter in inspect.signature(tool.func).parameters.values() if isinstance(tool, FunctionTool) else ():
            is_own = parameter.name in ("self", "tool_context") or parameter.kind is parameter.VAR_KEYWORD
            if parameter.annotation is parameter.empty and not is_own:
                yield Place(
                    agent.name,
                    "tools",
                    f"The parameter {parameter.name} of {name} has no type, so the model may give anything. Write e.g. "
                    f"`{parameter.name}: str`.",
                )


def _together(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        own = [name for name, tool in tools_of(agent).items() if isinstance(tool, _BUILT_IN)]
        others = [name for name, tool in tools_of(agent).items() if not isinstance(tool, _BUILT_IN)]
        others += ["transfer_to_agent"] if agent.transfer_targets else []
        if own and others and _LIVE not in _model_of(agent):
            yield Place(
                agent.name,
                "tools",
                f"{own[0]} runs at the model's service, which takes no functions beside it in one request; this agent has "
                f"{others[0]}, too. Put {own[0]} into an agent of its own, and give that one as an AgentTool.",
            )


def _model_of(agent: LlmAgent) -> str:
    return agent.model if isinstance(agent.model, str) else agent.model.model


def _lacking(team: TeamView) -> Iterator[Place]:
    known = _TOOL_NAMES | {name for agent in team.llm_agents for name in tools_of(agent)}
    for agent in team.llm_agents:
        if not isinstance(agent.instruction, str):
            continue
        own = {*tools_of(agent), *({"transfer_to_agent"} if agent.transfer_targets else ())}
        named = dict.fromkeys(name for name in _CALLED.findall(agent.instruction) if name in known and name not in own)
        for name in named:
            yield Place(
                agent.name,
                "instruction",
                f"The instruction calls {name}, and this agent has no such tool. Add it to tools.",
                Fix(f"Add the tool {name}", agent.name, "tools", name) if name in _TOOL_NAMES else None,
            )


def _exit_outside(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        if "exit_loop" in tools_of(agent) and not _is_in_loop(agent):
            yield Place(
                agent.name,
                "tools",
                "There is no loop around this agent that exit_loop could end. Remove the tool.",
                Fix("Remove the tool exit_loop", agent.name, "tools", "exit_loop"),
            )


def _unnameable(team: TeamView) -> Iterator[Place]:
    for agent, name, _ in team.tools():
        if not _NAME.fullmatch(name):
            yield Place(
                agent.name,
                "tools",
                f"Providers refuse the name {name!r}: take up to 64 letters from a to z, digits and _. It is "
                "the name of the function, or of the agent that is the tool.",
            )


def _schema_beside(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        if agent.output_schema is None:
            continue
        if agent.sub_agents:
            yield Place(
                agent.name,
                "output_schema",
                f"The model may transfer to {agent.sub_agents[0].name} instead of answering, whose answer need not fit the "
                "schema. Put the schema into an agent of its own, after this one.",
            )
        elif agent.tools and not agent.output_retries:
            yield Place(
                agent.name,
                "output_schema",
                "Beside tools, the schema is asked for in words only, and with output_retries=0 the first answer that does "
                "not fit ends the run. Let this agent call the tools, and one after it write the answer.",
                Fix("Remove output_retries", agent.name, "output_retries", None),
            )


def _is_in_loop(agent: LlmAgent) -> bool:
    above: BaseAgent | None = agent
    while (above := above.parent_agent if above else None) is not None:
        if hasattr(above, "max_iterations"):
            return True
    return False


RULES = (
    Rule(
        "tool-without-description",
        "warning",
        "A model chooses a tool by its name and description; without one it guesses.",
        _undescribed,
    ),
    Rule(
        "untyped-parameter",
        "warning",
        "The types of a function's parameters become the schema that the model fills and the arguments are checked by.",
        _untyped,
    ),
    Rule(
        "built-in-beside-functions",
        "error",
        "A model with a search of its own refuses requests that have it beside functions, also the one for transfers.",
        _together,
    ),
    Rule(
        "missing-tool",
        "error",
        "A model that is told to call a tool it does not have invents the call, or says that it called it.",
        _lacking,
    ),
    Rule(
        "tool-name",
        "error",
        "A model calls a tool by its name; with one that is not allowed, no request works.",
        _unnameable,
    ),
    Rule(
        "schema-beside-tools",
        "warning",
        "Not every model can be held to a schema in a request that offers functions, also the one for transfers.",
        _schema_beside,
    ),
    Rule("exit-outside-loop", "warning", "Without a loop around it, exit_loop ends nothing.", _exit_outside),
)
