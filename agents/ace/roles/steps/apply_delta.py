"""`ApplyDelta`: submits the operations of a curator, or has the user decide on them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Container, Mapping, Sequence
from contextlib import aclosing
from typing import Any, ClassVar, cast

from google.genai import types
from pydantic import Field

from agents.ace.gate import DeltaGate, Trial
from agents.ace.operations import Add, Change, DeltaBatch, Merge, Operation, RefinePolicy, Tag, Update
from agents.ace.playbook import Playbook
from agents.ace.refine.contradiction import Conflict, may_be_contradicted, says_otherwise, settled
from agents.ace.roles.agents import said
from agents.ace.roles.feedback import NO_FEEDBACK
from agents.ace.roles.guard import Guarded, guarded
from agents.ace.roles.instructions import (
    ANSWER_KEY,
    CURATION_KEY,
    FEEDBACK_KEY,
    GIVEN_IDS_KEY,
    JUDGED_KEY,
    QUERY_KEY,
    REFLECTION_KEY,
    SECOND_KEY,
    is_answer_right,
    playbook_in,
)
from agents.ace.roles.judgement import is_right, right_answer_in
from agents.ace.roles.review import decided, last_review, review_call
from agents.ace.roles.schemas import CuratorOutput, GeneratorOutput, ReflectorOutput, role_output
from agents.ace.roles.settings import AceSettings
from agents.ace.roles.steps.submission import basis, number_of, submit
from agents.ace.store.reducer import PLAYBOOK_KEY
from agents.agent import BaseAgent
from agents.event import Event
from agents.runtime.context import InvocationContext

_MOST_QUOTED = 200


class ApplyDelta(BaseAgent):
    """Submits the curator's operations that pass the guard and the playbook's gate.

    They wait for the user's review with `approval` on, if the gate holds them back, and if a right answer contradicts a
    bullet that this session did not write.
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
        review = last_review(ctx) if ctx.position is not None else None
        if review is None:
            work = self._proposed(ctx, refine, needs_approval=settings.approval or ctx.run_config.needs_approval)
            async with aclosing(work) as events:
                async for event in events:
                    yield event
        elif review.answer is None:
            ctx.pause()
        else:
            asked = review.call.args or {}
            if "broken" in asked:  # the refinement may be what breaks a case, and it was not asked about
                refine = None
            batch = _curated(decided(review), str(asked.get("reasoning") or ""), asked.get("playbook"), refine)
            told = f"Reviewed by the user: {number_of(len(batch.operations), 'operation')} submitted. {basis(state)}"
            async for event in submit(self, batch, told, {}):
                yield event

    async def _proposed(
        self, ctx: InvocationContext, refine: RefinePolicy | None, *, needs_approval: bool
    ) -> AsyncGenerator[Event, None]:
        """Submits what the curator proposes, or asks the user about it."""
        state, playbook = ctx.session.state, playbook_in(ctx.session.state)
        output = role_output(state.get(CURATION_KEY), CuratorOutput)
        found, conflicts = (Guarded([], []), []) if output is None else checked(ctx, playbook, output)
        async for event in self._tags(ctx, conflicts):
            yield event
        if reason := spoiled_by(state):
            found, conflicts = _taken_back(found, reason), []
        reasoning = "" if output is None else output.reasoning
        batch = _curated(found, reasoning, playbook.name, refine)
        trial = None if output is None else await _tried(ctx, playbook, batch)
        holds_back = trial is not None and trial.holds_back
        if holds_back and not found.operations:
            batch = _curated(found, reasoning, playbook.name, None)
        if found.operations and (needs_approval or holds_back or conflicts):
            if ctx.may_pause:
                call = review_call(playbook, reasoning, found, trial, conflicts)
                why = "".join(map(_why_contradicted, conflicts)) + ("" if trial is None else _why_held_back(trial))
                yield self._question(types.Part(function_call=call), found, why)
                ctx.pause()
                return
            batch = _curated(_undecidable(found), reasoning, playbook.name, None)
        told = f"{number_of(len(batch.operations), 'operation')} submitted. {basis(state)}"
        if output is None:
            told = "The curator submitted nothing that could be read. The answer stands."
        async for event in submit(self, batch, told, {}):
            yield event

    async def _tags(self, ctx: InvocationContext, conflicts: Sequence[Conflict]) -> AsyncGenerator[Event, None]:
        """The event with the tags that were held back, of bullets that no conflict is about."""
        disputed = {conflict.bullet_id for conflict in conflicts}
        tags: list[Operation] = [Tag(bullet_id=id_, tag="harmful") for id_ in held_back(ctx) if id_ not in disputed]
        if tags:
            batch = DeltaBatch(by="reflector", operations=tags, playbook=playbook_in(ctx.session.state).name or None)
            async for event in submit(self, batch, f"{number_of(len(tags), 'tag')} submitted.", {}):
                yield event

    def _question(self, call: types.Part, found: Guarded, why: str) -> Event:
        event = said(self, f"{number_of(len(found.operations), 'operation')} to be decided on by the user.{why}")
        assert event.content is not None
        assert event.content.parts is not None
        assert call.function_call is not None
        event.content.parts.append(call)
        event.long_running_tool_ids = {call.function_call.id or ""}
        return event


