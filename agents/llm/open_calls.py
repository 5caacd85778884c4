"""What became of an agent's last calls while it was paused: answered, approved or rejected by the user, or still waiting.

A pure function of the events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from google.genai import types

from agents.event import Event, ToolConfirmation
from agents.runtime.confirmation import QUESTIONS, REQUEST_CONFIRMATION, Decision, asked_about
from agents.runtime.invocation import InvocationContext


@dataclass(slots=True)
class OpenCalls:
    """An agent's last calls.

    Attributes:
        to_run: Calls that the user has approved or rejected and that have not run since; and those that never ran.
        decisions: The user's answers, by call id.
        is_waiting: Whether other calls have no answer.
        is_answer: Whether a response is the final answer, so that the model is not called again.
        hand_over_to: The agent that a response transfers to.
    """

    to_run: list[types.FunctionCall] = field(default_factory=list[types.FunctionCall])
    decisions: dict[str, Decision] = field(default_factory=dict[str, Decision])
    is_waiting: bool = False
    is_answer: bool = False
    hand_over_to: str | None = None


def own_events(context: InvocationContext) -> list[Event]:
    """The events of a resumed agent since it started, oldest first: not that of a callback before it, nor questions."""
    position, found = context.position, list[Event]()
    assert position is not None
    for event in reversed(context.session.events):
        if (event.seq or 0) <= position.since:
            break
        if (event.author, event.branch) == (context.agent.name, context.branch) and not event.is_of_person:
            found.append(event)
    found.reverse()
    return found[position.callback == "before" :]


def open_calls_of(context: InvocationContext) -> OpenCalls:
    """Finds out what became of the last calls of a context's agent, when its invocation resumes."""
    asking, since = _last_calls(context)
    found = OpenCalls()
    answers, questions = _answers(since), _questions(since)
    for event in since:
        if event.author == context.agent.name:
            found.is_answer = found.is_answer or bool(event.actions.skip_summarization)
            found.hand_over_to = event.actions.transfer_to_agent or found.hand_over_to
    for call in [] if asking is None else _calls_in(asking):
        if call.id in answers:
            continue
        question_id, asked = questions.get(call.id or "", ("", None))
        if asked is not None and (answer := answers.get(question_id)) is not None:
            found.to_run.append(call)
            found.decisions[call.id or ""] = Decision.read(answer.response, asked)
        elif asked is not None or call.id in _waiting_ids(asking):
            found.is_waiting = True
        else:  # the log was cut before the question
            found.to_run.append(call)
    return found


def _last_calls(context: InvocationContext) -> tuple[Event | None, list[Event]]:
    """The event with the agent's last calls, and what came after it in its branch."""
    since: list[Event] = []
    for event in reversed(context.session.events):
        if event.branch != context.branch:
            continue
        if event.author == context.agent.name and event.invocation_id == context.invocation_id and _calls_in(event):
            return event, since[::-1]
        since.append(event)
    return None, []


def _calls_in(event: Event) -> list[types.FunctionCall]:
    return [call for call in event.get_function_calls() if call.name not in QUESTIONS]


def _waiting_ids(event: Event | None) -> set[str]:
    return set() if event is None else event.long_running_tool_ids or set()


def _answers(events: Sequence[Event]) -> dict[str | None, types.FunctionResponse]:
    return {response.id: response for event in events for response in event.get_function_responses()}


def _questions(events: Sequence[Event]) -> dict[str, tuple[str, ToolConfirmation]]:
    """The last question about each call, by the call's id: the question's own id and its content."""
    found: dict[str, tuple[str, ToolConfirmation]] = {}
    for event in events:
        for call in event.get_function_calls():
            if call.name == REQUEST_CONFIRMATION:
                about, asked = asked_about(call)
                found[about] = (call.id or "", asked)
    return found
