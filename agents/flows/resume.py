"""What a message starts: a new invocation of the agent whose turn it is, or the rest of a paused one.

A message with function responses resumes the agents that wait for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import Any

from google.genai import types
from pydantic import ValidationError

from agents.agent import BaseAgent
from agents.errors import AnswerError, known
from agents.event import REQUEST_ANSWER, Event
from agents.history.branches import TOOL_MARK
from agents.history.rewinds import without_rewound
from agents.llm.settings import LlmAgentSettings
from agents.log import EVENT_KIND, LogEntry
from agents.models.you.answer import check_answer
from agents.records import RunStarted
from agents.runtime.confirmation import REQUEST_CONFIRMATION, REQUEST_INPUT, Decision, asked_about
from agents.runtime.invocation import new_invocation_id
from agents.runtime.nodes.answer import answer_in
from agents.runtime.nodes.node_run import TASK_QUESTION
from agents.runtime.position import Frame, Position, position_of
from agents.runtime.resumable_log import cut_off_here
from agents.session import BaseSessionService, GetSessionConfig, Session

_PAGE = 256
"""Log entries that are read first; most paused invocations have fewer."""


@dataclass(slots=True)
class Beginning:
    """The run that a message starts.

    Attributes:
        agent: The first agent.
        invocation_id: The invocation's id.
        events: The user's message, stored first.
        branch: The parallel branch that the agent runs in.
        user_content: The message that the invocation answers.
        stood: Its position when it paused; None for a new invocation.
        is_over: Whether nothing is left to do: it was cut off between its last event and its end.
    """

    agent: BaseAgent
    invocation_id: str
    events: list[Event] = field(default_factory=list[Event])
    branch: str | None = None
    user_content: types.Content | None = None
    stood: Position | None = None
    is_over: bool = False


def answers_in(message: types.Content | None) -> list[types.FunctionResponse]:
    """The answers to calls in a message."""
    parts = (message.parts or ()) if message is not None else ()
    return [part.function_response for part in parts if part.function_response is not None]


def invocation_for(message: types.Content | None, session: Session, new_id: str | None = None) -> str:
    """The id of a message's invocation: that of the call it answers, else a new one, `new_id` if given."""
    ids = {answer.id for answer in answers_in(message) if answer.id}
    calls = (event for event in reversed(session.events) if any(call.id in ids for call in event.get_function_calls()))
    found = next(calls, None) if ids else None
    return (found.invocation_id if found is not None else "") or new_id or new_invocation_id()


def whose_turn(root: BaseAgent, events: Sequence[Event]) -> BaseAgent:
    """The agent that answers the next message: the last one to speak, if it can transfer back, else the root."""
    if not isinstance(root, LlmAgentSettings) or not root.sub_agents:
        return root
    for event in reversed(without_rewound(events)):
        if event.author == "user" or (event.branch is not None and TOOL_MARK in event.branch):
            continue
        if event.error_code and not event.parts:
            continue
        for name in (event.actions.transfer_to_agent, event.author):
            agent = root.find_agent(name) if name else None
            if isinstance(agent, LlmAgentSettings) and (agent is root or agent.keeps_the_conversation):
                return agent
    return root


async def beginning_of_answer(
    root: BaseAgent, session: Session, service: BaseSessionService, message: types.Content, *, new_id: str
) -> Beginning | None:
    """The run that an answer to calls starts. Call it with the session claimed.

    Args:
        root: The root of the tree.
        session: The session, with all of its events.
        service: The session's service.
        message: The answer: at least one function response.
        new_id: The id of a new invocation.

    Returns:
        None if no call waits for any of the answers: the message is an ordinary one then.

    Raises:
        AnswerError: A call waits for one of the answers, but another answer is for a call that is unknown, answered
            already or over; or an answer has the wrong form; or `new_id` names an invocation that waits for none of them.
    """
    stood = await _last_position(service, session)
    answers, asking = answers_in(message), _calls(session.events)
    ids = [answer.id or "" for answer in answers]
    if not any(call_id in stood.pending for call_id in ids):
        refusals = [await _late_refusal(call_id, session, service, asking, stood) for call_id in ids]
        if (refusal := next((found for found in refusals if found is not None), None)) is not None:
            if None in refusals or any(event.invocation_id == new_id for event in session.events):
                raise refusal
            return None
        event = asking[ids[-1]][0]
        beginning = Beginning(root.find_agent(event.author) or root, new_id, branch=event.branch, user_content=message)
    elif late := [call_id for call_id in ids if call_id not in stood.pending]:
        raise AnswerError(f"{late[0]!r} is no call that waits for an answer. Calls that wait: {known(stood.pending)}.")
    else:
        beginning = _rest_of(root, session, stood)
    for answer in answers:
        _check_decision(answer, asking)
    beginning.events = _answer_events(beginning.invocation_id, message, asking)
    return beginning