def writes(operation: Operation) -> bool:
    """Whether an operation gives a bullet a text."""
    return isinstance(operation, Add | Update | Merge)


def spoiled_by(state: Mapping[str, Any]) -> str:
    """Why what was written is taken back: the second answer, with it, is wrong; "" if it is not, or if there is none."""
    second = role_output(state.get(SECOND_KEY), GeneratorOutput)
    if second is None or is_right(second.final_answer, str(state.get(FEEDBACK_KEY) or NO_FEEDBACK)) is not False:
        return ""
    return f"Taken back: asked again with it, the answer was “{second.final_answer[:_MOST_QUOTED]}”, which is wrong."


def held_back(ctx: InvocationContext) -> list[str]:
    """Ids of the bullets whose tag “harmful” waits for the curator.

    A right answer may contradict them, and if the user is to decide which of the two is true, neither of them did harm yet.
    """
    state = ctx.session.state
    truth, playbook = right_answer_in(str(state.get(FEEDBACK_KEY) or NO_FEEDBACK)), playbook_in(state)
    reflection = role_output(state.get(REFLECTION_KEY), ReflectorOutput)
    if reflection is None or not truth or is_answer_right(state) is not False or ctx.run_config.needs_approval:
        return []
    own, shown = _own(ctx), state.get(GIVEN_IDS_KEY)
    tagged = dict.fromkeys(tag.id for tag in reflection.bullet_tags if tag.tag == "harmful")
    known = [bullet for id_ in tagged if (bullet := playbook.get(id_)) is not None and (shown is None or id_ in shown)]
    return [bullet.id for bullet in known if bullet.id not in own and may_be_contradicted(bullet.content, truth)]


def checked(ctx: InvocationContext, playbook: Playbook, output: CuratorOutput) -> tuple[Guarded, list[Conflict]]:
    """The operations that pass the guard, and the bullets that the right answer contradicts.

    A run that owns its playbook, and a session that wrote the bullet itself, correct it without a conflict.
    """
    state = ctx.session.state
    shown = None if state.get(JUDGED_KEY) else state.get(GIVEN_IDS_KEY)
    found = guarded(playbook, output.operations, shown=shown, question=str(state.get(QUERY_KEY) or ""))
    feedback, answer = str(state.get(FEEDBACK_KEY) or NO_FEEDBACK), role_output(state.get(ANSWER_KEY), GeneratorOutput)
    if is_answer_right(state) is not False:
        return found, []
    conflicts: list[Conflict] = []
    operations = _corrections(playbook, found.operations, role_output(state.get(REFLECTION_KEY), ReflectorOutput), feedback)
    if truth := right_answer_in(feedback):
        answered = answer.final_answer if answer else ""
        operations, conflicts = settled(playbook, operations, truth=truth, answer=answered, own=_own(ctx))
    return Guarded(operations, found.rejected), conflicts


def _corrections(
    playbook: Playbook, operations: Sequence[Operation], reflection: ReflectorOutput | None, feedback: str
) -> list[Operation]:
    """The operations; a new text of a bullet that misled is a correction."""
    harmful = [] if reflection is None else [tag.id for tag in reflection.bullet_tags if tag.tag == "harmful"]

    def marked(operation: Operation) -> Operation:
        if not isinstance(operation, Update) or operation.bullet_id not in harmful:
            return operation
        bullet = playbook.get(operation.bullet_id)
        corrects = bullet is not None and says_otherwise(operation.content, bullet.content, feedback)
        return operation.model_copy(update={"corrects": corrects})

    return [marked(operation) for operation in operations]


def _own(ctx: InvocationContext) -> Container[str]:
    """Ids of the bullets that this run may correct: all of a playbook that it owns, else those with this session's text."""
    if ctx.run_config.owns_playbook:
        return playbook_in(ctx.session.state)
    texts: dict[str, str] = {}
    for event in ctx.session.events:
        commit: Any = event.actions.state_delta.get(PLAYBOOK_KEY)
        applied = cast("dict[str, Any]", commit).get("applied", ()) if isinstance(commit, dict) else ()
        for change in cast("list[Change]", applied):
            if "content" in change:
                texts[change["bullet_id"]] = change["content"]
    playbook = playbook_in(ctx.session.state)
    return {id_ for id_, text in texts.items() if (bullet := playbook.get(id_)) is not None and bullet.content == text}


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


def _taken_back(found: Guarded, reason: str) -> Guarded:
    """What passed the guard, without what it writes."""
    spoiled = [operation for operation in found.operations if writes(operation)]
    rejected = [{"operation": one.model_dump(mode="json"), "reason": reason} for one in spoiled]
    kept = [operation for operation in found.operations if not writes(operation)]
    return Guarded(kept, [*found.rejected, *rejected])


def _why_contradicted(conflict: Conflict) -> str:
    return f" The right answer “{conflict.truth}” contradicts {conflict.bullet_id}, which says: “{conflict.says}”."


def _why_held_back(trial: Trial) -> str:
    if trial.why:
        return f" The cases of the playbook cannot be tried: {trial.why}"
    names = ", ".join(f"“{case.name}”" for case in trial.broken)
    return f" This would break {number_of(len(trial.broken), 'case')}: {names}." if names else ""


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
