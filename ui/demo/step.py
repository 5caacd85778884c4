"""What a step of the demo is made of: its session, its actions, and the question that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SessionName = Literal["monday", "tuesday", "wednesday", "thursday"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Sends a message. A message of the same text that was sent before counts as this one.

    Attributes:
        session: The session.
        message: The text.
        feedback_from: Value for the session's control of that name; None leaves it unchanged.
    """

    session: SessionName
    message: str
    feedback_from: Literal["person", "ground truth"] | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Undoes the curator's delta after a message."""

    after: Ask


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text of the bullet that was written after a message."""

    after: Ask
    content: str


@dataclass(frozen=True, slots=True)
class Thumb:
    """Gives the answer to a message a thumb down."""

    after: Ask

    @property
    def session(self) -> SessionName:
        """The session of the message."""
        return self.after.session


Action = Ask | Undo | Edit | Thumb


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step.

    Attributes:
        title: A few words.
        look_for: One or two sentences for the audience, true for every outcome.
        actions: Actions in order; only the last may start a run.
        about: The question or thumb that is shown; by default that of the last action.
        at_delta: Whether to select the event that carried the curator's delta.
        curve: Whether the curve is shown in place of the session.
    """

    title: str
    look_for: str
    actions: tuple[Action, ...] = ()
    about: Ask | Thumb | None = None
    at_delta: bool = False
    curve: bool = False

    @property
    def shown(self) -> Ask | Thumb | None:
        """The question or thumb whose run is shown."""
        return self.about or next((action for action in reversed(self.actions) if isinstance(action, Ask | Thumb)), None)
