"""A model reads the session's files."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import InMemoryRunner, LlmAgent, load_artifacts
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import user

pytestmark = pytest.mark.anyio

PNG = b"\x89PNG\r\n"


def blob(data, kind):
    return types.Part(inline_data=types.Blob(data=data, mime_type=kind))


async def ask(*script, **files):
    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=script), tools=[load_artifacts])
    runner = InMemoryRunner(agent)
    where = {"app_name": runner.app_name, "user_id": "u", "session_id": "s"}
    await runner.session_service.create_session(**where)
    for name, part in files.items():
        await runner.artifact_service.save_artifact(
            **where, filename=name.replace("_", ".").replace("..", ":"), artifact=part
        )
    events = [e async for e in runner.run_async(user_id="u", session_id="s", new_message=user("What does it say?"))]
    return agent.model.requests, events


async def test_names_are_told_and_contents_are_sent_once():
    asked = call("load_artifacts", artifact_names=["notes.txt", "photo.png", "../secret", "data.bin"])
    requests, events = await ask(
        [asked],
        [call("load_artifacts", artifact_names=[])],
        "It says hi.",
        notes_txt=blob("Grüße".encode(), "text/plain"),
        photo_png=blob(PNG, "image/png"),
        data_bin=blob(b"\0\1\2", "application/x-thing"),
    )

    first, second, third = requests
    assert '"notes.txt"' in first.system_instruction
    told = [part for content in second.contents[3:] for part in content.parts]
    assert [part.text for part in told if part.text] == [
        "Artifact notes.txt is:",
        "Grüße",
        "Artifact photo.png is:",
        "Artifact data.bin is:",
        "[data.bin is a file of type application/x-thing with 3 bytes, which cannot be shown here.]",
    ]
    assert [part.inline_data.data for part in told if part.inline_data] == [PNG]
    assert len(third.contents) == 5  # message, call, answer, call, answer
    assert events[-1].text == "It says hi."


async def test_a_users_file_is_found_without_its_prefix():
    requests, _ = await ask(
        [call("load_artifacts", artifact_names=["plan.txt"])],
        "Yes.",
        user__plan_txt=blob(b"Go.", "text/plain; charset=utf-8"),
    )

    assert requests[1].contents[-1].parts[1].text == "Go."


@pytest.mark.parametrize("names", ["notes.txt", [1], {"a": 1}])
async def test_what_is_no_list_of_names_is_answered_with_an_error(names):
    _, events = await ask([call("load_artifacts", artifact_names=names)], "Sorry.", notes_txt=blob(b"x", "text/plain"))

    assert "list of strings" in events[1].get_function_responses()[0].response["error"]


async def test_without_files_there_is_only_the_tool():
    requests, _ = await ask("Nothing there.")

    assert "artifacts" not in requests[0].system_instruction
    assert list(requests[0].tools_dict) == ["load_artifacts"]
