"""`playground run` as a process whose database fails in the middle: it ends by itself and says what is stored."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from agents.runs import RunManager
from tests.forks import Fork
from tests.ui.cli.impatient import SECONDS
from tests.ui.cli.test_cli_process import ROOT, STAGES

LONGEST = 120
"""Seconds after which a command counts as hung and is killed: it ends with another code, and says nothing."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "playground.db"
    with RunManager(database=path) as manager:
        assert manager.sessions.summaries() == []
    return path


class Command:
    """A run that has said its first line and says the next one on cue."""

    def __init__(self, database: Path, cue: Path, module: str = "tests.ui.cli.impatient") -> None:
        self.database, self.cue = database, cue
        command = ["-m", module, "run", "rehearsal", f"cue {cue}", "--json"]
        self.process = Fork([*command, "--db", str(database), "--agents", str(STAGES)], cwd=ROOT)
        self.watchdog = threading.Timer(LONGEST, self.process.kill)
        self.watchdog.start()
        for text in ("cue", "before"):
            assert text in self.process.stdout.readline()

    def waits(self) -> str:
        """What it says when it has begun to wait."""
        return self.process.stderr.readline()

    def end(self) -> tuple[int, str, str]:
        """Exit code, the rest of standard output, and what it said on standard error."""
        output, errors = self.process.communicate()
        self.watchdog.cancel()
        return self.process.returncode, output, errors


@pytest.fixture
def start(database: Path, tmp_path: Path) -> Iterator[Callable[..., Command]]:
    commands: list[Command] = []

    def start(*module: str) -> Command:
        commands.append(Command(database, tmp_path / "cue", *module))
        return commands[-1]

    yield start
    for command in commands:
        command.watchdog.cancel()
        command.process.kill()
        command.process.communicate()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None, timeout=20)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def events_in(database: Path) -> tuple[str, int]:
    with RunManager(database=database, agents_dir=STAGES) as manager:
        [found] = manager.sessions.summaries()
        return found.status, found.events


def delete(database: Path) -> None:
    for file in database.parent.iterdir():
        file.unlink()


def delete_main_file(database: Path) -> None:
    database.unlink()


def delete_folder(database: Path) -> None:
    delete(database)
    database.parent.rmdir()


def rename(database: Path) -> None:
    for file in sorted(database.parent.iterdir()):
        file.rename(file.with_name(file.name.replace("playground", "renamed")))


@pytest.mark.parametrize("fault", [delete, delete_main_file, delete_folder, rename])
def test_a_database_that_is_gone(start, database, fault):
    command = start()
    fault(database)
    command.cue.touch()
    code, output, errors = command.end()
    assert (code, output) == (1, "")
    assert errors.startswith(f"playground: The session database {database} was moved or deleted while it was in use: ")
    assert errors.count("\n") == 1
    assert not database.exists(), "nothing is put in its place"


def test_a_database_that_is_gone_while_the_run_waits_for_a_model(start, database):
    command = start()  # its cue does not come
    delete(database)
    code, _, errors = command.end()
    assert (code, errors.count("was moved or deleted")) == (1, 1)


def test_a_renamed_database_has_all_that_was_shown(start, database):
    command = start()
    rename(database)
    command.cue.touch()
    assert command.end()[0] == 1
    assert events_in(database.with_name("renamed.db")) == ("interrupted", 2)


def test_a_lock_that_lasts_ends_the_run(start, database):
    command = start()
    with locked(database):
        command.cue.touch()
        assert command.waits() == (
            f"playground: Waiting for the session database {database}, which is locked by another process. "
            f"It is given up after {SECONDS} s.\n"
        )
        code, output, errors = command.end()
    assert (code, output) == (1, "")
    assert (
        f"is locked: another program has kept it from being written for more than {SECONDS} s. Nothing was stored." in errors
    )
    assert errors.endswith(" is stored up to event 2; what came after it is lost.\n")
    assert events_in(database) == ("interrupted", 2)


def test_a_lock_that_passes_is_waited_for(start, database):
    command = start()
    with locked(database):
        command.cue.touch()
        assert "Waiting for the session database" in command.waits()
    code, output, errors = command.end()
    assert (code, errors) == (0, "")
    event, summary = map(json.loads, output.splitlines())
    assert (event["content"]["parts"][0]["text"], summary["status"]) == ("after", "completed")
    assert events_in(database) == ("completed", 3)


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_wait_for_a_lock(start, database, number, expected):
    command = start("ui.cli")
    with locked(database):
        command.cue.touch()
        assert "Waiting for the session database" in command.waits()
        command.process.send_signal(number)
        code, _, errors = command.end()
    assert code == expected
    assert "more than 10 s" not in errors, "it did not wait until the end"
    assert errors.endswith(" is stored up to event 2; what came after it is lost.\n")


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_wait_for_a_lock_before_the_run(database, number, expected):
    with locked(database):
        command = [
            "-m",
            "tests.ui.cli.impatient",
            "run",
            "rehearsal",
            "talk 1",
            "--db",
            str(database),
            "--agents",
            str(STAGES),
        ]
        process = Fork(command, cwd=ROOT)
        watchdog = threading.Timer(LONGEST, process.kill)
        watchdog.start()
        said = process.stderr.readline()
        process.send_signal(number)
        output, errors = process.communicate()
        watchdog.cancel()
    assert "Waiting for the session database" in said
    assert (process.returncode, output, errors) == (expected, "", "")


