"""A session's folder of files: what goes in comes out, and nothing leads out of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents import InvocationContext, LlmAgent, ReadonlyContext, Session
from agents.access import OWNER
from agents.errors import ToolError
from agents.pipelines import working_files
from agents.pipelines.working_files import (
    MAX_DEPTH,
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_NAME_BYTES,
    WorkingFiles,
    working_files_of,
)

SECRET = "not for models"


@pytest.fixture
def files(tmp_path) -> WorkingFiles:
    """An empty workspace in a folder that holds a file which must stay out of reach."""
    (tmp_path / "secret.txt").write_text(SECRET)
    return WorkingFiles(tmp_path / "files")


@pytest.fixture
def seed(tmp_path) -> Path:
    folder = tmp_path / "seed"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "today.md").write_text("Nothing yet.\n")
    (folder / "__pycache__").mkdir()
    (folder / ".hidden").write_text("x")
    return folder


def context_of(session_id: str, *, app: str = "tool_loop", user: str = OWNER.id) -> ReadonlyContext:
    session = Session(id=session_id, app_name=app, user_id=user)
    agent = LlmAgent(name="Reader")
    return ReadonlyContext(InvocationContext(invocation_id="i", agent=agent, session=session, session_service=None))


def everything_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_an_empty_workspace_holds_nothing_and_makes_nothing(files):
    assert files.list() == {}
    assert not files.root.exists()


def test_what_is_written_is_read_and_listed(files):
    assert files.write("b.txt", "zwei\r\n") is True
    assert files.write("notes/a.md", "één\n") is True
    assert files.write("b.txt", "2") is False

    assert files.read("b.txt") == "2"
    assert files.read("./notes/a.md") == "één\n"
    assert files.list() == {"b.txt": 1, "notes/a.md": 6}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(max_size=200))
@example("\r\n \u2028 \ufeff")
@example("\ud800")
@example("a\0b")
def test_any_text_comes_back_as_it_was_or_is_refused(files, text):
    can_be_written = "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
    try:
        files.write("any.txt", text)
    except ToolError:
        assert not can_be_written
    else:
        assert can_be_written
        assert files.read("any.txt") == text


OUTSIDE = [
    "../secret.txt",
    "a/../../secret.txt",
    "..",
    "",
    ".",
    "/",
    "//secret.txt",
    "/etc/passwd",
    "~/secret.txt",
    "C:secret.txt",
    "C:\\secret.txt",
    "..\\secret.txt",
    "a/",
    "a//b",
    ".hidden",
    "a/.git/config",
    " a",
    "a ",
    "a.",
    "a\0b",
    "a\nb",
    "con",
    "NUL.txt",
    "a:stream",
    "*",
    "a|b",
    "file://secret.txt",
    "é" * MAX_NAME_BYTES,
    "x" * (MAX_NAME_BYTES + 1),
    "x" * 100_000,
    "/".join("a" * (MAX_DEPTH + 1)),
    "\ud800",
    "\u202ereversed",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_may_lead_elsewhere_is_refused(files, tmp_path, path):
    before = everything_in(tmp_path)

    for use in (files.read, lambda name: files.write(name, "mine now")):
        with pytest.raises(ToolError, match="cannot be used as a path") as refused:
            use(path)
        assert len(str(refused.value)) < 400
    assert everything_in(tmp_path) == before
    assert (tmp_path / "secret.txt").read_text() == SECRET


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(["..", ".", "a", "é", "/", "\\", "~", " ", "\0", "secret.txt", "x" * 90]), max_size=12))
def test_no_path_leads_out(files, pieces):
    path = "".join(pieces)
    try:
        files.write(path, "mine")
    except ToolError:
        return
    written = {place for place in files.root.parent.rglob("*") if place.is_file()}
    outside = {place for place in written if not place.is_relative_to(files.root)}
    assert outside == {files.root.parent / "secret.txt"}
    assert (files.root.parent / "secret.txt").read_text() == SECRET


@pytest.mark.parametrize("path", ["link", "folder/secret.txt", "folder/new.txt", "dangling", "itself/x", "inner/b.txt"])
def test_links_are_not_followed_wherever_they_lead(files, tmp_path, path):
    files.write("real/b.txt", "b")
    (files.root / "link").symlink_to(tmp_path / "secret.txt")
    (files.root / "folder").symlink_to(tmp_path, target_is_directory=True)
    (files.root / "dangling").symlink_to(tmp_path / "nowhere")
    (files.root / "itself").symlink_to(files.root / "itself")
    (files.root / "inner").symlink_to(files.root / "real", target_is_directory=True)

    for use in (files.read, lambda name: files.write(name, "mine now")):
        with pytest.raises(ToolError, match="leads over a link"):
            use(path)
    assert files.list() == {"real/b.txt": 1}
    assert (tmp_path / "secret.txt").read_text() == SECRET
    assert not (tmp_path / "new.txt").exists()
    assert not (tmp_path / "nowhere").exists()


def test_what_leads_out_without_being_a_symbolic_link_is_not_followed_either(files, tmp_path, monkeypatch):
    files.write("a.txt", "a")
    (files.root / "folder").symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.setattr(Path, "is_symlink", lambda self: False)

    with pytest.raises(ToolError, match="leads over a link"):
        files.read("folder/secret.txt")


def test_a_workspace_may_itself_be_reached_over_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real", target_is_directory=True)
    files = WorkingFiles(tmp_path / "linked" / "files")

    files.write("a.txt", "a")

    assert files.read("a.txt") == "a"


def test_what_is_missing_is_answered_with_what_there_is(files):
    files.write("a.md", "a")
    files.write("b/c.md", "c")

    for path in ("d.md", "b"):
        with pytest.raises(ToolError, match=rf"There is no file '{path}'\. There are: a\.md, b/c\.md\."):
            files.read(path)


def test_a_folder_is_not_overwritten_and_a_file_is_no_folder(files):
    files.write("a/b.md", "b")

    with pytest.raises(ToolError, match="'a' is a folder"):
        files.write("a", "mine")
    with pytest.raises(ToolError, match="cannot be used") as refused:
        files.write("a/b.md/c.md", "mine")
    assert str(files.root) not in str(refused.value)


def test_there_is_a_limit_to_a_file_and_to_how_many(files, monkeypatch):
    monkeypatch.setattr(working_files, "MAX_FILES", 3)
    files.write("full.txt", "é" * (MAX_FILE_BYTES // 2))
    with pytest.raises(ToolError, match=f"{MAX_FILE_BYTES + 2} bytes are too many for 'more.txt'"):
        files.write("more.txt", "é" * (MAX_FILE_BYTES // 2 + 1))
    assert list(files.list()) == ["full.txt"]

    files.write("a/2.txt", "2")
    files.write("3.txt", "3")
    with pytest.raises(ToolError, match="There are 3 files already"):
        files.write("4.txt", "4")
    assert files.write("3.txt", "three") is False


def test_files_of_one_turn_are_written_side_by_side_and_the_limit_holds(files):
    def write(number: int) -> bool:
        try:
            return files.write(f"{number}.txt", "x")
        except ToolError:
            return False

    with ThreadPoolExecutor(8) as pool:
        made = sum(pool.map(write, range(MAX_FILES + 20)))

    assert made == len(files.list()) == MAX_FILES


def test_what_others_put_there_is_read_with_care(files):
    files.write("a.txt", "a")
    (files.root / "picture.png").write_bytes(b"\x89PNG\xff")
    (files.root / "long.txt").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    (files.root / ".hidden").write_text("x")
    (files.root / "odd\nname").write_text("x")

    assert list(files.list()) == ["a.txt", "long.txt", "picture.png"]
    with pytest.raises(ToolError, match=r"'picture\.png' is no text"):
        files.read("picture.png")
    with pytest.raises(ToolError, match=f"'long.txt' has {MAX_FILE_BYTES + 1} bytes"):
        files.read("long.txt")


def test_a_write_that_fails_leaves_the_file_as_it_was(files, monkeypatch):
    files.write("a.txt", "before")

    def no_room(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", no_room)
    with pytest.raises(ToolError, match=r"^'a\.txt' cannot be used: No space left on device\.$"):
        files.write("a.txt", "after")

    assert files.read("a.txt") == "before"
    assert everything_in(files.root) == {"a.txt"}


# -- one for each session


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("PLAYGROUND_FILES", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_workspace_begins_as_a_copy_of_its_seed(home, seed):
    files = working_files_of(context_of("0a1b2c3d-session"), seed)

    assert files.root == home / "tool_loop" / "0a1b2c3d-session"
    assert files.list() == {"notes/today.md": 13}
    assert everything_in(home) == {
        "tool_loop",
        "tool_loop/0a1b2c3d-session",
        "tool_loop/0a1b2c3d-session/notes",
        "tool_loop/0a1b2c3d-session/notes/today.md",
    }


def test_the_seed_is_copied_once_and_never_written(home, seed):
    first = working_files_of(context_of("one-session"), seed)
    first.write("notes/today.md", "Much.")

    assert working_files_of(context_of("one-session"), seed).read("notes/today.md") == "Much."
    assert working_files_of(context_of("other-session"), seed).read("notes/today.md") == "Nothing yet.\n"
    assert (seed / "notes" / "today.md").read_text() == "Nothing yet.\n"


def test_a_seed_that_may_not_be_written_makes_files_that_may(home, seed):
    (seed / "notes" / "today.md").chmod(0o444)

    working_files_of(context_of("one-session"), seed).write("notes/today.md", "Much.")


def test_calls_that_come_together_get_one_workspace(home, seed):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: working_files_of(context_of("one-session"), seed).list(), range(32)))

    assert all(listed == {"notes/today.md": 13} for listed in found)
    assert len(list((home / "tool_loop").iterdir())) == 1


@pytest.mark.parametrize("odd", ["../..", "..", "/etc", "a/b", "", ".", "CON", "x" * 300, "Über\0\n", "\ud800", "a" * 65])
def test_an_odd_session_id_names_a_folder_in_its_place(home, seed, odd):
    root = working_files_of(context_of(odd), seed).root
    in_odd_app = working_files_of(context_of("one-session", app=odd), seed).root

    assert root.parent == home / "tool_loop"
    assert in_odd_app.parent.parent == home
    assert len(root.name) < 64
    assert in_odd_app.parent.name == root.name


def test_sessions_that_look_alike_do_not_share(home, seed):
    alike = [
        context_of("session-a"),
        context_of("Session-A"),
        context_of("session/a"),
        context_of("session-a", user="other"),
        context_of("session-a", app="approval"),
        context_of("other/session-a"),
    ]

    assert len({working_files_of(context, seed).root for context in alike}) == len(alike)
