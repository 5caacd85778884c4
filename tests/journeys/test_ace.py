"""A playbook that grows across sessions: learned, cited, undone, made false, pruned, reviewed, imported, shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from agents.ace import Playbook, PlaybookStore
from tests.journeys.app import App
from tests.journeys.log_reader import events
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
TALL = {"viewport": {"width": 1280, "height": 4000}}

BAKERY = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
CINEMA = "A cinema has current assets of 45,000 € and current liabilities of 18,000 €. What is its current ratio?"
HOTEL = "A hotel has current assets of 24,000 € and current liabilities of 30,000 €. What is its current ratio?"
FORMULA = "current ratio = current assets / current liabilities"
EXAMPLE = "current ratio: formula not known yet"
FALSE = "current ratio = current liabilities / current assets"

tall = pytest.mark.parametrize("context", [TALL], indirect=True)


def session_in(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["session"][0]


def row(view: Playground, text: str | re.Pattern[str]) -> Locator:
    return view.events.get_by_role("row").filter(has_text=text)


class Classroom:
    """An app in which questions are asked, each in a session of its own."""

    def __init__(self, app: App, page: Page) -> None:
        self.app, self.page = app, page
        self.view = Playground(page)

    def ask(self, question: str, answer: str = "", *, end: str = "completed", **settings: Any) -> str:
        """Asks in a new session and returns its id."""
        chosen = "".join(f"&set={quote(f'{key}={json.dumps(value)}')}" for key, value in settings.items())
        self.view.open(f"{self.app.url}/?pipeline=ace&tab=playbook{chosen}")
        self.view.say(f"{question}\nAnswer: {answer}" if answer else question)
        expect(self.page).to_have_url(re.compile("session="))
        self.view.expect_end(end)
        return session_in(self.page)

    def answer(self, session: str) -> tuple[str, list[str]]:
        """What the generator answered, and the bullets that it cites."""
        said = [found for found in self._state(session, "generator_output") if found]
        return said[-1]["final_answer"], said[-1]["bullet_ids"]

    def learned(self, session: str) -> dict[str, Any]:
        """What the curator committed in a session."""
        return next(found for found in self._state(session, "app:playbook") if found["by"] == "curator" and found["applied"])

    def bullets(self, name: str = "ace") -> dict[str, str]:
        """What a playbook says, by id."""
        with PlaybookStore(self.app.database, name) as store:
            return {bullet.id: bullet.content for bullet in store.playbook().bullets}

    def open_playbook(self, name: str = "ace", **where: object) -> None:
        """Goes to the Playbook page."""
        more = "".join(f"&{key}={value}" for key, value in where.items())
        self.page.goto(f"{self.app.url}/playbook?playbook={quote(name)}{more}")
        expect(self.page.get_by_role("button", name="Export")).to_be_visible()

    def _state(self, session: str, key: str) -> list[Any]:
        deltas = [event.get("actions", {}).get("state_delta", {}) for event in events(self.app.database, session)]
        return [delta[key] for delta in deltas if key in delta]


@pytest.fixture
def room(start_app: StartApp, page: Page) -> Classroom:
    return Classroom(start_app(), page)


@tall
def test_a_second_session_answers_rightly_by_a_bullet_that_the_first_one_wrote(room: Classroom):
    first = room.ask(BAKERY, "1.5")
    assert room.answer(first)[1] == []
    [written] = room.learned(first)["applied"]
    assert written["content"].startswith(EXAMPLE)
    expect(row(room.view, "ApplyDelta").first).to_contain_text("+1")

    second = room.ask(CINEMA, "2.5")
    assert second != first
    assert room.answer(second) == ("2.5", [written["bullet_id"]])
    answer = row(room.view, re.compile("Generator")).first
    expect(answer).to_contain_text("2.5")
    expect(answer).to_contain_text(written["bullet_id"])
    panel = room.view.inspector.get_by_role("tabpanel", name="Playbook")
    expect(panel).to_contain_text("cited")
    expect(panel).to_contain_text("tagged helpful")
    assert room.bullets()[written["bullet_id"]].startswith(FORMULA)


@tall
def test_after_its_delta_is_undone_the_answer_is_wrong_again(room: Classroom, page: Page):
    learned = room.learned(room.ask(BAKERY, "1.5"))
    assert room.answer(room.ask(CINEMA, "2.5"))[0] == "2.5"
    room.open_playbook(revision=learned["revision"])
    page.get_by_role("button", name="Undo this delta").click()
    expect(page.get_by_text(re.compile("later revision.* rests? on it"))).to_be_visible()
    page.get_by_role("button", name="Undo it").click()
    expect(page.get_by_text(f"takes back what revision {learned['revision']} did")).to_be_visible()
    assert room.bullets() == {}
    answer, cited = room.answer(room.ask(HOTEL))
    assert answer != "0.8"
    assert cited == []


@tall
def test_a_bullet_that_is_edited_into_something_false_misleads_is_tagged_harmful_and_pruned(room: Classroom, page: Page):
    room.ask(BAKERY, "1.5")
    [written] = room.learned(room.ask(CINEMA, "2.5"))["applied"]
    bullet = written["bullet_id"]
    room.open_playbook(bullet=bullet)
    text = page.get_by_role("textbox", name="What it says")
    expect(text).to_have_value(re.compile(f"^{re.escape(FORMULA)}"))
    text.fill(FALSE)
    page.get_by_role("button", name="Save the text").click()
    expect(page.get_by_text(f"Changed the text of {bullet}")).to_be_visible()
    for time in (1, 2, 3):
        session = room.ask(HOTEL, feedback_from="person")
        assert room.answer(session) == ("1.25", [bullet])
        judge_wrong(room)
        expect(row(room.view, "TagBullets").last).to_contain_text("1 tag")
        room.view.expect_end("completed")
        expect(row(room.view, re.compile("ApplyDelta|Curator")).last).to_be_visible()
        if time < 3:
            assert room.bullets() == {bullet: FALSE}
    expect(room.view.inspector.get_by_role("tabpanel", name="Playbook")).to_contain_text("harmed more than it helped")
    assert room.bullets() == {}
    with PlaybookStore(room.app.database, "ace") as store:
        *_, last = store.lineage(bullet)
    assert [(change["type"], change.get("by")) for change in last.applied] == [("REMOVE", "refinement")]


def judge_wrong(room: Classroom, right: str = "") -> None:
    """A thumb down for the answer that is shown."""
    room.view.events.get_by_role("button", name="The answer is wrong").click()
    if right:
        room.view.events.get_by_label("The right answer, if you know it").fill(right)
    room.view.events.get_by_role("button", name="It is wrong").click()
    expect(room.view.events.get_by_text("You said: wrong")).to_be_visible()


@tall
def test_a_delta_waits_for_a_person_who_edits_one_change_and_rejects_another(room: Classroom, page: Page):
    session = room.ask("Tell me about efficient task management", end="Waiting for you", approval=True)
    assert room.bullets() == {}
    card = page.get_by_role("region", name="Review 2 changes of ace")
    expect(card).to_be_visible()
    card.get_by_role("textbox", name="Text of change 1").fill("Plan no more than three tasks a day.")
    card.get_by_role("radiogroup", name="Decision on change 2").get_by_text("reject").click()
    card.get_by_role("textbox", name="Why change 2 is rejected").fill("not in this house")
    card.get_by_role("button", name="Hand in").click()
    room.view.expect_end("completed")
    learned = room.learned(session)
    assert [change["content"] for change in learned["applied"]] == ["Plan no more than three tasks a day."]
    [rejection] = learned["rejected"]
    assert rejection["reason"] == "Rejected by the user: not in this house"
    assert list(room.bullets().values()) == ["Plan no more than three tasks a day."]
    expect(page.get_by_role("region", name="Reviewed 2 changes of ace")).to_contain_text("not in this house")


@tall
def test_a_thumb_down_with_the_right_answer_teaches(room: Classroom):
    first = room.ask(BAKERY, feedback_from="person")
    assert room.bullets() == {}
    judge_wrong(room, right="1.5")
    expect(row(room.view, "ApplyDelta").last).to_contain_text("+1")
    [written] = room.learned(first)["applied"]
    assert written["content"].startswith(EXAMPLE)
    assert room.answer(room.ask(CINEMA)) == ("2.5", [written["bullet_id"]])


# -- in and out

OFFICIAL = f"""\
## STRATEGIES AND INSIGHTS
[sai-00007] helpful=4 harmful=1 :: Compare the units of both sides before dividing.

