"""State: who writes what is read, and who reads what is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from agents.agent import BaseAgent
from agents.flows.workflow import LoopAgent, ParallelAgent, SequentialAgent
from agents.llm.llm_agent import LlmAgent
from agents.review.finding import Fix, Place, Rule
from agents.review.team_view import TeamView, branches_of, shown_keys
from agents.tools.agent_tool import AgentTool
from agents.workflow import Workflow

_STAYS = ("app:", "user:")
"""Scopes of state that other sessions may have written."""
_SCOPES = (*_STAYS, "temp:")
_NO_WORD = re.compile(r"\W")


def _unwritten(team: TeamView) -> Iterator[Place]:
    found: dict[tuple[str, str], Place] = {}
    _follow(team.root, set(team.given), team, found)
    yield from found.values()


def _follow(agent: BaseAgent, written: set[str], team: TeamView, found: dict[tuple[str, str], Place]) -> set[str]:
    """Notes what an agent reads that nobody wrote; returns the keys that are written after it."""
    after = set(written)
    if isinstance(agent, LlmAgent):
        for key, needed in shown_keys(agent).items():
            if needed and key not in written and not key.startswith(_STAYS) and not team.may_write(key):
                found[agent.name, key] = Place(agent.name, "instruction", *_advice(agent, key, written, team))
        after |= {agent.output_key} if agent.output_key else set()
    in_order = isinstance(agent, SequentialAgent | LoopAgent)
    chosen = written | team.output_keys  # whom a model chooses may run after any other, in a later turn at the latest
    before = chosen if isinstance(agent, LlmAgent) else written
    for child in agent.sub_agents:
        ahead = before | _written_ahead(agent, child) if isinstance(agent, Workflow) else after if in_order else before
        after |= _follow(child, ahead, team, found)
    for tool in getattr(agent, "tools", []):
        if isinstance(inner := getattr(tool, "agent", None), BaseAgent):
            _follow(inner, chosen, team, found)
    return after


def _written_ahead(graph: Workflow, node: BaseAgent) -> set[str]:
    """The keys that nodes write from which a way leads to another node."""
    ahead: dict[str, None] = {}
    left = list(graph.plan.before.get(node.name, ()))
    while left:
        if (name := left.pop()) not in ahead:
            ahead[name] = None
            left += graph.plan.before.get(name, ())
    return {key for one in graph.sub_agents if one.name in ahead for key in _keys_below(one)}


def _keys_below(agent: BaseAgent) -> set[str]:
    own = {agent.output_key} if isinstance(agent, LlmAgent) and agent.output_key else set[str]()
    return own.union(*map(_keys_below, agent.sub_agents))


def _advice(agent: LlmAgent, key: str, written: set[str], team: TeamView) -> tuple[str, Fix | None]:
    later = [other.name for other in team.llm_agents if other.output_key == key]
    if later:
        text = (
            f"{{{key}}} is written by {later[0]}, which has not run before this agent. Write {{{key}?}} if it may be "
            "missing in the first pass, or change the order."
        )
        return text, _written(agent, key, f"{key}?")
    found = get_close_matches(key, sorted(written | team.output_keys), n=1)
    near = "".join(name if name in written else f"{name}?" for name in found)  # ?: not before the first pass
    by = f"Let an agent before it write it with output_key={key!r}, or set it in the card's start_state."
    hint = f"Is it {{{near}}}?" if near else by
    text = f"Nobody writes the state key {{{key}}} that this instruction shows, so the run ends here. {hint}"
    return text, _written(agent, key, near) if near else None


def _written(agent: LlmAgent, key: str, instead: str) -> Fix | None:
    """Another key in place of one that an agent's own instruction shows."""
    old, new = f"{{{key}}}", f"{{{instead}}}"
    if not isinstance(agent.instruction, str) or old not in agent.instruction:
        return None
    return Fix(f"Write {new}", agent.name, "instruction", agent.instruction.replace(old, new))


