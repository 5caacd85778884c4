"""What a worker gets of the server's keys."""

from __future__ import annotations

import pytest

from agents import BaseAgent, LlmAgent, SequentialAgent
from agents.models import connections
from agents.models.registry import LLMRegistry
from agents.models.simulated.model import SimulatedLlm
from agents.models.you.model import YouLlm
from agents.runs.workers.model_access import connections_for, needs_file, with_usual
from agents.scope import Scope
from agents.tools import AgentTool
from tests.agents.runs.stage import request


def needed(root: BaseAgent, *models: str) -> dict[str, connections.Connection]:
    chosen = [LLMRegistry.new_llm(model) for model in models] or [SimulatedLlm(simulation={})]
    return connections_for(request(root).pipeline, chosen)


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "key-of-gemini")
    monkeypatch.setenv("LLAMA_API_KEY", "key-of-llama")
    with Scope().entered():
        yield


def test_a_run_gets_the_keys_of_the_models_chosen_and_of_those_that_its_agents_name(keys):
    plain = LlmAgent(name="plain")
    own = LlmAgent(name="own", model="gemini-flash-latest")
    assert needed(plain) == {}
    assert set(needed(plain, "llama/x")) == {"llama"}
    assert set(needed(SequentialAgent(name="all", sub_agents=[plain, own]))) == {"gemini"}
    assert set(needed(LlmAgent(name="caller", tools=[AgentTool(own)]))) == {"gemini"}
    [gemini] = needed(own).values()
    assert gemini.api_key is not None
    assert gemini.api_key.get_secret_value() == "key-of-gemini"


def test_a_user_who_is_the_model_passes_to_the_usual_one_with_its_key(keys):
    root = LlmAgent(name="plain")
    gemini = LLMRegistry.new_llm("gemini-flash-latest")
    assert set(connections_for(request(root).pipeline, with_usual([YouLlm(usual=gemini)]))) == {"gemini"}
    assert connections_for(request(root).pipeline, with_usual([YouLlm()])) == {}


def test_a_worker_forgets_the_keys_of_its_run_before(keys, monkeypatch):
    gemini, llama = needed(LlmAgent(name="own", model="gemini-flash-latest"), "llama/x"), {}
    for name in ("GEMINI_API_KEY", "LLAMA_API_KEY"):
        monkeypatch.delenv(name)
    connections.use_connections(gemini)
    assert connections.connection("gemini").api_key == gemini["gemini"].api_key
    connections.use_connections(llama)
    assert connections.connection("gemini").api_key is None


def test_the_environment_of_a_worker_has_no_keys_of_providers(keys, monkeypatch):
    monkeypatch.setenv("OTHER_API_KEY", "of a package")
    given = connections.environment_without_keys()
    assert "GEMINI_API_KEY" not in given
    assert "LLAMA_API_KEY" not in given
    assert given["OTHER_API_KEY"] == "of a package"


def test_model_files_stay_in_the_server():
    plain, simulated, file = LlmAgent(name="plain"), SimulatedLlm(simulation={}), LLMRegistry.new_llm("local/small.gguf")
    assert needs_file(request(plain).pipeline, [file])
    assert needs_file(request(LlmAgent(name="own", model="local/small.gguf")).pipeline, [simulated])
    assert not needs_file(request(plain).pipeline, [simulated])
