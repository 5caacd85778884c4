"""`StateInitializer`: reads the message and prepares state, before a question is answered or a verdict is learned from."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar

from pydantic import Field

from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.roles.agents import said
from agents.ace.roles.feedback import Verdict, of_question, of_verdict, split_message, verdict_in
from agents.ace.roles.instructions import (
    ANSWER_KEY,
    BEFORE_KEY,
    COUNTED_KEY,
    CURATION_KEY,
    EMPTY_PLAYBOOK,
    FEEDBACK_KEY,
    GIVEN_IDS_KEY,
    GIVEN_KEY,
    JUDGED_KEY,
    JUDGED_SEQ_KEY,
    QUERY_KEY,
    REFLECTION_KEY,
    ROUND_KEY,
    SECOND_KEY,
    TRUTH_KEY,
    VERDICT_KEY,
    playbook_in,
)
from agents.ace.roles.schemas import GeneratorOutput, role_output
from agents.ace.roles.settings import AceSettings
from agents.ace.store.reducer import PLAYBOOK_KEY, name_for
from agents.agent import BaseAgent
from agents.event import Event
from agents.runtime.context import InvocationContext

MOST_IDS = 200
"""Most bullet ids in the record of the given bullets."""

_AFRESH: dict[str, Any] = {REFLECTION_KEY: None, CURATION_KEY: None, ROUND_KEY: 1, BEFORE_KEY: None, SECOND_KEY: None}


class StateInitializer(BaseAgent):
    """Reads the message, opens the playbook, and chooses the bullets for the generator's prompt.

    A message is a question, perhaps with the right answer or an outcome in its last line; or it is feedback on an earlier
    answer: a thumb, `Outcome: …`, or `verdict` in the message's state. That state may also hold `ground_truth`, and
    `feedback` with the outcome of something executed.
    """

    _may_wait: ClassVar[bool] = False
    truth_key: ClassVar[str] = TRUTH_KEY

    name: str = "StateInitializer"
    description: str = "Reads the question, or a verdict on an answer, and picks the bullets that are given along."
    settings: AceSettings = Field(default_factory=AceSettings)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = ctx.session.state
        if playbook_in(state).name != (wanted := name_for(ctx.app_name, state)):
            opened = DeltaBatch(by=self.name).model_dump(mode="json")
            yield said(self, f"This is playbook “{wanted}”.", {PLAYBOOK_KEY: opened})
        settings = AceSettings.from_state(state, self.settings)
        came_along = _came_along(ctx)
        message = "".join(part.text or "" for part in (ctx.user_content.parts or ())) if ctx.user_content else ""
        if (verdict := verdict_in(came_along.get(VERDICT_KEY), message)) is None:
            delta = _of_question(message, came_along, settings)
        elif (judged := _of_verdict(ctx, verdict)) is None:
            ctx.end_invocation = True
            yield said(self, "There is no answer to judge in this session yet. Ask something first.", {})
            return
        else:
            delta = judged
        delta.update(_given(ctx, playbook_in(state), delta, settings))
        if state.get(VERDICT_KEY) is not None:
            delta[VERDICT_KEY] = None
        told = delta[FEEDBACK_KEY] if verdict is not None else _what_is_given(playbook_in(state), delta)
        if verdict is None and delta[TRUTH_KEY]:
            told = f"Taken as the right answer: {delta[TRUTH_KEY]}\n{told}"
        yield said(self, told, delta)


def _came_along(ctx: InvocationContext) -> Mapping[str, Any]:
    """The state set with the message, or with the session if it is its first message; not that of earlier runs."""
    state = ctx.session.state
    found: Mapping[str, Any] = {}
    for event in reversed(ctx.session.events):
        if event.invocation_id == ctx.invocation_id and event.author == "user":
            found = event.actions.state_delta
        elif event.invocation_id not in ("", ctx.invocation_id):
            break
    return found if QUERY_KEY in state else {**state, **found}


def _text_in(values: Mapping[str, Any], key: str) -> str | None:
    value = values.get(key)
    return str(value).strip() or None if isinstance(value, str | int | float) else None


def _of_question(message: str, came_along: Mapping[str, Any], settings: AceSettings) -> dict[str, Any]:
    question = split_message(message)
    truth = _text_in(came_along, TRUTH_KEY) or question.ground_truth
    outcome = _text_in(came_along, FEEDBACK_KEY) or question.outcome
    feedback = of_question(settings.feedback_from, truth, outcome)
    return {
        **_AFRESH,
        QUERY_KEY: question.query,
        TRUTH_KEY: truth,
        FEEDBACK_KEY: feedback,
        ANSWER_KEY: None,
        COUNTED_KEY: False,
        JUDGED_KEY: False,
        JUDGED_SEQ_KEY: None,
    }


def _of_verdict(ctx: InvocationContext, verdict: Verdict) -> dict[str, Any] | None:
    """State for learning from a verdict; None if there is no answer to judge."""
    delta = {**_AFRESH, FEEDBACK_KEY: of_verdict(verdict), JUDGED_KEY: True, JUDGED_SEQ_KEY: verdict.event}
    if verdict.event is None:
        state = ctx.session.state
        return delta if state.get(ANSWER_KEY) and state.get(QUERY_KEY) else None
    earlier = _answer_at(ctx, verdict.event)
    return None if earlier is None else {**delta, **earlier}


def _answer_at(ctx: InvocationContext, seq: int) -> dict[str, Any] | None:
    """Question and answer as of an event."""
    found: dict[str, Any] = {}
    for event in reversed(ctx.session.events):
        if (event.seq or 0) > seq:
            continue
        delta = event.actions.state_delta
        for key in (ANSWER_KEY, QUERY_KEY):
            if delta.get(key) and (key == ANSWER_KEY or ANSWER_KEY in found):
                found.setdefault(key, delta[key])
        if QUERY_KEY in found:
            return found
    return None


def _given(ctx: InvocationContext, playbook: Playbook, delta: Mapping[str, Any], settings: AceSettings) -> dict[str, Any]:
    """State with the bullets for this run's prompts; records their ids."""
    query, answer = delta.get(QUERY_KEY), delta.get(ANSWER_KEY)
    if delta[JUDGED_KEY]:
        query, answer = query or ctx.session.state.get(QUERY_KEY), answer or ctx.session.state.get(ANSWER_KEY)
    ids = _chosen(playbook, str(query or ""), settings.top_k, answer)
    named = list(ids) if ids is not None else [bullet.id for bullet in playbook.active]
    ctx.record(
        "playbook_given",
        playbook=playbook.name,
        revision=playbook.revision,
        bullets=len(named),
        bullet_ids=named[:MOST_IDS],
        chosen=ids is not None,
    )
    return {GIVEN_KEY: playbook.as_prompt(ids) or EMPTY_PLAYBOOK, GIVEN_IDS_KEY: None if ids is None else named}


def _chosen(playbook: Playbook, query: str, top_k: int, answer: Any) -> list[str] | None:
    """Ids of the most relevant bullets, and of those that a judged answer cites; None for all."""
    if not top_k or len(playbook.active) <= top_k:
        return None
    from agents.ace.refine.retrieval import choose

    ids = list(choose(playbook, query, top_k))
    if (output := role_output(answer, GeneratorOutput)) is not None:
        ids += [id_ for id_ in output.bullet_ids if id_ in playbook and id_ not in ids]
    return ids


def _what_is_given(playbook: Playbook, delta: Mapping[str, Any]) -> str:
    if delta[GIVEN_KEY] == EMPTY_PLAYBOOK:
        return "The playbook is empty: nothing was learned yet."
    ids = delta[GIVEN_IDS_KEY]
    which = f"all {len(playbook.active)}" if ids is None else f"the {len(ids)} most relevant of {len(playbook.active)}"
    return f"Bullets given along: {which}."
