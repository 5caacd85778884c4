"""The list as a page calls it: what reaches the browser, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from agents.session import SessionSummary
from ui.session_list import component
from ui.session_list.component import SHOWN, session_list


def sessions(count: int) -> list[SessionSummary]:
    return [SessionSummary("p", "user", f"s{n}", f"title {n}", 1.0, 1e6 - n, 3, "completed") for n in range(count)]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What Streamlit was given."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(component, "_mount", lambda **more: given.update(more))
    monkeypatch.setattr(st, "session_state", {"l": {}})
    return given


def draw(opened: list[tuple[str, str]] | None = None, *, count: int = 2, session: str | None = None) -> None:
    opened = [] if opened is None else opened
    session_list(
        pipeline="p",
        session=session,
        sessions=sessions(count),
        pipelines={"p": "P \u202e", "q": "Q"},
        on_open=lambda *chosen: opened.append(chosen),
        key="l",
    )


def test_what_the_page_says_reaches_the_list(given):
    draw(session="s1")
    data = given["data"]
    assert [row["title"] for row in data.pop("rows")] == ["title 0", "title 1"]
    assert data == {"pipeline": "p", "session": "s1", "total": 2, "pipelines": (("p", "P \\u202e"), ("q", "Q"))}


def test_of_many_sessions_the_newest_and_the_open_one_are_given(given):
    draw(count=SHOWN + 50, session=f"s{SHOWN + 20}")
    assert [row["id"] for row in given["data"]["rows"]][-2:] == [f"s{SHOWN - 1}", f"s{SHOWN + 20}"]
    assert (len(given["data"]["rows"]), given["data"]["total"]) == (SHOWN + 1, SHOWN + 50)


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
