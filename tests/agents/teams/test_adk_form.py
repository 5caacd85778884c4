"""Teams for google-adk: the real one lists an exported team, and runs it as it runs here."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from agents.models.scripted import call
from agents.teams import STARTS, add_agent, not_in_adk, set_field, wrap_agent
from agents.teams.adk_form import from_adk, to_adk
from agents.workspace import Workspace
from tests.agents.teams.beside_adk import texts_here, texts_in_adk

MESSAGE = "灯台守の話 for the shop"
TOOLS = '''"""Functions of the team."""


def count_words(text: str) -> dict:
    """Counts words.

    Args:
        text: The text.
    """
    return {"words": len(text.split())}
'''
SCRIPT = {
    "desk": [[call("transfer_to_agent", agent_name="stories")]],
    "stories": ["A story is wanted."],
    "writer": ["A lamp.", "A lamp, and a keeper."],
    "critic": ["Who keeps it?", [call("exit_loop")]],
    "supporter": ["It is short."],
    "doubter": ["It is sad."],
    "editor": [[call("linguist", request="Is lamp a word?"), call("count_words", text="a lamp")], "Printed: 2 words."],
    "linguist": ["It is."],
}


def team() -> dict[str, str]:
    """A router, a loop, a block side by side and, last, an editor with an agent and a function as tools."""
    loop, _, views, *_ = STARTS
    files = {**loop.files, "tools.py": TOOLS}
    files = wrap_agent(files, "writing", "SequentialAgent", "all")
    files = add_agent(files, "all", "LlmAgent", "desk", position=0)
    files = add_agent(files, "desk", "LlmAgent", "stories")
    files = set_field(files, "stories", "description", "Writes stories.")
    files = add_agent(files, "all", "ParallelAgent", "views")
    for name in ("supporter", "doubter"):
        files = add_agent(files, "views", "LlmAgent", name)
        files |= {f"{name}.yaml": views.files[f"{name}.yaml"]}
    files = add_agent(files, "all", "LlmAgent", "editor")
    files["below/linguist.yaml"] = "name: linguist\ndescription: Knows words.\ninstruction: Answer.\n"
    agent = {"name": "AgentTool", "args": {"agent": {"config_path": "below/linguist.yaml"}}}
    return set_field(files, "editor", "tools", [agent, {"name": ".tools.count_words"}])


def unzipped(data: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
    return folder


def test_an_exported_team_is_listed_and_run_by_adk_web_as_it_runs_here(tmp_path):
    with Workspace(tmp_path / "play.db") as workspace:
        workspace.teams.create("日の本", team())
        workspace.teams.rename("日の本", "paper")
        folder = unzipped(workspace.teams.to_zip("paper"), tmp_path / "exported")
        mine = texts_here(workspace.catalog.get("paper"), MESSAGE, SCRIPT)
    apps, [found] = texts_in_adk(folder, [("paper", MESSAGE, SCRIPT)])
    assert apps == ["paper"]
    assert found["error"] == ""
    assert found["left"] == {}
    assert mine[:1] == [["stories", "A story is wanted."]]
    assert mine[-1] == ["editor", "Printed: 2 words."]
    assert found["texts"] == mine


def test_a_team_comes_back_from_its_zip_as_it_was(tmp_path):
    with Workspace(tmp_path / "play.db") as workspace:
        kept = workspace.teams.create("paper", team())
        again = workspace.teams.from_zip(workspace.teams.to_zip("paper"))
        assert (again.name, again.files) == ("paper_2", kept.files)


def test_a_module_of_the_users_own_is_not_written_over():
    files = {**team(), "agent_tools.py": "x = 1\n"}
    made = to_adk("paper", files)
    assert made["agent_tools.py"] == "x = 1\n"
    assert "name: paper.agent_tools_2.linguist_tool" in made["editor.yaml"]
    assert from_adk("paper", made) == files
    odd = add_agent(add_agent(files, "desk", "LlmAgent", "FOLDER", as_tool=True), "desk", "LlmAgent", "class", as_tool=True)
    compile(to_adk("paper", odd)["agent_tools_2.py"], "agent_tools_2.py", "exec")
    assert from_adk("paper", to_adk("paper", odd)) == odd


def test_what_google_adk_does_not_read_is_said():
    files = set_field(team(), "writing", "until", {"agent": "critic", "contains": "fine"})
    files = add_agent(files, "views", "agents.RoutedAgent", "router")
    files = set_field(files, "doubter", "tools", [{"name": "agents.TableTool", "args": {"file": "a.csv"}}, {"args": {}}])
    assert not_in_adk(team(), "paper") == []
    assert not_in_adk(team(), "編集部") == ["It opens folders with names of ASCII letters only: rename 編集部 first."]
    assert not_in_adk({**files, "more.py": "def f():\n    from agents import exit_loop\n"}) == [
        "more.py imports from this playground: other programs need it to be installed.",
        "writing has until: ADK's form has none.",
        "The tool agents.TableTool of doubter has arguments, which `adk web` takes from no file.",
        "The tool ? of doubter has arguments, which `adk web` takes from no file.",
        "router is a router: ADK's form has none.",
    ]
