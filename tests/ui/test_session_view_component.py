"""The session view as a page calls it: what reaches the browser, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from agents.models import context_windows
from ui.session_view import component

TREE = {"name": "Root", "type": "LlmAgent", "kind": "LlmAgent", "children": [], "tools": []}


class Mounted:
    """Stands in for the component that Streamlit draws: keeps what it was given, and plays the user's part."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}

    def __call__(self, **given: Any) -> None:
        self.given = given
        st.session_state.setdefault(given["key"], {})

    def choose(self, name: str, value: Any) -> None:
        st.session_state[self.given["key"]][name] = value
        self.given[f"on_{name}_change"]()


@pytest.fixture
def mounted(monkeypatch: pytest.MonkeyPatch) -> Mounted:
    stand_in = Mounted()
    monkeypatch.setattr(component, "_mount", stand_in)
    monkeypatch.setattr(st, "session_state", {})
    return stand_in


WINDOWS = tuple(context_windows().items())


def view(**more: Any) -> None:
    component.session_view(pipeline="p", session="s", tree=TREE, key="v", **more)


def test_what_the_page_says_reaches_the_view(mounted: Mounted) -> None:
    view(
        written=7,
        running=True,
        empty=("Title", "Text"),
        prices=[("a", 1.0, 2.0, None), ("b", 0.1, 0.2, 0.05)],
        playbook=("ace", 3, 2),
        lesson={"pipeline": "p", "text": "T", "observations": []},
    )
    assert mounted.given["data"] == {
        "pipeline": "p",
        "session": "s",
        "tree": (TREE,),
        "lesson": ({"pipeline": "p", "text": "T", "observations": []},),
        "written": 7,
        "running": True,
        "empty": ("Title", "Text"),
        "prices": (("a", 1.0, 2.0, None), ("b", 0.1, 0.2, 0.05)),
        "windows": WINDOWS,
        "playbook": ("ace", 3, 2),
        "answerable": False,
        "judgeable": False,
        "fill": True,
        "forkable": False,
        "sendable": False,
    }


def test_the_view_is_told_how_much_models_read() -> None:
    assert ("gemini-2.5-flash", 1_048_576) in WINDOWS
    assert {type(tokens) for _, tokens in WINDOWS} == {int}


@pytest.mark.parametrize(
    ("height", "mount", "fill"), [("fill", "content", True), ("stretch", "stretch", False), (480, 480, False)]
)
def test_height(mounted: Mounted, height: Any, mount: Any, fill: bool) -> None:
    view(height=height)
    assert (mounted.given["height"], mounted.given["data"]["fill"]) == (mount, fill)


def test_an_answer_reaches_the_page(mounted: Mounted) -> None:
    given: list[component.Answer] = []
    view(on_answer=given.append)
    assert mounted.given["data"]["answerable"] is True
    mounted.choose("answer", {"call_id": "adk-1", "response": '{"confirmed": true, "args": {"n": 1234567890123456789}}'})
    assert given == [component.Answer("adk-1", {"confirmed": True, "args": {"n": 1234567890123456789}})]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "yes",
        {"call_id": 1, "response": "{}"},
        {"call_id": "a", "response": {}},
        {"call_id": "a", "response": "yes"},
        {"call_id": "a", "response": "[]"},
        {"call_id": "a", "response": "[" * 100_000},
        {},
    ],
)
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


def test_a_question_what_if_reaches_the_page(mounted: Mounted) -> None:
    given: list[component.WhatIf] = []
    view(on_what_if=given.append)
    assert mounted.given["data"]["forkable"] is True
    mounted.choose("what_if", {"event": 7, "kind": "bullet", "about": "b-1"})
    assert given == [component.WhatIf(event=7, kind="bullet", about="b-1")]


@pytest.mark.parametrize(
    "sent",
    [
        *(None, "f", {}, {"event": 7}, {"event": 7, "kind": "all", "about": ""}, {"event": 7, "kind": [], "about": ""}),
        *({"event": True, "kind": "change", "about": ""}, {"event": 7, "kind": "bullet", "about": 1}),
    ],
)
def test_what_is_no_question_goes_no_further(mounted: Mounted, sent: Any) -> None:
    given: list[component.WhatIf] = []
    view(on_what_if=given.append)
    mounted.choose("what_if", sent)
    view()
    mounted.choose("what_if", {"event": 7, "kind": "change", "about": ""})
    assert given == []


def test_an_example_of_a_refusal_reaches_the_page(mounted: Mounted) -> None:
    given: list[str] = []
    view(on_message=given.append)
    assert mounted.given["data"]["sendable"] is True
    for sent in (None, "", " \n", 7, ["a"], {"text": "a"}, "Pay 40 euros to Ann"):
        mounted.choose("message", sent)
    assert given == ["Pay 40 euros to Ann"]
    view()
    mounted.choose("message", "Pay 40 euros to Ann")
    assert given == ["Pay 40 euros to Ann"]
