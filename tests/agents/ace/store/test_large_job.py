"""Large changes made by a process of their own: how far one is, cancelling it, what becomes of it when something ends."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import psutil
import pytest

from agents.ace import Playbook, PlaybookStore
from agents.ace.bullet import StoredBullet
from agents.ace.store import bundles
from agents.ace.store.large_job import LargeJob, LargeJobs
from agents.errors import PlaybookBusyError, PlaybookFormatError

PATIENCE = 60.0
TEXT = "## UNITS\n" + "".join(f"[units-{n:05d}] helpful=1 harmful=0 :: Rule {n}.\n" for n in range(1, 2001))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "p.db"


@pytest.fixture
def store(path):
    with PlaybookStore(path, "p") as made:
        yield made


@pytest.fixture
def jobs(path):
    made = LargeJobs(PlaybookStore(path, "any"), path)
    yield made
    made.close()


def comes_to(job: LargeJob, *phases: str):
    """Waits for a phase; the process tells, so nothing is asked of it more often than needed."""
    waited = threading.Event()
    for _ in range(int(PATIENCE / 0.01)):
        if job.status.phase in phases or job.status.is_over:
            break
        waited.wait(0.01)
    assert job.status.phase in phases, job.status
    return job.status


def test_a_file_is_read_in_another_process_then_stored_and_undone(store, jobs, monkeypatch):
    def never(*_args, **_more):
        raise AssertionError("not in this process")

    for name in ("read", "from_text", "from_json", "from_dict"):
        monkeypatch.setattr(Playbook, name, never)
    monkeypatch.setattr(bundles, "add", never)
    job = jobs.read(TEXT.encode(), "notes.txt")
    status = comes_to(job, "ready")
    assert (status.preview["bullets"], status.preview["sections"]) == (2000, 1)
    assert status.preview["first"][0] == {"id": "units-00001", "content": "Rule 1."}
    assert store.names() == []
    job.store_into("p", new=True)
    done = job.wait(PATIENCE)
    assert (done.phase, done.revision, done.playbook) == ("done", 1, "p")
    assert len(store.playbook()) == 2000
    undo = jobs.undo("p", 1)
    assert undo.wait(PATIENCE).phase == "done"
    assert len(store.playbook()) == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"## A\n[x-1] helpful=1 harmful=0 :: one\nnot a [bullet\n[x-1] helpful=\n", "Line 4"),
        (b"## A\n\xff\xfe", "Line 2: this is not text in UTF-8"),
        ("## A\n".encode("utf-16"), "Line 1: this is not text in UTF-8"),
        (b"PK\x03\x04 and more", "a ZIP archive"),
        (b"\n" * 1000, "it is empty"),
        (b'{"format": "agent-playground/playbook", "version": 2, "bullets": []}', "newer version"),
        (b"## A\n[x-1] helpful=1 harmful=0 :: " + b"x" * 1_000_000, "1,000,000 characters, and 2,000 is the most"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(jobs, content, why):
    job = jobs.read(content, "notes.txt")
    status = job.wait(PATIENCE)
    assert status.phase == "failed"
    assert why in status.message


def test_a_file_that_is_too_large_is_refused_at_once(jobs, monkeypatch):
    monkeypatch.setattr("agents.ace.formats.file.MAX_PLAYBOOK_BYTES", 1_000_000)
    with pytest.raises(PlaybookFormatError, match=r"1.0 MB is the most|1 MB is the most"):
        jobs.read(b"x" * 1_000_001, "notes.txt")
    assert jobs.current is None


def test_cancelled_while_it_waits_it_leaves_no_process_and_nothing_stored(store, jobs):
    job = jobs.read(TEXT.encode(), "notes.txt")
    comes_to(job, "ready")
    child = psutil.Process(job._process.pid)
    assert job.cancel().phase == "cancelled"
    assert not child.is_running()
    assert store.names() == []


def test_there_is_one_at_a_time(jobs):
    job = jobs.read(TEXT.encode(), "notes.txt")
    with pytest.raises(PlaybookBusyError, match=r"Import of notes.txt"):
        jobs.read(TEXT.encode(), "more.txt")
    job.cancel()
    assert comes_to(jobs.read(TEXT.encode(), "more.txt"), "ready")


def test_a_process_that_is_killed_is_told_and_leaves_nothing(store, jobs):
    job = jobs.read(TEXT.encode(), "notes.txt")
    comes_to(job, "ready")
    job._process.kill()
    status = job.wait(PATIENCE)
    assert status.phase == "failed"
    assert "Nothing was stored" in status.message
    assert store.names() == []


def test_what_was_stored_before_a_cancel_came_is_there_and_said_to_be(store, jobs):
    job = jobs.read(TEXT.encode(), "notes.txt")
    comes_to(job, "ready")
    job.store_into("p", new=True)
    comes_to(job, "finishing", "done")
    assert job.cancel().phase == "done"
    assert len(store.playbook()) == 2000


def test_it_ends_with_the_process_that_began_it(path):
    code = (
        "import sys, time; from pathlib import Path; from agents.ace import PlaybookStore; "
        "from agents.ace.store.large_job import LargeJobs; path = Path(sys.argv[1]); "
        "job = LargeJobs(PlaybookStore(path), path).read(sys.argv[2].encode(), 'x'); "
        "print(job._process.pid, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(path), TEXT[:20_000]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        child.wait(PATIENCE) if child.ppid() == os.getpid() else psutil.wait_procs([child], timeout=PATIENCE)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_where_to_is_asked_for_so_long_and_then_it_is_let_go(jobs, monkeypatch):
    monkeypatch.setattr("agents.ace.store.large_job.PATIENCE", 0.01)
    assert jobs.read(TEXT.encode(), "notes.txt").wait(PATIENCE).phase == "cancelled"


def test_an_import_into_a_playbook_of_many_bullets_is_in_memory_when_it_is_done(store, jobs):
    store.import_playbook(Playbook([StoredBullet("a-00001", "A", "was there")]))
    job = jobs.read(TEXT.encode(), "notes.txt")
    comes_to(job, "ready")
    job.store_into("p", new=False)
    assert job.wait(PATIENCE).revision == 2
    assert len(jobs._store.beside("p").playbook()) == 2001
