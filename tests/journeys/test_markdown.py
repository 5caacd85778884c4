"""Markdown from a model, as the session view shows it: read, or as written, and without harm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App, ForkedApp
from tests.journeys.playground_page import Playground

MODEL = '''
from google.genai import types
from agents import LlmAgent, LlmResponse

HARM = "document.title='broken'"
HOSTILE = f"""# Tides <script>{HARM}</script>

<img src=x onerror="{HARM}"> and **bold** [run](javascript:{HARM}) [data](data:text/html,<script>{HARM}</script>)
[page](https://example.org/tides) &lt;script&gt;

| moon | tide |
|------|------|
| full | <svg onload="{HARM}"> |

```html
<script>{HARM}</script>
```
"""
LARGE = "\\n".join(["> " * 10_000 + "deep", "*" * 1_000_000, "[" * 100_000, "- " * 10_000 + "end"])
TEXTS = {"hostile": HOSTILE, "large": LARGE}


def answer(callback_context, llm_request):
    wanted = llm_request.contents[-1].parts[-1].text
    return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=TEXTS[wanted])]))


root_agent = LlmAgent(name="Writer", before_model_callback=answer, output_key="draft")
'''


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app that has the writer."""
    folder = tmp_path_factory.mktemp("writer")
    package = folder / "mine" / "writer_of_mine"
    package.mkdir(parents=True)
    (package / "agent.py").write_text(MODEL)
    app = ForkedApp(folder / "journey.db", agents=package.parent).start()
    yield app
    app.kill()


@pytest.fixture
def view(app: App, page: Page) -> Playground:
    return Playground(page).open(f"{app.url}/?pipeline=writer_of_mine")


def test_hostile_markdown_is_read_and_runs_nothing(view: Playground, page: Page):
    title = page.title()
    view.say("hostile")
    view.expect_end()
    row = view.event(2)
    expect(row.locator("strong")).to_have_text("bold")
    expect(row).to_contain_text("run (javascript:")
    expect(row.get_by_role("link")).to_have_count(0)
    row.locator(".name").click()
    view.inspector.get_by_role("tab", name="Event").click()
    expect(view.inspector.get_by_role("link", name="page")).to_have_attribute("rel", "noopener noreferrer")
    expect(view.inspector.locator("a[href^='javascript'], a[href^='data'], img, script, svg[onload]")).to_have_count(0)
    expect(view.inspector).to_contain_text("The text above.")
    expect(view.inspector.locator("td").last).to_have_text("<svg onload=\"document.title='broken'\">")
    expect(view.inspector.locator("pre").first).to_contain_text("<script>")
    assert page.title() == title


def test_texts_are_shown_as_written_where_that_is_wanted(view: Playground, page: Page):
    view.say("hostile")
    view.expect_end()
    switch = view.inspector.get_by_role("button", name="Raw texts")
    switch.press("Enter")
    expect(view.event(2)).to_contain_text("**bold**")
    expect(view.inspector).to_contain_text("**bold**")
    expect(switch).to_be_focused()
    switch.press("Enter")
    expect(view.event(2).locator("strong")).to_have_text("bold")


def test_a_megabyte_of_nested_marks_blocks_nothing(view: Playground, page: Page):
    view.say("large")
    view.expect_end()
    view.event(2).locator(".name").click()
    page.keyboard.press("Enter")
    expect(view.event(2)).to_contain_text("show less")
    view.inspector.get_by_role("tab", name="Event").click()
    expect(view.inspector).to_contain_text("event 2 of 2")
    view.say("hostile")
    expect(view.status).to_contain_text("event 2 of 4")
