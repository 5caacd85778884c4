"""The key of visitors' cookies: kept beside the database, for nobody else to read, or the log says that it is not."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from ui.access import visitor_key


@pytest.fixture(autouse=True)
def process(monkeypatch):
    monkeypatch.setattr(visitor_key, "_process", visitor_key._Process())


def started(database):
    """The key of a server that is started anew."""
    visitor_key.keep_beside(database)
    return visitor_key.key()


def test_it_is_the_same_after_a_restart_and_nobody_else_can_read_it(tmp_path):
    database = tmp_path / "new" / "play.db"
    key = started(database)
    assert (len(key), started(database)) == (32, key)
    [file] = database.parent.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_without_a_database_each_process_has_its_own(monkeypatch):
    key = visitor_key.key()
    assert visitor_key.key() == key
    monkeypatch.setattr(visitor_key, "_process", visitor_key._Process())
    assert visitor_key.key() != key


def test_two_databases_have_two(tmp_path):
    assert started(tmp_path / "one.db") != started(tmp_path / "two.db")


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_a_file_that_is_no_key_is_replaced(tmp_path, content):
    (tmp_path / "play.db.visitor-key").write_bytes(content)
    key = started(tmp_path / "play.db")
    assert (len(key), started(tmp_path / "play.db")) == (32, key)
    assert key != content[:32]


def test_a_file_that_others_can_read_is_closed_to_them(tmp_path):
    key = started(tmp_path / "play.db")
    file = tmp_path / "play.db.visitor-key"
    file.chmod(0o644)
    assert started(tmp_path / "play.db") == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_to_another_file_is_not_followed(tmp_path, caplog):
    (tmp_path / "elsewhere").write_bytes(b"k" * 32)
    (tmp_path / "play.db.visitor-key").symlink_to(tmp_path / "elsewhere")
    assert started(tmp_path / "play.db") != b"k" * 32
    assert "cannot be kept" in caplog.text


def test_where_it_cannot_be_kept_visitors_are_told_apart_until_the_restart_and_the_log_says_so(tmp_path, caplog):
    (tmp_path / "file").write_text("no folder")
    database = tmp_path / "file" / "play.db"
    key = started(database)
    assert visitor_key.key() == key
    assert started(database) != key
    assert "visitors will not find their sessions. Make the folder writable" in caplog.text


KEY = "import sys; from pathlib import Path; from ui.access import visitor_key as v; v.keep_beside(Path(sys.argv[1])); "


def test_servers_that_start_together_have_one_key(tmp_path):
    command = [sys.executable, "-c", f"{KEY} print(v.key().hex())", str(tmp_path / "play.db")]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) for _ in range(4)]
    assert len({process.communicate()[0] for process in processes}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["play.db.visitor-key"]
