"""The section on models, run without a browser."""

from __future__ import annotations

import threading

import pytest

from agents.models.abilities.learnt import Lesson, Lessons
from agents.models.local.files import INSTALL_LOCAL
from agents.runs.model_desk import ModelDesk, ModelTest
from tests.ui.settings.stage import KEY, badges, everything, key_field, notice, settings_page, settled, url_field
from tests.ui.stage import labels, links, now, page, said, sound, words
from ui.settings.models import section
from ui.state import runs


class Found(Lessons[str]):
    """What the tests find out about models."""


def extra_is_lacking(monkeypatch, *, lacking):
    for module in ("agents.models.local.files", "ui.settings.models.section", "ui.settings.models.section"):
        monkeypatch.setattr(f"{module}.lacks_extra", lambda: lacking)


def test_every_provider_says_how_it_stands(manager, servers, monkeypatch):
    extra_is_lacking(monkeypatch, lacking=False)
    servers["llama"] = ["llama/one", "llama/two"]
    at = sound(settled(settings_page()))
    assert badges(at) == ["ready", "key missing", "ready", "no server there", "no file yet", "nothing recorded yet", "ready"]
    assert "It has 2 models" in words(at)
    assert "Start it." in words(at)  # what to do about the server that is not there
    assert not said(at)


def test_a_missing_extra_says_what_installs_it(manager, monkeypatch):
    extra_is_lacking(monkeypatch, lacking=True)
    at = sound(settled(settings_page()))
    assert "extra not installed" in badges(at)
    assert INSTALL_LOCAL in [code.value for code in at.code]


# Keys.


def test_a_typed_key_is_used_and_then_nowhere_on_the_page(manager):
    at = sound(settled(settings_page()))
    key_field(at, "gemini").set_value(KEY)
    sound(at.button(key="use_key_gemini").click().run())
    assert manager.models.connection("gemini").api_key.get_secret_value() == KEY
    assert badges(at)[1] == "key there, not tried"
    assert key_field(at, "gemini").proto.placeholder == "typed, kept until the playground ends"
    assert len(list(everything(at))) > 50
    assert not [found for found in everything(at) if KEY[:12] in found]
    assert not [found for found in everything(sound(at.run())) if KEY[:12] in found]


def test_the_search_for_a_key_finds_one_that_is_there(manager):
    at = sound(settled(settings_page()))
    url_field(at, "llama").set_value(f"http://{KEY}")
    at.run()
    assert [found for found in everything(at) if KEY[:12] in found]


def test_a_typed_key_can_be_forgotten(manager, monkeypatch):
    at = sound(settled(settings_page()))
    assert "Forget it" not in labels(at)
    key_field(at, "gemini").set_value(KEY)
    at.button(key="use_key_gemini").click().run()
    sound(at.button(key="forget_key_gemini").click().run())
    assert manager.models.connection("gemini").api_key is None
    assert badges(at)[1] == "key missing"
    assert "Forget it" not in labels(at)


