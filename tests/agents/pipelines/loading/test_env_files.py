"""Variables of `.env` files beside user packages."""

from __future__ import annotations

import os

import pytest

from agents import config
from agents.models import connections
from agents.pipelines.catalog import Catalog

NAMES = ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "LLAMA_API_KEY", "LLAMA_BASE_URL")
OWN = ("PART", "PLACE_OF_MINE", "OTHER_OF_MINE", "WEATHER_API_KEY_OF_MINE")
AGENT = """\
import os
from agents import LlmAgent
root_agent = LlmAgent(name='A', description=os.environ.get('PLACE_OF_MINE', ''))
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in (*NAMES, *OWN):  # put back afterwards, whatever a file has set
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(config, "_hidden", set())
    folder = tmp_path / "mine"
    (folder / "greeter_with_env").mkdir(parents=True)
    (folder / "greeter_with_env" / "agent.py").write_text(AGENT)
    return folder


def load(home):
    catalog = Catalog(home)
    assert catalog.broken == {}
    return catalog.get("greeter_with_env").root_agent


def test_the_packages_own_file_goes_before_that_of_the_folder_and_neither_overrides(home, monkeypatch):
    (home / "greeter_with_env" / ".env").write_text("PLACE_OF_MINE='Oslo'\n")
    (home / ".env").write_text("PLACE_OF_MINE=Rome\nOTHER_OF_MINE=folder\n")

    assert load(home).description == "Oslo"
    assert os.environ["OTHER_OF_MINE"] == "folder"

    monkeypatch.setenv("PLACE_OF_MINE", "shell")
    assert load(home).description == "shell"


def test_keys_are_redacted_everywhere_also_those_that_were_not_taken(home, monkeypatch):
    monkeypatch.setenv("WEATHER_API_KEY_OF_MINE", "the-one-of-the-shell")
    (home / ".env").write_text("GOOGLE_API_KEY=gemini-key-123456\nWEATHER_API_KEY_OF_MINE=weather-key-98765\n")
    load(home)

    assert connections.redact("gemini-key-123456 and weather-key-98765") == "[key] and [key]"
    assert connections.connection("gemini").api_key.get_secret_value() == "gemini-key-123456"
    assert os.environ["WEATHER_API_KEY_OF_MINE"] == "the-one-of-the-shell"


def test_a_key_that_is_made_of_another_variable_is_redacted(home):
    (home / ".env").write_text("PART=gemini-part-1\nGOOGLE_API_KEY=${PART}-and-the-rest\n")
    load(home)

    assert os.environ["GOOGLE_API_KEY"] == "gemini-part-1-and-the-rest"
    assert connections.redact("of gemini-part-1-and-the-rest") == "of [key]"


def test_a_key_of_the_shell_is_not_sent_to_the_server_of_a_file(home, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "key-of-the-shell")
    monkeypatch.setenv("LLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    (home / ".env").write_text("GOOGLE_GEMINI_BASE_URL=https://elsewhere.example\nLLAMA_API_KEY=key-of-the-file\n")
    load(home)

    gemini, llama = connections.connection("gemini"), connections.connection("llama")
    assert (gemini.base_url, gemini.api_key.get_secret_value()) == (
        "https://generativelanguage.googleapis.com",
        "key-of-the-shell",
    )
    assert (llama.base_url, llama.api_key) == ("http://127.0.0.1:9/v1", None)


def test_a_key_and_its_server_may_come_from_one_file(home):
    (home / ".env").write_text("GOOGLE_API_KEY=key-of-the-file\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\n")
    load(home)

    held = connections.connection("gemini")
    assert (held.base_url, held.api_key.get_secret_value()) == ("http://127.0.0.1:9", "key-of-the-file")


@pytest.mark.parametrize("place", ["greeter_with_env", "."])
@pytest.mark.parametrize(
    ("data", "says"), [(b"A=\xff\xfe", "is no text in UTF-8"), (b"A=" + b"x" * 70_000, "larger than 65,536 bytes")]
)
def test_a_file_that_cannot_be_read_is_said_so(home, place, data, says):
    (home / place / ".env").write_bytes(data)

    assert says in Catalog(home).broken["greeter_with_env"].text


def test_a_link_out_of_the_folder_is_not_read(home, tmp_path):
    (tmp_path / "outside").write_text("PLACE_OF_MINE=Oslo\n")
    (home / ".env").symlink_to(tmp_path / "outside")

    assert "is a link to" in Catalog(home).broken["greeter_with_env"].text
    assert "PLACE_OF_MINE" not in os.environ
