"""The user's review of a curator's operations: the call that a run waits for, and the result of its answer.

Pure functions of events and values.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple, cast

from google.genai import types

from agents.ace.gate import Trial
from agents.ace.operations import REVIEW_CALL, Operation, Rejection, Update
from agents.ace.playbook import Playbook
from agents.ace.refine.contradiction import Conflict
from agents.ace.roles.guard import Guarded, read_operation
from agents.event import Event
from agents.llm.contents import OWN_ID_PREFIX
from agents.runtime.invocation import InvocationContext

_MOST_REASON = 500


class Review(NamedTuple):
    """A call that asks for decisions, and its answer.

    Attributes:
        call: The call; its arguments hold the operations.
        answer: The answer, or None.
    """

    call: types.FunctionCall
    answer: Mapping[str, Any] | None


def review_call(
    playbook: Playbook,
    reasoning: str,
    guarded: Guarded,
    trial: Trial | None = None,
    conflicts: Sequence[Conflict] = (),
) -> types.FunctionCall:
    """The call that asks the user about operations.

    Its arguments are `{"playbook", "reasoning", "operations": […], "rejected": […]}`, and if the playbook's gate holds them
    back, `"broken": [{"name", "why", "pipeline", "before", "after"}, …]` and `"untried": why`; for bullets that the right
    answer contradicts `"conflicts": [{"bullet_id", "says", "truth"}, …]`. It is answered with
    `{"decisions": [{"verdict": "approve" | "reject", "operation"?: {…}, "reason"?: "…"}, …]}`, one for each operation, in
    order. An `operation` there is applied instead; an operation without a decision is rejected.
    """
    more: dict[str, Any] = {}
    if trial is not None and trial.holds_back:
        more = {"broken": [asdict(case) for case in trial.broken], "untried": trial.why}
    if conflicts:
        more["conflicts"] = [conflict._asdict() for conflict in conflicts]
    return types.FunctionCall(
        id=f"{OWN_ID_PREFIX}{uuid.uuid4()}",
        name=REVIEW_CALL,
        args={
            "playbook": playbook.name,
            "reasoning": reasoning,
            "operations": [operation.model_dump(mode="json") for operation in guarded.operations],
            "rejected": guarded.rejected,
            **more,
        },
    )


def last_review(context: InvocationContext) -> Review | None:
    """The last call of a context's agent in this run, and its answer; None if there was no call."""
    answers: dict[str | None, Mapping[str, Any]] = {}
    for event in reversed(context.session.events):
        if event.branch != context.branch:
            continue
        for response in event.get_function_responses():
            answers.setdefault(response.id, response.response or {})
        if (call := _call_in(event, context)) is not None:
            return Review(call, answers.get(call.id))
    return None


def _call_in(event: Event, context: InvocationContext) -> types.FunctionCall | None:
    if event.author != context.agent.name or event.invocation_id != context.invocation_id:
        return None
    return next((call for call in event.get_function_calls() if call.name == REVIEW_CALL), None)


def decided(review: Review) -> Guarded:
    """The result of a review: the operations to submit, as approved or edited, and the rejected ones."""
    asked = review.call.args or {}
    operations = _objects(asked.get("operations"))
    rejected: list[Rejection] = list(_objects(asked.get("rejected")))
    approved: list[Operation] = []
    decisions = _listed((review.answer or {}).get("decisions"))
    for operation, decision in zip(operations, _padded(decisions, len(operations)), strict=True):
        given: dict[str, Any] = cast("dict[str, Any]", decision) if isinstance(decision, dict) else {}
        if given.get("verdict") != "approve":
            rejected.append({"operation": operation, "reason": _reason(given)})
            continue
        edited = given.get("operation")
        read = read_operation(cast("dict[str, Any]", edited) if isinstance(edited, dict) else operation)
        if isinstance(read, Update) and operation.get("corrects"):
            read = read.model_copy(update={"corrects": True})
        if isinstance(read, str):
            rejected.append({"operation": operation, "reason": f"Approved with an edit that cannot be used: {read}"})
        else:
            approved.append(read)
    return Guarded(approved, rejected)


def _reason(decision: Mapping[str, Any]) -> str:
    if decision.get("verdict") != "reject":
        return "The user reviewed the delta and did not decide on this."
    said = decision.get("reason")
    reason = said.strip()[:_MOST_REASON] if isinstance(said, str) else ""
    return f"Rejected by the user: {reason}" if reason else "Rejected by the user."


def _listed(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _objects(value: Any) -> list[dict[str, Any]]:
    return [cast("dict[str, Any]", item) for item in _listed(value) if isinstance(item, dict)]


def _padded(decisions: Sequence[Any], length: int) -> Iterable[Any]:
    return [*decisions[:length], *[None] * (length - len(decisions))]
