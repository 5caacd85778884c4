"""The list as the page calls it: what reaches the browser, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from ui.sessions.list import component
from ui.sessions.list.act import MOST_SESSIONS, Act


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What Streamlit was given."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(component, "_mount", lambda **more: given.update(more))
    monkeypatch.setattr(st, "session_state", {"l": {}})
    return given


def draw(acts: list[Act]) -> None:
    component.collection_list(pipelines={"p": "P \u202e"}, version=3, on_act=acts.append, key="l")


def test_what_the_page_says_reaches_the_list(given):
    draw([])
    assert given["data"] == {"version": 3, "pipelines": (("p", "P \\u202e"),)}


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
    draw(acts)
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
    draw(acts)
    st.session_state["l"]["act"] = sent
    given["on_act_change"]()
    assert acts == []
