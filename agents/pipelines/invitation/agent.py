"""The graph of the invitation: a writer, a question to a person, and the three ways that the answer chooses between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents import CallbackContext, Event, LlmAgent, RequestInput, ToolContext, Workflow
from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside

_SAID = phrases_beside(__file__, "simulation.toml")
ANSWERS = ("send", "again", "drop")

WRITE_INSTRUCTION = """\
You write short invitations: who is invited, to what, and where if the request says so. Invent nothing.

Give the invitation to hand_in, once, and say nothing else. If there are drafts below, they did not please: write another one
that differs from all of them. If the request is no invitation, call nothing and say what one names: guests and an occasion.
Write in the language of the request.

<request>
{request}
</request>

<drafts>
{drafts?}
</drafts>
"""


def begin(callback_context: CallbackContext) -> None:
    """A new request starts without drafts; an answer does not begin anew."""
    callback_context.state["drafts"] = []


def hand_in(text: str, tool_context: ToolContext) -> dict[str, Any]:
    """Hands in an invitation. Whether a person is asked about it is not the model's choice.

    Args:
        text: The invitation.
        tool_context: The drafts so far.
    """
    tool_context.state["drafts"] = [*(tool_context.state.get("drafts") or []), text]
    tool_context.actions.route = "ask" if tool_context.state.get("ask", True) else "send"
    tool_context.actions.skip_summarization = True
    return {"drafts": len(tool_context.state["drafts"])}


def ask(drafts: list[str]) -> Iterator[Event | RequestInput]:
    """Shows the newest draft, and asks. The run pauses here, for as long as it takes."""
    yield Event(message=drafts[-1])
    yield RequestInput(message=_say("question", drafts), response_schema={"type": "string", "enum": list(ANSWERS)})


def decide(node_input: str) -> Event:
    """Makes the answer the route. Any other answer is taken as a wish for another draft."""
    return Event(output=node_input, route=node_input if node_input in ANSWERS else "again")


def send(drafts: list[str]) -> Event:
    """Sends the newest draft; what was sent is in the state."""
    return Event(message=_say("sent", drafts), state={"sent": drafts[-1]})


def drop(drafts: list[str]) -> Event:
    """Ends it: nothing was sent."""
    return Event(message=_say("dropped", drafts))


def _say(key: str, drafts: list[str]) -> str:
    """A sentence in the language of the newest draft."""
    return _SAID.say(answer_language(drafts[-1]), key, draft=drafts[-1])


writer = LlmAgent(
    name="InvitationWriter",
    description="Drafts the invitation, another one each time.",
    instruction=WRITE_INSTRUCTION,
    tools=[hand_in],
)
root_agent = Workflow(
    name="Invitation",
    description="Drafts an invitation until a person sends it or drops it.",
    edges=[
        ("START", writer, {"ask": ask, "send": send}),
        (ask, decide, {"send": send, "again": writer, "drop": drop}),
    ],
    before_agent_callback=begin,
)