def _unread(team: TeamView) -> Iterator[Place]:
    called = [tool.agent for agent in team.llm_agents for tool in agent.tools if isinstance(tool, AgentTool)]
    last = {agent.name for top in (team.root, *called) for agent in _last_of(top)}
    for agent in team.llm_agents:
        key = agent.output_key
        is_shown = key and (key in team.told or key in team.read_keys)
        if key and agent.name not in last and not is_shown and not team.may_read(key):
            near = get_close_matches(key, sorted(team.read_keys), n=1)
            hint = f" {{{near[0]}}} is read: is that meant?" if near else f" Show it where it is needed: {{{key}}}."
            fix = Fix(f"Write to {near[0]}", agent.name, "output_key", near[0]) if near else None
            yield Place(agent.name, "output_key", f"Nobody reads the state key {key!r} that this agent writes.{hint}", fix)


def _last_of(agent: BaseAgent) -> list[BaseAgent]:
    """The agents whose answer is the result; one that asks no model has none."""
    in_order = [child for child in agent.sub_agents if _asks(child)]
    if isinstance(agent, SequentialAgent | LoopAgent) and in_order:
        return _last_of(in_order[-1])
    return [agent, *(last for child in agent.sub_agents for last in _last_of(child))]


def _asks(agent: BaseAgent) -> bool:
    return isinstance(agent, LlmAgent) or any(_asks(child) for child in agent.sub_agents)


def _same_key(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        if isinstance(agent, ParallelAgent):
            writers: dict[str, str] = {}
            for branch in branches_of(agent):
                for one in branch:
                    key = getattr(one, "output_key", None)
                    if key and key in writers:
                        yield Place(
                            one.name,
                            "output_key",
                            f"{writers[key]} writes {key!r} at the same time, and the one that is later overwrites the "
                            "other. Give each branch a key of its own.",
                        )
                writers |= {one.output_key: one.name for one in branch if isinstance(one, LlmAgent) and one.output_key}


def _sibling(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        if isinstance(agent, ParallelAgent):
            branches = [[one for one in branch if isinstance(one, LlmAgent)] for branch in branches_of(agent)]
            for branch in branches:
                own = {one.output_key for one in branch}
                others = {one.output_key: one.name for other in branches if other is not branch for one in other}
                for one in branch:
                    for key in shown_keys(one):
                        if key in others and key not in own and key not in team.given:
                            yield Place(
                                one.name,
                                "instruction",
                                f"{{{key}}} is written by {others[key]}, which runs at the same time. Put the reader "
                                "after the parallel block.",
                            )


def _unshowable(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        key = agent.output_key or "_"
        bare = key.rpartition(":")[2] if key.startswith(_SCOPES) else key
        if not bare.isidentifier():
            good = _NO_WORD.sub("_", key)
            yield Place(
                agent.name,
                "output_key",
                f"{key!r} is no identifier, so no instruction can show it: {{{key}}} stays as it is. Write e.g. {good!r}.",
            )


RULES = (
    Rule(
        "unwritten-state",
        "error",
        "An instruction that shows a state key which is not set ends the run. `{key?}` says that it may be missing.",
        _unwritten,
    ),
    Rule(
        "unread-output",
        "warning",
        "What is written to state and read by nobody is often a slip in the name on one side.",
        _unread,
    ),
    Rule(
        "unshowable-key",
        "warning",
        "Of what stands in braces in an instruction, only identifiers are filled from state.",
        _unshowable,
    ),
    Rule(
        "parallel-same-key",
        "error",
        "Branches run at the same time: of two values for one state key only the later one stays, and which that is "
        "changes from run to run.",
        _same_key,
    ),
    Rule(
        "parallel-reads-sibling",
        "error",
        "Branches run at the same time, so a branch cannot count on what another one writes.",
        _sibling,
    ),
)
