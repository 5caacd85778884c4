"""The rounds of a reflection: another look at an answer while code knows that it is worth one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar, cast

from pydantic import Field

from agents.ace.roles.agents import said
from agents.ace.roles.instructions import BEFORE_KEY, QUERY_KEY, REFLECTION_KEY, ROUND_KEY, is_answer_right, verdict_in
from agents.ace.roles.orders import without_echoes
from agents.ace.roles.schemas import NO_ERROR, ReflectorOutput, role_output
from agents.ace.roles.settings import AceSettings
from agents.agent import BaseAgent
from agents.event import Event
from agents.flows.workflow import LoopAgent
from agents.runtime.context import InvocationContext


class ReflectionRounds(LoopAgent):
    """The rounds of a reflection: as many as the settings of the run allow."""

    name: str = "ReflectionRounds"
    description: str = "Looks at the answer again while that finds something new."
    settings: AceSettings = Field(default_factory=AceSettings)

    def _most_iterations(self, ctx: InvocationContext) -> int:
        return AceSettings.from_state(ctx.session.state, self.settings).reflector_rounds


class RoundCheck(BaseAgent):
    """Checks a reflection by what code knows, and ends the rounds. The loop counts them.

    A right answer needs one look, a wrong one takes all rounds; where nobody checked, the reflection itself says whether it
    found an error and anything new.
    """

    _may_wait: ClassVar[bool] = False

    name: str = "RoundCheck"
    description: str = "Decides whether another look at the answer is worth it."
    settings: AceSettings = Field(default_factory=AceSettings)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = ctx.session.state
        number = cast("int", state.get(ROUND_KEY) or 1)
        now = _checked(state)
        delta: dict[str, Any] = {BEFORE_KEY: now, REFLECTION_KEY: now}
        what = "The answer is wrong" if is_answer_right(state) is False else "An error was found"
        if reason := _why_enough(state, now):
            event = said(self, reason, delta)
            event.actions.escalate = True
        elif number >= AceSettings.from_state(state, self.settings).reflector_rounds:
            event = said(self, f"{what}, and no round is left.", delta)
        else:
            event = said(self, f"{what}: the reflector looks again.", {**delta, ROUND_KEY: number + 1})
        yield event


def _checked(state: Mapping[str, Any]) -> dict[str, Any] | None:
    """The reflection without echoes of prompt and question; that a wrong answer has no error is not accepted."""
    if (now := role_output(state.get(REFLECTION_KEY), ReflectorOutput)) is None:
        return None
    question = str(state.get(QUERY_KEY) or "")
    kept = {key: without_echoes(getattr(now, key), question) for key in ("correct_approach", "key_insight")}
    if now.error_identification == NO_ERROR and is_answer_right(state) is False:
        kept["error_identification"] = verdict_in(state)
    return {**now.model_dump(mode="json"), **kept}


def _why_enough(state: Mapping[str, Any], now: Mapping[str, Any] | None) -> str | None:
    if now is None:
        return "There is no reflection."
    if (is_right := is_answer_right(state)) is not None:
        return "The answer is right." if is_right else None
    if now["error_identification"] == NO_ERROR:
        return "No error was found."
    before = role_output(state.get(BEFORE_KEY), ReflectorOutput)
    said_before = None if before is None else (before.key_insight, before.correct_approach)
    return "Nothing new was found." if said_before == (now["key_insight"], now["correct_approach"]) else None
