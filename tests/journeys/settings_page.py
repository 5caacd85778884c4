"""The Settings page as a person finds things on it: by role and name."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


class Settings:
    """What a person does and sees on the Settings page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self) -> Settings:
        """Goes there by the link in the sidebar."""
        self.page.get_by_test_id("stSidebar").get_by_role("link", name="Settings").click()
        expect(self.page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
        return self

    def provider(self, name: str) -> Locator:
        """A provider's card."""
        return self.page.locator(f".st-key-provider_{name}")

    def type_key(self, provider: str, key: str) -> None:
        """Types a key and takes it with the Enter key."""
        field = self.provider(provider).locator("input[type=password]")
        field.fill(key)
        held_by = field.get_attribute("id")
        field.press("Enter")
        expect(self.page.locator(f'[id="{held_by}"]')).to_have_count(0)  # the field that held the key is gone
        expect(field).to_have_value("")
        expect(self.provider(provider).get_by_role("button", name="Forget it")).to_be_visible()

    def test(self, provider: str) -> Locator:
        """Presses *Test*, and gives the place where the result is said."""
        card = self.provider(provider)
        card.get_by_role("button", name="Test", exact=True).click()
        return card.get_by_test_id("stAlert").first

    def back_to_playground(self) -> None:
        self.page.get_by_test_id("stSidebar").get_by_role("link", name="Playground").click()
        expect(self.page.get_by_test_id("stChatInputTextArea")).to_be_visible()
