"""Loops: whether something ends them."""

from __future__ import annotations

from collections.abc import Iterator

from agents.agent import BaseAgent
from agents.flows.workflow import LoopAgent, SequentialAgent
from agents.llm.llm_agent import LlmAgent
from agents.review.finding import Fix, Place, Rule
from agents.review.team_view import TeamView, tools_of

_PASSES = 5
"""The limit that a fix sets."""


def _endless(team: TeamView) -> Iterator[Place]:
    for loop in _loops(team):
        if loop.max_iterations is None and not _may_end(loop, team):
            yield Place(
                loop.name,
                "max_iterations",
                "Nothing in this loop can end it, and it has no limit. Set max_iterations, and give an agent in it the tool "
                "exit_loop.",
                Fix(f"Set max_iterations to {_PASSES}", loop.name, "max_iterations", _PASSES),
            )


def _only_limit(team: TeamView) -> Iterator[Place]:
    for loop in _loops(team):
        if loop.max_iterations is not None and loop.max_iterations > 1 and not _may_end(loop, team):
            yield Place(
                loop.name,
                "max_iterations",
                f"Nothing but the limit ends this loop: it always makes {loop.max_iterations} passes. Give the agent that "
                "judges the result the tool exit_loop, or let one escalate.",
            )


def _empty(team: TeamView) -> Iterator[Place]:
    for loop in _loops(team):
        if not loop.sub_agents:
            yield Place(loop.name, "sub_agents", "This loop has no agents, so it does nothing. Add one, or remove the loop.")


def _raises(team: TeamView) -> Iterator[Place]:
    for loop in _loops(team):
        for agent in _below(loop):
            if not isinstance(agent, LlmAgent) or agent.on_tool_error_callback:
                continue
            for name, tool in tools_of(agent).items():
                if getattr(tool, "raise_on_error", False):
                    yield Place(
                        agent.name,
                        "tools",
                        f"An error of {name} ends the run, and with it all later passes of {loop.name}. Leave out "
                        "raise_on_error, so that the model is told of the error, or add an on_tool_error_callback.",
                    )


def _unreached(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        for at, child in enumerate(agent.sub_agents if isinstance(agent, SequentialAgent) else ()):
            if isinstance(child, LoopAgent) and child.max_iterations is None and not _may_end(child, team):
                yield from (
                    Place(later.name, "name", f"{child.name} runs before this agent and never ends, so this one never runs.")
                    for later in agent.sub_agents[at + 1 :]
                )


def _below(agent: BaseAgent) -> Iterator[BaseAgent]:
    yield agent
    for child in agent.sub_agents:
        yield from _below(child)


def _loops(team: TeamView) -> list[LoopAgent]:
    return [agent for agent in team.agents if isinstance(agent, LoopAgent)]


def _may_end(loop: LoopAgent, team: TeamView) -> bool:
    return not loop.sub_agents or bool(loop.until) or any(_may_escalate(child, team) for child in loop.sub_agents)


def _may_escalate(agent: BaseAgent, team: TeamView) -> bool:
    """Whether an agent, or one below it, may end the loop around it; an inner loop keeps its end to itself."""
    if isinstance(agent, LoopAgent) and not agent.propagate_escalation:
        return False
    if isinstance(agent, LlmAgent) and "exit_loop" in tools_of(agent):
        return True
    if team.names("escalate", agent):
        return True
    return any(_may_escalate(child, team) for child in agent.sub_agents)


RULES = (
    Rule(
        "endless-loop",
        "error",
        "A loop runs until an agent in it escalates. One that nothing can end costs money until the run's limit stops it.",
        _endless,
    ),
    Rule(
        "loop-ends-by-limit-only",
        "warning",
        "A loop that always runs to its limit asks the models again after the result is good, and may make it worse.",
        _only_limit,
    ),
    Rule(
        "raising-tool-in-loop",
        "warning",
        "A loop is there to try again; a tool that raises ends the run in the pass in which it first fails.",
        _raises,
    ),
    Rule("never-reached", "error", "An agent that never runs is often one whose place in the order is wrong.", _unreached),
    Rule("empty-loop", "warning", "A loop without agents is left at once, and nothing says so.", _empty),
)
