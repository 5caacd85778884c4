"""The Settings page without a browser, and what is on it."""

from __future__ import annotations

from collections.abc import Iterator

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextInput

from tests.ui.stage import SCRIPT, opened
from ui.settings.questions import ASKED

KEY = "AIzaSy-typed-by-a-person-0123456789"


def settings_page(section: str = "models", **query: str | list[str]) -> AppTest:
    """The Settings page."""
    return opened(AppTest.from_file(SCRIPT, default_timeout=30).switch_page("settings.py"), {"tab": section, **query})


def settled(at: AppTest) -> AppTest:
    """The page once everything that was asked has an answer."""
    for asked in at.session_state[ASKED].values():
        asked.wait()
    return at.run()  # an answer may have come while the page was being drawn


def badges(at: AppTest) -> list[str]:
    """How the providers stand, top to bottom."""
    return [m.value.partition("[")[2].rstrip("]").partition(": ")[2] for m in at.markdown if "-badge[:material" in m.value]


def notice(at: AppTest) -> str:
    """What the page says was done."""
    return next((m.value.replace("\\", "") for m in at.markdown if m.value.startswith(":green[✓]")), "")


def key_field(at: AppTest, provider: str) -> TextInput:
    """The field for a provider's key."""
    return _field(at, f"key_{provider}_")


def url_field(at: AppTest, provider: str) -> TextInput:
    """The field for the address of a provider's server."""
    return _field(at, f"url_{provider}_")


def _field(at: AppTest, beginning: str) -> TextInput:
    return next(field for field in at.text_input if (field.key or "").startswith(beginning))


def everything(at: AppTest) -> Iterator[str]:
    """All that the server holds of the page, and all that it sends: session state, address, element tree."""
    state = at.session_state._state._state  # the state of widgets too, under names of their own
    for kept in (state._new_session_state, state._old_state, state._new_widget_state.states):
        yield from (f"{name} {kept[name]!r}" for name in kept)
    yield str(dict(at.query_params))
    yield from (str(getattr(element, "proto", "")) for element in at._tree)
