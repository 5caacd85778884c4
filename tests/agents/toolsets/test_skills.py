"""`SkillToolset`: skills in folders, and what a model is told of them."""

from __future__ import annotations

import pytest

from agents import InMemoryRunner, LlmAgent, SkillToolset, load_skill_from_dir
from agents.adk.names import value_of
from agents.errors import ToolError
from agents.models.scripted import ScriptedLlm, call
from agents.toolsets import skills as module
from tests.agents.stage import instruction_in, user

pytestmark = pytest.mark.anyio

HEAD = "---\nname: weather\ndescription: Answers about the weather.\n---\n"


def skill_in(folder, head=HEAD, body="# Weather\nAsk, then answer.\n", **files):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(head + body)
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture
def weather(tmp_path):
    files = {"references/en/guide.md": "Be brief.", "assets/map.png": b"\x89PNG\xff", "scripts/run.py": "print(1)"}
    return load_skill_from_dir(skill_in(tmp_path / "weather", **files))


async def run(toolset, *script):
    model = ScriptedLlm(script=[*script, "Done."])
    runner = InMemoryRunner(LlmAgent(name="Ada", model=model, tools=[toolset]), app_name="play")
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    found = []
    async for event in runner.run_async(user_id="u", session_id="s", new_message=user("go")):
        found += [one.response for one in event.get_function_responses()]
    return model, found


def test_a_skill_is_read_with_its_files(weather):
    assert (weather.name, weather.description) == ("weather", "Answers about the weather.")
    assert weather.instructions == "# Weather\nAsk, then answer."
    assert weather.resources.files() == {
        "references/en/guide.md": "Be brief.",
        "assets/map.png": b"\x89PNG\xff",
        "scripts/run.py": "print(1)",
    }


async def test_a_model_lists_loads_and_reads(weather):
    model, found = await run(
        SkillToolset([weather]),
        [call("list_skills")],
        [call("load_skill", skill_name="weather")],
        [call("load_skill_resource", skill_name="weather", file_path="scripts/run.py")],
    )
    assert list(model.requests[0].tools_dict) == ["list_skills", "load_skill", "load_skill_resource"]
    assert "call load_skill first" in instruction_in(model.requests[0])
    assert found[0] == {"skills": [{"name": "weather", "description": "Answers about the weather."}]}
    assert found[1]["instructions"] == "# Weather\nAsk, then answer."
    assert found[1]["files"] == ["references/en/guide.md", "assets/map.png", "scripts/run.py"]
    assert found[2] == {"skill_name": "weather", "file_path": "scripts/run.py", "content": "print(1)"}


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "references/../SKILL.md", "guide.md"])
async def test_only_the_skills_own_files_are_read(weather, path):
    _, [found] = await run(SkillToolset([weather]), [call("load_skill_resource", skill_name="weather", file_path=path)])
    assert found["error_code"] == "RESOURCE_NOT_FOUND"


async def test_a_skill_that_is_not_there_is_answered_with_those_there_are(weather):
    _, [found] = await run(SkillToolset([weather]), [call("load_skill", skill_name="wether")])
    assert found["error_code"] == "SKILL_NOT_FOUND"
    assert "weather" in found["error"]


async def test_an_image_is_given_to_the_model(weather):
    model, _ = await run(
        SkillToolset([weather]), [call("load_skill_resource", skill_name="weather", file_path="assets/map.png")]
    )
    response = model.requests[1].contents[-1].parts[0].function_response
    assert response.parts[0].inline_data.data == b"\x89PNG\xff"
    assert response.parts[0].inline_data.mime_type == "image/png"


async def test_of_a_long_file_the_beginning_is_given(tmp_path):
    skill = load_skill_from_dir(skill_in(tmp_path / "weather", **{"assets/a.txt": "雨" * (module.LONGEST + 1)}))
    _, [found] = await run(
        SkillToolset([skill]), [call("load_skill_resource", skill_name="weather", file_path="assets/a.txt")]
    )
    assert found["content"] == "雨" * module.LONGEST
    assert found["cut"] == "The file has 200,001 characters; this is its beginning."


