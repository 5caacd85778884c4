"""Fixtures for every test: the asyncio backend, and nothing left behind for the next one or for whoever runs them."""

from __future__ import annotations

import sys

import pytest

from agents import connections

PROVIDERS = (
    *("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
    *("LLAMA_BASE_URL", "LLAMA_API_KEY", "OLLAMA_HOST", "HF_ENDPOINT"),
)
"""What the environment may say of providers."""


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(autouse=True)
def files_of_tools(tmp_path_factory, monkeypatch):
    """No test writes into the folder for user data of whoever runs it."""
    monkeypatch.setenv("PLAYGROUND_FILES", str(tmp_path_factory.getbasetemp() / "files"))


@pytest.fixture(autouse=True)
def models_at_once(monkeypatch):
    """Simulated models speak at once, those that pipelines bring along too."""
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")


@pytest.fixture(autouse=True)
def no_providers(tmp_path_factory, monkeypatch):
    """No keys, servers and model files of whoever runs the tests, nor those that another test has typed."""
    for name in (
        "GOOGLE_API_KEY",
        "GEMINI_API_KEY",
        "GOOGLE_GEMINI_BASE_URL",
        "LLAMA_BASE_URL",
        "LLAMA_API_KEY",
        "OLLAMA_HOST",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path_factory.getbasetemp() / "models"))
    yield
    connections.forget()


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """Streamlit puts a page's script in its place, and a process that is spawned later would run that."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
