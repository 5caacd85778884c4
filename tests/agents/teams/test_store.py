"""Teams in a folder: revisions, two writers at once, processes that are killed, and what others do to the files."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agents.access import visitor
from agents.errors import NotPermittedError, TeamChangedError, TeamError
from agents.teams import store as store_module
from agents.teams.edit import set_field
from agents.teams.store import TeamDraft, TeamStore
from agents.teams.stored import files as stored_files
from agents.teams.stored.files import LARGEST

FILES = {"root_agent.yaml": "name: 挨拶\ninstruction: こんにちは。\n", "tools.py": "x = 1\n"}
OTHER = {**FILES, "root_agent.yaml": "name: 挨拶\ninstruction: さようなら。\n"}


@pytest.fixture
def store(tmp_path) -> TeamStore:
    return TeamStore(tmp_path / "teams", reserved=lambda: ("ace",))


@pytest.fixture
def draft(store) -> TeamDraft:
    return store.create("greet", FILES, note="From a start")


def on_disk(store: TeamStore, name: str) -> dict[str, str]:
    folder = store.path(name)
    paths = [path for path in folder.rglob("*") if path.is_file() and ".revisions" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in paths}


def test_nothing_is_made_before_the_first_team(store):
    assert store.names() == []
    assert not store.folder.exists()


def test_a_team_is_a_folder_of_its_files_and_each_save_is_a_revision(store, draft):
    assert (draft, store.names()) == (TeamDraft("greet", 1, FILES), ["greet"])
    assert on_disk(store, "greet") == FILES
    without_tools = {"root_agent.yaml": OTHER["root_agent.yaml"], "below/w.yaml": "name: w\n"}
    saved = store.save(draft, without_tools, note="Says goodbye")
    assert on_disk(store, "greet") == without_tools == saved.files
    assert store.read("greet") == saved
    assert store.read("greet", 1) == draft
    assert [(one.number, one.note) for one in store.revisions("greet")] == [(2, "Says goodbye"), (1, "From a start")]
    assert store.revisions("greet")[0].saved_at >= store.revisions("greet")[1].saved_at > 0
    assert store.save(saved, without_tools, note="again").revision == 2, "the same files make no revision"


def test_a_diff_is_that_of_all_files(store, draft):
    store.save(draft, {**OTHER, "new.yaml": "name: n"}, note="")
    assert store.diff("greet", 1, 2) == (
        "--- /dev/null\n+++ 2/new.yaml\n@@ -0,0 +1 @@\n+name: n\n\\ No newline at end of file\n"
        "--- 1/root_agent.yaml\n+++ 2/root_agent.yaml\n@@ -1,2 +1,2 @@\n name: 挨拶\n"
        "-instruction: こんにちは。\n+instruction: さようなら。\n"
    )
    assert store.diff("greet", 2, 2) == ""


def test_restoring_is_a_new_revision(store, draft):
    store.save(draft, OTHER, note="")
    assert store.restore("greet", 1) == TeamDraft("greet", 3, FILES)
    assert on_disk(store, "greet") == FILES
    assert store.revisions("greet")[0].note == "Restored revision 1"


def test_the_second_of_two_tabs_is_told_and_overwrites_nothing(store, draft):
    store.save(draft, OTHER, note="first tab")
    with pytest.raises(TeamChangedError, match="as revision 2; this change began with revision 1"):
        store.save(draft, {**FILES, "tools.py": "x = 2\n"}, note="second tab")
    assert on_disk(store, "greet") == OTHER


def test_of_many_writers_at_once_one_wins_each_revision_and_none_is_lost(store, draft):
    ready = threading.Barrier(8)

    def write(number: int) -> int:
        own = TeamStore(store.folder)
        ready.wait()
        won = 0
        for turn in range(5):
            before = own.read("greet")
            try:
                own.save(before, set_field(before.files, "挨拶", "instruction", f"{number}-{turn}"), note=f"{number}-{turn}")
                won += 1
            except TeamChangedError:
                continue
        return won

    with ThreadPoolExecutor(8) as pool:
        won = sum(pool.map(write, range(8)))
    revisions = store.revisions("greet")
    assert [one.number for one in revisions] == list(range(won + 1, 0, -1))
    newest = store.read("greet")
    assert f"instruction: {revisions[0].note}\n" in newest.files["root_agent.yaml"]
    assert on_disk(store, "greet") == newest.files


def test_a_change_in_an_editor_becomes_a_revision(store, draft):
    (store.path("greet") / "root_agent.yaml").write_text(OTHER["root_agent.yaml"], newline="\r\n")
    (store.path("greet") / "logo.png").write_bytes(b"\x89PNG\xff")
    (store.path("greet") / ".env").write_text("KEY=secret")
    with pytest.raises(TeamChangedError):
        store.save(draft, {**FILES, "tools.py": ""}, note="")
    assert store.read("greet") == TeamDraft("greet", 2, OTHER)
    assert store.revisions("greet")[0].note == "Changed outside of the playground"
    assert b"secret" not in store.to_zip("greet")
    assert not [path for path in (store.path("greet") / ".revisions").iterdir() if b"secret" in path.read_bytes()]


def test_a_folder_that_somebody_puts_there_is_a_team(store, tmp_path):
    folder = tmp_path / "teams" / "found"
    folder.mkdir(parents=True)
    (folder / "root_agent.yaml").write_text("name: found\n")
    assert store.read("found") == TeamDraft("found", 1, {"root_agent.yaml": "name: found\n"})


def test_a_first_file_that_somebody_removes_can_be_restored(store, draft):
    (store.path("greet") / "root_agent.yaml").unlink()
    assert store.read("greet").files == {"tools.py": "x = 1\n"}
    assert store.restore("greet", 1).files == FILES == on_disk(store, "greet")


def test_a_file_may_change_its_capitals(store, draft):
    capital = store.save(draft, {**FILES, "Writer.yaml": "name: w\n"}, note="")
    small = store.save(capital, {**FILES, "writer.yaml": "name: w\n"}, note="")
    assert on_disk(store, "greet") == small.files
    assert store.read("greet") == small


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("after", range(9))
def test_a_process_that_is_killed_while_it_saves_loses_nothing(store, draft, monkeypatch, after):
    new = {"root_agent.yaml": OTHER["root_agent.yaml"], "a.yaml": "name: a\n", "b.yaml": "name: b\n"}
    written = iter(range(after))
    replace_file = stored_files.replace_file

    def killed(file: Path, text: str, *, beside: Path) -> None:
        if next(written, None) is None:
            raise Killed
        replace_file(file, text, beside=beside)

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "replace_file", killed)
        patch.setattr("agents.teams.stored.revisions.replace_file", killed)
        try:
            store.save(draft, new, note="new")
        except Killed:
            pass
        else:
            assert after == 8, "three texts, the revision, three files, and that they are written"
    found = TeamStore(store.folder).read("greet")
    assert found in (draft, TeamDraft("greet", 2, new))
    assert on_disk(store, "greet") == found.files
    assert (found.revision == 2) == (after >= 4)
    assert TeamStore(store.folder).read("greet") == found


def test_what_an_editor_changes_after_a_process_was_killed_stays(store, draft, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "_write_out", lambda *_: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            store.save(draft, OTHER, note="new")
    (store.path("greet") / "tools.py").write_text("x = 'mine'\n")
    assert store.read("greet") == TeamDraft("greet", 3, {**OTHER, "tools.py": "x = 'mine'\n"})
    assert store.read("greet", 2).files == OTHER


def test_a_team_that_cannot_be_made_leaves_nothing(store, monkeypatch):
    store.folder.mkdir(parents=True)
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "_write_out", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(TeamError, match=r"The team 'greet' cannot be made: No space left on device"):
            store.create("greet", FILES)
    assert store.names() == []
    assert store.create("greet", FILES).revision == 1


def test_a_copy_has_its_own_revisions_and_names_its_own_code(store):
    files = {**FILES, "root_agent.yaml": "name: g\ntools:\n  - name: greet.tools.roll\n"}
    store.save(store.create("greet", files), {**files, "tools.py": ""}, note="")
    copied = store.duplicate("greet", "hello")
    assert (copied.revision, "hello.tools.roll" in copied.files["root_agent.yaml"]) == (1, True)
    assert store.revisions("hello")[0].note == "Copy of greet, revision 2"
    assert "greet.tools.roll" in store.read("greet").files["root_agent.yaml"]


def test_a_renamed_team_keeps_its_revisions_and_names_its_own_code(store):
    store.create("greet", {**FILES, "root_agent.yaml": "name: g\ntools:\n  - name: greet.tools.roll\n"})
    renamed = store.rename("greet", "hello")
    assert (store.names(), renamed.revision) == (["hello"], 2)
    assert renamed == store.read("hello")
    assert "hello.tools.roll" in renamed.files["root_agent.yaml"]
    assert len(store.revisions("hello")) == 2


def test_a_deleted_team_comes_back_with_its_revisions(store, draft):
    store.save(draft, OTHER, note="")
    store.delete("greet")
    assert store.names() == []
    store.delete(store.create("greet", FILES, note="second").name)
    assert store.undelete("greet") == TeamDraft("greet", 1, FILES), "the one that was deleted last"
    with pytest.raises(TeamError, match="called greet already"):
        store.undelete("greet")
    store.rename("greet", "second")
    assert store.undelete("greet") == TeamDraft("greet", 2, OTHER)
    with pytest.raises(TeamError, match="No team 'greet_2' was deleted"):
        store.undelete("greet_2")


def test_a_zip_file_becomes_a_team_with_a_free_name(store, draft):
    data = store.to_zip("greet")
    assert store.from_zip(data) == TeamDraft("greet_2", 1, FILES)
    assert store.from_zip(data, name="hello").name == "hello"
    with pytest.raises(TeamError, match="called greet already"):
        store.from_zip(data, name="greet")
    with pytest.raises(TeamError, match="cannot be a file of a team"):
        store.from_zip(data.replace(b"tools.py", b"con.yaml"))


@pytest.mark.parametrize("name", ["", "a-b", "a b", "1st", "../x", "a/b", "_hidden", ".x", "ｆｕｌｌ", "x" * 200, "a\0b"])
def test_a_name_that_python_cannot_import_is_refused(store, name):
    with pytest.raises(TeamError, match=r"cannot name a team|at most 60"):
        store.create(name, FILES)
    assert store.names() == []


@pytest.mark.parametrize("name", ["greet", "Greet", "ace", "ACE"])
def test_a_name_that_is_taken_is_refused(store, draft, name):
    for make in (lambda: store.create(name, FILES), lambda: store.duplicate("greet", name)):
        with pytest.raises(TeamError, match=f"called {name} already"):
            make()


def test_a_team_may_have_a_name_in_any_script_and_change_its_capitals(store):
    store.create("挨拶チーム", FILES)
    store.create("greet", FILES)
    store.rename("greet", "Greet")
    assert store.names() == ["Greet", "挨拶チーム"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"writer.yaml": ""}, "begins with root_agent.yaml"),
        ({**FILES, "../x.yaml": ""}, "cannot be a file"),
        ({**FILES, "/x.yaml": ""}, "cannot be a file"),
        ({**FILES, "a\\x.yaml": ""}, "cannot be a file"),
        ({**FILES, ".env": ""}, "cannot be a file"),
        ({**FILES, "nul.yaml": ""}, "cannot be a file"),
        ({**FILES, "a/b/c/d/e/f.yaml": ""}, "at most 5 parts"),
        ({**FILES, "run.sh": ""}, "which end in .yaml"),
        ({**FILES, "Tools.py": ""}, "differ in capitals alone"),
        ({**FILES, "a.csv": "0" * (LARGEST + 1)}, "1,000,001 bytes"),
        ({**FILES, "a.csv": "\ud800"}, "half a character"),
        ({**FILES, "a.csv": "\0"}, "null character"),
        ({**FILES, **{f"{number}.csv": "" for number in range(500)}}, "at most 500 files"),
    ],
)
def test_files_that_no_team_can_have_are_refused_and_nothing_is_stored(store, draft, files, says):
    for save in (lambda: store.create("other", files), lambda: store.save(draft, files, note="")):
        with pytest.raises(TeamError, match=says):
            save()
    assert (store.names(), store.read("greet")) == (["greet"], draft)


def test_a_file_in_another_encoding_is_named(store, draft):
    (store.path("greet") / "root_agent.yaml").write_bytes("name: 挨拶".encode("shift_jis"))
    with pytest.raises(TeamError, match=r"root_agent\.yaml is not text in UTF-8"):
        store.read("greet")
    assert store.names() == ["greet"]


def test_nothing_is_written_over_a_link_out_of_the_folder(store, draft, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (store.path("greet") / "below").symlink_to(outside)
    with pytest.raises(TeamError, match="leads over a link"):
        store.save(draft, {**FILES, "below/x.yaml": "name: x\n"}, note="")
    assert list(outside.iterdir()) == []
    assert store.read("greet") == draft
    (tmp_path / "teams" / "linked").symlink_to(store.path("greet"))
    assert store.names() == ["greet"]


@pytest.mark.parametrize("name", ["nobody", "..", "../teams/greet", ".deleted", "a\0b", "x" * 300])
def test_what_is_no_team_is_told_with_those_that_are(store, draft, name):
    with pytest.raises(TeamError, match="There are: greet"):
        store.read(name)


def test_a_revision_that_is_not_there_or_is_damaged_is_told(store, draft):
    store.save(draft, OTHER, note="")
    with pytest.raises(TeamError, match="no revision 9"):
        store.read("greet", 9)
    (store.path("greet") / ".revisions" / "000001.json").write_text("{")
    with pytest.raises(TeamError, match=r"000001\.json holds no revision any more"):
        store.read("greet", 1)
    assert store.read("greet").files == OTHER


def test_a_team_whose_newest_revision_is_damaged_goes_on_as_its_folder_is(store, draft):
    store.save(draft, OTHER, note="")
    (store.path("greet") / ".revisions" / "000002.json").write_text("{")
    assert store.read("greet").files == OTHER
    assert [one.number for one in store.revisions("greet")] == [3, 1]
    assert store.restore("greet", 1).files == FILES


def test_files_of_the_teams_name_stay_when_it_is_renamed(store):
    files = {
        "root_agent.yaml": "name: top\nsub_agents:\n  - config_path: orders.yaml\n",
        "orders.yaml": "name: low\ntools:\n  - name: orders.tools.ask\n  - {name: TableTool, args: {file: orders.csv}}\n",
        "orders.csv": "a,b\n1,2\n",
    }
    store.create("orders", files)
    store.rename("orders", "sales")
    renamed = {**files, "orders.yaml": files["orders.yaml"].replace("orders.tools", "sales.tools")}
    assert store.read("sales").files == renamed


def test_a_visitor_reads_and_changes_nothing(store, draft):
    visiting = TeamStore(store.folder, user=visitor("ann"))
    assert visiting.read("greet") == draft
    for change in (
        lambda: visiting.create("mine", FILES),
        lambda: visiting.save(draft, OTHER, note=""),
        lambda: visiting.restore("greet", 1),
        lambda: visiting.rename("greet", "mine"),
        lambda: visiting.duplicate("greet", "mine"),
        lambda: visiting.delete("greet"),
        lambda: visiting.undelete("greet"),
        lambda: visiting.from_zip(store.to_zip("greet")),
    ):
        with pytest.raises(NotPermittedError, match="may not make, change or delete teams"):
            change()
    assert store.read("greet") == draft
