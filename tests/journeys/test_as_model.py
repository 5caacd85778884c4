"""A person answers in a model's place: in a loop, over a reload and a restart, and as one role of the ACE cycle."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.conftest import Watch
from tests.journeys.log_reader import events
from tests.journeys.playground_page import Playground
from tests.journeys.test_exported_page import download
from tests.journeys.test_run_and_watch import session_in

StartApp = Callable[..., App]
TALL = {"viewport": {"width": 1280, "height": 3000}}
FIRST, SECOND = "Historian", "Scientist"
tall = pytest.mark.parametrize("context", [TALL], indirect=True)


def card_of(page: Page, agent: str) -> Locator:
    return page.get_by_role("region", name=f"You are the model of {agent}")


def answer(card: Locator, text: str) -> None:
    card.get_by_role("textbox", name="What the model says").fill(text)
    card.get_by_role("button", name="Answer").click()


def typed(database: Path, session: str) -> list[str]:
    """The texts that a person typed as a model."""
    marked = [event for event in events(database, session) if (event.get("custom_metadata") or {}).get("typed_by_person")]
    return ["".join(part.get("text") or "" for part in event["content"]["parts"]) for event in marked]


@tall
def test_a_person_is_the_critic_of_a_loop(start_app: StartApp, page: Page, watch: Watch, tmp_path: Path):
    app = start_app()
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing&agent_model=CriticAgent:you")
    view.say("a lighthouse keeper")
    card = card_of(page, "CriticAgent")
    expect(card).to_be_visible()
    view.expect_end("waiting for you")
    session = session_in(page)
    page.reload()
    card.get_by_role("button", name="Show what the model is sent").press("Enter")
    expect(card.get_by_text("You are the critic of a very short story")).to_be_visible()
    expect(card.get_by_text("current_document")).to_be_visible()
    card.get_by_role("button", name="Answer").click()
    expect(card.get_by_role("alert")).to_contain_text("Type what the model says")
    card.get_by_role("textbox", name="What the model says").fill("Ending: The last sentence stops. Add one that looks back.")
    card.get_by_role("textbox", name="What the model says").press("Control+Enter")
    expect(page.get_by_text("typed by a person")).to_have_count(1)
    expect(card).to_be_visible()  # in the next pass

    watch.expects_cut = True
    app.stop()
    app.start(port=app.port)
    page.goto(f"{app.url}/?pipeline=iterative_writing&session={session}")
    card.get_by_role("button", name="Pass").click()
    expect(page.get_by_role("region", name="Passed as the model of CriticAgent")).to_be_visible()
    expect(card).to_be_visible()
    card.get_by_role("textbox", name="What the model says").fill("No major issues found.")
    card.get_by_role("button", name="Answer").click()
    view.expect_end("completed")
    assert typed(app.database, session)[0].startswith("Ending:")

    exported = download(page, "JSON lines", tmp_path).read_text()
    assert '"typed_by_person":true' in exported


@tall
def test_a_person_is_one_role_of_the_cycle(start_app: StartApp, page: Page):
    app = start_app()
    view = Playground(page).open(f"{app.url}/?pipeline=ace&agent_model=Generator:you")
    view.say("A bakery has assets of 120,000 € and liabilities of 80,000 €. What is its current ratio?\nAnswer: 1.5")
    card = card_of(page, "Generator")
    fields = card.get_by_role("group", name="Fields of the output schema")
    expect(fields).to_be_visible()
    fields.get_by_role("textbox", name=re.compile("^final_answer")).fill("1.5")
    card.get_by_role("button", name="Answer").click()
    view.expect_end("completed")
    assert '"final_answer":"1.5"' in typed(app.database, session_in(page))[0].replace(" ", "")


@tall
def test_two_people_play_two_roles_of_one_session(start_app: StartApp, page: Page, chromium: Browser, watch: Watch):
    """Two browsers with the owner's link: both calls wait at once, over a reload and a restart."""
    app = start_app(host="0.0.0.0")
    context = chromium.new_context(**TALL)
    other = context.new_page()
    view = Playground(page)
    hosts = {page: app.url, other: app.url.replace("127.0.0.1", "127.0.0.2")}

    def enter(query: str) -> None:
        link = re.search(r"/owner\?token=\S+", app.printed_with("/owner?token="))
        assert link is not None
        for one, url in hosts.items():
            one.goto(f"{url}{link[0]}")
            one.goto(f"{url}/?pipeline=research_fanout&{query}")

    enter("&".join(f"agent_model={agent}:you" for agent in (FIRST, SECOND)))
    view.say("tea")
    expect(card_of(page, SECOND)).to_be_visible()
    session = session_in(page)
    other.goto(f"{hosts[other]}/?pipeline=research_fanout&session={session}")
    answer(card_of(other, SECOND), "Tea is brewed at 80 °C.")
    expect(card_of(page, SECOND)).to_have_count(0)
    expect(card_of(other, FIRST)).to_be_visible()  # goes on waiting for the other person
    page.reload()
    expect(card_of(page, FIRST)).to_be_visible()

    watch.expects_cut = True
    app.stop()
    app.start(port=app.port)
    enter(f"session={session}")
    for one in hosts:
        expect(card_of(one, FIRST)).to_be_visible()
        expect(card_of(one, SECOND)).to_have_count(0)
    answer(card_of(page, FIRST), "茶 came to Japan in the ninth century.")
    view.expect_end("completed")
    expect(other.get_by_text("typed by a person")).to_have_count(2)
    context.close()
    assert sorted(typed(app.database, session)) == ["Tea is brewed at 80 °C.", "茶 came to Japan in the ninth century."]
