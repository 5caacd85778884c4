"""The lesson stays at hand: what to look for ticks itself off, leads to what shows it, and the lesson is one click away."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
FAILS = "The job fails, and the loop ends all the same."
ENDS = "The job has completed: the checker escalates without asking a model."


def test_a_lesson_ticks_itself_off_and_leads_back_to_the_gallery(start_app: StartApp, page: Page):
    page.goto(f"{start_app().url}/gallery?pipeline=status_poller")
    page.get_by_role("button", name="▶ Run it").click()
    view = Playground(page)
    tab = view.inspector.get_by_role("tab", name="Lesson")
    expect(tab).to_have_attribute("aria-selected", "true")
    view.expect_end("completed")
    expect(view.inspector.get_by_text("2 of 4 seen")).to_be_visible()
    fails = view.inspector.get_by_role("listitem").filter(has_text=FAILS)
    expect(fails).to_contain_text("Not seen. The sample “train the classifier” shows it")
    expect(fails.get_by_role("img", name="Not seen")).to_be_visible()
    expect(fails.get_by_role("button")).to_have_count(0)

    view.inspector.get_by_role("button", name=ENDS).click()
    row = view.events.get_by_role("row", selected=True)
    expect(row).to_contain_text("escalate")
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(view.inspector.get_by_role("button", name=ENDS)).to_be_focused()

    view.say("train the classifier")
    expect(view.inspector.get_by_role("button", name=FAILS)).to_be_visible()
    page.reload()
    expect(row).to_contain_text("escalate")
    expect(view.inspector.get_by_text("3 of 4 seen")).to_be_visible()

    view.inspector.get_by_role("link", name="The whole lesson").click()
    expect(page).to_have_url(re.compile(r"/gallery\?pipeline=status_poller"))
    expect(page.get_by_text("When not.")).to_be_visible()


def test_before_the_first_run_the_lesson_is_read_by_keyboard_at_any_width(start_app: StartApp, page: Page):
    view = Playground(page).open(f"{start_app().url}/?pipeline=ace")
    for width in (1440, 820, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if width < 1000:
            page.get_by_role("button", name="Inspector", exact=True).click()
        state, lesson = (view.inspector.get_by_role("tab", name=name) for name in ("State", "Lesson"))
        state.click()
        page.keyboard.press("ArrowLeft")
        expect(lesson).to_be_focused()
        expect(lesson).to_be_in_viewport(ratio=1)
        expect(view.inspector.get_by_role("tabpanel", name="Lesson")).to_contain_text("0 of 5 seen")
        expect(view.inspector.get_by_role("img", name="Not seen yet")).to_have_count(5)


def test_an_own_pipeline_without_anything_to_look_for_has_no_lesson_tab(start_app: StartApp, page: Page, tmp_path):
    folder = tmp_path / "agents" / "greeter"
    folder.mkdir(parents=True)
    agent = 'from agents import LlmAgent\nroot_agent = LlmAgent(name="Greeter", instruction="Greet.")\n'
    (folder / "agent.py").write_text(agent, encoding="utf-8")
    app = start_app(agents=folder.parent)
    view = Playground(page).open(f"{app.url}/?pipeline=greeter&tab=lesson")
    expect(view.inspector.get_by_role("tab", name="State")).to_have_attribute("aria-selected", "true")
    expect(view.inspector.get_by_role("tab", name="Lesson")).to_have_count(0)