def test_a_key_from_the_environment_is_said_to_be_there_and_not_shown(manager, monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    at = sound(settled(settings_page()))
    assert "GOOGLE_API_KEY" in key_field(at, "gemini").proto.placeholder
    assert not [found for found in everything(at) if KEY[:12] in found]


@pytest.mark.parametrize(
    ("typed", "why"), [("", "No key was typed"), ("two words", "is no API key"), ("ключ", "is no API key")]
)
def test_what_cannot_be_a_key_is_explained_and_not_kept(manager, typed, why):
    at = sound(settled(settings_page()))
    key_field(at, "llama").set_value(typed)
    sound(at.button(key="use_key_llama").click().run())
    assert why in said(at)
    assert manager.models.connection("llama").api_key is None
    assert key_field(at, "llama").value == ""
    at.button(key="test_simulated").click().run()
    assert not said(sound(at))


def test_a_problem_of_this_page_is_not_told_on_another_one(manager):
    at = sound(settled(settings_page()))
    at.button(key="use_key_gemini").click().run()
    assert "No key was typed" in said(at)
    assert not said(sound(at.switch_page("playground.py").run()))


# Addresses of servers.


def test_an_address_is_kept_used_and_taken_back(manager, servers):
    servers["llama"] = ["llama/one"]
    at = sound(settled(settings_page()))
    url_field(at, "llama").set_value(" http://10.0.0.5:9000/v1/ ").run()
    assert manager.models.connection("llama").base_url == "http://10.0.0.5:9000/v1"
    assert manager.models.preferences.base_urls == {"llama": "http://10.0.0.5:9000/v1"}
    assert "http://10.0.0.5:9000/v1" in words(sound(settled(at)))
    sound(at.button(key="undo_last").click().run())
    assert manager.models.connection("llama").base_url == "http://127.0.0.1:8080/v1"


def test_an_address_that_is_none_is_explained_and_kept_to_be_mended(manager):
    at = sound(settled(settings_page()))
    url_field(at, "ollama").set_value("127.0.0.1:11434").run()
    assert "no address" in said(sound(at))
    assert url_field(at, "ollama").value == "127.0.0.1:11434"
    assert not manager.models.preferences.base_urls


def test_an_address_with_a_password_is_not_kept(manager):
    at = sound(settled(settings_page()))
    url_field(at, "llama").set_value(f"http://me:{KEY}@host/v1").run()
    assert "no address" in said(sound(at))
    assert not [found for found in everything(at) if KEY[:12] in found]


# Tests of models.


def test_a_model_that_answers_says_how_fast_and_what(manager, answers):
    answers["llama/one"] = ModelTest(ok=True, text="ready\n", seconds=0.84, first_token=0.31, tokens=12)
    manager.models.change(models=("llama/one",))
    at = sound(settled(settings_page()))
    at.button(key="test_llama").click().run()
    settled(sound(at))
    assert at.success[0].value.replace("\\", "") == "**llama/one:** OK in 0.8 s, first word after 0.3 s, 12 tokens: “ready”"
    assert badges(at)[2] == "ready"


def test_a_model_that_fails_shows_the_whole_error_as_plain_text(manager, answers):
    hostile = "**no** ![x](http://example.com/x.png) <b>key</b>. Type another key."
    answers["ollama/x"] = ModelTest(ok=False, error=hostile, code="API_KEY_INVALID", seconds=0.1)
    manager.models.change(models=("ollama/x",))
    at = sound(settled(settings_page()))
    at.button(key="test_ollama").click().run()
    settled(sound(at))
    assert "Type another key." in said(at)
    assert "![x](" not in at.error[0].value
    assert badges(at)[3] == "key not accepted"


def test_the_simulated_model_answers_in_truth(manager):
    at = sound(settled(settings_page()))
    at.button(key="test_simulated").click().run()
    settled(sound(at))
    assert "simulated:** OK in" in at.success[0].value


def test_a_test_without_a_name_says_so(manager):
    at = sound(settled(settings_page()))
    at.button(key="test_llama").click().run()
    assert "Type the name of a model" in said(sound(at))


def test_a_slow_test_shows_that_it_is_under_way_and_can_be_given_up(manager, monkeypatch):
    go_on = threading.Event()

    def test(_desk, _name):
        assert go_on.wait(20)
        return ModelTest(ok=True, text="late")

    monkeypatch.setattr(ModelDesk, "test", test)
    at = sound(settled(settings_page()))
    at.button(key="test_simulated").click().run()
    assert "Asking simulated" in words(sound(at))
    assert at.button(key="test_simulated").disabled
    sound(at.button(key="forget_test_simulated").click().run())
    go_on.set()
    assert not at.button(key="test_simulated").disabled
    assert not at.success


def test_what_nobody_expected_is_told_too(manager, monkeypatch):
    def available(_desk, _provider):
        raise RuntimeError(f"broken, with {KEY}")

    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    monkeypatch.setattr(ModelDesk, "available", available)
    at = sound(settled(settings_page()))
    assert "RuntimeError: broken, with [key]" in said(at)


# The picker.


def test_names_of_a_server_go_into_the_picker_and_out_again(manager, servers):
    servers["llama"] = ["llama/one", "llama/<b>two</b>"]
    at = sound(settled(settings_page()))
    assert at.multiselect(key="offered_llama").options == ["llama/one", "llama/<b>two</b>"]
    at.multiselect(key="offered_llama").set_value(["llama/one"]).run()
    assert manager.models.preferences.models == ("llama/one",)
    assert "llama/one is in the picker." in notice(sound(at))
    assert "llama/one" in page().selectbox(key="model_choice").options
    at.multiselect(key="offered_llama").set_value([]).run()
    assert manager.models.preferences.models == ()
    assert "out of the picker" in notice(sound(at))
    sound(at.button(key="undo_last").click().run())
    assert manager.models.preferences.models == ("llama/one",)
    assert at.multiselect(key=now(at, "offered_llama")).value == ["llama/one"]


@pytest.mark.parametrize(
    ("provider", "typed", "name"),
    [
        ("llama", " qwen3 ", "llama/qwen3"),
        ("ollama", "ollama/qwen3:8b", "ollama/qwen3:8b"),
        ("gemini", "gemini-9-pro", "gemini-9-pro"),
        ("local", "/models/own.gguf", "/models/own.gguf"),
    ],
)
def test_a_name_is_added_by_hand(manager, monkeypatch, provider, typed, name):
    extra_is_lacking(monkeypatch, lacking=False)
    at = sound(settled(settings_page()))
    at.multiselect(key=f"offered_{provider}").set_value([typed]).run()
    assert not said(sound(at))
    assert manager.models.preferences.models == (name,)


@pytest.mark.parametrize(
    ("provider", "typed", "why"), [("gemini", "gpt-9", "begin with gemini-"), ("llama", "x" * 300, "at most")]
)
def test_a_name_that_cannot_be_is_explained(manager, provider, typed, why):
    at = sound(settled(settings_page()))
    at.multiselect(key=f"offered_{provider}").set_value([typed]).run()
    assert why in said(sound(at))
    assert manager.models.preferences.models == ()


def test_names_of_other_providers_stay_when_one_is_changed(manager):
    manager.models.change(models=("ollama/a", "llama/b"))
    at = sound(settled(settings_page()))
    at.multiselect(key="offered_llama").set_value([]).run()
    assert manager.models.preferences.models == ("ollama/a",)


def test_gemini_is_asked_for_its_models_only_when_a_person_says_so(manager, servers):
    servers["gemini"] = ["gemini-flash-latest", "gemini-9-pro"]
    at = sound(settled(settings_page()))
    assert at.multiselect(key="offered_gemini").options == []
    at.button(key="list_gemini").click().run()
    settled(sound(at))
    assert at.multiselect(key="offered_gemini").options == ["gemini-9-pro"]  # the other one is always offered


# Files and replays.


def test_files_of_the_models_folder_are_listed_and_offered(manager, tmp_path, monkeypatch):
    extra_is_lacking(monkeypatch, lacking=False)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "small *model*.gguf").write_bytes(b"x" * 3_000_000)
    at = sound(settled(settings_page()))
    assert "local/small *model*" in words(at)
    assert "3.0 MB" in words(at)
    assert "local/small *model*" in at.selectbox(key="test_model_local").options
    assert "local/small *model*" in page().selectbox(key="model_choice").options


