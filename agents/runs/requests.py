"""Requests for runs, checked before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.genai import types

from agents.ace.roles.feedback import truth_in
from agents.config import MAX_FILE_BYTES, MAX_FILES, MAX_MESSAGE_BYTES
from agents.errors import MessageError, StateInputError, StateValueError
from agents.model import BaseLlm
from agents.pipeline import Pipeline, truth_key
from agents.runs.workers.orders import RunOrder
from agents.runtime.fault import Fault
from agents.state import check_state_value, is_stored


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A checked request for a run.

    Attributes:
        pipeline: What to run.
        message: The user's message; None for the rest of a run whose log was cut.
        model: Answers for agents that name no model.
        session_id: The session to continue; None for a new one.
        state: Values to set, by key; a new session starts with them.
        faults: Faults to inject.
        invocation_id: The paused run that the message resumes; None for a new run.
        agent_models: Models of single agents, by the agent's name.
        user_id: Whose session it is.
        needs_approval: Whether what it would teach a playbook waits for the owner.
        owns_playbook: Whether the session's settings decide how its playbook is refined.
        asked_by_client: Whether a program asked with functions or settings of its own.
        is_foreign: Whether code takes part that does not come with the playground: the run gets a loop of its own.
        order: The same for a worker process that does the run; None if this process does.
        new_id: The id of the new session, where `session_id` is None; None for any.
        queued: The same for the queue; None for a run that waits for no turn.
        is_limited: Whether the limits of its user hold.
    """

    pipeline: Pipeline
    message: types.Content | None
    model: BaseLlm
    session_id: str | None = None
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    faults: tuple[Fault, ...] = ()
    invocation_id: str | None = None
    agent_models: Mapping[str, BaseLlm] = field(default_factory=dict[str, BaseLlm])
    user_id: str = field(kw_only=True)
    needs_approval: bool = False
    owns_playbook: bool = False
    asked_by_client: bool = False
    is_foreign: bool = False
    order: RunOrder | None = None
    new_id: str | None = None
    queued: RunOrder | None = None
    is_limited: bool = False

    @property
    def start_state(self) -> dict[str, Any]:
        """The state of a new session for this run."""
        return {**self.pipeline.card.first_state, **{key: value for key, value in self.state.items() if is_stored(key)}}

    @property
    def state_delta(self) -> dict[str, Any]:
        """The state delta of the run's first event: the message, its right answer, and `state` if it is due."""
        key, truth = self.pipeline.card.message_key, truth_key(self.pipeline.root_agent)
        text = "" if self.message is None else text_of(self.message)
        said = {key: text} if key and text else {}  # an answer to a call is not a message
        if truth and text and (answer := truth_in(text)):
            said[truth] = answer
        given = {k: v for k, v in self.state.items() if self.session_id is not None or k in (key, truth) or not is_stored(k)}
        return {**said, **given}


def user_message(text: str, files: Sequence[types.Part] = ()) -> types.Content:
    """Checks a user's message, and the files that go with it as `inline_data`.

    Raises:
        MessageError: It is empty, too long, or not text; or there are too many files, or one is too large.
    """
    if not text.strip():
        raise MessageError("The message is empty. Say what the agents should work on.")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise MessageError(
            "The message holds bytes that are no text in UTF-8. Save it as UTF-8, or type it anew, and send it again."
        ) from None
    if size > MAX_MESSAGE_BYTES:
        raise MessageError(
            f"The message has {size / 1024:.1f} KiB; at most {MAX_MESSAGE_BYTES // 1024} KiB can be sent, because models "
            "read it again at every step. Shorten it, or send the part that matters."
        )
    if len(files) > MAX_FILES:
        raise MessageError(
            f"{len(files)} files go with the message; at most {MAX_FILES} can. Send them in several messages."
        )
    for file in files:
        if len((file.inline_data and file.inline_data.data) or b"") > MAX_FILE_BYTES:
            raise MessageError(f"A file is larger than {MAX_FILE_BYTES // 1024**2} MiB. Send a smaller one.")
    return types.Content(role="user", parts=[types.Part(text=text), *files])


def check_state(state: Mapping[str, Any]) -> None:
    """Checks a user's start values.

    Raises:
        StateInputError: A key is not text or is empty, or JSON cannot hold a value.
    """
    for key, value in state.items():
        try:
            check_state_value(key, value)
            json.dumps([key, value], ensure_ascii=False).encode()
        except StateValueError as error:
            raise StateInputError(f"The start value for {key!r} cannot be used. {error}") from None
        except (ValueError, RecursionError):
            raise StateInputError(
                f"The start value for {key!r} cannot be used: JSON in UTF-8 cannot hold it. Look for text that is not "
                "UTF-8, numbers of thousands of digits, and lists nested too deep."
            ) from None
        if not key.strip():
            raise StateInputError("A start value has an empty key. Name the state key that it is for, e.g. topic.")


def text_of(content: types.Content) -> str:
    """The text of a message, its parts joined."""
    return "".join(part.text for part in content.parts or [] if part.text)
