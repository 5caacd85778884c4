"""Questions that a run pauses for: whether a tool call may run, and what a model is to answer where the user plays it.

A question is a function call of its own in the log, and the answer is its response.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Self, cast

from google.genai import types
from pydantic import ConfigDict, StrictBool

from agents.event import REQUEST_ANSWER, REQUEST_INPUT, Event, ToolConfirmation

REQUEST_CONFIRMATION = "adk_request_confirmation"
"""Name of the function call that asks the user; it is never sent to a model."""

QUESTIONS = frozenset({REQUEST_CONFIRMATION, REQUEST_ANSWER, REQUEST_INPUT})

ORIGINAL_CALL, ASKED = "originalFunctionCall", "toolConfirmation"


class Decision(ToolConfirmation):
    """The user's answer.

    Attributes:
        confirmed: Whether the call may run; a strict boolean.
        reason: Why, in the user's words.
        args: The arguments to run the call with, if the user changed them.
        has_own_payload: Whether the payload is the user's, not the question's.
    """

    model_config = ConfigDict(extra="ignore")

    confirmed: StrictBool = False
    reason: str = ""
    args: dict[str, Any] | None = None
    has_own_payload: bool = False

    @classmethod
    def read(cls, response: Mapping[str, Any] | None, asked: ToolConfirmation) -> Self:
        """The answer in a function response; fields that it leaves out are taken from `asked`.

        Raises:
            ValidationError: `confirmed` is missing, or a field has the wrong type.
        """
        given = dict(response or {})
        if list(given) == ["response"] and isinstance(given["response"], str):  # as ADK's web UI wraps it
            given = json.loads(given["response"])
        own = {"has_own_payload": given.get("payload", asked.payload) != asked.payload}
        return cls.model_validate({"hint": asked.hint, "payload": asked.payload, "confirmed": None, **given, **own})

    @property
    def confirmation(self) -> ToolConfirmation:
        """The answer as the tool gets it."""
        return ToolConfirmation(hint=self.hint, confirmed=self.confirmed, payload=self.payload)


class PersonAsked(BaseException):
    """A model call waits for the user: the agent that made it pauses, and makes it again when the run resumes.

    Args:
        event: The question; None if it is in the log already.
    """

    def __init__(self, event: Event | None) -> None:
        super().__init__()
        self.event = event


def question(question_id: str, call: types.FunctionCall, asked: ToolConfirmation) -> types.FunctionCall:
    """The function call that asks the user about `call`."""
    original = {"id": call.id, "name": call.name, "args": call.args or {}}
    said = asked.model_dump(mode="json", exclude={"payload"} if asked.payload is None else None, by_alias=True)
    return types.FunctionCall(id=question_id, name=REQUEST_CONFIRMATION, args={ORIGINAL_CALL: original, ASKED: said})


def asked_about(asking: types.FunctionCall) -> tuple[str, ToolConfirmation]:
    """The id of the call that `asking` is about, and the question."""
    args: dict[str, Any] = asking.args or {}
    original = cast("dict[str, Any]", args.get(ORIGINAL_CALL) or {})
    return str(original.get("id") or ""), ToolConfirmation.model_validate(args.get(ASKED) or {})
