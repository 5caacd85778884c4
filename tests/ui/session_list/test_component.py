"""The list as a page calls it: what reaches the browser, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from agents.session_list import SessionSummary, SummaryPage
from ui.session_list import component
from ui.session_list.act import MOST_SESSIONS, Act
from ui.session_list.component import compact_list, full_list


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
    compact_list(
        pipeline="p",
        session=None if session is None else f"s{session}",
        sessions=SummaryPage(rows=(row(0), row(1)), found=found),
        opened=None if session is None else row(session),
        pipelines={"p": "P \u202e", "q": "Q"},
        on_open=lambda *chosen: opened.append(chosen),
        key="l",
    )


def draw_full(acts: list[Act]) -> None:
    full_list(pipelines={"p": "P \u202e"}, version=3, on_act=acts.append, key="l")


def test_what_the_page_says_reaches_the_compact_list(given):
    draw(session=1)
    data = given["data"]
    assert [row["title"] for row in data.pop("rows")] == ["title 0", "title 1"]
    pipelines = (("p", "P \\u202e"), ("q", "Q"))
    assert data == {"look": "compact", "pipeline": "p", "session": "s1", "total": 2, "pipelines": pipelines}


def test_what_the_page_says_reaches_the_full_list(given):
    draw_full([])
    assert given["data"] == {"look": "full", "version": 3, "pipelines": (("p", "P \\u202e"),)}


def test_of_many_sessions_a_page_and_the_open_one_are_given(given):
    draw(found=3_000, session=1_200)
    assert [row["id"] for row in given["data"]["rows"]] == ["s0", "s1", "s1200"]
    assert given["data"]["total"] == 3_000


def test_a_choice_reaches_the_page(given):
    opened: list[tuple[str, str]] = []
    draw(opened)
    st.session_state["l"]["act"] = {"kind": "open", "sessions": [["q", "s7"]]}
    given["on_act_change"]()
    assert opened == [("q", "s7")]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "s1",
        {},
        {"kind": "open", "sessions": ["p"]},
        {"kind": "open", "sessions": [["p", 1]]},
        {"kind": "open", "sessions": [["p", ""]]},
        {"kind": "delete", "sessions": [["p", "s1"]]},
    ],
)
def test_the_compact_list_opens_sessions_and_does_nothing_else(given, sent):
    opened: list[tuple[str, str]] = []
    draw(opened)
    st.session_state["l"]["act"] = sent
    given["on_act_change"]()
    assert opened == []


@pytest.mark.parametrize(
    ("sent", "act"),
    [
        ({"kind": "open", "sessions": [["p", "s1"]]}, Act(kind="open", sessions=(("p", "s1"),))),
        (
            {"kind": "tag", "sessions": [["p", "s1"], ["q", "s2"]], "add": ["a"], "remove": []},
            Act(kind="tag", sessions=(("p", "s1"), ("q", "s2")), add=("a",)),
        ),
        ({"kind": "rename", "sessions": [["p", "s"]], "title": "t"}, Act(kind="rename", sessions=(("p", "s"),), title="t")),
    ],
)
def test_what_is_asked_for_reaches_the_page(given, sent, act):
    acts: list[Act] = []
    draw_full(acts)
    st.session_state["l"]["act"] = sent
    given["on_act_change"]()
    assert acts == [act]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "delete",
        {},
        {"kind": "delete"},
        {"kind": "delete", "sessions": []},
        {"kind": "delete", "sessions": "ps"},
        {"kind": "delete", "sessions": [["p"]]},
        {"kind": "delete", "sessions": [["p", 1]]},
        {"kind": "purge", "sessions": [["p", "s"]]},
        {"kind": "tag", "sessions": [["p", "s"]], "add": [1]},
        {"kind": "rename", "sessions": [["p", "s"]], "title": None},
        {"kind": "open", "sessions": [["p", "s"]], "more": 1},
        {"kind": "delete", "sessions": [["p", "s"]] * (MOST_SESSIONS + 1)},
    ],
)
def test_what_is_not_well_formed_goes_no_further(given, sent):
    acts: list[Act] = []
    draw_full(acts)
    st.session_state["l"]["act"] = sent
    given["on_act_change"]()
    assert acts == []
