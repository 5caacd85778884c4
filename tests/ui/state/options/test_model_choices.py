"""Names of models: which there are to pick from, whose they are, and what is missing for one."""

from __future__ import annotations

import pytest

from agents.models.local import files
from agents.models.providers import provider_named, provider_of
from agents.storage.preferences import Preferences
from ui.state import runs
from ui.state.options import model_choices


@pytest.fixture(autouse=True)
def own_folder(quiet_world, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path))
    return tmp_path


def test_the_picker_offers_what_is_built_in_in_the_folder_preferred_and_named(own_folder):
    (own_folder / "b.gguf").write_bytes(b"1")
    (own_folder / "a.gguf").write_bytes(b"22")
    (own_folder / "notes.txt").write_text("no model")
    (own_folder / "folder.gguf").mkdir()
    preferences = Preferences(models=("llama/x", "gemini-flash-latest"), model="ollama/y")
    assert model_choices.offered(preferences, "replay/p/s", None, "simulated") == [
        "simulated", *provider_named("gemini").models, "local/a", "local/b", "you", "llama/x", "ollama/y", "replay/p/s"
    ]  # fmt: skip
    assert files.found() == {"local/a": 2, "local/b": 1}


def test_a_models_folder_that_is_not_there_or_no_folder_offers_nothing(own_folder, monkeypatch):
    for place in (own_folder / "nowhere", own_folder / "file"):
        (own_folder / "file").write_text("x")
        monkeypatch.setenv("PLAYGROUND_MODELS", str(place))
        assert files.found() == {}


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("simulated", "simulated"),
        ("gemini-pro-latest", "gemini"),
        ("models/gemini-pro-latest", "gemini"),
        ("llama/gemini-like", "llama"),
        ("ollama/a:8b", "ollama"),
        ("local/x", "local"),
        ("/a/b.gguf", "local"),
        ("replay/p/s", "replay"),
        ("claude", None),
        ("llama", None),
        ("other/x", None),
        ("llama/b.gguf", "llama"),
        ("/a/gemini-b.gguf", "local"),
    ],
)
def test_whose_a_name_is(model, provider):
    found = provider_of(model)
    assert (found and found.name) == provider


def test_a_key_is_missing_until_one_is_typed(monkeypatch):
    assert model_choices.shown("gemini-pro-latest") == "gemini-pro-latest (no key)"
    runs.manager().models.use_key("gemini", "typed-key-0123456789")
    assert model_choices.shown("gemini-pro-latest") == "gemini-pro-latest"
    assert model_choices.missing("gemini-pro-latest") is None
    assert model_choices.missing("llama/gemini-x") is None


def test_a_local_model_lacks_the_extra_or_its_file(own_folder, monkeypatch):
    monkeypatch.setattr(files, "lacks_extra", lambda: True)
    assert model_choices.shown("local/a") == "local/a (not installed)"
    monkeypatch.setattr(files, "lacks_extra", lambda: False)
    assert model_choices.shown("local/a") == "local/a (no file)"
    (own_folder / "a.gguf").write_bytes(b"1")
    assert model_choices.shown("local/a") == "local/a"


def test_a_replay_names_its_record():
    name = model_choices.replay_of("ace", "0123456789abcdef")
    assert model_choices.is_replay(name)
    assert model_choices.recorded_in(name) == ("ace", "0123456789abcdef")
    assert model_choices.shown(name) == "replay of ace, 01234567"
    assert model_choices.recorded_in("replay/") == ("", "")
