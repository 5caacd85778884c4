"""Agents: their names, what others know of them, and what they see."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from agents.flows.workflow import SequentialAgent
from agents.llm.llm_agent import LlmAgent
from agents.pipeline import called_by
from agents.review.finding import Fix, Place, Rule
from agents.review.team_view import TeamView, shown_keys

_ALIKE = 0.9
_SHORT = 40
"""Characters up to which two instructions may be the same by chance."""


def _same_name(team: TeamView) -> Iterator[Place]:
    seen: dict[str, int] = {}
    for agent in team.agents:
        seen[agent.name] = seen.get(agent.name, 0) + 1
    for name, count in seen.items():
        if count > 1:
            yield Place(name, "name", f"{count} agents are called {name}. Give each a name of its own.")


def _two_places(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        for called in called_by(agent):
            if (parent := called.parent_agent) is not None and parent in team.agents:
                yield Place(
                    called.name,
                    "name",
                    f"This agent is a sub-agent of {parent.name} and a tool of {agent.name}: it sees the conversation here, "
                    "and only a request there. Keep one of the two, or make a copy under another name.",
                )


def _nameless_targets(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        for child in agent.sub_agents:
            if child in agent.transfer_targets and not child.description.strip():
                yield Place(
                    child.name,
                    "description",
                    f"{agent.name} may transfer to this agent, and is not told what it is for. Add a description.",
                )


def _alike(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        told = [child for child in agent.sub_agents if child in agent.transfer_targets and child.description.strip()]
        texts = [" ".join(child.description.lower().split())[:500] for child in told]
        for at, second in enumerate(told):
            same = SequenceMatcher(None, b=texts[at], autojunk=False)
            for first, text in zip(told[:at], texts, strict=False):
                same.set_seq1(text)
                if min(same.real_quick_ratio(), same.quick_ratio()) >= _ALIKE and same.ratio() >= _ALIKE:
                    why = f"{agent.name} chooses between this agent and {first.name} by their descriptions, which are nearly"
                    yield Place(second.name, "description", f"{why} the same. Say what only this one does.")
                    break


def _same_instruction(team: TeamView) -> Iterator[Place]:
    first: dict[tuple[str, str], str] = {}
    for agent in team.llm_agents:
        text = " ".join(agent.instruction.split()) if isinstance(agent.instruction, str) else ""
        asked = agent.model if isinstance(agent.model, str) else agent.model.model  # several models may be compared
        if len(text) > _SHORT and (other := first.setdefault((text, asked), agent.name)) != agent.name:
            yield Place(agent.name, "instruction", f"{other} has the same instruction. Is it a copy that was to change?")


def _blind(team: TeamView) -> Iterator[Place]:
    for parent in team.agents:
        if not isinstance(parent, SequentialAgent):
            continue
        for agent in parent.sub_agents[1:]:
            if (
                isinstance(agent, LlmAgent)
                and agent.include_contents == "none"
                and isinstance(agent.instruction, str)
                and not shown_keys(agent)
                and not agent.before_model_callback
            ):
                yield Place(
                    agent.name,
                    "include_contents",
                    "With 'none' this agent does not see what was said before, and its instruction shows no state. Show "
                    "what it needs as {key}, or remove include_contents.",
                    Fix("Remove include_contents", agent.name, "include_contents", None),
                )


def _silent(team: TeamView) -> Iterator[Place]:
    for agent in team.llm_agents:
        others = (agent.instruction, agent.global_instruction, agent.planner, agent.before_model_callback)
        if not any(others):
            yield Place(agent.name, "instruction", "This agent has no instruction: the model is not told what to do.")


RULES = (
    Rule("same-name", "error", "Agents are found by name: of two with one name, the second is never found.", _same_name),
    Rule(
        "two-places", "warning", "An agent in two places has two kinds of input, and its answers two readers.", _two_places
    ),
    Rule(
        "target-without-description",
        "warning",
        "A model chooses whom to transfer to by the descriptions alone.",
        _nameless_targets,
    ),
    Rule("alike-descriptions", "warning", "Between two descriptions that say the same, a model chooses at random.", _alike),
    Rule("same-instruction", "warning", "Two agents with one instruction do the same work twice.", _same_instruction),
    Rule(
        "sees-nothing",
        "warning",
        "`include_contents='none'` hides the conversation; an agent then only knows what its instruction says.",
        _blind,
    ),
    Rule("no-instruction", "warning", "Without an instruction, a model answers as it likes.", _silent),
)
