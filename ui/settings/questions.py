"""Background questions, e.g. whether a model answers: asked in a thread, so that the page stays usable.

A question belongs to one browser tab and disappears with it. Results are JSON values.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from agents import PlaygroundError
from agents.jobs import Job
from agents.models import redact

ASKED = "settings_asked"
LOOK_SECONDS = 0.5
"""Seconds between two checks for a result."""
AT_ONCE = 0.35
"""Seconds to wait for a result before progress is shown."""

Result = dict[str, Any]


def ask(name: str, about: str, question: Callable[[], Result]) -> None:
    """Asks a question; it replaces the previous one of the same name. An error is a result, too.

    Args:
        name: The question's name in this tab.
        about: Its subject, e.g. a model's name.
        question: Returns the result.
    """

    def work(job: Job[Result]) -> None:
        try:
            job.tell(question())
        except BaseException as error:  # noqa: BLE001  the page waits for any outcome
            job.tell(_failed(error))

    job = st.session_state.setdefault(ASKED, {})[name] = Job(about, work)
    job.start()


def asked(name: str) -> Job[Result] | None:
    """The last question of a name; None if there is none. Its progress is the result, None until there is one."""
    return st.session_state.get(ASKED, {}).get(name)


def forget(*names: str) -> None:
    """Drops the questions of these names."""
    for name in names:
        st.session_state.get(ASKED, {}).pop(name, None)


def settle(seconds: float = AT_ONCE) -> None:
    """Waits at most this long for the questions under way."""
    until = time.monotonic() + seconds
    for job in st.session_state.get(ASKED, {}).values():
        job.wait(max(0.0, until - time.monotonic()))


def _failed(error: BaseException) -> Result:
    if isinstance(error, PlaygroundError):
        return {"ok": False, "error": redact(str(error)), "code": error.code}
    return {"ok": False, "error": redact(f"{type(error).__name__}: {error}"), "code": type(error).__name__}


@st.fragment(run_every=LOOK_SECONDS)
def progress(name: str, words: str) -> None:
    """Draws the progress of a question with a button that drops it; redraws the page once there is a result."""
    found = asked(name)
    if found is None or found.progress is not None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":gray[◌ {words} … {time.monotonic() - found.began_at:.0f} s]", width="content")
        st.button("Stop waiting", key=f"forget_{name}", type="tertiary", on_click=forget, args=(name,))