async def reply_to_task(
    message: types.Content | None, session: Session, service: BaseSessionService
) -> types.Content | None:
    """A message as the answer to the question of an agent that works at a task; None if the last run waits for none."""
    text = "".join(part.text or "" for part in (message.parts or ())) if message is not None else ""
    last = session.events[-1].invocation_id if session.events else ""
    events = takewhile(lambda event: event.invocation_id == last, reversed(session.events))
    if not text or not any(call_id.startswith(TASK_QUESTION) for call_id in _calls(events)):
        return None
    pending = (await _last_position(service, session)).pending
    waiting = [call_id for call_id in pending if call_id.startswith(TASK_QUESTION)]
    if not waiting:
        return None
    answer = types.FunctionResponse(id=waiting[-1], name=REQUEST_INPUT, response={"result": text})
    return types.Content(role="user", parts=[types.Part(function_response=answer)])


async def beginning_of_rest(
    root: BaseAgent, session: Session, service: BaseSessionService, invocation_id: str
) -> Beginning | None:
    """The rest of a session's last run, which paused, or was cut off; None if that is not `invocation_id`.

    Call it with the session claimed. Of a run that was cut off, the records that close it are stored.

    Raises:
        AnswerError: The tree has no agent of the name with which the run began, or one of its agents can only begin again.
    """
    if (found := await _last_run(service, session)) is None or found[0] != invocation_id:
        return None
    stood = position_of(*found)
    if stood.status in ("", "interrupted"):
        closing = cut_off_here(found[1], continues=partial(_continues, root))
        seqs = await service.append(session, closing)
        stored = (LogEntry(seq, one.kind, one.to_json()) for seq, one in zip(seqs, closing, strict=True))
        stood = position_of(invocation_id, [*found[1], *stored])
    return _rest_of(root, session, stood) if stood.status == "paused" else None


def _continues(root: BaseAgent, frame: Frame, entries: Sequence[LogEntry]) -> bool:
    """Whether an agent can continue in the middle; a node of a graph also can if nothing is left of it but its end."""
    if (agent := root.find_agent(frame.agent)) is None:
        return "/" in frame.node and bool(frame.children)
    if agent.keeps_its_place or agent.rerun_on_resume:
        return True
    path = f'"path":"{frame.node}"'
    told = (e.event() for e in entries if frame.node and e.seq > frame.since and e.kind == EVENT_KIND and path in e.body)
    return any(event.node_info.path == frame.node and event.node_info.is_last for event in told)


def _rest_of(root: BaseAgent, session: Session, stood: Position) -> Beginning:
    """The rest of a paused invocation. One that was cut behind its message has no agent yet."""
    said = _first_message(session.events, stood.invocation_id)
    if stood.root is None:
        return Beginning(whose_turn(root, session.events), stood.invocation_id, user_content=said, stood=stood)
    is_over = not (stood.root.is_open or stood.root.is_paused)
    if (agent := root.find_agent(stood.root.agent)) is None:
        raise AnswerError(
            f"The run cannot go on: it began with agent {stood.root.agent!r}, and there is none of that name any more. "
            "The pipeline was changed since: begin a new run."
        )
    return Beginning(agent, stood.invocation_id, branch=stood.root.branch, user_content=said, stood=stood, is_over=is_over)


def kept_for(session: Session, invocation_id: str, config: GetSessionConfig | None) -> None:
    """Removes from `session` the events that `config` leaves out, except those of a resumed invocation."""
    if config is None:
        return
    events = session.events
    first = next((place for place, event in enumerate(events) if event.invocation_id == invocation_id), len(events))
    if config.num_recent_events is not None:
        session.events = events[min(first, max(0, len(events) - config.num_recent_events)) :]
    if (oldest := config.after_timestamp) is not None:
        session.events = [e for e in session.events if e.timestamp >= oldest or e.invocation_id == invocation_id]


# -- where the session's last invocation stands


async def _last_position(service: BaseSessionService, session: Session) -> Position:
    """Where the session's last invocation stands."""
    found = await _last_run(service, session)
    return Position("") if found is None else position_of(*found)


