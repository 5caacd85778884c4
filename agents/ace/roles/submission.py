"""The agents of a cycle without a model: they check what the models say, and submit it as batches.

A batch is written to state, and committed with the event that carries it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar, cast

from google.genai import types
from pydantic import Field

from agents.ace.gate import DeltaGate, Trial
from agents.ace.operations import DeltaBatch, RefinePolicy, Rejection
from agents.ace.playbook import Playbook
from agents.ace.roles.agents import said
from agents.ace.roles.feedback import NO_FEEDBACK, rests_on
from agents.ace.roles.guard import Guarded, guarded, guarded_tags
from agents.ace.roles.instructions import (
    ANSWER_KEY,
    BEFORE_KEY,
    COUNTED_KEY,
    CURATION_KEY,
    FEEDBACK_KEY,
    GIVEN_IDS_KEY,
    JUDGED_KEY,
    JUDGED_SEQ_KEY,
    QUERY_KEY,
    REFLECTION_KEY,
    ROUND_KEY,
    is_answer_right,
    playbook_in,
    verdict_in,
)
from agents.ace.roles.judgement import judge
from agents.ace.roles.orders import without_echoes
from agents.ace.roles.review import decided, last_review, review_call
from agents.ace.roles.schemas import NO_ERROR, CuratorOutput, GeneratorOutput, ReflectorOutput, role_output
from agents.ace.roles.settings import AceSettings
from agents.ace.store.reducer import PLAYBOOK_KEY
from agents.agent import BaseAgent
from agents.event import Event
from agents.flows.workflow import LoopAgent
from agents.runtime.context import InvocationContext

_MOST_REASONS = 3


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


class TagBullets(BaseAgent):
    """Submits a reflection's tags, and the bullets that the answer cites."""

    _may_wait: ClassVar[bool] = False

    name: str = "TagBullets"
    description: str = "Counts for each bullet whether it was helpful or harmful, and which ones were cited."

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = ctx.session.state
        answer, reflection = (
            role_output(state.get(ANSWER_KEY), GeneratorOutput),
            role_output(state.get(REFLECTION_KEY), ReflectorOutput),
        )
        if answer is None:
            yield said(self, "There is no answer, so there is nothing to count.")
            return
        if ctx.run_config.needs_approval:
            yield said(self, "Tags of this session are not counted: its user may not change the playbook.")
            return
        tags = [] if reflection is None else reflection.bullet_tags
        given = None if state.get(JUDGED_KEY) else state.get(GIVEN_IDS_KEY)
        found, cited = guarded_tags(playbook_in(state), tags, answer.bullet_ids, given=given)
        batch = DeltaBatch(
            by="reflector",
            reasoning=reflection.key_insight if reflection is not None else "",
            operations=found.operations,
            rejected=found.rejected,
            cited=None if state.get(COUNTED_KEY) else cited,
            judgement=judge(
                str(state.get(QUERY_KEY) or ""),
                answer.final_answer,
                str(state.get(FEEDBACK_KEY) or NO_FEEDBACK),
                answer_seq=_answer_seq(ctx),
            ),
            playbook=playbook_in(state).name or None,
        )
        missing = "There is no reflection to take tags from. " if reflection is None else ""
        counts = f"{_number(len(cited), 'bullet')} cited, {_number(len(found.operations), 'tag')} submitted."
        async for event in _submit(self, batch, f"{missing}{counts} {_basis(state)}", {COUNTED_KEY: True}):
            yield event


def _answer_seq(ctx: InvocationContext) -> int:
    """`seq` of the event with the answer: the newest one, or the newest up to the event that the user judged."""
    judged = ctx.session.state.get(JUDGED_SEQ_KEY)
    for event in reversed(ctx.session.events):
        if event.actions.state_delta.get(ANSWER_KEY) and (judged is None or (event.seq or 0) <= judged):
            return event.seq or 0
    return 0


