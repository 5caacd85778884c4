"""The verdict on an answer: by what the log of the step's run shows, never by what a page says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never, cast

from agents.cases.evidence import Evidence, evidence_in
from agents.cases.verdict import differences
from agents.lessons import queries
from agents.lessons.lesson import (
    Choice,
    FindBullet,
    FindEntry,
    FindFault,
    FindPrompt,
    FindState,
    Investigate,
    Make,
    Match,
    Modify,
    Play,
    Predict,
    Step,
)
from agents.log import EVENT_KIND, LogEntry
from agents.models.you.spec import TYPED_MARK

_Log = Sequence[LogEntry]
_ENDED = {"play": ("completed",), "modify": ("completed", "paused"), "make": ("completed", "paused")}
"""How a run ends that can be right; one that waits for its user does, but for the model that the user is."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a learner answers.

    Attributes:
        value: The choice, the state key, the bullet, the cause.
        seq: The entry that was selected.
    """

    value: Any = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on an answer.

    Attributes:
        right: Whether the step is solved.
        points: What it is worth, before hints.
        hint: What is said of a wrong answer: the hint of the mistake that was recognised, else what does not hold; "" for
            nothing.
        truth: The log's answer to a prediction; None for other steps.
        found: Of a fault, what was found: "event", "cause".
    """

    right: bool
    points: int = 0
    hint: str = ""
    truth: Any = None
    found: tuple[str, ...] = ()


def score(
    step: Step,
    answer: Answer,
    entries: _Log,
    *,
    changed: Collection[str] = (),
    more: Sequence[_Log] = (),
) -> Verdict:
    """The verdict on an answer.

    Args:
        step: The step.
        answer: What the learner answers; of modify, make and play nothing, the log has it.
        entries: The log of the step's run.
        changed: Modify: the agents that the learner has changed.
        more: Make: the logs of the runs with hidden messages.
    """
    match step:
        case Predict():
            truth = queries.answer_of(step.answer, entries)
            chosen = next((one for one in step.choices if queries.same(one.value, answer.value)), None)
            right = chosen is not None and _is_meant(chosen.value, truth)
            return _verdict(step, right, "" if chosen is None else chosen.hint, truth=truth)
        case Investigate():
            right = answer != Answer() and _is_found(step, answer, entries)
            return _verdict(step, right, _recognised(step, answer, entries))
        case FindFault():
            return _fault(step, answer, entries)
        case Modify() | Make():
            return _built(step, entries, changed, more)
        case Play():
            if not any(map(is_typed, entries)):
                return _verdict(step, False, f"None of {step.agent}'s answers is yours yet.")
            return _verdict(step, *_held(step, [entries]))
        case _:
            assert_never(step)


def is_meant_by_log(choice: Choice, truth: Any) -> bool:
    """Whether a choice of a prediction is the right one, by the log's answer."""
    return _is_meant(choice.value, truth)


def choices_in(step: Investigate, log: _Log) -> list[str] | None:
    """The names to choose from that a log has for a step; None if an entry is to be selected."""
    match step.find:
        case FindEntry():
            return None
        case FindState():
            return queries.state_keys(log)
        case FindBullet():
            return queries.given_bullets(log)
        case FindPrompt():
            return queries.filled_keys(step.find.match, log)


def finds(step: FindFault, seq: int | None, log: _Log) -> bool:
    """Whether an entry is where the fault shows."""
    return seq is not None and _matches(step.event, step.number, seq, log)


def _verdict(step: Step, right: bool, hint: str = "", *, truth: Any = None, found: tuple[str, ...] = ()) -> Verdict:
    return Verdict(right, step.points if right else 0, "" if right else hint, truth, found)


def _is_meant(value: Any, truth: Any) -> bool:
    """Whether the value of a choice is the truth; a list has it among others, and so may a list of the log."""
    values, truths = _listed(value), [truth, *_listed(truth)]
    return any(queries.same(one, other) for one in values for other in truths)


