"""The steps of the demo, as data: what is done at each, what to look for, and what is shown.

No outcome stands here: what came of a step is read from the log when it is shown. Knows no page and no run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SessionName = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class Ask:
    """A message is sent; an earlier one of the same text counts as this one.

    Attributes:
        session: Where.
        message: What is said.
        feedback_from: What the session's control of that name is set to with it; None leaves it as it is.
    """

    session: SessionName
    message: str
    feedback_from: Literal["person"] | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """What the curator changed after a message is taken back."""

    after: Ask


@dataclass(frozen=True, slots=True)
class Edit:
    """The text of the bullet that was written after a message is replaced."""

    after: Ask
    content: str


@dataclass(frozen=True, slots=True)
class Thumb:
    """A thumb down for the answer to a message."""

    after: Ask

    @property
    def session(self) -> SessionName:
        """Where."""
        return self.after.session


Deed = Ask | Undo | Edit | Thumb


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step.

    Attributes:
        title: A few words.
        look_for: One or two sentences for the audience, true whatever comes out.
        deeds: What is done, in order; only the last may be one that starts a run.
        about: What is shown; by default the run that the last deed starts.
        at_delta: Whether the event is opened that carried what the curator wrote.
    """

    title: str
    look_for: str
    deeds: tuple[Deed, ...] = ()
    about: Ask | Thumb | None = None
    at_delta: bool = False

    @property
    def shown(self) -> Ask | Thumb | None:
        """The run that is shown."""
        return self.about or next((deed for deed in reversed(self.deeds) if isinstance(deed, Ask | Thumb)), None)


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
"""What the sessions of the demo begin with, besides their playbook: one bad mark is enough to remove a bullet."""

STEPS = (
    Step(
        title="An empty playbook",
        look_for=(
            "Each question is answered by a generator, looked back at by a reflector, and what it teaches is written into a "
            "playbook by a curator. This playbook is empty. **Next** asks the first question."
        ),
    ),
    Step(
        title="The first question",
        look_for=(
            "The right answer stands in the message, but the generator never sees it. Watch the reflector look for a "
            "calculation that leads there, and the curator write it down."
        ),
        deeds=(BAKERY,),
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
        deeds=(CINEMA,),
    ),
    Step(
        title="Written in another way",
        look_for=(
            "This time the right answer is written with three decimals. One answer is no rule: it is kept as an "
            "example beside the formula."
        ),
        deeds=(DAIRY,),
    ),
    Step(
        title="A house rule",
        look_for=(
            "A second answer is written with three decimals, so now it is a rule: how answers are written can be learned as "
            "well as how they are worked out."
        ),
        deeds=(GARAGE,),
    ),
    Step(
        title="Take it back",
        look_for=(
            "The delta of the first question is undone; later ones stay. Then the same kind of question is asked again: "
            "knowledge sits in bullets that can be pointed at, and taken away."
        ),
        deeds=(Undo(BAKERY), FERRY),
    ),
    Step(
        title="A false bullet",
        look_for=(
            "Back in the first session, after somebody turned the fraction upside down by hand. This message holds no right "
            "answer: feedback is to come from a person."
        ),
        deeds=(Edit(FERRY, FALSE), HOTEL),
    ),
    Step(
        title="A thumb down",
        look_for=(
            "A person’s verdict is feedback too: the cited bullets are looked at again. One that harms more than it helps "
            "is removed, here after a single bad mark; usually it takes three."
        ),
        deeds=(Thumb(HOTEL),),
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
