"""`SaveFilesAsArtifactsPlugin`: files of messages become artifacts."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import InMemoryRunner, LlmAgent, SaveFilesAsArtifactsPlugin
from agents.models.scripted import ScriptedLlm
from agents.plugins import save_files

pytestmark = pytest.mark.anyio


def file(name, data=b"a,b\n1,2\n"):
    return types.Part(inline_data=types.Blob(data=data, mime_type="text/csv", display_name=name))


async def run(*parts):
    """The model's request, the events, and the artifact service."""
    model = ScriptedLlm(script=["Fine."])
    plugin = SaveFilesAsArtifactsPlugin()
    runner = InMemoryRunner(LlmAgent(name="Ada", model=model), app_name="play", plugins=[plugin])
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    message = types.Content(role="user", parts=list(parts))
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=message):
        pass
    session = await runner.session_service.get_session(app_name="play", user_id="u", session_id="s")
    return model.requests[0].contents[0].parts, session, runner.artifact_service


async def test_a_file_is_saved_and_the_message_names_it():
    parts, session, artifacts = await run(types.Part(text="Sum this."), file("sales.csv"))

    assert [part.text for part in parts] == ["Sum this.", '[Uploaded Artifact: "sales.csv"]']
    assert session.events[0].content.parts == parts
    saved = await artifacts.load_artifact(app_name="play", user_id="u", session_id="s", filename="sales.csv")
    assert saved.inline_data.data == b"a,b\n1,2\n"


async def test_an_event_of_the_run_names_the_saved_version():
    _, session, _ = await run(file("sales.csv"), file("user:all.csv"))
    assert [event.actions.artifact_delta for event in session.events if event.actions.artifact_delta] == [
        {"sales.csv": 0, "user:all.csv": 0}
    ]
    assert session.state == {}


async def test_a_file_without_a_name_gets_one():
    parts, session, _ = await run(types.Part(text="Here."), file(None))
    assert parts[1].text == f'[Uploaded Artifact: "artifact_{session.events[0].invocation_id}_1"]'


async def test_a_file_that_cannot_be_saved_stays_in_the_message():
    parts, _, artifacts = await run(file("../../etc/passwd"))
    assert parts[0].inline_data.data == b"a,b\n1,2\n"
    assert await artifacts.list_artifact_keys(app_name="play", user_id="u", session_id="s") == []


async def test_a_file_that_is_too_large_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(save_files, "MAX_ARTIFACT_BYTES", 3)
    parts, _, _ = await run(file("big.csv"))
    assert parts[0].text == "[Upload Error: big.csv has 8 bytes, and a file may have 3. Upload a smaller file.]"
