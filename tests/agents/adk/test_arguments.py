"""Arguments and fields of ADK's classes are taken: those that have a meaning here have it, the others do nothing."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from google.genai import types

from agents import AgentTool, BaseTool, CallbackContext, InMemoryRunner, LlmAgent, RunConfig, Runner, SkillToolset
from agents.artifact import ArtifactVersion
from agents.models.scripted import ScriptedLlm
from agents.runtime.run_config import NO_EFFECT
from agents.storage.artifacts.sqlite import SqliteArtifactService
from agents.storage.sessions.memory import InMemorySessionService
from tests.agents.stage import user

WHO: dict[str, Any] = {"user_id": "u", "session_id": "s"}


async def one_run(runner: Runner, **more: Any) -> list[Any]:
    return [event async for event in runner.run_async(**WHO, new_message=user("go"), **more)]


@pytest.mark.anyio
async def test_metadata_and_labels_of_a_run_and_the_users_event():
    model = ScriptedLlm(script=["Done."])
    config = RunConfig(model=model, custom_metadata={"trace": "t1"}, labels={"team": "red", "adk_agent_name": "no"})
    runner = InMemoryRunner(LlmAgent(name="writer"), "play")
    runner.auto_create_session = True
    events = await one_run(runner, run_config=config, yield_user_message=True)
    assert [(event.author, event.custom_metadata) for event in events] == [
        ("user", {"trace": "t1"}),
        ("writer", {"trace": "t1"}),
    ]
    assert model.requests[0].config.labels == {"team": "red", "adk_agent_name": "writer"}


def test_fields_of_a_run_without_an_effect_are_named_once(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        config = RunConfig.model_validate({"max_llm_calls": 3, "speech_config": {}, "support_cfc": True})
    assert (config.max_llm_calls, hasattr(config, "support_cfc")) == (3, False)
    assert [record.getMessage() for record in caplog.records] == [
        "RunConfig: speech_config, support_cfc have no effect here."
    ]
    assert NO_EFFECT.isdisjoint(RunConfig.model_fields)
    with pytest.raises(ValueError, match="speech_konfig"):
        RunConfig.model_validate({"speech_konfig": {}})


def test_arguments_without_an_effect_are_taken(tmp_path: Path):
    agent = LlmAgent(name="writer")
    Runner(agent=agent, session_service=InMemorySessionService(), credential_service=object(), plugin_close_timeout=1.0)
    tool = AgentTool(agent, include_plugins=False, propagate_grounding_metadata=True)
    assert tool.name == "writer"
    assert BaseTool(name="x", description="y", custom_metadata={"z": 1}).custom_metadata == {"z": 1}
    (tmp_path / "tea").mkdir()
    (tmp_path / "tea" / "SKILL.md").write_text("---\nname: tea\ndescription: How tea is made.\n---\nBoil water.\n")
    skills = SkillToolset(skills_folder=tmp_path, script_timeout=3, save_output_artifacts=True)
    assert list(skills.skills) == ["tea"]


@pytest.mark.anyio
async def test_versions_of_a_file(tmp_path: Path):
    found: list[ArtifactVersion | None] = []

    async def save(callback_context: CallbackContext) -> types.Content:
        picture = types.Part.from_bytes(data=b"x", mime_type="image/png")
        await callback_context.save_artifact("a.png", picture)
        await callback_context.save_artifact("a.png", types.Part(text="not one"))
        found.extend(
            [
                await callback_context.get_artifact_version("a.png", 0),
                await callback_context.get_artifact_version("a.png"),
                await callback_context.get_artifact_version("b.png"),
            ]
        )
        return types.ModelContent("saved")

    files = SqliteArtifactService(tmp_path / "files.db")
    agent = LlmAgent(name="writer", before_agent_callback=save)
    sessions = InMemorySessionService()
    runner = Runner(app_name="play", agent=agent, session_service=sessions, artifact_service=files, auto_create_session=True)
    await one_run(runner)
    where = "artifact://apps/play/users/u/sessions/s/artifacts/a.png/versions"
    first = ArtifactVersion(version=0, canonical_uri=f"{where}/0", mime_type="image/png")
    second = ArtifactVersion(version=1, canonical_uri=f"{where}/1", mime_type="text/plain")
    assert found == [first, second, None]
    listed = await files.list_artifact_versions(app_name="play", user_id="u", session_id="s", filename="a.png")
    assert listed == [first, second]
    await files.close()
