"""The steps of the story: what is done, what to look for, and what is shown; read from `presets/ace.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ui.demo.preset import STORY, preset


@dataclass(frozen=True, slots=True)
class Ask:
    """Sends a message. A message of the same text that was sent before counts as this one.

    Attributes:
        session: The session.
        message: The text.
        feedback_from: Value for the session's control of that name; None leaves it unchanged.
    """

    session: str
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
    def session(self) -> str:
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
    about: Action | None = None
    at_delta: bool = False
    curve: bool = False

    @property
    def shown(self) -> Ask | Thumb | None:
        """The question or thumb whose run is shown."""
        return next((action for action in (self.about, *reversed(self.actions)) if isinstance(action, Ask | Thumb)), None)


def _action(table: Mapping[str, str]) -> Action:
    match table:
        case {"ask": question}:
            return QUESTIONS[question]
        case {"thumb": question}:
            return Thumb(QUESTIONS[question])
        case {"undo": question}:
            return Undo(QUESTIONS[question])
        case {"edit": question, "content": content}:
            return Edit(QUESTIONS[question], content)
        case _:
            raise ValueError(f"{table} is no action: it is one of ask, thumb, undo and edit.")


def _step(table: Mapping[str, Any]) -> Step:
    about = {"about": _action(table["about"])} if "about" in table else {}
    return Step(**{**table, "actions": tuple(map(_action, table.get("actions", ()))), **about})


_TABLES = preset(STORY).tables
SESSIONS: dict[str, str] = _TABLES["sessions"]
"""The story's sessions, in order → their titles."""
SESSION_STATE: dict[str, Any] = _TABLES["state"]
"""Initial state of the sessions, besides the playbook."""
QUESTIONS: dict[str, Ask] = {name: Ask(**table) for name, table in _TABLES["questions"].items()}
STEPS = tuple(map(_step, _TABLES["steps"]))


def day(session: str) -> str:
    """A session's short name."""
    return session.capitalize()
