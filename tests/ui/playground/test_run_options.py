"""What a run takes that is asked for before the page is drawn again: the choices of that moment."""

from __future__ import annotations

import pytest

from tests.ui.stage import page

PLANNING = "planning_mode"
TOPIC = "Add honey to the shopping list"


@pytest.fixture
def started(manager, monkeypatch):
    """What runs were started with, in place of the runs."""
    begun: list[dict[str, object]] = []

    def start(pipeline, message, **options):
        begun.append({"message": message, **options})
        return begin(pipeline, message, **options)

    begin = manager.start
    monkeypatch.setattr(manager, "start", start)
    return begun


def control(at, name):
    return next(
        found
        for found in [*at.toggle, *at.selectbox, *at.number_input]
        if found.key and found.key.partition("#")[0].endswith(name)
    )


def test_a_message_in_the_same_request_as_a_switch_runs_with_the_switch(started):
    at = page(pipeline=PLANNING)
    control(at, "_planning").set_value(True)
    at.chat_input[0].set_value(TOPIC).run()
    assert [(run["message"], run["state"]) for run in started] == [(TOPIC, {"planning": True})]


def test_a_sample_in_the_same_request_as_a_model_is_asked_of_that_model(started):
    at = page(pipeline=PLANNING)
    at.selectbox(key="model_choice").set_value("gemini-pro-latest")
    at.button(key=f"sample_{PLANNING}_0").click().run()
    assert [run["model"] for run in started] == ["gemini-pro-latest"]


@pytest.mark.parametrize("times", [1, 3])
def test_a_page_that_is_drawn_again_leaves_the_switch_of_the_browser_alone(manager, times):
    at = page(pipeline=PLANNING)
    assert control(at, "_planning").proto.set_value
    for _ in range(times):
        at.run()
        assert not control(at, "_planning").proto.set_value


def test_a_switch_that_an_agent_or_another_tab_has_turned_is_shown(manager):
    manager.sessions.create(PLANNING, session_id="mine")
    at = page(pipeline=PLANNING, session="mine")
    manager.sessions.set_state(PLANNING, "mine", {"planning": True})
    at.run()
    shown = control(at, "_planning").proto
    assert (shown.set_value, shown.value) == (True, True)
