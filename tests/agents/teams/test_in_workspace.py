"""Teams as pipelines of a workspace: they are loaded as they are saved, and a run keeps what it began with."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import PipelineLoadError, PipelineNotFoundError, TeamError
from agents.lab.plan.origin import version_of
from agents.records import RunStarted
from agents.teams.edit import add_agent, rename_agent, set_field
from agents.workspace import Workspace
from tests.ui.stage import finish

FILES = {"root_agent.yaml": "name: greeter\ndescription: 挨拶する。\ninstruction: Greet.\n"}
WAITING = {
    "root_agent.yaml": "name: greeter\ninstruction: Greet.\nbefore_agent_callbacks:\n  - name: greet.code.wait\n",
    "code.py": "import threading\n\nGO = threading.Event()\n\n\ndef wait(callback_context):\n    GO.wait(60)\n",
}


@pytest.fixture
def workspace(tmp_path):
    with Workspace(tmp_path / "play.db") as made:
        yield made


def revisions_of(workspace: Workspace, pipeline: str, session: str) -> list[int | None]:
    found = [entry.of(RunStarted) for entry in workspace.runs.sessions.log(pipeline, session)]
    return [record.team_revision for record in found if record is not None]


def test_teams_lie_beside_the_database_and_are_in_the_catalog_as_they_are_saved(workspace, tmp_path):
    draft = workspace.teams.create("greet", FILES)
    assert (tmp_path / "teams" / "greet" / "root_agent.yaml").read_text("utf-8") == FILES["root_agent.yaml"]
    first = workspace.catalog.get("greet")
    assert (workspace.catalog.names()[-1], first.root_agent.description, first.revision) == ("greet", "挨拶する。", 1)
    assert first.tree["revision"] == 1
    workspace.teams.save(draft, set_field(draft.files, "greeter", "description", "見送る。"), note="")
    second = workspace.catalog.get("greet")
    assert (second.root_agent.description, second.revision) == ("見送る。", 2)
    assert first.root_agent.description == "挨拶する。"
    workspace.teams.delete("greet")
    assert "greet" not in workspace.catalog.names()


def test_without_teams_and_packages_there_is_nothing_to_watch(workspace):
    assert not workspace.catalog.has_folder
    workspace.teams.create("greet", FILES)
    assert workspace.catalog.has_folder


def test_sessions_in_memory_have_teams_in_a_temporary_folder():
    with Workspace(None) as workspace:
        workspace.teams.create("greet", FILES)
        folder = workspace.teams.path("greet")
        assert "temporary" in str(folder)
        assert workspace.catalog.get("greet").root_agent.name == "greeter"
    assert not folder.exists()


def test_a_broken_team_says_why_and_hides_no_other(workspace):
    broken = workspace.teams.create("broken", {"root_agent.yaml": "name: b\nsub_agents:\n  - config_path: later.yaml\n"})
    workspace.teams.create("greet", FILES)
    assert list(workspace.catalog.broken) == ["broken"]
    with pytest.raises(PipelineLoadError, match=r"line 3: there is no file 'later\.yaml'"):
        workspace.catalog.get("broken")
    assert "greet" in workspace.catalog.names()
    workspace.teams.save(broken, {**broken.files, "later.yaml": "name: c\n"}, note="")
    assert workspace.catalog.get("broken").root_agent.sub_agents[0].name == "c"


@pytest.mark.parametrize("code", ["os.system", "subprocess.run", "agents.teams.store.TeamStore"])
def test_code_outside_of_the_team_is_not_imported(workspace, code):
    workspace.teams.create("evil", {"root_agent.yaml": f"name: e\ntools:\n  - name: {code}\n"})
    with pytest.raises(PipelineLoadError, match="neither the runtime's nor this team's"):
        workspace.catalog.get("evil")


def test_packages_of_the_user_and_teams_do_not_take_each_others_names(tmp_path):
    package = tmp_path / "mine" / "greet"
    package.mkdir(parents=True)
    (package / "root_agent.yaml").write_text("name: mine\n")
    with Workspace(tmp_path / "play.db", agents_dir=tmp_path / "mine") as workspace:
        for name in ("greet", "ace"):
            with pytest.raises(TeamError, match=f"called {name} already"):
                workspace.teams.create(name, FILES)
        workspace.teams.create("later", FILES)
        package.rename(package.with_name("later"))  # the user makes a package of that name afterwards
        assert workspace.catalog.get("later").root_agent.name == "mine"
        assert workspace.catalog.names().count("later") == 1
        assert "called 'later'. Give the team another name" in workspace.catalog.broken["teams/later"].reason


def test_an_empty_folder_of_packages_says_so_beside_teams(tmp_path):
    (tmp_path / "mine").mkdir()
    with Workspace(tmp_path / "play.db", agents_dir=tmp_path / "mine") as workspace:
        workspace.teams.create("greet", FILES)
        assert "There is no agent in" in workspace.catalog.empty_reason


def test_a_run_keeps_the_team_that_it_began_with_and_each_run_records_its_revision(workspace):
    draft = workspace.teams.create("greet", WAITING)
    run = workspace.runs.start("greet", "Hello", simulated_speed=0)
    begun = workspace.runs.pipeline_of("greet", run.session_id)
    saved = workspace.teams.save(draft, rename_agent({**FILES}, "greeter", "other"), note="")
    assert workspace.runs.pipeline_of("greet", run.session_id) is begun
    begun.root_agent.before_agent_callback.__globals__["GO"].set()
    finish(workspace.runs, "greet", run.session_id)
    again = workspace.runs.start("greet", "Hello again", session_id=run.session_id, simulated_speed=0)
    finish(workspace.runs, "greet", again.session_id)
    assert revisions_of(workspace, "greet", run.session_id) == [1, saved.revision]
    authors = [
        entry.event().author for entry in workspace.runs.sessions.log("greet", run.session_id) if entry.kind == "event"
    ]
    assert authors == ["user", "greeter", "user", "other"]


def test_a_change_in_an_editor_is_a_revision_for_the_next_run(workspace):
    workspace.teams.create("greet", FILES)
    (workspace.teams.path("greet") / "root_agent.yaml").write_text("name: edited\ninstruction: Greet.\n")
    run = workspace.runs.start("greet", "Hello", simulated_speed=0)
    finish(workspace.runs, "greet", run.session_id)
    assert revisions_of(workspace, "greet", run.session_id) == [2]
    assert workspace.teams.read("greet", 2).files == {"root_agent.yaml": "name: edited\ninstruction: Greet.\n"}


def test_a_built_in_pipeline_has_no_revision(workspace):
    run = workspace.runs.start("iterative_writing", "A lighthouse", simulated_speed=0)
    finish(workspace.runs, "iterative_writing", run.session_id)
    assert revisions_of(workspace, "iterative_writing", run.session_id) == [None]


def test_a_team_that_is_deleted_while_it_runs_ends_its_run_and_can_be_brought_back(workspace):
    workspace.teams.create("greet", WAITING)
    run = workspace.runs.start("greet", "Hello", simulated_speed=0)
    begun = workspace.runs.pipeline_of("greet", run.session_id)
    workspace.teams.delete("greet")
    begun.root_agent.before_agent_callback.__globals__["GO"].set()
    finish(workspace.runs, "greet", run.session_id)
    found = workspace.runs.sessions.find("greet", run.session_id)
    assert found is not None
    assert found.status == "completed"
    with pytest.raises(PipelineNotFoundError, match="no pipeline 'greet'"):
        workspace.runs.start("greet", "Again", session_id=run.session_id)
    workspace.teams.undelete("greet")
    assert workspace.catalog.get("greet").revision == 1


def test_the_version_of_a_team_is_that_of_its_files_not_of_its_revisions(workspace):
    draft = workspace.teams.create("greet", FILES)
    first = version_of(workspace.catalog.get("greet"))
    changed = workspace.teams.save(draft, set_field(draft.files, "greeter", "instruction", "Wave."), note="")
    assert version_of(workspace.catalog.get("greet")) != first
    workspace.teams.save(changed, FILES, note="")
    assert version_of(workspace.catalog.get("greet")) == first


def test_a_team_of_sixty_agents_is_loaded(workspace):
    files = {"root_agent.yaml": "agent_class: SequentialAgent\nname: all\n"}
    for number in range(59):
        files = add_agent(files, "all", "LlmAgent", f"agent_{number}")
    draft = workspace.teams.create("large", files)
    assert len(workspace.catalog.get("large").root_agent.sub_agents) == 59
    saved = workspace.teams.save(draft, set_field(draft.files, "agent_58", "description", "最後"), note="")
    assert (
        len(list((workspace.teams.path("large") / ".revisions").iterdir()))
        == len({*files.values()}) + 1 + saved.revision + 1
    )
    assert workspace.catalog.get("large").root_agent.sub_agents[-1].description == "最後"


def test_a_team_that_was_copied_into_a_folder_of_packages_runs_there(workspace, tmp_path):
    workspace.teams.create("greet", FILES)
    copied: Path = tmp_path / "mine" / "greet"
    copied.mkdir(parents=True)
    (copied / "root_agent.yaml").write_text(FILES["root_agent.yaml"], encoding="utf-8")
    with Workspace(tmp_path / "other" / "play.db", agents_dir=tmp_path / "mine") as other:
        assert other.catalog.get("greet").revision == 0
    assert sorted(path.name for path in copied.iterdir()) == ["root_agent.yaml"]