def _listed(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def _is_found(step: Investigate, answer: Answer, log: _Log) -> bool:
    match step.find:
        case FindEntry():
            return answer.seq is not None and _matches(step.find.match, step.find.number, answer.seq, log)
        case FindState():
            return answer.value == step.find.key and step.find.key in queries.state_keys(log)
        case FindBullet():
            return isinstance(answer.value, str) and _is_meant(answer.value, queries.answer_of(step.find.query, log))
        case FindPrompt():
            return answer.value == step.find.key and step.find.key in queries.filled_keys(step.find.match, log)


def _matches(match: Match, number: int, seq: int, log: _Log) -> bool:
    """Whether an entry matches; a record is shown with the event before it, which counts as well."""
    one = None if number == 0 else queries.nth(match, log, number)
    meant = queries.matching(match, log) if number == 0 else [] if one is None else [one]
    seqs = {entry.seq for entry in meant}
    if match.kind != EVENT_KIND:
        seqs |= {event.seq for entry in meant if (event := queries.event_before(log, entry.seq)) is not None}
    return seq in seqs


def _fault(step: FindFault, answer: Answer, log: _Log) -> Verdict:
    event = finds(step, answer.seq, log)
    if not event:
        return _verdict(step, False, _recognised(step, answer, log))
    if answer.value is None:
        return _verdict(step, False, found=("event",))
    cause = queries.same(answer.value, step.cause)
    chosen = next((one for one in step.causes if queries.same(one.value, answer.value)), None)
    found = ("event", "cause") if cause else ("event",)
    return _verdict(step, cause, "" if chosen is None else chosen.hint, found=found)


def _built(step: Modify | Make, log: _Log, changed: Collection[str], more: Sequence[_Log]) -> Verdict:
    if isinstance(step, Modify):
        if recognised := next((wrong.hint for wrong in step.wrong if wrong.changed and wrong.changed in changed), ""):
            return _verdict(step, False, recognised)
        if touched := [name for name in step.keep if name in changed]:
            return _verdict(step, False, f"{', '.join(touched)} was changed, and is to stay as it is.")
        if not changed:
            return _verdict(step, False, "Nothing is changed yet.")
    return _verdict(step, *_held(step, [log, *more]))


def _held(step: Modify | Make | Play, logs: Sequence[_Log]) -> tuple[bool, str]:
    """Whether what is expected holds in all logs; else the hint of the mistake that is recognised, or what does not hold."""
    for log in logs:
        evidence = evidence_in(log, {})
        last = evidence.runs[-1] if evidence.runs else None
        wrong = differences(step.expect, evidence)
        if last is None or last.status not in _ENDED[step.kind]:
            why = "it has not begun" if last is None else last.error or last.status
            return False, _known(step, evidence) or f"The run did not come to its end: {why}"
        if wrong:
            return False, _known(step, evidence) or str(wrong[0])
    return True, ""


def _known(step: Modify | Make | Play, evidence: Evidence) -> str:
    return next((one.hint for one in step.wrong if one.expect and not differences(one.expect, evidence)), "")


def _recognised(step: Investigate | FindFault, answer: Answer, log: _Log) -> str:
    for wrong in step.wrong:
        if wrong.answer is not None and queries.same(wrong.answer, answer.value):
            return wrong.hint
        if wrong.match is not None and answer.seq is not None and _matches(wrong.match, 0, answer.seq, log):
            return wrong.hint
    return ""


def is_typed(entry: LogEntry) -> bool:
    """Whether an entry is an answer that somebody typed in the place of a model."""
    event = entry.fields() if entry.kind == EVENT_KIND else {}
    return bool(cast("Mapping[str, Any]", event.get("custom_metadata") or {}).get(TYPED_MARK))


def model_answers(step: Play, log: _Log, fork: _Log) -> tuple[str, str]:
    """What the learner said first as the model, and what the model says to the same prompt in a fork; "" if nothing yet."""
    mine = next((entry for entry in log if is_typed(entry)), None)
    if mine is None:
        return "", ""
    theirs = (entry for entry in fork if entry.seq >= mine.seq and entry.kind == EVENT_KIND)
    said = next((entry for entry in theirs if entry.fields().get("author") == step.agent and not is_typed(entry)), None)
    return _said(mine), "" if said is None else _said(said)


def _said(entry: LogEntry) -> str:
    event = entry.event()
    calls = [
        f"{call.name}({', '.join(f'{k}={v!r}' for k, v in (call.args or {}).items())})"
        for call in event.get_function_calls()
    ]
    return "\n".join([*([event.text] if event.text else []), *calls])
