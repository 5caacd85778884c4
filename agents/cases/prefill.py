"""A case from a session, or from one answer in it: messages, start state, playbook, and expectations from what happened.

Pure functions over log entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from agents.ace.operations import REVIEW_CALL
from agents.ace.store.reducer import NAME_KEY, PLAYBOOK_KEY
from agents.cases.case import MAX_NAME, Case, NewestPlaybook, NoPlaybook, PlaybookAtRevision, PlaybookChoice
from agents.cases.evidence import Called, Evidence, evidence_in
from agents.cases.expectations import (
    AgentsInOrder,
    AnswerContains,
    AnswerNumber,
    AtMost,
    Expectation,
    LoopEnded,
    ToolCalled,
)
from agents.cases.verdict import numbers_in
from agents.errors import CaseError
from agents.event import REQUEST_INPUT
from agents.log import EVENT_KIND, LogEntry
from agents.pipeline import Pipeline
from agents.records import RunFinished, RunStarted, SessionCreated
from agents.runtime.confirmation import REQUEST_CONFIRMATION
from agents.state import REDUCED, is_stored
from agents.storage.sessions.incoming import is_message

LONGEST_ANSWER = 120
"""Most characters of an answer that is expected word for word; of a longer one, its beginning is."""
MOST_CALLS = 5
"""Most tool calls that are expected."""
_LONGEST_ARGUMENT = 80


def case_from_session(
    entries: Sequence[LogEntry], pipeline: Pipeline, *, name: str = "", revision: int | None = None
) -> Case:
    """A case that holds for a session as it is.

    What comes after a user's answer to a call is left out: a case has messages alone.

    Args:
        entries: The session's log from its beginning.
        pipeline: Its pipeline.
        name: The case's name; by default the first line of the first message.
        revision: Of the session's playbook; None for the newest one.

    Raises:
        CaseError: The session has no run that ended.
    """
    kept, messages = _up_to_an_answer(entries)
    evidence = evidence_in(kept, {})
    if not messages or not evidence.runs:
        raise CaseError("No run of this session has ended, so there is nothing to keep. Run it first.")
    if evidence.runs[-1].status == "failed":
        raise CaseError("The last run of this session failed. A case is made of a session that was right.")
    name = name.strip() or _first_line(messages)
    return _case(kept, messages, evidence, pipeline, _expectations(evidence), name=name, revision=revision)


def case_from_answer(entries: Sequence[LogEntry], pipeline: Pipeline, at: int) -> Case:
    """A case that holds for one answer: the messages up to it, and what it says or calls.

    Args:
        entries: The session's log from its beginning.
        pipeline: Its pipeline.
        at: `seq` of the answer.

    Raises:
        CaseError: It is no answer that a case can expect; the message says why.
    """
    place = next((place for place, entry in enumerate(entries) if entry.seq == at and entry.kind == EVENT_KIND), None)
    author = "user" if place is None else entries[place].event().speaker
    if place is None or author == "user":
        raise CaseError("That event is no answer of an agent. Select one.")
    end = next((n for n, entry in enumerate(entries) if n > place and entry.kind == RunFinished.kind), None)
    if end is None:
        raise CaseError("The run of this answer has not ended yet. Keep it once it has.")
    kept, messages = _up_to_an_answer(entries[: end + 1])
    if len(kept) <= end:
        raise CaseError("This answer came after an answer to a call. A case has messages alone, so it cannot come so far.")
    evidence = evidence_in(kept, {})
    if not messages or evidence.runs[-1].status == "failed":
        raise CaseError("The run of this answer failed, or has no message. A case is made of a run that was right.")
    expect = _expected_there(evidence, author, at)
    asked = _first_line(messages)
    if len(asked) > MAX_NAME // 2:
        asked = f"{asked[: MAX_NAME // 2].rpartition(' ')[0] or asked[: MAX_NAME // 2]}…"
    return _case(kept, messages, evidence, pipeline, expect, name=f"{asked}, {author}")


def _case(
    kept: Sequence[LogEntry],
    messages: Sequence[str],
    evidence: Evidence,
    pipeline: Pipeline,
    expect: Sequence[Expectation],
    *,
    name: str,
    revision: int | None = None,
) -> Case:
    return Case(
        name=name[:MAX_NAME].strip(),
        pipeline=pipeline.name,
        messages=tuple(messages),
        state=_start_state(kept),
        playbook=_playbook(kept, revision),
        cited=tuple(evidence.cited),
        expect=tuple(expect),
    )


def _first_line(messages: Sequence[str]) -> str:
    return " ".join(messages[0].strip().splitlines()[0].split())


def _expected_there(evidence: Evidence, author: str, at: int) -> list[Expectation]:
    """What an answer says and calls."""
    found: list[Expectation] = list(_tool_calls([call for call in evidence.called if call.seq == at]))
    said = next((said for said in evidence.said if said.seq == at), None)
    if said is not None:
        last = evidence.answer(author)
        if last is not None and last.seq != at and last.text.strip() != said.text.strip():
            raise CaseError(
                f"{author} says something else later in this run, and a case looks at the last answer of an agent. Keep "
                f"event {evidence.number_of(last.seq)}."
            )
        whole = evidence.answer()
        of_agent = "" if whole is not None and whole.seq == at else author
        found.insert(0, _of_answer(said.text).model_copy(update={"agent": of_agent}))
    if not found:
        raise CaseError("This answer has neither a text nor a tool call that a case could expect.")
    return found


def _up_to_an_answer(entries: Sequence[LogEntry]) -> tuple[list[LogEntry], list[str]]:
    """The entries up to the first answer to a call, and the user's messages among them."""
    messages: list[str] = []
    for place, entry in enumerate(entries):
        if entry.kind != EVENT_KIND or '"user"' not in entry.body:
            continue
        event = entry.event()
        if event.author != "user":
            continue
        if event.get_function_responses():
            return list(entries[:place]), messages
        if is_message(event) and event.text.strip():
            messages.append(event.text)
    return list(entries), messages


