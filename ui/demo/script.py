"""The steps of the demo, as data: actions, what to look for, and what is shown.

The script has no outcomes: those are read from the log and the playbook when they are shown.
"""

from __future__ import annotations

from ui.demo.step import Ask, Edit, SessionName, Step, Thumb, Undo

SESSIONS: dict[SessionName, str] = {
    "monday": "Monday: an empty playbook",
    "tuesday": "Tuesday: the same kinds of questions",
    "wednesday": "Wednesday: the test",
    "thursday": "Thursday: undo and a false bullet",
}
"""The demo's sessions, in order → their titles."""
SESSION_STATE = {"min_uses": 1}
"""Initial state of the sessions, besides the playbook: one harmful tag is enough to remove a bullet."""


def day(session: SessionName) -> str:
    """A session's short name."""
    return session.capitalize()


def _ratio(session: SessionName, who: str, assets: str, liabilities: str, answer: str) -> Ask:
    told = f"{who} has current assets of {assets} € and current liabilities of {liabilities} €. What is its current ratio?"
    return Ask(session, f"{told}\nAnswer: {answer}")


def _speed(session: SessionName, who: str, distance: str, time: str, answer: str) -> Ask:
    told = f"{who} covers a distance of {distance} km in a time of {time} h. What is its speed in km/h?"
    return Ask(session, f"{told}\nAnswer: {answer} km/h")


def _due(session: SessionName, date: str, days: int, answer: str) -> Ask:
    told = f"An invoice is dated {date} with a payment term of {days} days. When is it due?"
    return Ask(session, f"{told}\nAnswer: {answer}")


def _profit(session: SessionName, who: str, revenue: str, cost: str, answer: str) -> Ask:
    told = f"{who} has a revenue of {revenue} € and a cost of goods sold of {cost} €. What is its gross profit?"
    return Ask(session, f"{told}\nAnswer: €{answer}")


BAKERY = _ratio("monday", "A bakery", "120,000", "80,000", "1.5")
VAN = _speed("monday", "A van", "84", "1.5", "56")
INVOICE = _due("monday", "3 March 2026", 30, "2026-04-02")
CINEMA = _ratio("tuesday", "A cinema", "45,000", "18,000", "2.5")
SHOP = _profit("tuesday", "A shop", "9,000", "5,400", "3,600")
TRUCK = _speed("tuesday", "A truck", "192", "3", "64")
BILL = _due("tuesday", "20 May 2026", 14, "2026-06-03")
CAFE = _profit("wednesday", "A café", "12,500", "8,000", "4,500")
GARAGE = _ratio("wednesday", "A garage", "63,000", "36,000", "1.75")
BUS = _speed("wednesday", "A bus", "125", "2", "63")
FERRY = _ratio("thursday", "A ferry", "77,000", "20,000", "3.85")
HOTEL = Ask(
    "thursday",
    "A hotel has current assets of 24,000 € and current liabilities of 30,000 €. What is its current ratio?",
    "person",
)
FALSE = "current ratio = current liabilities / current assets"

_FIRST_ACT = (
    Step(
        title="An empty playbook",
        look_for=(
            "A generator answers each question. A reflector compares the answer with the right one. A curator writes what "
            "was learned into a playbook. The playbook is empty. **Next** asks the first question."
        ),
    ),
    Step(
        title="The first question",
        look_for="The message ends with the right answer. The generator does not see it; the reflector does.",
        actions=(BAKERY,),
    ),
    Step(
        title="What was written",
        look_for=(
            "The selected event carries the delta: single changes, each applied, or rejected with a reason. The formula is "
            "now a bullet with an id."
        ),
        about=BAKERY,
        at_delta=True,
    ),
    Step(title="A second kind of question", look_for="No bullet is about speed yet.", actions=(VAN,)),
    Step(title="A third kind", look_for="No bullet is about dates yet.", actions=(INVOICE,)),
    Step(
        title="A new session",
        look_for=(
            "A new session, another company, other numbers. Nothing of Monday's conversation is sent. The playbook is. "
            "Which bullet does the answer cite?"
        ),
        actions=(CINEMA,),
    ),
    Step(
        title="A new kind on Tuesday",
        look_for="Nothing was asked about profit before. All bullets are about other things.",
        actions=(SHOP,),
    ),
    Step(
        title="A house rule",
        look_for=(
            "The second question about speed. How answers are written can be learned, too: two right answers that are "
            "written in the same way are enough."
        ),
        actions=(TRUCK,),
    ),
    Step(title="A second date", look_for="How are dates written here?", actions=(BILL,)),
    Step(
        title="Profit again",
        look_for="The third session. The kind of question that was new on Tuesday comes again.",
        actions=(CAFE,),
    ),
    Step(
        title="The first kind again",
        look_for="Two sessions later, a question like the first one. Which bullet does the answer cite?",
        actions=(GARAGE,),
    ),
    Step(
        title="Two bullets, one answer",
        look_for="125 km in 2 h are 62.5 km/h, but speeds are written without decimals here. Which bullets are cited?",
        actions=(BUS,),
    ),
    Step(
        title="The curve",
        look_for="One model, ten questions, three sessions. Only the playbook changed.",
        about=BUS,
        curve=True,
    ),
)

_SECOND_ACT = (
    Step(
        title="Act two: undo",
        look_for=(
            "The delta of the first question is undone; later ones stay. Then a question of that kind is asked again. What "
            "was learned is in the bullets, and each of them can be taken away."
        ),
        actions=(Undo(BAKERY), FERRY),
    ),
    Step(
        title="A false bullet",
        look_for=(
            "The new bullet was edited: its fraction is now upside down. This message has no right answer. The feedback "
            "comes from you, in the next step."
        ),
        actions=(Edit(FERRY, FALSE), HOTEL),
    ),
    Step(
        title="A thumb down",
        look_for=(
            "A thumb is feedback, too. The reflector judges the cited bullet again. A bullet that harms more than it helps "
            "is removed: here after one harmful tag, by default after three."
        ),
        actions=(Thumb(HOTEL),),
    ),
    Step(
        title="The whole curve",
        look_for=(
            "Act two took one bullet away, and made another one false. The Playbook page has every revision: follow a "
            "bullet back to its question, or undo a delta yourself."
        ),
        about=Thumb(HOTEL),
        curve=True,
    ),
)

STEPS = (*_FIRST_ACT, *_SECOND_ACT)
