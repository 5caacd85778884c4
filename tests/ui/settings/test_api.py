"""The section on other programs, run without a browser."""

from __future__ import annotations

import pytest

from agents.access import OWNER, TokenScope
from tests.ui.settings.stage import notice, settings_page
from tests.ui.stage import labels, said, sound, words
from ui.settings.api import CHOSEN, MADE, NAME, base_url


def made(at, name="my editor", scopes=(TokenScope.RUN,)):
    at.text_input(key=NAME).set_value(name)
    at.multiselect(key=CHOSEN).set_value(list(scopes))
    return at.button(key="make_token").click().run()


def test_a_token_is_made_shown_once_and_revoked(manager):
    at = made(sound(settings_page("api")), scopes=(TokenScope.READ, TokenScope.PROPOSE))
    [token] = manager.tokens.all(OWNER)
    assert (token.name, token.scopes) == ("my editor", {TokenScope.READ, TokenScope.PROPOSE})
    shown = at.session_state[MADE]
    assert shown in [code.value for code in at.code]
    assert manager.tokens.find(shown, now=0).id == token.id
    sound(at.button(key="token_copied").click().run())
    assert shown not in [code.value for code in at.code]
    assert MADE not in at.session_state
    assert shown not in [code.value for code in sound(settings_page("api")).code], "another tab"
    sound(at.button(key=f"revoke_{token.id}").click().run())
    assert manager.tokens.all(OWNER) == []
    assert "let in no more" in notice(at)


@pytest.mark.parametrize(("name", "scopes", "why"), [("  ", [TokenScope.RUN], "needs a name"), ("x", [], "without a scope")])
def test_what_cannot_be_a_token_says_why(manager, name, scopes, why):
    at = made(sound(settings_page("api")), name, scopes)
    assert why in said(at)
    assert manager.tokens.all(OWNER) == []


def test_what_happens_when_a_program_leaves_is_set(manager):
    at = sound(settings_page("api"))
    at.button_group(key="stops_with_client").set_value(True).run()
    assert manager.models.preferences.stops_with_client is True
    sound(at.button(key="undo_last").click().run())
    assert manager.models.preferences.stops_with_client is False


def test_a_visitor_sees_no_tokens(manager, visit):
    manager.tokens.make(OWNER, "my editor", {TokenScope.RUN})
    visit()
    at = sound(settings_page("api"))
    assert "my editor" not in words(at)
    assert "Make a token" not in labels(at)


@pytest.mark.parametrize(
    ("page", "url"),
    [
        ("http://127.0.0.1:8501/settings", "http://127.0.0.1:8501/v1"),
        ("https://play.example.org/a/b/settings?tab=api", "https://play.example.org/a/b/v1"),
        (None, "http://127.0.0.1:8501/v1"),
    ],
)
def test_the_base_url_is_that_of_the_browser(page, url):
    assert base_url(page) == url