def test_a_disk_that_takes_no_more_ends_the_run(start, database):
    """No file may grow any more, which SQLite calls an I/O error: it does not pass by itself."""
    command = start()
    size = Path(f"{database}-wal").stat().st_size  # the next append makes it longer
    resource.prlimit(command.process.pid, resource.RLIMIT_FSIZE, (size, size))
    command.cue.touch()
    code, output, errors = command.end()
    assert (code, output) == (1, "")
    assert "playground.db failed: disk I/O error. Nothing was stored." in errors
    assert errors.endswith(" is stored up to event 2; what came after it is lost.\n")
    assert events_in(database) == ("interrupted", 2)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("mounting a small disk needs rights that this user does not have")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize("passes", [True, False])
def test_a_full_disk(small_disk, tmp_path, passes):
    database, filler = small_disk / "playground.db", small_disk / "filler"
    with RunManager(database=database) as manager:
        assert manager.sessions.summaries() == []
    command = Command(database, tmp_path / "cue")
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 512):
                pass
        except OSError:
            pass
    command.cue.touch()
    assert f"which cannot grow because the disk is full. It is given up after {SECONDS} s." in command.waits()
    if passes:
        filler.unlink()
    code, output, errors = command.end()
    filler.unlink(missing_ok=True)
    if passes:
        assert (code, errors, json.loads(output.splitlines()[-1])["status"]) == (0, "", "completed")
        assert events_in(database) == ("completed", 3)
    else:
        assert (code, output) == (1, "")
        assert "playground.db cannot grow: the disk is full." in errors
        assert errors.endswith(" is stored up to event 2; what came after it is lost.\n")
        assert events_in(database) == ("interrupted", 2)


def fill(folder: Path, *, leave: int) -> None:
    """Writes a file that leaves so many bytes of a disk."""
    with (folder / "filler").open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            file.truncate(max(0, file.tell() - leave))


LAB = 'name = "formulas"\ndata = { generate = "formulas", seed = 1, count = 240 }\n[[arms]]\nkind = "none"\n'


@pytest.mark.parametrize(
    ("leave", "said"),
    [
        (0, "cannot be written: No space left on device. Nothing was begun."),
        (400_000, "run.db cannot grow: the disk is full."),
    ],
)
def test_a_full_disk_under_a_lab_run(small_disk, tmp_path, leave, said):
    (tmp_path / "formulas.toml").write_text(LAB)
    fill(small_disk, leave=leave)
    command = ["-m", "ui.cli", "lab", "run", str(tmp_path / "formulas.toml"), "--db", str(small_disk / "playground.db")]
    process = Fork(command, cwd=ROOT)
    output, errors = process.communicate()
    assert (process.returncode, output) == (2, "")
    assert errors.startswith("playground: ")
    assert said in errors
    assert "Traceback" not in errors


def test_an_output_that_takes_no_more_is_a_sentence(database):
    with RunManager(database=database) as manager:
        session = manager.sessions.create("tool_loop", session_id="s")
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "ui.cli", "export", session, "--db", str(database)],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert process.returncode == 1
    assert process.stderr.startswith("playground: The disk is full: ")
    assert process.stderr.count("\n") == 1


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A database with a session "s" in a folder that nobody may write to, root included where a mount can be made."""
    folder = tmp_path / "read-only"
    with RunManager(database=folder / "playground.db") as manager:
        manager.sessions.create("tool_loop", session_id="s")
    mounted = subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False).returncode == 0
    if mounted:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
    elif os.geteuid() == 0:
        pytest.skip("root may write everywhere, and may not mount here")
    else:
        (folder / "playground.db").chmod(0o444)
        folder.chmod(0o555)
    yield folder / "playground.db"
    if mounted:
        subprocess.run(["umount", "-l", folder], check=True)
    folder.chmod(0o755)


def said_by(*arguments: str, database: Path) -> tuple[int, str, str]:
    process = Fork(["-m", "ui.cli", *arguments, "--db", str(database)], cwd=ROOT)
    output, errors = process.communicate()
    return process.returncode, output, errors


def test_a_read_only_database_is_listed_and_exported_and_not_written(read_only, tmp_path):
    code, output, errors = said_by("sessions", database=read_only)
    assert (code, errors) == (0, "")
    assert output.startswith("s ")
    for form in ("jsonl", "adk", "html"):
        target = tmp_path / form
        assert said_by("export", "s", "--format", form, "-o", str(target), database=read_only)[0] == 0
        assert target.stat().st_size
    code, output, errors = said_by("run", "tool_loop", "2 + 2", database=read_only)
    assert (code, output) == (2, "")
    assert "cannot be written to: the file or its folder is read-only. Nothing was stored." in errors


def test_several_runs_begin_at_once_on_a_new_database(tmp_path):
    command = ["-m", "ui.cli", "run", "tool_loop", "2 + 2", "--json", "--db", str(tmp_path / "new" / "playground.db")]
    processes = [Fork(command, cwd=ROOT) for _ in range(8)]
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0] * 8
    with RunManager(database=tmp_path / "new" / "playground.db") as manager:
        assert [row.status for row in manager.sessions.summaries()] == ["completed"] * 8
