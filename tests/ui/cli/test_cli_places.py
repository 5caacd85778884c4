"""Files and folders that the user names and that cannot be used: each one sentence, exit code 2, no traceback."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import agents.config
import agents.storage.address
import agents.storage.paths
from agents.models.local import files
from tests.ui.stage import page, said, sound
from ui.cli import main as cli
from ui.demo import opening
from ui.state import runs
from ui.state.options import model_choices

NOBODY = 65534
LOADED = (agents.config, agents.storage.address, agents.storage.paths)
"""Imported before another user is taken on, who may not read the checkout."""
COMMANDS = {
    "serve": ["--no-browser", "--port", "0"],
    "run": ["run", "status_poller", "hello"],
    "answer": ["answer", "session", "call", "--approve"],
    "sessions": ["sessions"],
    "pending": ["pending"],
    "export": ["export", "session"],
    "import": ["import", __file__],
    "models": ["models"],
    "demo": ["demo", "ace", "--no-browser", "--port", "0"],
}


@pytest.fixture(autouse=True)
def no_demo() -> Iterator[None]:
    """The command `demo` has the pages of this process show one."""
    yield
    opening.begin(None)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user may look into, unlike `tmp_path`."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture
def as_nobody():
    """Becomes a user whom permissions bind, if the tests run as one whom they do not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)


@pytest.fixture
def playground(capsys):
    def playground(*arguments: str) -> tuple[int, str]:
        code = cli.main(arguments)
        output, errors = capsys.readouterr()
        assert output == ""
        return code, errors

    return playground


def below_a_file(folder: Path) -> Path:
    (folder / "file").touch()
    return folder / "file" / "play.db"


def a_folder(folder: Path) -> Path:
    (folder / "play.db").mkdir()
    return folder / "play.db"


def a_broken_link(folder: Path) -> Path:
    (folder / "play.db").symlink_to(folder / "nowhere" / "play.db")
    return folder / "play.db"


def a_loop(folder: Path) -> Path:
    (folder / "play.db").symlink_to(folder / "play.db")
    return folder / "play.db"


def a_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "play.db")
    return folder / "play.db"


BAD = {
    "below a file": (below_a_file, "file is a file, not a folder. Choose another path."),
    "a folder": (a_folder, "it is a folder. Name a file, e.g. "),
    "a broken link": (a_broken_link, "is a link to {folder}/nowhere/play.db, which does not exist."),
    "a loop of links": (a_loop, "links on the way lead round in a circle."),
    "a named pipe": (a_pipe, "it is neither a file nor a folder."),
    "a long name": (lambda folder: folder / ("x" * 300), "one of its names is longer than the file system allows."),
    "a NUL": (lambda folder: folder / "a\0b.db", "its name holds a character that no file name can have."),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("case", BAD)
def test_a_database_that_cannot_be_used_is_one_sentence(playground, folder, case, command):
    make, reason = BAD[case]
    path = make(folder)
    code, errors = playground(*COMMANDS[command], "--db", str(path))
    assert code == 2
    assert errors.count("\n") == 1
    assert errors.startswith("playground: The session database ")
    assert reason.format(folder=folder) in errors


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_below_a_folder_that_may_not_be_searched(playground, folder, as_nobody, monkeypatch, command):
    monkeypatch.setenv("PLAYGROUND_MODELS", str(folder / "models"))
    (folder / "closed").mkdir(0o000)
    code, errors = playground(*COMMANDS[command], "--db", str(folder / "closed" / "deep" / "play.db"))
    assert code == 2
    assert errors == (
        f"playground: The session database {folder}/closed/deep/play.db cannot be used: {folder}/closed may not be looked "
        "into by this account. Change its permissions, or choose another path.\n"
    )


def test_a_database_in_a_folder_that_may_not_be_written(playground, folder, as_nobody):
    (folder / "closed").mkdir(0o555)
    code, errors = playground("sessions", "--db", str(folder / "closed" / "deep" / "play.db"))
    assert (code, f"the folder {folder}/closed cannot be written to." in errors) == (2, True)


def test_the_environment_is_told_the_same(playground, folder, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_DB", str(below_a_file(folder)))
    code, errors = playground("sessions")
    assert (code, "file is a file, not a folder" in errors) == (2, True)


def test_a_user_who_does_not_exist_has_no_home(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_DB", "~nobody-of-this-name/play.db")
    assert agents.storage.address.default_database() == Path("~nobody-of-this-name/play.db")


@pytest.mark.parametrize("command", ["serve", "run", "answer", "sessions", "pending", "pipelines", "demo"])
@pytest.mark.parametrize("case", ["below a file", "a broken link", "a long name", "a NUL"])
def test_a_folder_of_agents_that_cannot_be_used_is_one_sentence(playground, tmp_path, folder, case, command):
    make, reason = BAD[case]
    arguments = COMMANDS.get(command, [command])
    (tmp_path / "play.db").touch()
    database = [] if command == "pipelines" else ["--db", str(tmp_path / "play.db")]
    code, errors = playground(*arguments, *database, "--agents", str(make(folder)))
    assert code == 2
    assert errors.count("\n") == 1
    assert reason.format(folder=folder) in errors
    assert "Give --agents the folder that holds your pipelines." in errors


def test_a_folder_of_agents_that_may_not_be_searched(playground, folder, as_nobody):
    (folder / "closed").mkdir(0o000)
    code, errors = playground("pipelines", "--agents", str(folder / "closed" / "mine"))
    assert (code, f"{folder}/closed may not be looked into by this account." in errors) == (2, True)


@pytest.mark.parametrize("case", ["below a file", "a broken link", "a long name"])
def test_a_models_folder_that_cannot_be_used_is_one_sentence(playground, tmp_path, folder, monkeypatch, case):
    make, reason = BAD[case]
    monkeypatch.setenv("PLAYGROUND_MODELS", str(make(folder)))
    code, errors = playground("models", "--db", str(tmp_path / "play.db"))
    assert code == 2
    assert errors.count("\n") == 1
    assert reason.format(folder=folder) in errors


def test_the_page_says_the_same(quiet_world, folder):
    runs.configure(database=below_a_file(folder))
    try:
        at = sound(page())
        assert "file is a file, not a folder. Choose another path." in said(at)
    finally:
        runs.close()
        runs.configure()


def test_the_page_says_that_the_folder_of_agents_is_gone(quiet_world, tmp_path):
    runs.configure(database=tmp_path / "play.db", agents_dir=tmp_path / "gone")
    try:
        assert "gone to take agents from: it does not exist." in said(sound(page()))
    finally:
        runs.close()
        runs.configure()


def test_a_model_whose_name_is_too_long_for_a_file_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path))
    monkeypatch.setattr(files, "lacks_extra", lambda: False)
    assert model_choices.missing(f"local/{'x' * 300}") == files.NO_FILE
