"""What a front end asks: the part of AG-UI's `RunAgentInput` that a run needs, and the run that answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from agents import MessageError
from agents.runs import ClientFunction, ClientRequest, PendingCall, Run, RunManager
from ui.api import followed_run
from ui.api.history import begin_session
from ui.web.threads import in_thread

MOST_MESSAGES = 2000
SHARED = ("app:", "user:", "temp:")
"""State that is not the session's own: a front end sends all state back with each run, and changes none of this by it."""


class _Sent(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, extra="ignore")


class Message(_Sent):
    """A message of the conversation; of other roles than these nothing is needed.

    Attributes:
        id: Names it.
        role: Whose it is.
        content: A text, or parts.
        tool_call_id: Of a tool's result: the call.
    """

    id: str = ""
    role: str
    content: Any = None
    tool_call_id: str = ""

    @property
    def text(self) -> str:
        """What it says.

        Raises:
            MessageError: It has parts that are no text.
        """
        if isinstance(self.content, list):
            parts = cast("list[Any]", self.content)
            if any(not isinstance(part, dict) or cast("dict[str, Any]", part).get("type") != "text" for part in parts):
                raise MessageError("A message has a part that is no text. Agents are sent text here.")
            return "".join(str(cast("dict[str, Any]", part).get("text") or "") for part in parts)
        return self.content if isinstance(self.content, str) else ""


class _Tool(_Sent):
    name: str = Field(min_length=1, max_length=200)
    description: str = ""
    parameters: dict[str, Any] | None = None


class _Context(_Sent):
    description: str
    value: str


class _Resume(_Sent):
    interrupt_id: str
    status: Literal["resolved", "cancelled"]
    payload: Any = None


class RunAgentInput(_Sent):
    """A request to run an agent.

    Attributes:
        thread_id: The session.
        run_id: What the front end calls this run.
        state: The session's state as the front end has it.
        messages: The conversation; the last one is answered.
        tools: Functions of the front end.
        context: What the agent is to know besides.
        resume: Answers to interrupts.
    """

    thread_id: str = Field(min_length=1, max_length=200)
    run_id: str = Field(min_length=1, max_length=200)
    state: Any = None
    messages: list[Message] = Field(default_factory=list[Message], max_length=MOST_MESSAGES)
    tools: list[_Tool] | None = Field(default=None, max_length=200)
    context: list[_Context] | None = Field(default=None, max_length=200)
    resume: list[_Resume] | None = Field(default=None, max_length=200)

    @property
    def client(self) -> ClientRequest:
        """What the front end asks of the agent that answers."""
        functions = tuple(
            ClientFunction(tool.name, tool.description, tool.parameters or {"type": "object", "properties": {}})
            for tool in self.tools or ()
        )
        return ClientRequest(
            instruction="\n\n".join(f"{one.description}: {one.value}" for one in self.context or ()), functions=functions
        )

    def answers(self, waiting: Sequence[PendingCall]) -> list[tuple[PendingCall, dict[str, Any]]]:
        """The answers to calls that wait: to interrupts, and results of the front end's functions."""
        resumed = {one.interrupt_id: one for one in self.resume or ()}
        results = {message.tool_call_id: message.text for message in self.messages if message.role == "tool"}
        found: list[tuple[PendingCall, dict[str, Any]]] = []
        for call in waiting:
            if (given := resumed.get(call.call_id)) is not None:
                found.append((call, _response(call, given)))
            elif call.call_id in results:
                found.append((call, {"result": results[call.call_id]}))
        return found


def _response(call: PendingCall, given: _Resume) -> dict[str, Any]:
    payload = given.payload
    if not call.is_confirmation:
        if given.status == "cancelled":
            return {"error": "The user gave no answer."}
        return cast("dict[str, Any]", payload) if isinstance(payload, dict) else {"result": payload}
    if given.status == "cancelled":
        return {"confirmed": False}
    said = cast("Mapping[str, Any]", payload) if isinstance(payload, dict) else {"confirmed": payload is not False}
    confirmed = said.get("confirmed", said.get("approved", True))
    return {**{key: value for key, value in said.items() if key != "approved"}, "confirmed": confirmed}


async def begin(manager: RunManager, pipeline: str, asked: RunAgentInput) -> Run:
    """Starts the run that answers, or resumes the one that waits.

    Raises:
        MessageError: There is nothing to answer.
        PlaygroundError: It cannot begin.
    """
    waiting = await followed_run.waiting(manager, pipeline, asked.thread_id)
    answers = asked.answers(waiting)
    client = None if asked.client == ClientRequest() else asked.client
    if asked.resume and not answers:
        raise MessageError("None of these interrupts waits for an answer: they were answered, or given up.")
    run = await followed_run.answer_all(manager, answers, client=client)
    return run or await in_thread(_start, manager, pipeline, asked, client)


def _start(manager: RunManager, pipeline: str, asked: RunAgentInput, client: ClientRequest | None) -> Run:
    *before, last = asked.messages or [Message(role="none")]
    if last.role != "user":
        raise MessageError("The last message has to be the user's, or `resume` has to answer an interrupt.")
    given = cast("dict[str, Any]", asked.state) if isinstance(asked.state, dict) else {}
    own = {key: value for key, value in given.items() if not key.startswith(SHARED)}
    session = asked.thread_id
    roles = {"user": "user", "assistant": "model"}
    said = [
        types.Content(role=roles[one.role], parts=[types.Part(text=one.text)])
        for one in before
        if one.role in roles and one.text
    ]
    begin_session(manager, pipeline, session, said, state=own)
    known = manager.sessions.state(pipeline, session)
    changed = {key: value for key, value in own.items() if known.get(key) != value}
    return manager.start(pipeline, last.text, session_id=session, state=changed, client=client)
