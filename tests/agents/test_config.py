"""What the environment says."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import config


def test_the_database_is_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_DB", "~/here.db")

    assert config.database_name() == "~/here.db"


def test_the_database_is_in_the_users_data_folder_otherwise(monkeypatch):
    monkeypatch.delenv("PLAYGROUND_DB", raising=False)

    assert Path(config.database_name()).parts[-2:] == ("agent-playground", "playground.db")


def test_working_files_are_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_FILES", "~/work")

    assert config.files_folder() == Path("~/work").expanduser()


def test_working_files_are_beside_the_database_otherwise(monkeypatch):
    monkeypatch.delenv("PLAYGROUND_DB", raising=False)
    monkeypatch.delenv("PLAYGROUND_FILES", raising=False)

    assert config.files_folder() == Path(config.database_name()).parent / "files"


@pytest.mark.parametrize("text", ["fast", "-1", "inf", "nan"])
def test_a_speed_that_is_none_says_what_one_is(monkeypatch, text):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", text)

    with pytest.raises(ValueError, match="PLAYGROUND_SIMULATED_SPEED must be"):
        config.simulated_words_per_second()


@pytest.mark.parametrize(("text", "speed"), [("0", 0.0), ("2.5", 2.5), (None, 40.0)])
def test_the_speed_of_simulated_models(monkeypatch, text, speed):
    monkeypatch.delenv("PLAYGROUND_SIMULATED_SPEED", raising=False)
    if text is not None:
        monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", text)

    assert config.simulated_words_per_second() == speed


def test_a_mirror_of_the_model_hub_may_be_named(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1/")

    assert config.model_hub() == "http://127.0.0.1:1"
