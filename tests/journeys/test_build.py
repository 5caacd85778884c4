"""A team is made, changed and run on the page Build: by mouse in the first minute, and by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at?.ariaLabel || at?.labels?.[0]?.textContent || at?.textContent || "";
}"""
"""The name of the element that has the focus."""


class Build:
    """What a person does and sees on the page Build."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tree = page.get_by_role("tree", name="Agents of the team")
        self.saved = page.get_by_role("status").get_by_text("Saved", exact=True)

    def agent(self, name: str) -> Locator:
        return self.tree.get_by_role("treeitem", name=f"{name},")

    def field(self, label: str) -> Locator:
        return self.page.get_by_label(label, exact=True)

    def go_to(self, name: str, key: str = "Tab") -> None:
        """Goes along the page by a key until something of that name has the focus."""
        for _ in range(80):
            self.page.keyboard.press(key)
            if self.page.evaluate(FOCUSED).strip().startswith(name):
                return
        raise AssertionError(f"{key} does not lead to {name!r}")

    def choose(self, *names: str) -> None:
        """Presses buttons of the bar above the tree, by keyboard."""
        self.go_to(names[0], "Shift+Tab")
        self.page.keyboard.press("Enter")
        for name in names[1:]:
            if not self.page.evaluate(FOCUSED).strip().startswith(name):
                self.go_to(name)
            self.page.keyboard.press("Enter")


def test_the_first_minute(start_app: StartApp, page: Page):
    """New, a writer and a critic, change a sentence, Run: four clicks and one edit, with no key."""
    app = start_app()
    build, view = Build(page), Playground(page).open(app.url)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Build").click()
    page.get_by_role("button", name="A writer and a critic").click()
    build.field("Instruction").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("Begin with the weather.")
    page.get_by_role("button", name="▶ Run").click()  # right after it
    view.expect_end()
    expect(build.saved).to_be_visible()
    page.reload()
    expect(build.field("Instruction")).to_have_value(re.compile(r"Begin with the weather\.$"))


def test_a_graph_by_keyboard_alone(start_app: StartApp, page: Page):
    """A router over two agents, then two side by side: made and run without the mouse."""
    build, view = Build(page), Playground(page)
    page.goto(f"{start_app().url}/build")
    expect(page.get_by_role("heading", name="New team")).to_be_visible()
    build.go_to("Blank")
    page.keyboard.press("Enter")
    expect(build.tree).to_be_visible()
    build.go_to("assistant,")
    build.choose("Wrap", "→ in order")
    expect(build.agent("in_order")).to_be_focused()

    build.choose("Add", "⇉ side by side")
    expect(build.agent("side_by_side")).to_be_focused()
    for name in ("agent", "agent_2"):
        build.choose("Add", "● agent")
        expect(build.agent(name)).to_be_focused()
    page.keyboard.press("Home")
    build.choose("Add", "⑂ router")
    expect(build.agent("router")).to_be_focused()
    for name in ("agent_3", "agent_4"):
        build.choose("Add", "● agent")
        expect(build.agent(name)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Alt+ArrowUp")  # the router goes before the agents that are side by side
    expect(build.saved).to_be_visible()
    rows = build.tree.get_by_role("treeitem")
    names = ["in_order", "assistant", "router", "agent_3", "agent_4", "side_by_side", "agent", "agent_2"]
    expect(rows).to_have_text([re.compile(rf"{name}\W*$") for name in names])

    page.keyboard.press("Enter")
    build.go_to("Router")
    page.keyboard.press("Control+a")
    page.keyboard.type("- {contains: ship, to: agent_3}\n- {to: agent_4}")
    build.go_to("Message")
    page.keyboard.press("Control+a")
    page.keyboard.type("a ship")
    page.keyboard.press("Enter")
    view.expect_end()
    expect(view.events).to_contain_text("router chose agent_3; agent and agent_2 worked in parallel.")


def test_an_agent_becomes_a_tool_and_goes_again(start_app: StartApp, page: Page):
    """Added by keyboard, named, called in a run, and taken out by mouse; Undo brings it back."""
    build, view = Build(page), Playground(page)
    page.goto(f"{start_app().url}/build")
    page.get_by_role("button", name="A writer and a critic").click()
    expect(build.agent("writer")).to_be_visible()
    build.field("Instruction").focus()
    build.go_to("+ An agent as a tool")
    page.keyboard.press("Enter")
    expect(build.field("Name")).to_have_value("agent")
    expect(build.field("Name")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("sailor")
    page.keyboard.press("Tab")
    expect(build.agent("sailor")).to_be_visible()
    page.get_by_role("button", name="▶ Run").click()
    view.expect_end()
    expect(view.events).to_contain_text("sailor")

    build.agent("writer").click()
    page.get_by_role("checkbox", name="sailor (an agent)").uncheck()
    expect(build.agent("sailor")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(build.agent("sailor")).to_be_visible()


def test_what_cannot_be_saved_stays_in_its_field_with_the_reason(start_app: StartApp, page: Page):
    build = Build(page)
    page.goto(f"{start_app().url}/build")
    page.get_by_role("button", name="A writer and a critic").click()
    expect(build.agent("writer")).to_be_visible()
    build.field("Name").fill("two words")
    build.field("Name").press("Tab")
    expect(page.get_by_text("Not saved: 'two words' cannot name an agent")).to_be_visible()
    expect(build.field("Name")).to_have_value("two words")
    expect(build.agent("writer")).to_be_visible()