@pytest.mark.parametrize(
    ("encoding", "newline"), [("utf-8", "\r\n"), ("utf-8-sig", "\n"), ("utf-16", "\r\n"), ("cp1252", "\n")]
)
def test_a_skill_that_was_saved_on_windows_is_read(tmp_path, encoding, newline):
    folder = tmp_path / "weather"
    folder.mkdir()
    text = f"{HEAD}# Météo\nAsk.\n".replace("\n", newline)
    (folder / "SKILL.md").write_bytes(text.encode(encoding))
    assert load_skill_from_dir(folder).instructions == "# Météo\nAsk."


def test_all_skills_in_a_folder(tmp_path):
    for name in ("rain", "snow"):
        skill_in(tmp_path / name, f"---\nname: {name}\ndescription: x\n---\n")
    (tmp_path / "notes").mkdir()
    (tmp_path / "SKILL.md").touch()
    load = value_of("skills", "load_skills_from_dir")
    assert [skill.name for skill in load(tmp_path)] == ["rain", "snow"]
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing")


async def test_eager_skills_stand_in_the_instruction(weather):
    mode = value_of("tools.skill_toolset", "SkillDiscoveryMode").EAGER
    model, _ = await run(SkillToolset([weather], discovery_mode=mode, tool_name_prefix="my"))
    assert list(model.requests[0].tools_dict) == ["my_load_skill", "my_load_skill_resource"]
    assert "- weather: Answers about the weather." in instruction_in(model.requests[0])


async def test_a_loaded_skill_brings_the_tools_that_it_names(tmp_path):
    def thermometer() -> dict:
        """Reads it."""
        return {"celsius": 20}

    head = HEAD.replace("\n---\n", "\nmetadata:\n  adk_additional_tools: [thermometer, other]\n---\n")
    skill = load_skill_from_dir(skill_in(tmp_path / "weather", head))
    model, found = await run(
        SkillToolset([skill], additional_tools=[thermometer]),
        [call("load_skill", skill_name="weather")],
        [call("thermometer")],
    )
    assert ["thermometer" in request.tools_dict for request in model.requests] == [False, True, True]
    assert found[1] == {"celsius": 20}


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("", "between two lines"),
        ("name: weather\n---\n---\n", "between two lines"),
        ("---\nname: weather\n---\n", "description: Field required"),
        ("---\nname: Weather Now\ndescription: x\n---\n", "name: String should match"),
        ("---\nname: rain\ndescription: x\n---\n", "the same name"),
        ("---\nname: &a weather\ndescription: *a\n---\n", "aliases"),
        ("---\n[\n---\n", "The head of the SKILL.md of weather cannot be read"),
        (HEAD + "x" * 200_000, "larger than 200,000 bytes"),
    ],
)
def test_a_skill_that_is_not_valid_says_why(tmp_path, head, why):
    with pytest.raises(ToolError, match=why):
        load_skill_from_dir(skill_in(tmp_path / "weather", head))


def test_a_folder_without_a_skill_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no SKILL\.md"):
        load_skill_from_dir(tmp_path)


@pytest.mark.parametrize(("link", "target"), [("references/b.md", "secret"), ("SKILL.md", "secret"), ("assets", "")])
def test_a_link_out_of_the_folder_is_refused(tmp_path, link, target):
    folder = skill_in(tmp_path / "weather", **{"references/a.md": "a"})
    (tmp_path / "secret").write_text(HEAD)
    (folder / link).unlink(missing_ok=True)
    (folder / link).symlink_to(tmp_path / target)
    with pytest.raises(ToolError, match=f"{link} of the skill weather is a link that leads out of its folder"):
        load_skill_from_dir(folder)


def test_large_skills_are_refused(tmp_path, monkeypatch):
    folder = skill_in(tmp_path / "weather", **{"references/a.md": "a" * 400, "assets/b.md": "b" * 400})
    monkeypatch.setattr(module, "MOST_BYTES", 600)
    with pytest.raises(ToolError, match=r"assets/b\.md of the skill weather: It is larger than 200 bytes"):
        load_skill_from_dir(folder)
    monkeypatch.setattr(module, "MOST_FILES", 1)
    with pytest.raises(ToolError, match="more than 1 files"):
        load_skill_from_dir(folder)


def test_two_skills_of_one_name_are_refused(weather):
    with pytest.raises(ValueError, match="two skills"):
        SkillToolset([weather, weather])