## FORMULAS
[formu-00003] helpful=2 harmful=0 :: {FORMULA}
"""
DICTIONARY = {
    "bullets": {
        "formu-00003": {"id": "formu-00003", "section": "FORMULAS", "content": FORMULA, "helpful": 2, "harmful": 0},
        "sai-00007": {"id": "sai-00007", "section": "TIPS", "content": "Compare the units.", "helpful": 4, "harmful": 1},
    },
    "sections": {"FORMULAS": ["formu-00003"], "TIPS": ["sai-00007"]},
    "next_id": 8,
}


@tall
@pytest.mark.parametrize(
    ("given", "button", "read"),
    [
        pytest.param(OFFICIAL, "Text", Playbook.from_text, id="the official text"),
        pytest.param(
            json.dumps(DICTIONARY), "ADK dictionary", lambda text: Playbook.from_dict(json.loads(text)), id="ADK dictionary"
        ),
    ],
)
def test_a_playbook_is_imported_used_and_exported(
    room: Classroom, page: Page, tmp_path: Path, given: str, button: str, read: Callable[[str], Playbook]
):
    before = read(given)
    page.goto(f"{room.app.url}/playbook")
    page.get_by_role("button", name="Import").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Or its text").fill(given)
    dialog.get_by_role("textbox", name="Or its text").press("Control+Enter")
    dialog.get_by_role("textbox", name="Name").fill("brought")
    dialog.get_by_role("textbox", name="Name").press("Tab")
    dialog.get_by_role("button", name="Import 2 bullets").click()
    expect(page.get_by_text("Imported 2 bullets into brought")).to_be_visible()

    session = room.ask(CINEMA, "2.5", playbook_name="brought")
    assert room.answer(session) == ("2.5", ["formu-00003"])

    room.open_playbook("brought")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    after = read(Path(download.value.path()).read_text(encoding="utf-8"))
    counted = {bullet.id: bullet.helpful for bullet in after.bullets}
    assert counted == {"formu-00003": 3, "sai-00007": 4}
    assert {bullet.id: bullet.content for bullet in after.bullets} == {b.id: b.content for b in before.bullets}
