from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from agents.errors import ModelNotFoundError
from agents.model import BaseLlm
from agents.models import registry
from agents.models.gemini.model import Gemini
from agents.models.providers import all_providers
from agents.models.registry import LLMRegistry
from agents.models.simulated.model import SimulatedLlm
from agents.scope import OUTSIDE


@pytest.fixture(autouse=True)
def _as_it_was():
    registered = OUTSIDE.part(registry._Registered)
    before = dict(registered)
    yield
    registered.clear()
    registered.update(before)


def provider(*patterns):
    class Mine(BaseLlm):
        @classmethod
        def supported_models(cls):
            return list(patterns)

        async def generate_content_async(self, llm_request, stream=False):
            raise NotImplementedError
            yield

    return Mine


def test_built_in_providers_are_found_without_credentials(monkeypatch):
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)

    made = LLMRegistry.new_llm("gemini-2.5-pro")

    assert isinstance(made, Gemini)
    assert made.model == "gemini-2.5-pro"
    assert isinstance(LLMRegistry.new_llm("simulated"), SimulatedLlm)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("llama/some.gguf", "Llama"),  # llama.cpp calls its models by their files
        ("ollama/some.gguf", "Ollama"),
        ("local/some", "LocalLlm"),
        ("/here/some.gguf", "LocalLlm"),
    ],
)
def test_a_name_finds_its_provider(name, kind):
    assert LLMRegistry.resolve(name).__name__ == kind


def test_built_in_patterns_are_those_of_the_classes():
    for provider_ in all_providers():
        if provider_.llm_class:
            assert LLMRegistry.resolve(provider_.any_name).supported_models() == provider_.name_patterns


def test_a_registered_class_answers_to_its_patterns():
    mine = provider("mine-.*", "other")
    LLMRegistry.register(mine)

    assert LLMRegistry.resolve("mine-1") is mine
    assert LLMRegistry.resolve("other") is mine


def test_the_whole_name_must_match():
    LLMRegistry.register(provider("mine"))

    for name in ("mine-1", "not-mine", ""):
        with pytest.raises(ModelNotFoundError):
            LLMRegistry.resolve(name)


def test_the_latest_registration_wins_also_over_one_found_before():
    first, second = provider("gemini-.*"), provider("gemini-2.*")
    assert LLMRegistry.resolve("gemini-2.5") is Gemini
    LLMRegistry.register(first)
    assert LLMRegistry.resolve("gemini-2.5") is first
    LLMRegistry.register(second)
    assert LLMRegistry.resolve("gemini-2.5") is second
    LLMRegistry.register(first)
    assert LLMRegistry.resolve("gemini-2.5") is first


def test_an_unknown_name_is_told_what_there_is():
    LLMRegistry.register(provider("mine-.*"))

    with pytest.raises(ModelNotFoundError) as raised:
        LLMRegistry.new_llm("gpt")

    for told in (
        "'gpt'",
        "Gemini (gemini-.* or models/gemini-.*)",
        "SimulatedLlm (simulated)",
        "Mine (mine-.*)",
        "register",
    ):
        assert told in str(raised.value)


@pytest.mark.parametrize(("patterns", "told"), [((), "supported_models"), (("good", "mine-("), "mine-(")])
def test_a_class_that_no_name_could_find_is_refused(patterns, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        LLMRegistry.register(provider(*patterns))

    assert "good" not in OUTSIDE.part(registry._Registered)


def test_the_registry_imports_no_provider():
    code = "import sys, agents.models.registry; print(sorted(m for m in sys.modules if m.startswith('agents.models.')))"

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert ast.literal_eval(shown) == [f"agents.models.{name}" for name in ("provider", "providers", "registry")]
