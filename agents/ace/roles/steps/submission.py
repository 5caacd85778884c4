"""Submits a batch: it is written to state, and committed with the event that carries it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, cast

from agents.ace.operations import DeltaBatch, Rejection
from agents.ace.roles.agents import said
from agents.ace.roles.feedback import NO_FEEDBACK, rests_on
from agents.ace.roles.instructions import FEEDBACK_KEY
from agents.ace.store.reducer import PLAYBOOK_KEY
from agents.agent import BaseAgent
from agents.event import Event

_MOST_REASONS = 3


async def submit(agent: BaseAgent, batch: DeltaBatch, text: str, delta: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
    """The event that commits a batch, and a second one with the reasons of rejections, if there are any."""
    event = said(agent, text, {PLAYBOOK_KEY: batch.model_dump(mode="json"), **delta})
    yield event
    commit = event.actions.state_delta.get(PLAYBOOK_KEY)  # the result, now that the event is stored
    rejected = cast("dict[str, list[Rejection]]", commit).get("rejected", []) if isinstance(commit, dict) else []
    if rejected:
        reasons = list(dict.fromkeys(str(rejection.get("reason")) for rejection in rejected))
        more = f" And {len(reasons) - _MOST_REASONS} reasons more." if len(reasons) > _MOST_REASONS else ""
        yield said(agent, f"{len(rejected)} rejected. {' '.join(reasons[:_MOST_REASONS])}{more}")


def basis(state: Mapping[str, Any]) -> str:
    """What is learned here rests on, as a sentence."""
    return f"This rests on {rests_on(str(state.get(FEEDBACK_KEY) or NO_FEEDBACK))}."


def number_of(number: int, what: str) -> str:
    """A number of things, in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