class ApplyDelta(BaseAgent):
    """Submits the curator's operations that pass the guard and the playbook's gate.

    With `approval` on, and if the gate holds them back, they wait for the user's review.
    """

    _may_wait: ClassVar[bool] = False

    name: str = "ApplyDelta"
    description: str = "Checks the operations one by one and submits those that can be applied."
    settings: AceSettings = Field(default_factory=AceSettings)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = ctx.session.state
        settings = AceSettings.from_state(state, self.settings)
        # A playbook is shared: a session's settings do not decide what is taken from it.
        asked_for = settings if ctx.run_config.owns_playbook else self.settings
        refine = None if ctx.run_config.needs_approval else asked_for.refine_policy()
        if ctx.position is not None and (review := last_review(ctx)) is not None:
            if review.answer is None:
                ctx.pause()
                return
            asked = review.call.args or {}
            if "broken" in asked:  # the refinement may be what breaks a case, and it was not asked about
                refine = None
            batch = _curated(decided(review), str(asked.get("reasoning") or ""), asked.get("playbook"), refine)
            told = f"Reviewed by the user: {_number(len(batch.operations), 'operation')} submitted. {_basis(state)}"
        elif (output := role_output(state.get(CURATION_KEY), CuratorOutput)) is None:
            batch = _curated(Guarded([], []), "", playbook_in(state).name, refine)
            told = "The curator submitted nothing that could be read. The answer stands."
        else:
            playbook = playbook_in(state)
            shown = None if state.get(JUDGED_KEY) else state.get(GIVEN_IDS_KEY)
            found = guarded(playbook, output.operations, shown=shown, question=str(state.get(QUERY_KEY) or ""))
            batch = _curated(found, output.reasoning, playbook.name, refine)
            trial = await _tried(ctx, playbook, batch)
            holds_back = trial is not None and trial.holds_back
            if holds_back and not found.operations:
                batch = _curated(found, output.reasoning, playbook.name, None)
            if found.operations and (settings.approval or holds_back or ctx.run_config.needs_approval):
                if ctx.may_pause:
                    call = review_call(playbook, output.reasoning, found, trial)
                    yield self._question(types.Part(function_call=call), found, trial)
                    ctx.pause()
                    return
                batch = _curated(_undecidable(found), output.reasoning, playbook.name, None)
            told = f"{_number(len(batch.operations), 'operation')} submitted. {_basis(state)}"
        async for event in _submit(self, batch, told, {}):
            yield event

    def _question(self, call: types.Part, found: Guarded, trial: Trial | None) -> Event:
        why = "" if trial is None else _why_held_back(trial)
        event = said(self, f"{_number(len(found.operations), 'operation')} to be decided on by the user.{why}")
        assert event.content is not None
        assert event.content.parts is not None
        assert call.function_call is not None
        event.content.parts.append(call)
        event.long_running_tool_ids = {call.function_call.id or ""}
        return event


async def _tried(ctx: InvocationContext, playbook: Playbook, batch: DeltaBatch) -> Trial | None:
    """What the gate says of a batch; None without a gate, without a guard, or without operations."""
    gate: DeltaGate | None = ctx.run_config.delta_gate
    if gate is None or not (batch.operations or (batch.refine is not None and batch.refine.mode != "off")):
        return None
    ctx.flush_soon()
    trial = await gate.try_delta(playbook, batch, ctx.run_config)
    if trial is not None:
        broken, problems = [case.name for case in trial.broken], list(trial.problems)
        ctx.record("cases_tried", playbook=playbook.name, tried=trial.tried, broken=broken, problems=problems, why=trial.why)
    return trial


def _why_held_back(trial: Trial) -> str:
    if trial.why:
        return f" The cases of the playbook cannot be tried: {trial.why}"
    names = ", ".join(f"“{case.name}”" for case in trial.broken)
    return f" This would break {_number(len(trial.broken), 'case')}: {names}." if names else ""


def _curated(found: Guarded, reasoning: str, playbook: Any, refine: RefinePolicy | None) -> DeltaBatch:
    name = playbook if isinstance(playbook, str) and playbook else None
    return DeltaBatch(
        by="curator",
        reasoning=reasoning,
        operations=found.operations,
        rejected=found.rejected,
        playbook=name,
        refine=refine,
    )


def _undecidable(found: Guarded) -> Guarded:
    reason = "The user was to decide, and an agent that is called as a tool cannot wait for that."
    asked = [operation.model_dump(mode="json") for operation in found.operations]
    return Guarded([], [*found.rejected, *({"operation": operation, "reason": reason} for operation in asked)])


async def _submit(agent: BaseAgent, batch: DeltaBatch, text: str, delta: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
    """The event that commits a batch, and a second one with the reasons of rejections, if there are any."""
    event = said(agent, text, {PLAYBOOK_KEY: batch.model_dump(mode="json"), **delta})
    yield event
    commit = event.actions.state_delta.get(PLAYBOOK_KEY)  # the result, now that the event is stored
    rejected = cast("dict[str, list[Rejection]]", commit).get("rejected", []) if isinstance(commit, dict) else []
    if rejected:
        reasons = list(dict.fromkeys(str(rejection.get("reason")) for rejection in rejected))
        more = f" And {len(reasons) - _MOST_REASONS} reasons more." if len(reasons) > _MOST_REASONS else ""
        yield said(agent, f"{len(rejected)} rejected. {' '.join(reasons[:_MOST_REASONS])}{more}")


def _basis(state: Mapping[str, Any]) -> str:
    return f"This rests on {rests_on(str(state.get(FEEDBACK_KEY) or NO_FEEDBACK))}."


def _number(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
