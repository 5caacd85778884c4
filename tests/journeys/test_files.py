"""A picture in a chat message: shown with the message, and refused with the reason where the model reads text only."""

from __future__ import annotations

from io import BytesIO

from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground


def picture() -> FilePayload:
    content = BytesIO()
    Image.new("RGB", (40, 30), "orange").save(content, "PNG")
    return {"name": "sun.png", "mimeType": "image/png", "buffer": content.getvalue()}


def upload(page: Page) -> None:
    """Adds the picture to the message; while it is being sent, the input takes no Enter."""
    with page.expect_response(lambda response: "upload_file" in response.url):
        page.locator("input[type=file]").set_input_files(picture())
    expect(page.get_by_text("sun.png")).to_be_visible()


def test_a_picture_is_refused_by_the_simulated_model_and_shown_with_a_message_to_another(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    upload(page)
    view.say("What is on it?")
    expect(page.get_by_text("takes text files only")).to_be_visible()
    view.open(f"{app.url}/?pipeline=iterative_writing&model=llama/none")
    upload(page)
    view.say("What is on it?")
    expect(page.get_by_role("img", name="Picture from this event").first).to_be_visible()
    page.get_by_role("button", name="Stop", exact=False).first.click()
