"""A class: a teacher's desk, a wall and learners' phones, each a browser of its own; and the server restarted in between."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from tests.journeys.test_run_and_watch import session_in

StartApp = Callable[..., App]
CLASS = (sys.executable, "-m", "ui.cli", "class")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


class Class:
    """A class and its browsers.

    Attributes:
        app: Its server.
        desk: The teacher's page.
        wall: The page of the projector, in the teacher's browser.
    """

    def __init__(self, browser: Browser, app: App) -> None:
        self._browser, self.app = browser, app
        self.contexts = [context := browser.new_context(viewport={"width": 1280, "height": 720})]
        self.desk, self.wall = context.new_page(), context.new_page()
        self.open_desk()
        self.wall.goto(f"{app.url}/wall")

    def open_desk(self) -> None:
        """Opens what the start of the server opens in the teacher's browser."""
        self.desk.goto(self.app.printed_with("/owner?token=").split()[-1])
        self.code = self.app.printed_with("with the code").split()[-1]
        expect(self.desk.get_by_text(self.code)).to_be_visible()

    def joined(self, name: str) -> Page:
        """A phone whose learner has joined."""
        self.contexts.append(context := self._browser.new_context(**PHONE))
        phone = context.new_page()
        phone.goto(f"{self.app.url}/gallery")
        expect(phone).to_have_url(re.compile("/join$"))
        phone.get_by_label("Code").fill(self.code)
        phone.get_by_label("Nickname").fill(name)
        phone.get_by_role("button", name="Join").click()
        expect(phone.get_by_text("Look at the wall")).to_be_visible()
        return phone

    def press(self, name: str) -> None:
        self.desk.get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def held(chromium: Browser, start_app: StartApp) -> Iterator[Class]:
    found = Class(chromium, start_app(command=CLASS))
    yield found
    for context in found.contexts:
        context.close()


def test_a_teacher_asks_three_learners_and_the_server_restarts_before_the_reveal(held: Class):
    ana, ben, cem = (held.joined(name) for name in ("Ana", "<b>Ben</b>", "سيم"))
    expect(held.wall.get_by_text("3 learners")).to_be_visible()
    held.press("Put on the wall")
    expect(held.desk.get_by_text("events are shown")).to_be_visible()
    held.press("Ask: who is next?")
    for phone, agent in ((ana, "InitialWriterAgent"), (ben, "CriticAgent"), (cem, "CriticAgent")):
        phone.get_by_role("button", name=agent).click()
        expect(phone.get_by_text("Your answer is stored")).to_be_visible()
    expect(held.wall.get_by_text("3 answers")).to_be_visible()

    ben.get_by_role("button", name="InitialWriterAgent").click()
    expect(held.wall.locator(".count").first).to_have_text("2")
    port = held.app.port
    held.app.kill()
    held.app.start(port)
    held.open_desk()
    expect(held.desk.get_by_text("3 answered")).to_be_visible()

    again = cem.context.new_page()  # the page was closed, and is opened again on the same device
    cem.close()
    again.goto(f"{held.app.url}/join")
    expect(again.get_by_role("heading", name="سيم")).to_be_visible()
    again.get_by_role("button", name="InitialWriterAgent").click()
    expect(held.wall.locator(".count").first).to_have_text("3")


def test_the_answer_is_revealed_and_a_late_one_is_told_so(held: Class):
    ana = held.joined("Ana")
    held.press("Put on the wall")
    expect(held.desk.get_by_text("events are shown")).to_be_visible()
    held.press("Ask: who is next?")
    ana.get_by_role("button", name="InitialWriterAgent").click()
    expect(held.wall.get_by_text("1 answer")).to_be_visible()
    held.press("Reveal")
    expect(held.wall.get_by_text("Revealed")).to_be_visible()
    expect(held.wall.locator(".choice.right")).to_contain_text("InitialWriterAgent")
    expect(ana.get_by_text("Right.", exact=True)).to_be_visible()
    held.desk.get_by_role("heading", name="Desk").click()
    held.desk.keyboard.press("ArrowRight")
    expect(held.wall.locator(".event, .question")).not_to_have_count(0)


