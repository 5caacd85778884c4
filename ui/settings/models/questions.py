"""Questions that take a while, e.g. whether a model answers: asked in a thread, so that the page can be used meanwhile.

What was asked belongs to one browser tab and is gone with it. Results are JSON. Knows neither models nor what is asked.
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
"""How often the page looks whether there is an answer, while it waits for one."""
AT_ONCE = 0.35
"""Seconds within which an answer counts as there at once: no progress flashes up for it."""

Result = dict[str, Any]


@dataclass(slots=True)
class Asked:
    """A question that was asked.

    Attributes:
        about: What it is about, e.g. a model's name.
        answer: What came of it, once it is there.
        since: When it was asked, by a clock that only runs forward.
    """

    about: str
    answer: Future[Result] = field(default_factory=Future["Result"])
    since: float = field(default_factory=time.monotonic)

    @property
    def result(self) -> Result | None:
        """What came of it; None while it is under way. An error that nobody expected is one of the results."""
        if not self.answer.done():
            return None
        error = self.answer.exception()
        return self.answer.result() if error is None else _failed(error)


def ask(name: str, about: str, question: Callable[[], Result]) -> Asked:
    """Asks, in place of what was asked under the same name before."""
    asked = Asked(about)
    st.session_state.setdefault(ASKED, {})[name] = asked

    def work() -> None:
        try:
            asked.answer.set_result(question())
        except BaseException as error:  # noqa: BLE001  whatever it is, somebody waits for it
            asked.answer.set_exception(error)

    threading.Thread(target=work, name=f"playground-question-{name}").start()
    return asked


def asked(name: str) -> Asked | None:
    """What was asked last under a name."""
    return st.session_state.get(ASKED, {}).get(name)


def forget(*names: str) -> None:
    """Wants no answer any more to what was asked under these names."""
    for name in names:
        st.session_state.get(ASKED, {}).pop(name, None)


def settle(seconds: float = AT_ONCE) -> None:
    """Waits for what is under way, at most so long."""
    wait([asked.answer for asked in st.session_state.get(ASKED, {}).values()], timeout=seconds)


def _failed(error: BaseException) -> Result:
    return {"ok": False, "error": redact(f"{type(error).__name__}: {error}"), "code": type(error).__name__}


@st.fragment(run_every=LOOK_SECONDS)
def progress(name: str, words: str) -> None:
    """Says that something is under way and for how long, with a way to give up; draws the whole page once it is over."""
    found = asked(name)
    if found is None or found.answer.done():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":gray[◌ {words} … {time.monotonic() - found.since:.0f} s]", width="content")
        st.button("Stop waiting", key=f"forget_{name}", type="tertiary", on_click=forget, args=(name,))