def _start_state(entries: Sequence[LogEntry]) -> dict[str, Any]:
    """State before the first message: that of the session, of the user and of the app."""
    state: dict[str, Any] = {}
    for entry in entries:
        if (created := entry.of(SessionCreated)) is not None:
            state |= created.state
        elif (started := entry.of(RunStarted)) is not None:
            state |= started.shared
            break
        elif entry.kind == EVENT_KIND:
            state |= cast("dict[str, Any]", entry.fields().get("actions") or {}).get("state_delta") or {}
    return {key: value for key, value in state.items() if key not in REDUCED and key != NAME_KEY and is_stored(key)}


def _playbook(entries: Sequence[LogEntry], revision: int | None) -> PlaybookChoice:
    for entry in entries:
        if entry.kind == EVENT_KIND and f'"{PLAYBOOK_KEY}"' in entry.body:
            read = entry.event().actions.state_delta.get(PLAYBOOK_KEY)
            if isinstance(read, dict) and (name := cast("dict[str, Any]", read).get("playbook")):
                return _chosen(str(name), revision)
    return NoPlaybook()


def _chosen(name: str, revision: int | None) -> PlaybookChoice:
    return NewestPlaybook(name=name) if revision is None else PlaybookAtRevision(name=name, revision=revision)


def _expectations(evidence: Evidence) -> list[Expectation]:
    found: list[Expectation] = []
    if (said := evidence.answer()) is not None:
        found.append(_of_answer(said.text))
    if agents := tuple(dict.fromkeys(agent for agent, _ in evidence.authors)):
        found.append(AgentsInOrder(agents=agents))
    found += _tool_calls(evidence.called)
    for end in {end.loop: end for end in evidence.loops}.values():
        most = max(one.iterations for one in evidence.loops if one.loop == end.loop)
        same = {(one.by, one.reason) for one in evidence.loops if one.loop == end.loop} == {(end.by, end.reason)}
        found.append(LoopEnded(loop=end.loop, by=(end.by or end.reason) if same else "", within=most))
    return [*found, AtMost(calls=len(evidence.calls))]


def _of_answer(text: str) -> Expectation:
    """A short answer with one number: that number. Any other: its text, or the beginning of it."""
    short = text.strip()
    numbers = numbers_in(short)
    if len(numbers) == 1 and len(short) <= LONGEST_ANSWER:
        return AnswerNumber(value=numbers[0])
    if len(short) <= LONGEST_ANSWER:
        return AnswerContains(text=short)
    return AnswerContains(text=short.splitlines()[0][:LONGEST_ANSWER].strip())


def _tool_calls(called: Sequence[Called]) -> list[ToolCalled]:
    own = {REVIEW_CALL, REQUEST_CONFIRMATION}
    found: list[ToolCalled] = []
    for call in called:
        new = "interruptId" if call.tool == REQUEST_INPUT else None  # each time that a node of a graph asks
        args = {key: value for key, value in call.args.items() if key != new and _is_short(value)}
        expected = ToolCalled(tool=call.tool, args=args, agent=call.agent)
        if call.tool not in own and expected not in found and len(found) < MOST_CALLS:
            found.append(expected)
    return found


def _is_short(value: Any) -> bool:
    return isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= _LONGEST_ARGUMENT)
