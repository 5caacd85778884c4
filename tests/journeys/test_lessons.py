"""A learner goes through a lesson, by mouse and by keyboard alone; what was done survives reload, Back and a second tab."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from tests.journeys.test_build import FOCUSED

StartApp = Callable[..., App]
MIDDLE = 7
"""Of the events of a run: those before it are in sight at the top of the list."""
LESSON = "/lessons?pipeline=iterative_writing"


class Lesson:
    """What a learner does and sees."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.view = Playground(page)
        self.hand_in = page.get_by_role("button", name="Hand in", exact=True)
        self.hand_in_selected = page.get_by_role("button", name="Hand in the selected event")
        self.next = page.get_by_role("link", name="Next step →")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    def choose(self, text: str) -> None:
        self.page.get_by_test_id("stRadioGroup").get_by_text(re.compile(f"^{re.escape(text)}")).click()

    def select(self, event: int) -> None:
        """Selects an event; beside a step the view shows one pane at a time."""
        self.page.get_by_role("group", name="Panes").get_by_role("button", name="Events").click()
        self.view.events.hover()
        self.page.mouse.wheel(0, -5000 if event < MIDDLE else 5000)
        self.view.event(event).click()

    def expect_step(self, title: str) -> None:
        expect(self.page.get_by_role("heading", name=title)).to_be_visible()

    def expect_right(self, points: int) -> None:
        expect(self.page.get_by_text(f"Right: {points} point")).to_be_visible()

    def expect_said(self, text: str) -> None:
        expect(self.page.get_by_text(text)).to_be_visible()

    def go_to(self, name: str, *, times: int = 120) -> None:
        """Tabs until something of that name has the focus."""
        for _ in range(times):
            self.page.keyboard.press("Tab")
            focused = self.page.evaluate(FOCUSED).strip()
            if focused == name or (len(name) > 1 and focused.startswith(name)):
                return
        raise AssertionError(f"Tab does not lead to {name!r}")

    def press(self, name: str) -> None:
        expect(self.button(name)).to_be_visible()
        self.go_to(name)
        self.page.keyboard.press("Enter")


def find_out(lesson: Lesson, page: Page) -> None:
    """The predictions and the searches, with wrong answers that get their hints."""
    lesson.expect_step("How many passes")
    lesson.choose("5, its limit")
    lesson.hand_in.click()
    lesson.expect_said("It needs fewer here.")
    lesson.next.click()
    lesson.expect_step("What is left")
    lesson.choose("RefinerAgent: it is what the first pass made of it")
    lesson.hand_in.click()
    lesson.expect_right(1)
    lesson.next.click()
    lesson.expect_step("How the critic reaches the refiner")
    lesson.button("Start the run").click()
    lesson.choose("initial_topic")
    lesson.hand_in.click()
    lesson.expect_said("The topic comes from you")
    lesson.choose("criticism")
    lesson.hand_in.click()
    lesson.expect_right(1)
    lesson.next.click()
    lesson.expect_step("The way out")
    lesson.button("Start the run").click()
    lesson.hand_in_selected.click()
    lesson.expect_said("Nothing is selected yet.")
    lesson.select(9)
    lesson.hand_in_selected.click()
    lesson.expect_said("The critic says that nothing is left.")
    page.reload()
    lesson.expect_said("The critic says that nothing is left.")
    lesson.button("Show a hint").click()
    lesson.expect_said("Look at the last events.")
    lesson.select(11)
    lesson.hand_in_selected.click()
    lesson.expect_right(1)
    lesson.next.click()


def be_the_critic(lesson: Lesson, page: Page) -> None:
    lesson.expect_step("You are the critic")
    lesson.button("Start the run").click()
    said, answer = (
        page.get_by_role("textbox", name="What the model says"),
        page.get_by_role("button", name="Answer", exact=True),
    )
    said.fill("Ending: The last sentence does not close the story. Add one that says what stayed.")
    answer.click()
    expect(said).to_have_value("")  # the next question
    said.fill("No major issues found.")
    answer.click()
    page.get_by_role("button", name="Check", exact=True).click()
    lesson.expect_right(3)
    lesson.button("What does the model answer to the same prompt?").click()
    expect(page.get_by_text("The model", exact=True)).to_be_visible()
    lesson.next.click()


