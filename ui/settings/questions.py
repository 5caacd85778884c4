"""Background questions, e.g. whether a model answers: asked in a thread, so that the page stays usable.

A question belongs to one browser tab and disappears with it. Results are JSON values.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from agents.models import redact

ASKED = "settings_asked"
LOOK_SECONDS = 0.5
"""Seconds between two checks for a result."""
AT_ONCE = 0.35
"""Seconds to wait for a result before progress is shown."""

Result = dict[str, Any]


@dataclass(slots=True)
class Asked:
    """A question.

    Attributes:
        about: Its subject, e.g. a model's name.
        answer: The future result.
        since: When it was asked, by the monotonic clock.
    """

    about: str
    answer: Future[Result] = field(default_factory=Future["Result"])
    since: float = field(default_factory=time.monotonic)

    @property
    def result(self) -> Result | None:
        """The result; None while the question is under way. An unexpected error is a result, too."""
        if not self.answer.done():
            return None
        error = self.answer.exception()
        return self.answer.result() if error is None else _failed(error)


def ask(name: str, about: str, question: Callable[[], Result]) -> Asked:
    """Asks a question; it replaces the previous one of the same name."""
    asked = Asked(about)
    st.session_state.setdefault(ASKED, {})[name] = asked

    def work() -> None:
        try:
            asked.answer.set_result(question())
        except BaseException as error:  # noqa: BLE001  the page waits for any outcome
            asked.answer.set_exception(error)

    threading.Thread(target=work, name=f"playground-question-{name}").start()
    return asked


def asked(name: str) -> Asked | None:
    """The last question of a name; None if there is none."""
    return st.session_state.get(ASKED, {}).get(name)


def forget(*names: str) -> None:
    """Drops the questions of these names."""
    for name in names:
        st.session_state.get(ASKED, {}).pop(name, None)


def settle(seconds: float = AT_ONCE) -> None:
    """Waits at most this long for the questions under way."""
    wait([asked.answer for asked in st.session_state.get(ASKED, {}).values()], timeout=seconds)


def _failed(error: BaseException) -> Result:
    return {"ok": False, "error": redact(f"{type(error).__name__}: {error}"), "code": type(error).__name__}


@st.fragment(run_every=LOOK_SECONDS)
def progress(name: str, words: str) -> None:
    """Draws the progress of a question with a button that drops it; redraws the page once there is a result."""
    found = asked(name)
    if found is None or found.answer.done():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":gray[◌ {words} … {time.monotonic() - found.since:.0f} s]", width="content")
        st.button("Stop waiting", key=f"forget_{name}", type="tertiary", on_click=forget, args=(name,))
