"""What a provider's own tools leave behind, and a choice that a model offers, as the session view shows them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App, ForkedApp
from tests.journeys.playground_page import Playground

SEARCHER = """
from google.genai import types
from agents import LlmAgent, LlmResponse

TITLE = "<img src=x onerror=document.title='broken'>"


def answer(callback_context, llm_request):
    web = [("https://example.org/moon", "The Moon"), ("javascript:alert(1)", TITLE)]
    return LlmResponse(
        content=types.Content(
            role="model",
            parts=[
                types.Part(text="It is 42."),
                types.Part(executable_code=types.ExecutableCode(code="print(6 * 7)", language="PYTHON")),
                types.Part(code_execution_result=types.CodeExecutionResult(outcome="OUTCOME_OK", output="42")),
            ],
        ),
        grounding_metadata=types.GroundingMetadata(
            web_search_queries=["how far is the moon"],
            grounding_chunks=[
                types.GroundingChunk(web=types.GroundingChunkWeb(uri=uri, title=title)) for uri, title in web
            ],
        ),
    )


root_agent = LlmAgent(name="Searcher", before_model_callback=answer)
"""

CHOOSER = """
from google.genai import types
from agents import LlmAgent, LlmResponse, get_user_choice


def answer(callback_context, llm_request):
    parts = [part for content in llm_request.contents for part in content.parts]
    answers = [part.function_response for part in parts if part.function_response]
    said = types.Part(text=f"You chose {answers[-1].response['result']}.") if answers else None
    asked = types.Part.from_function_call(name="get_user_choice", args={"options": ["tea", "<b>coffee</b>"]})
    return LlmResponse(content=types.Content(role="model", parts=[said or asked]))


root_agent = LlmAgent(name="Chooser", before_model_callback=answer, tools=[get_user_choice])
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app that has the searcher and the chooser."""
    folder = tmp_path_factory.mktemp("agents")
    for name, source in {"searcher_of_mine": SEARCHER, "chooser_of_mine": CHOOSER}.items():
        (folder / "mine" / name).mkdir(parents=True)
        (folder / "mine" / name / "agent.py").write_text(source)
    app = ForkedApp(folder / "journey.db", agents=folder / "mine").start()
    yield app
    app.kill()


def test_sources_are_links_and_code_is_shown_as_it_ran(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=searcher_of_mine")
    view.say("How far?")
    view.expect_end()

    row = view.event(2)
    link = row.get_by_role("link", name="The Moon")
    expect(link).to_have_attribute("href", "https://example.org/moon")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(link).to_have_attribute("target", "_blank")
    expect(row.get_by_role("link")).to_have_count(1)
    expect(row).to_contain_text("https://example.org/moon")
    expect(row).to_contain_text("<img src=x onerror")
    expect(row).to_contain_text("searched for “how far is the moon”")
    expect(row.locator("pre.ran.code")).to_have_text("print(6 * 7)")
    expect(row.locator("pre.ran.output")).to_have_text("42")
    assert "mono" in row.locator("pre.ran.code").evaluate("element => getComputedStyle(element).fontFamily").lower()


def test_an_option_is_chosen_with_its_button(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=chooser_of_mine")
    view.say("A drink, please")
    card = page.get_by_role("region", name="Choose one: get_user_choice")
    expect(card.get_by_role("button")).to_have_text(["tea", "<b>coffee</b>"])
    card.get_by_role("button", name="<b>coffee</b>").click()
    view.expect_end()
    expect(view.events).to_contain_text("You chose <b>coffee</b>.")
