"""Two workspaces in one process: neither sees the other's keys, servers, findings, model classes and packages."""

from __future__ import annotations

import asyncio

import pytest

from agents.errors import ModelNotFoundError
from agents.jobs import Job
from agents.models.connections import connection
from agents.models.openai_compatible.server import RequestFormat, RequestFormats
from agents.models.registry import LLMRegistry
from agents.runs.values import ModelChoice
from agents.scope import OUTSIDE, Scope, current_scope
from agents.workspace import Workspace

AGENT = """
from agents import BaseLlm, LlmAgent, LLMRegistry

class {name}Llm(BaseLlm):
    @classmethod
    def supported_models(cls):
        return ["{name}-.*"]

    async def generate_content_async(self, llm_request, stream=False):
        yield None

LLMRegistry.register({name}Llm)


def later(_callback_context):
    from .words import WORD
    return WORD

root_agent = LlmAgent(name="{name}", model="simulated", before_agent_callback=later)
"""


@pytest.fixture
def two(tmp_path):
    """Two workspaces whose folders have a package of the same name."""
    found = []
    for name in ("first", "second"):
        package = tmp_path / name / "team"
        package.mkdir(parents=True)
        (package / "agent.py").write_text(AGENT.format(name=name))
        (package / "words.py").write_text(f"WORD = {name!r}")
        found.append(Workspace(tmp_path / f"{name}.db", agents_dir=tmp_path / name))
    yield found
    for workspace in found:
        workspace.close()


def test_keys_and_servers_are_the_workspaces(two):
    first, second = (workspace.runs.models for workspace in two)
    first.use_key("gemini", "typed-in-the-first-one")
    first.change(base_urls={"llama": "http://127.0.0.1:9/v1"})
    assert first.connection("gemini").api_key.get_secret_value() == "typed-in-the-first-one"
    assert second.connection("gemini").api_key is None
    assert second.connection("llama").base_url != first.connection("llama").base_url == "http://127.0.0.1:9/v1"
    assert connection("gemini").api_key is None, "nor does code outside of any"


def test_a_runs_code_has_the_keys_of_its_workspace(two):
    first, second = (workspace.runs for workspace in two)
    first.models.use_key("gemini", "typed-in-the-first-one")

    async def key(_services):
        await asyncio.to_thread(lambda: None)
        return await asyncio.to_thread(lambda: connection("gemini").api_key)

    assert first.work(key).get_secret_value() == "typed-in-the-first-one"
    assert second.work(key) is None


def test_what_servers_lack_is_learnt_in_a_workspace(two):
    first, second = (workspace.runs for workspace in two)

    async def learn(_services):
        current_scope().part(RequestFormats).put("http://server", "llama/small", RequestFormat(protocol="json"))

    async def learnt(_services):
        return current_scope().part(RequestFormats).get("http://server", "llama/small")

    first.work(learn)
    assert first.work(learnt) == RequestFormat(protocol="json")
    assert second.work(learnt) is None


def test_a_package_and_the_models_that_it_registers_are_its_workspaces(two):
    agents = [workspace.catalog.get("team").root_agent.name for workspace in two]
    assert agents == ["first", "second"]
    assert [workspace.catalog.get("team").root_agent.name for workspace in two] == agents
    later = [workspace.catalog.get("team").root_agent.before_agent_callback(None) for workspace in two]
    assert later == agents, "what a package imports when it runs is its own, too"
    first, second = (workspace.runs for workspace in two)
    first.models.check("first-1")
    for manager, other in ((first, "second-1"), (second, "first-1")):
        with pytest.raises(ModelNotFoundError):
            manager.models.check(other)
    with pytest.raises(ModelNotFoundError):
        LLMRegistry.resolve("first-1")
    model, _ = asyncio.run(_of_run(second, "second-1"))
    assert type(model).__name__ == "secondLlm"


async def _of_run(manager, name):
    return await asyncio.wrap_future(
        manager._thread._submit(manager.models.for_run, manager.catalog.get("team"), ModelChoice(name))
    )


def test_jobs_work_in_the_scope_of_their_workspace(two):
    first, _ = two
    first.runs.models.use_key("gemini", "typed-in-the-first-one")
    seen = []
    job = Job("look", lambda _job: seen.append(connection("gemini").api_key))
    first.jobs.start("test", job)
    job.wait()
    assert [key.get_secret_value() for key in seen] == ["typed-in-the-first-one"]


def test_a_scope_ends_with_its_block():
    mine = Scope()
    with mine.entered():
        assert current_scope() is mine
    assert current_scope() is OUTSIDE
