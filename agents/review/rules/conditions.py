"""Conditions that are data: those that a loop ends by, and the rules of a router."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from agents.flows.routing import RoutedAgent
from agents.flows.rules import Rules
from agents.flows.workflow import LoopAgent
from agents.review.finding import Place, Rule
from agents.review.team_view import TeamView, branches_of, conditions_of, tested_key

_STAYS = ("app:", "user:")


def _never(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        inside = [one for branch in branches_of(agent) for one in branch]
        is_loop = isinstance(agent, LoopAgent)
        written = {getattr(one, "output_key", None) for one in inside} if is_loop else team.output_keys | team.given
        for condition in conditions_of(agent):
            key, by = tested_key(condition), condition.agent
            if by and by not in (names := [one.name for one in inside]):
                yield Place(agent.name, "until", f"There is no agent {by} in this loop.{_near(by, names)}")
            if key and key not in written and not key.startswith(_STAYS) and not team.may_write(key):
                who = "No agent in this loop" if is_loop else "No agent"
                text = f"{who} writes the state key {key!r}, so “{condition}” never holds.{_near(key, written)}"
                yield Place(agent.name, "until" if is_loop else "router", text)


def _near(name: str, names: Iterable[str | None]) -> str:
    near = get_close_matches(name, sorted(filter(None, names)), n=1)
    return f" Is it {near[0]}?" if near else ""


def _routes(team: TeamView) -> Iterator[Place]:
    for agent in team.agents:
        if not isinstance(agent, RoutedAgent) or not isinstance(agent.router, Rules):
            continue
        rules, first = agent.router.rules, [rule for rule in agent.router.rules if not rule.error]
        for rule in rules:
            if rule.to and rule.to not in agent.routes:
                text = f"The rule to {rule.to!r} names no agent below this router.{_near(rule.to, agent.routes)}"
                yield Place(agent.name, "router", text)
        for key, child in agent.routes.items():
            if all(rule.to and rule.to != key for rule in rules):
                yield Place(child.name, "name", f"No rule of {agent.name} leads to this agent, so it never runs. Add one.")
        always = [at for at, rule in enumerate(first) if not rule.tests and not rule.state]
        if not always:
            text = "If no rule holds, the run ends with an error. Add a last rule with `to` and no test."
            yield Place(agent.name, "router", text)
        elif always[0] < len(first) - 1:
            yield Place(
                agent.name, "router", f"Rule {always[0] + 1} always holds, so those after it never count. Move it down."
            )


RULES = (
    Rule(
        "condition-never-holds",
        "error",
        "A condition over a state key that nobody writes, or an agent that is not there, never becomes true.",
        _never,
    ),
    Rule(
        "rules-of-a-router",
        "warning",
        "The first rule that holds decides. A run for which none holds fails, and an agent that none names never runs.",
        _routes,
    ),
)
