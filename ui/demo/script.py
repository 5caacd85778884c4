"""The steps of the demo, as data: actions, what to look for, and what is shown.

The script has no outcomes: those are read from the log when they are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SessionName = Literal["first", "second"]


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
    feedback_from: Literal["person"] | None = None


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
    """

    title: str
    look_for: str
    actions: tuple[Action, ...] = ()
    about: Ask | Thumb | None = None
    at_delta: bool = False

    @property
    def shown(self) -> Ask | Thumb | None:
        """The question or thumb whose run is shown."""
        return self.about or next((action for action in reversed(self.actions) if isinstance(action, Ask | Thumb)), None)


def _ratio(session: SessionName, who: str, assets: str, liabilities: str, answer: str | None) -> Ask:
    told = f"{who} has current assets of {assets} € and current liabilities of {liabilities} €. What is its current ratio?"
    return Ask(session, told, "person") if answer is None else Ask(session, f"{told}\nAnswer: {answer}")


BAKERY = _ratio("first", "A bakery", "120,000", "80,000", "1.5")
CINEMA = _ratio("second", "A cinema", "45,000", "18,000", "2.5")
DAIRY = _ratio("second", "A dairy", "90,000", "40,000", "2.250")
GARAGE = _ratio("second", "A garage", "63,000", "36,000", "1.750")
FERRY = _ratio("second", "A ferry", "77,000", "20,000", "3.850")
HOTEL = _ratio("first", "A hotel", "24,000", "30,000", None)
FALSE = "current ratio = current liabilities / current assets"

SESSION_STATE = {"min_uses": 1}
"""Initial state of the demo's sessions, besides the playbook: one harmful tag is enough to remove a bullet."""

STEPS = (
    Step(
        title="An empty playbook",
        look_for=(
            "A generator answers each question, a reflector looks for what went wrong, and a curator writes what it teaches "
            "into a playbook. This playbook is empty. **Next** asks the first question."
        ),
    ),
    Step(
        title="The first question",
        look_for=(
            "The right answer stands in the message, but the generator never sees it. Watch the reflector look for a "
            "calculation that leads there, and the curator write it down."
        ),
        actions=(BAKERY,),
    ),
    Step(
        title="What was written",
        look_for=(
            "The selected event carries the delta: small changes, each applied, or rejected with a reason. The tab "
            "**Playbook** on the right says what the generator was given and what changed."
        ),
        about=BAKERY,
        at_delta=True,
    ),
    Step(
        title="A new session",
        look_for=(
            "Another session, another company, other numbers. Nothing of the first conversation is sent; the playbook is. "
            "Look at the bullets that the answer cites."
        ),
        actions=(CINEMA,),
    ),
    Step(
        title="Written in another way",
        look_for=(
            "This time the right answer is written with three decimals. One answer is no rule: it is kept as an "
            "example beside the formula."
        ),
        actions=(DAIRY,),
    ),
    Step(
        title="A house rule",
        look_for=(
            "A second answer is written with three decimals, so now it is a rule: how answers are written can be learned as "
            "well as how they are worked out."
        ),
        actions=(GARAGE,),
    ),
    Step(
        title="Take it back",
        look_for=(
            "The delta of the first question is undone; later ones stay. Then the same kind of question is asked again: "
            "knowledge sits in bullets, and each of them can be taken away."
        ),
        actions=(Undo(BAKERY), FERRY),
    ),
    Step(
        title="A false bullet",
        look_for=(
            "Back in the first session. Before the question, the bullet was edited: its fraction is now upside down. This "
            "message holds no right answer; the feedback comes from you, in the next step."
        ),
        actions=(Edit(FERRY, FALSE), HOTEL),
    ),
    Step(
        title="A thumb down",
        look_for=(
            "Your thumb is feedback, too: the reflector judges the cited bullets again. A bullet that harms more "
            "than it helps is removed, here after a single harmful tag; usually it takes three."
        ),
        actions=(Thumb(HOTEL),),
    ),
    Step(
        title="The whole story",
        look_for=(
            "The Playbook page has every revision: move the slider, follow a bullet back to the question that it comes "
            "from, undo what you do not like."
        ),
        about=Thumb(HOTEL),
    ),
)