async def _last_run(service: BaseSessionService, session: Session) -> tuple[str, Sequence[LogEntry]] | None:
    """The session's last invocation and its entries, read from the end of its log; None if there is none."""
    limit = _PAGE
    while True:
        entries = await _log_of(service, session, limit=limit, newest=True)
        if (found := _last_invocation(entries)) is not None or len(entries) < limit:
            return found
        limit *= 4


async def _log_of(service: BaseSessionService, session: Session, **which: Any) -> list[LogEntry]:
    return await service.read_log(app_name=session.app_name, user_id=session.user_id, session_id=session.id, **which)


def _last_invocation(entries: Sequence[LogEntry]) -> tuple[str, Sequence[LogEntry]] | None:
    """The last invocation and the entries from its start on; None if it started before them."""
    invocation_id: str | None = None
    for place in range(len(entries) - 1, -1, -1):
        if (started := entries[place].of(RunStarted)) is None:
            continue
        invocation_id = invocation_id or started.invocation_id
        if started.invocation_id == invocation_id and not started.resumed:
            return invocation_id, entries[place:]
    return None


# -- calls and their answers

_NAMES = {
    REQUEST_CONFIRMATION: "The confirmation {0!r}",
    REQUEST_ANSWER: "The question {0!r} to the model of {1}",
    REQUEST_INPUT: "The question {0!r} of {1}",
}
Calls = dict[str, tuple[Event, types.FunctionCall]]


def _calls(events: Iterable[Event]) -> Calls:
    """Every call by its id (the last one of that id), and its event."""
    return {call.id: (event, call) for event in events for call in event.get_function_calls() if call.id}


async def _late_refusal(
    call_id: str, session: Session, service: BaseSessionService, asking: Calls, stood: Position
) -> AnswerError | None:
    """Why a call that no run has paused for cannot be answered; None if its run continued without the answer."""
    if call_id not in asking:
        waiting = known(stood.pending)
        return AnswerError(f"There is no call {call_id!r} in this session. Calls that wait for an answer: {waiting}.")
    event, call = asking[call_id]
    what = _NAMES.get(call.name or "", f"The call {call_id!r} of {call.name}").format(call_id, event.speaker)
    answered_by = {e.author for e in session.events for found in e.get_function_responses() if found.id == call_id}
    if "user" in answered_by:
        return AnswerError(f"{what} was answered already. Send a message to go on from there.")
    questions = {asked_about(asked)[0]: asked.id for _, asked in asking.values() if asked.name == REQUEST_CONFIRMATION}
    if not answered_by and call_id in questions:
        return AnswerError(f"{what} needs a confirmation, which is asked for with another call: {questions[call_id]}.")
    if answered_by or call_id not in (event.long_running_tool_ids or ()):
        return None
    own = stood
    if event.invocation_id != stood.invocation_id:
        own = position_of(event.invocation_id, await _log_of(service, session))
    if call_id in own.asked:
        why = f"the run that it belongs to has ended ({own.status or 'it is under way'})"
        return AnswerError(
            f"{what} waits for an answer no more: {'a later message began something new' if own is not stood else why}. "
            "Send a message to ask for it again."
        )
    return None


def _check_decision(answer: types.FunctionResponse, asking: Calls) -> None:
    _, call = asking[answer.id or ""]
    if call.name == REQUEST_ANSWER:
        check_answer(call.args or {}, answer.response or {})
    if call.name == REQUEST_INPUT:
        answer_in(answer.response, (call.args or {}).get("response_schema"))
    if call.name != REQUEST_CONFIRMATION:
        return
    try:
        Decision.read(answer.response, asked_about(call)[1])
    except (ValidationError, ValueError) as error:
        raise AnswerError(
            'This is no answer to a confirmation: it must be {"confirmed": true} or {"confirmed": false}, and may have '
            f'"reason", "args" and "payload". {str(error).splitlines()[0]}'
        ) from None


def _answer_events(invocation_id: str, message: types.Content, asking: Calls) -> list[Event]:
    """The answer as events: one for each branch, since an agent sees its own branch only."""
    parts: dict[str | None, list[types.Part]] = {}
    first = asking[answers_in(message)[0].id or ""][0].branch
    for part in message.parts or ():
        answer = part.function_response
        branch = first if answer is None else asking[answer.id or ""][0].branch
        parts.setdefault(branch, []).append(part)
    return [
        Event(invocation_id=invocation_id, author="user", branch=branch, content=types.Content(role="user", parts=some))
        for branch, some in parts.items()
    ]


def _first_message(events: Iterable[Event], invocation_id: str) -> types.Content | None:
    mine = (event for event in events if event.invocation_id == invocation_id and event.author == "user")
    return next((event.content for event in mine), None)
