"""A package whose agent is given as an `App`."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from agents.runs import RunManager
from tests.agents.runs.stage import collect, finished, texts

PACKAGE = """
    from google.adk.agents import Agent
    from google.adk.agents.context_cache_config import ContextCacheConfig
    from google.adk.apps import App, ResumabilityConfig
    from google.adk.plugins import BasePlugin
    from google.genai import types

    class Greets(BasePlugin):
        async def before_agent_callback(self, *, agent, callback_context):
            return types.ModelContent(f"Hello from the plugin, {agent.name}.")

    root_agent = Agent(name="not_this_one")
    app = App(
        name="another_name",
        root_agent=Agent(name="greeter"),
        plugins=[Greets("greets")],
        context_cache_config=ContextCacheConfig(cache_intervals=10, ttl_seconds=1800, min_tokens=0),
        resumability_config=ResumabilityConfig(is_resumable=True),
    )
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    package = tmp_path / "apps" / "with_app"
    package.mkdir(parents=True)
    (package / "agent.py").write_text(textwrap.dedent(PACKAGE), encoding="utf-8")
    return package.parent


@pytest.mark.anyio
async def test_its_plugins_run_and_its_settings_without_effect_are_named(folder: Path, tmp_path: Path):
    with RunManager(database=tmp_path / "playground.db", agents_dir=folder) as manager:
        pipeline = manager.catalog.get("with_app")
        assert pipeline.root_agent.name == "greeter"
        assert pipeline.unused == ("resumability_config", "context_cache_config")
        run = manager.start("with_app", "hello")
        entries = await collect(manager.subscribe(run.pipeline, run.session_id, after=run.after), finished)
    assert "Hello from the plugin, greeter." in texts(entries)
