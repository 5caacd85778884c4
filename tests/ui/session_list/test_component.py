"""The list as a page calls it: what reaches the browser, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from agents.session_list import SessionSummary, SummaryPage
from ui.session_list import component
from ui.session_list.component import session_list


def row(number: int) -> SessionSummary:
    return SessionSummary("p", "user", f"s{number}", f"title {number}", 1.0, 1e6 - number, 3, "completed")


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What Streamlit was given."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(component, "_mount", lambda **more: given.update(more))
    monkeypatch.setattr(st, "session_state", {"l": {}})
    return given


def draw(opened: list[tuple[str, str]] | None = None, *, found: int = 2, session: int | None = None) -> None:
    opened = [] if opened is None else opened
    session_list(
        pipeline="p",
        session=None if session is None else f"s{session}",
        sessions=SummaryPage(rows=(row(0), row(1)), found=found),
        opened=None if session is None else row(session),
        pipelines={"p": "P \u202e", "q": "Q"},
        on_open=lambda *chosen: opened.append(chosen),
        key="l",
    )


def test_what_the_page_says_reaches_the_list(given):
    draw(session=1)
    data = given["data"]
    assert [row["title"] for row in data.pop("rows")] == ["title 0", "title 1"]
    assert data == {"pipeline": "p", "session": "s1", "total": 2, "pipelines": (("p", "P \\u202e"), ("q", "Q"))}


def test_of_many_sessions_a_page_and_the_open_one_are_given(given):
    draw(found=3_000, session=1_200)
    assert [row["id"] for row in given["data"]["rows"]] == ["s0", "s1", "s1200"]
    assert given["data"]["total"] == 3_000


def test_a_choice_reaches_the_page(given):
    opened: list[tuple[str, str]] = []
    draw(opened)
    st.session_state["l"]["open"] = {"pipeline": "q", "session": "s7"}
    given["on_open_change"]()
    assert opened == [("q", "s7")]


@pytest.mark.parametrize(
    "sent",
    [None, "s1", {}, {"pipeline": "p"}, {"pipeline": "p", "session": 1}, {"pipeline": "p", "session": ""}, ["p", "s1"]],
)
def test_what_is_no_choice_goes_no_further(given, sent):
    opened: list[tuple[str, str]] = []
    draw(opened)
    st.session_state["l"]["open"] = sent
    given["on_open_change"]()
    assert opened == []
