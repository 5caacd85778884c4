"""The session view as a page calls it: what reaches the browser, and what comes back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from ui.session_view import component

TREE = {"name": "Root", "type": "LlmAgent", "kind": "LlmAgent", "children": [], "tools": []}


class Mounted:
    """Stands in for the component that Streamlit draws: keeps what it was given, and plays the user's part."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}

    def __call__(self, **given: Any) -> None:
        self.given = given
        st.session_state.setdefault(given["key"], dict(given["default"]))

    def shown(self, name: str) -> Any:
        return self.given["data"][name]

    def choose(self, name: str, value: Any) -> None:
        st.session_state[self.given["key"]][name] = value
        self.given[f"on_{name}_change"]()


@pytest.fixture
def mounted(monkeypatch: pytest.MonkeyPatch) -> Mounted:
    stand_in = Mounted()
    monkeypatch.setattr(component, "_mount", stand_in)
    monkeypatch.setattr(st, "session_state", {})
    return stand_in


def view(**more: Any) -> None:
    component.session_view(pipeline="p", session="s", tree=TREE, key="v", **more)


def test_what_the_page_says_reaches_the_view(mounted: Mounted) -> None:
    view(
        event=7,
        tab="json",
        running=True,
        empty=("Title", "Text"),
        prices=[("a", 1.0, 2.0, None), ("b", 0.1, 0.2, 0.05)],
        playbook=("ace", 3, 2),
    )
    assert mounted.given["data"] == {
        "pipeline": "p",
        "session": "s",
        "tree": (TREE,),
        "event": 7,
        "tab": "json",
        "running": True,
        "empty": ("Title", "Text"),
        "prices": (("a", 1.0, 2.0, None), ("b", 0.1, 0.2, 0.05)),
        "playbook": ("ace", 3, 2),
        "answerable": False,
        "judgeable": False,
        "fill": True,
    }


@pytest.mark.parametrize(
    ("height", "mount", "fill"), [("fill", "content", True), ("stretch", "stretch", False), (480, 480, False)]
)
def test_height(mounted: Mounted, height: Any, mount: Any, fill: bool) -> None:
    view(height=height)
    assert (mounted.given["height"], mounted.given["data"]["fill"]) == (mount, fill)


def test_a_tab_that_there_is_not_opens_the_first(mounted: Mounted) -> None:
    view(tab="prompt")
    assert mounted.shown("tab") is None


def test_every_tab_of_the_inspector_can_be_asked_for(mounted: Mounted) -> None:
    for name in component.TABS:
        view(tab=name)
        assert mounted.shown("tab") == name
    source = (Path(component.__file__).parent / "js" / "inspector" / "inspector.js").read_text(encoding="utf-8")
    assert tuple(re.findall(r'{ name: "(\w+)", label', source)) == component.TABS


def test_a_choice_holds_for_the_run_that_it_causes_and_then_the_page_decides(mounted: Mounted) -> None:
    view(event=3)
    called: list[int | None] = []
    view(event=3, on_event_change=lambda: called.append(st.session_state["v"]["event"]))
    mounted.choose("event", 9)
    assert called == [9]
    view(event=3)
    assert mounted.shown("event") == 9
    view(event=4)
    assert mounted.shown("event") == 4


def test_letting_go_of_what_the_page_selected_is_noticed(mounted: Mounted) -> None:
    view(event=3)
    mounted.choose("event", None)
    view(event=3)
    assert mounted.shown("event") is None
    view(event=3)  # the Back button leads to it again
    assert st.session_state["v"]["event"] == 3, "the browser's next None has to be a change"


def test_choosing_a_tab_keeps_the_event_of_the_address(mounted: Mounted) -> None:
    view(event=3)
    mounted.choose("tab", "json")
    view(event=3)
    assert (mounted.shown("event"), mounted.shown("tab")) == (3, "json")


def test_an_answer_reaches_the_page(mounted: Mounted) -> None:
    given: list[component.Answer] = []
    view(on_answer=given.append)
    assert mounted.given["data"]["answerable"] is True
    mounted.choose("answer", {"call_id": "adk-1", "response": {"confirmed": True}})
    assert given == [component.Answer(call_id="adk-1", response={"confirmed": True})]


@pytest.mark.parametrize("sent", [None, "yes", {"call_id": 1, "response": {}}, {"call_id": "a", "response": "yes"}, {}])
def test_what_is_no_answer_goes_no_further(mounted: Mounted, sent: Any) -> None:
    given: list[component.Answer] = []
    view(on_answer=given.append)
    mounted.choose("answer", sent)
    assert given == []


def test_a_page_that_takes_no_answers_is_left_alone(mounted: Mounted) -> None:
    view()
    mounted.choose("answer", {"call_id": "a", "response": {}})


@pytest.mark.parametrize("answer", ["1.50", None])
def test_a_verdict_reaches_the_page(mounted: Mounted, answer: str | None) -> None:
    given: list[component.Feedback] = []
    view(on_feedback=given.append)
    assert mounted.given["data"]["judgeable"] is True
    mounted.choose("feedback", {"event": 7, "right": False, "answer": answer})
    assert given == [component.Feedback(event=7, right=False, answer=answer)]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "right",
        {},
        {"event": 7, "right": "yes", "answer": None},
        {"event": "7", "right": True, "answer": None},
        {"event": True, "right": True, "answer": None},
        {"event": 7, "right": True, "answer": 1.5},
        {"event": 7, "right": True},
    ],
)
def test_what_is_no_verdict_goes_no_further(mounted: Mounted, sent: Any) -> None:
    given: list[component.Feedback] = []
    view(on_feedback=given.append)
    mounted.choose("feedback", sent)
    assert given == []


def test_a_page_that_takes_no_verdicts_is_left_alone(mounted: Mounted) -> None:
    view()
    mounted.choose("feedback", {"event": 7, "right": True, "answer": None})
