"""The section on defaults, run without a browser."""

from __future__ import annotations

from tests.ui.settings.stage import notice, settings_page
from tests.ui.stage import labels, now, page, query, said, sound, words


def test_the_preferred_model_is_that_of_pages_that_say_none(manager):
    at = sound(settings_page("defaults"))
    at.selectbox(key="preferred_model").set_value("gemini-pro-latest").run()
    assert manager.models.preferences.model == "gemini-pro-latest"
    assert "gemini-pro-latest" in notice(sound(at))
    assert page().selectbox(key="model_choice").value == "gemini-pro-latest"
    sound(at.button(key="undo_last").click().run())
    assert page().selectbox(key="model_choice").value == "simulated"


def test_the_speed_of_simulated_models_is_a_choice_or_a_number(manager):
    at = sound(settings_page("defaults"))
    assert at.number_input(key="speed_number").value == 0  # as the tests' environment says
    at.button_group(key="speed_choice").set_value(10.0).run()
    assert manager.models.preferences.simulated_speed == 10
    sound(at).number_input(key=now(at, "speed_number")).set_value(77.0).run()
    assert manager.models.preferences.simulated_speed == 77
    assert at.button_group(key=now(at, "speed_choice")).value is None
    sound(at.button(key="forget_speed").click().run())
    assert manager.models.preferences.simulated_speed is None
    assert "Back to what the environment says" not in labels(at)


def test_an_agent_gets_a_model_of_its_own_for_every_session_of_its_pipeline(manager):
    at = sound(settings_page("defaults"))
    at.selectbox(key="agents_of").set_value("iterative_writing").run()
    assert query(sound(at))["pipeline"] == "iterative_writing"
    assert "RefinementLoop" not in words(at)  # no model is asked by a loop
    at.selectbox(key="preferred_iterative_writing_CriticAgent").set_value("gemini-pro-latest").run()
    assert manager.models.preferences.agent_models == {"iterative_writing": {"CriticAgent": "gemini-pro-latest"}}
    assert "1 agent" in "".join(sound(at).selectbox(key="agents_of").options)
    assert "no key" in said(page(pipeline="iterative_writing")) or "GOOGLE_API_KEY" in said(
        page(pipeline="iterative_writing")
    )
    at.selectbox(key="preferred_iterative_writing_CriticAgent").set_value("").run()
    assert manager.models.preferences.agent_models == {}
    sound(at.button(key="undo_last").click().run())
    assert manager.models.preferences.agent_models == {"iterative_writing": {"CriticAgent": "gemini-pro-latest"}}


def test_an_agent_with_a_model_of_its_own_says_so(manager):
    at = sound(settings_page("defaults", pipeline="routed_llm"))
    own = [option for box in at.selectbox for option in box.options if option.startswith("Its own: one of")]
    assert own
