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
            if self.page.evaluate(FOCUSED).strip().startswith(name):
                return
        raise AssertionError(f"Tab does not lead to {name!r}")

    def press(self, name: str) -> None:
        expect(self.button(name)).to_be_visible()
        self.go_to(name)
        self.page.keyboard.press("Enter")


def find_out(lesson: Lesson, page: Page) -> None:
    """The first three steps, with a wrong answer in each."""
    lesson.expect_step("How does it end?")
    lesson.choose("The limit of five passes")
    lesson.hand_in.click()
    lesson.expect_said("The limit is for the day on which nothing is good enough.")
    lesson.next.click()
    lesson.expect_step("How the critic reaches the refiner")
    lesson.button("Start the run").click()
    lesson.choose("initial_topic")
    lesson.hand_in.click()
    lesson.expect_said("The topic comes from you")
    lesson.button("Show a hint").click()
    lesson.expect_said("the parts say where they come from")
    lesson.choose("criticism")
    lesson.hand_in.click()
    lesson.expect_right(1)
    lesson.next.click()
    lesson.expect_step("The event that ends it")
    lesson.button("Start the run").click()
    lesson.hand_in_selected.click()
    lesson.expect_said("Nothing is selected yet.")
    lesson.select(9)
    lesson.hand_in_selected.click()
    lesson.expect_said("The critic judges.")
    page.reload()
    lesson.expect_said("The critic judges.")
    lesson.select(11)
    lesson.hand_in_selected.click()
    lesson.expect_right(2)
    lesson.next.click()


def find_the_fault(lesson: Lesson, page: Page) -> None:
    lesson.expect_step("Something is wrong with this run")
    lesson.button("Start the run").click()
    expect(lesson.hand_in_selected).to_be_visible()
    expect(page.get_by_text(re.compile("CriticAgent.*refuse"))).to_have_count(0)
    lesson.select(5)
    lesson.hand_in_selected.click()
    lesson.expect_said("That is the event. What happened?")
    lesson.choose("The critic's model refused to answer")
    lesson.hand_in.click()
    lesson.expect_right(3)


def be_the_critic(lesson: Lesson, page: Page) -> None:
    lesson.expect_step("You are the critic")
    lesson.button("Start the run").click()
    page.get_by_role("textbox", name="What the model says").fill("No major issues found.")
    page.get_by_role("button", name="Answer", exact=True).click()
    page.get_by_role("button", name="Check", exact=True).click()
    lesson.expect_right(2)
    lesson.expect_said("The lesson is over: 11 of 14 points.")
    lesson.button("What does the model answer to the same prompt?").click()
    expect(page.get_by_text("The model", exact=True)).to_be_visible()


def test_a_whole_lesson_by_mouse(start_app: StartApp, page: Page):
    """From the Gallery through all six steps, with wrong answers that get their hints, to the end."""
    app = start_app()
    lesson = Lesson(page)
    page.goto(f"{app.url}/gallery?pipeline=iterative_writing")
    page.get_by_role("link", name="Start the lesson").click()
    find_out(lesson, page)
    lesson.expect_step("Two passes and no more")
    passes = page.get_by_role("spinbutton", name="RefinementLoop: most passes")
    passes.fill("3")
    lesson.button("Save, run and check").click()
    lesson.expect_said("It is the right field.")
    passes.fill("2")
    lesson.button("Save, run and check").click()
    lesson.expect_right(3)
    lesson.next.click()
    find_the_fault(lesson, page)
    lesson.next.click()
    be_the_critic(lesson, page)


def test_a_lesson_by_keyboard_alone(start_app: StartApp, page: Page):
    """A prediction, a name and an event are handed in without the mouse."""
    app = start_app()
    lesson = Lesson(page)
    page.goto(f"{app.url}{LESSON}")
    lesson.expect_step("How does it end?")
    lesson.go_to("The critic: it has nothing")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    lesson.press("Hand in")
    lesson.expect_right(2)
    lesson.go_to("Next step")
    page.keyboard.press("Enter")
    lesson.expect_step("How the critic reaches the refiner")
    lesson.press("▶ Start the run")
    expect(lesson.hand_in).to_be_visible()
    lesson.go_to("current_document")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    lesson.press("Hand in")
    lesson.expect_right(2)
    page.goto(f"{app.url}{LESSON}&step=escalates")
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
    lesson.choose("The refiner calls exit_loop")
    lesson.hand_in.click()
    lesson.expect_right(2)
    other = page.context.new_page()
    other.goto(f"{app.url}{LESSON}&step=passes")
    expect(other.get_by_text("Right: 2 points")).to_be_visible()
    other.goto(f"{app.url}/lessons?pipeline=nobody")
    expect(other.get_by_text("There is no lesson named nobody.")).to_be_visible()
    other.get_by_role("link", name="→ All lessons").click()
    expect(other.get_by_text("2/14 points")).to_be_visible()
    page.go_back()
    page.go_forward()
    lesson.expect_right(2)