def test_a_learner_reaches_neither_settings_nor_keys_nor_sessions_of_others(held: Class):
    ana, ben = held.joined("Ana"), held.joined("Ben")
    ana.goto(f"{held.app.url}/?pipeline=iterative_writing")
    ana.get_by_role("button", name="▶ Run").first.click()
    expect(ana.get_by_text("completed").first).to_be_visible()
    session = session_in(ana)

    ben.goto(f"{held.app.url}/?pipeline=iterative_writing&session={session}")
    expect(ben.get_by_text(re.compile("This session of .* is not here")).first).to_be_visible()
    ben.goto(f"{held.app.url}/settings")
    expect(ben.get_by_text("can be read and changed only with the token")).to_be_visible()
    expect(ben.get_by_label("Key")).to_have_count(0)
    ben.goto(f"{held.app.url}/class")
    expect(ben.get_by_text("A learner may not hold a class")).to_be_visible()

    link = held.desk.get_by_role("link", name=re.compile("iterative_writing, completed"))
    with held.desk.context.expect_page() as opened:
        link.click()
    expect(opened.value.get_by_text("completed").first).to_be_visible()


def test_four_browsers_write_a_playbook_and_hunt_the_wrong_bullet(held: Class):
    phones = [held.joined(name) for name in ("Ana", "Ben", "Cem")]
    held.press("Begin a playbook of the class")
    formulas = ("speed = distance / time", "work = force × distance", "Work = force × distance.")
    for number, (phone, text) in enumerate(zip(phones, formulas, strict=True)):
        phone.get_by_label("A bullet").fill(text)
        phone.get_by_role("button", name="Add to the playbook").click()
        expect(held.wall.locator(".bullet")).to_have_count(min(number + 1, 2))
    expect(held.wall.get_by_text("Ben + Cem")).to_be_visible()

    held.desk.get_by_label("Choose: speed = distance / time").check()
    held.desk.get_by_label("Wrong text").fill("speed = time / distance")
    held.press("Make the chosen one wrong, and hunt")
    expect(held.wall.get_by_role("heading", name=re.compile("One bullet is wrong"))).to_be_visible()
    expect(held.wall.get_by_text("Ben + Cem")).to_have_count(0)
    expect(held.wall.get_by_text("1 of 5 answers are right")).to_be_visible()

    ana = phones[0]
    ana.locator(".bullet", has_text="time / distance").get_by_text("Lineage").click()
    expect(ana.get_by_text("teacher changed it: speed = time / distance")).to_be_visible()
    ana.locator(".bullet", has_text="time / distance").get_by_role("button", name="Switch off").click()
    expect(held.wall.get_by_text("switched off by Ana")).to_be_visible()
    expect(held.wall.get_by_text(re.compile("answers are right"))).to_be_visible()


def test_a_session_is_presented_from_its_menu(start_app: StartApp, page: Page):
    app = start_app()
    playground = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    playground.run_button.click()
    playground.expect_end("completed")
    page.get_by_role("button", name="⋯").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Present …").click()
    desk = opened.value
    expect(desk.get_by_role("heading", name="Iterative writing")).to_be_visible()
    expect(desk.get_by_text("What goes wrong")).to_be_visible()
    with desk.context.expect_page() as opened:
        desk.get_by_role("link", name="Open the wall").click()
    wall = opened.value
    expect(wall.get_by_role("heading", name="Iterative writing")).to_be_visible()
    wall.keyboard.press("ArrowRight")
    expect(wall.get_by_text("How many passes does the loop take?")).to_be_visible()
    wall.keyboard.press("ArrowRight")
    expect(wall.locator(".choice.right")).to_be_visible()
    wall.keyboard.press("ArrowRight")
    expect(wall.locator(".event.now, .question .choice:not(.right, .wrong)").first).to_be_visible()
    expect(wall.locator("button, input, select")).to_have_count(0)