def change_the_team(lesson: Lesson, page: Page) -> None:
    lesson.expect_step("A smaller budget")
    passes = page.get_by_role("spinbutton", name="Most passes")
    passes.fill("2")
    lesson.button("Save, run and check").click()
    lesson.expect_said("Now the loop ends too early")
    passes.fill("3")
    lesson.button("Save, run and check").click()
    lesson.expect_right(2)
    lesson.next.click()


def find_the_fault(lesson: Lesson, page: Page) -> None:
    lesson.expect_step("Mended twice")
    lesson.button("Start the run").click()
    expect(lesson.hand_in_selected).to_be_visible()
    expect(page.get_by_text("⚡")).to_have_count(0)
    lesson.select(5)
    lesson.hand_in_selected.click()
    lesson.expect_said("That is the event. What happened?")
    lesson.choose("The critic refused to answer")
    lesson.hand_in.click()
    lesson.expect_right(3)
    expect(page.get_by_text("⚡")).to_be_visible()


def test_a_whole_lesson_by_mouse(start_app: StartApp, page: Page):
    """From the Gallery through all steps to the end."""
    app = start_app()
    lesson = Lesson(page)
    page.goto(f"{app.url}/gallery?pipeline=iterative_writing")
    page.get_by_role("link", name="Start the lesson").click()
    find_out(lesson, page)
    be_the_critic(lesson, page)
    change_the_team(lesson, page)
    find_the_fault(lesson, page)
    lesson.expect_said("The lesson is over: 11 of 13 points.")


def test_a_lesson_by_keyboard_alone(start_app: StartApp, page: Page):
    """A prediction, a name and an event are handed in without the mouse."""
    app = start_app()
    lesson = Lesson(page)
    page.goto(f"{app.url}{LESSON}")
    lesson.expect_step("How many passes")
    lesson.go_to("1")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    lesson.press("Hand in")
    lesson.expect_right(1)
    page.goto(f"{app.url}{LESSON}&step=reader")
    lesson.expect_step("How the critic reaches the refiner")
    lesson.press("▶ Start the run")
    expect(lesson.hand_in).to_be_visible()
    lesson.go_to("current_document")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    lesson.press("Hand in")
    lesson.expect_right(1)
    page.goto(f"{app.url}{LESSON}&step=exit")
    lesson.press("▶ Start the run")
    expect(lesson.hand_in_selected).to_be_visible()
    lesson.view.expect_end()
    lesson.view.events.focus()
    page.keyboard.press("End")
    page.keyboard.press("k")  # from the end of the loop to the event before it
    expect(page).to_have_url(re.compile("&at=11$"))
    lesson.go_to("Hand in the selected event")
    page.keyboard.press("Enter")
    lesson.expect_right(2)


def test_what_was_done_is_there_in_another_tab_and_a_wrong_name_leads_back(start_app: StartApp, page: Page):
    app = start_app()
    lesson = Lesson(page)
    page.goto(f"{app.url}{LESSON}")
    lesson.choose("4")
    lesson.hand_in.click()
    lesson.expect_right(1)
    other = page.context.new_page()
    other.goto(f"{app.url}{LESSON}&step=passes")
    expect(other.get_by_text("Right: 1 point")).to_be_visible()
    other.goto(f"{app.url}/lessons?pipeline=nobody")
    expect(other.get_by_text("There is no lesson named nobody.")).to_be_visible()
    other.get_by_role("link", name="→ All lessons").click()
    expect(other.get_by_text("1/13 points")).to_be_visible()
    page.go_back()
    page.go_forward()
    lesson.expect_right(1)
