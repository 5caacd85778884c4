"""A router as data: rules of which the first that holds decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import model_validator

from agents.agent import BaseAgent
from agents.flows.conditions import Condition, choose, is_yes, value_in
from agents.flows.failover import RouteDecision, RoutingErrorContext
from agents.runtime.invocation import InvocationContext


class Rule(Condition):
    """A condition, and the agent that runs if it holds. The text is the user's message.

    A rule with `error` counts only after an agent failed before its first output, any other only before that.

    Attributes:
        to: The agent's key. Left out in a rule with `ask`, the model chooses one of the keys.
        reason: Why, for the log; by default the condition in words.
    """

    to: str = ""
    reason: str = ""

    @model_validator(mode="after")
    def _names_an_agent(self) -> Self:
        if self.agent:
            raise ValueError("agent is for the until of a loop: a router's rule is about the message")
        if not self.to and not self.ask:
            raise ValueError("a rule says which agent runs: add `to: NAME`")
        return self


@dataclass(frozen=True, slots=True)
class Rules:
    """A router for `RoutedAgent`: the first rule that holds decides.

    Attributes:
        rules: The rules, in the order in which they are looked at.
    """

    rules: Sequence[Rule]

    async def __call__(
        self,
        agents: Mapping[str, BaseAgent],
        context: InvocationContext,
        error_context: RoutingErrorContext | None = None,
    ) -> RouteDecision:
        """The key of the agent that runs; None if no rule holds."""
        failed = error_context.failed_keys if error_context else frozenset[str]()
        content = context.user_content
        message = "".join(part.text or "" for part in (content.parts if content else None) or () if not part.thought)
        left = {key: agent for key, agent in agents.items() if key not in failed}
        for rule in self.rules:
            if rule.error != (error_context is not None) or rule.to in failed:
                continue
            if rule.ask and not rule.to:
                if key := await choose(context, _which(rule.ask, left), message, list(left)):
                    return RouteDecision(key, rule.reason or f"The model chose {key}.")
            elif await _holds(rule, context, message, error_context):
                return RouteDecision(rule.to, rule.reason or f"{rule}.")
        return RouteDecision(None, "No rule holds.")


async def _holds(rule: Rule, context: InvocationContext, message: str, error_context: RoutingErrorContext | None) -> bool:
    if rule.ask:
        return await is_yes(context, rule.ask, message)
    if rule.state:
        return rule.fits(value_in(context.session.state, rule.state))
    if not rule.tests:
        return True
    return rule.fits(f"{type(error_context.last_error).__name__}: {error_context.last_error}" if error_context else message)


def _which(question: str, agents: Mapping[str, BaseAgent]) -> str:
    listed = "\n".join(f"- {key}: {agent.description}" for key, agent in agents.items())
    return f"{question}\n\nAnswer with one of these names:\n{listed}"