def test_a_model_in_memory_is_shown_and_unloaded(manager, monkeypatch):
    held = [section.LoadedModel("local/m", "/m.gguf", 98_000_000, 8192, 1.0, 250_000_000, 41.4, 300.0, 0)]
    monkeypatch.setattr(ModelDesk, "loaded", lambda _: held)
    monkeypatch.setattr(ModelDesk, "unload", lambda _, name: bool(held.pop()) and name == "local/m")
    at = sound(settled(settings_page()))
    assert "250 MB of memory, loaded in 1.0 s, 8,192 tokens of context, reads 300, writes 41 tokens/s" in words(at)
    sound(at.button(key="unload_local/m").click().run())
    assert "local/m is out of memory" in notice(at)
    assert not held


def test_recorded_sessions_are_a_click_from_their_replay(manager, stages):
    begun = runs.manager().start("iterative_writing", "a [bold] *baker*")
    runs.manager().stop("iterative_writing", begun.session_id)
    at = sound(settled(settings_page()))
    label, there = next((label, there) for label, there in links(at).items() if label.startswith("▶ Replay"))
    assert "“a [bold] *baker*”" in label
    assert f"model=replay%2Fiterative_writing%2F{begun.session_id}" in there


def test_a_senseless_section_in_the_address_is_the_first_one(manager):
    assert badges(sound(settings_page("nonsense")))


def test_what_an_errors_words_said_about_a_model_is_shown_until_its_server_is_asked_anew(manager):
    learnt = manager.models.scope.part(Found)
    lesson = Lesson("http://here:1/v1", "llama/small", "It is told of tools in words, because it has none.")
    learnt.put(lesson.address, lesson.model, "json", lesson)
    at = sound(settled(settings_page()))
    assert "It is told of tools in words, because it has none." in words(at)
    at = sound(at.button(key="forget_llama/small").click().run())
    assert "It is told of tools in words" not in words(at)
    assert learnt.get(lesson.address, lesson.model) is None


# You.


def test_a_time_limit_for_answers_is_a_choice_and_none_at_first(manager):
    at = sound(settled(settings_page()))
    limit = next(box for box in at.selectbox if box.label == "While you do not answer")
    assert (limit.value, limit.format_func(limit.value)) == (0.0, "the run waits")
    sound(limit.select(300.0).run())
    assert manager.models.preferences.answer_seconds == 300
    limit = next(box for box in at.selectbox if box.label == "While you do not answer")
    sound(limit.select(0.0).run())
    assert manager.models.preferences.answer_seconds is None
