"""A key that was given for another server: the Settings page asks, by the server's URL, before it sends the key there."""

from __future__ import annotations

import pytest

from tests.ui.settings.stage import KEY, badges, key_field, settings_page, settled, url_field
from tests.ui.stage import labels, page, said, sound

OTHER = "http://10.0.0.5:9000/v1"


@pytest.fixture
def environment_key(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", KEY)


def test_another_server_is_named_before_the_environments_key_is_sent_there(manager, environment_key):
    at = sound(settled(settings_page()))
    assert badges(at)[1] == "key there, not tried"
    url_field(at, "gemini").set_value(OTHER).run()
    settled(sound(at))
    assert badges(at)[1] == "key not sent"
    assert f"is not sent to `{OTHER}`" in said(at)
    assert manager.models.connection("gemini").api_key is None

    sound(at.button(key="allow_key_gemini").click().run())
    assert manager.models.connection("gemini").api_key.get_secret_value() == KEY
    assert "not sent" not in said(at)
    assert not any("Send the key" in label for label in labels(at))

    url_field(at, "gemini").set_value("http://10.0.0.6:9000/v1").run()
    assert manager.models.connection("gemini").api_key is None


def test_a_server_that_was_stored_asks_again_in_the_next_process(manager, environment_key):
    manager.models.change(base_urls={"gemini": OTHER})
    at = sound(settled(settings_page()))
    assert badges(at)[1] == "key not sent"
    assert "GEMINI_API_KEY was given for `https://generativelanguage.googleapis.com`" in said(at)


def test_a_typed_key_for_another_server_can_be_allowed_replaced_or_forgotten(manager):
    at = sound(settled(settings_page()))
    key_field(at, "llama").set_value(KEY)
    at.button(key="use_key_llama").click().run()
    url_field(at, "llama").set_value(OTHER).run()
    assert manager.models.connection("llama").api_key is None
    assert {"Forget it", "Use it"} <= set(labels(sound(settled(at))))
    key_field(at, "llama").set_value("another-key-0123456789")
    sound(at.button(key="use_key_llama").click().run())
    assert manager.models.connection("llama").api_key.get_secret_value() == "another-key-0123456789"
    sound(at.button(key="forget_key_llama").click().run())
    assert manager.models.connection("llama").withheld is None


def test_a_key_is_taken_for_the_server_that_the_page_showed(manager):
    at = sound(settled(settings_page()))
    key_field(at, "gemini").set_value(KEY)
    manager.models.change(base_urls={"gemini": OTHER})  # in another tab, before the button is pressed here
    at.button(key="use_key_gemini").click().run()
    assert manager.models.connection("gemini").api_key is None
    assert manager.models.connection("gemini").withheld.given_for == "https://generativelanguage.googleapis.com"


def test_the_playground_says_why_the_model_cannot_answer(manager, environment_key):
    manager.models.change(base_urls={"gemini": OTHER})
    at = sound(page(model="gemini-flash-latest"))
    assert "is not sent to http" in said(at)
    assert "10.0.0.5:9000/v1" in said(at)
    assert at.button(key="run").disabled
