"""A database's address: what may be written, what is shown of it, and where the folders beside it are."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import config
from agents.errors import DatabaseError
from agents.storage import address
from agents.storage.address import (
    PostgresAddress,
    check_database,
    default_database,
    folder_beside,
    is_stored,
    parse_database,
)

URL = "postgresql://ana:s3cret%40@db.example:5433/play?sslmode=require"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (URL, "postgresql://ana@db.example:5433/play?sslmode=require"),
        ("postgres://db/play", "postgres://db/play"),
        ("POSTGRESQL://ana:s3cret@/play?host=/run/s", "postgresql://ana@/play?host=/run/s"),
        ("postgresql://ana:s3cret@a:1,[::1]:2/play", "postgresql://ana@a:1,[::1]:2/play"),
        ("postgresql://db/play?user=ana&password=s3cret&sslpassword=s3cret", "postgresql://db/play?user=ana"),
        ("postgresql://ana:a@s3cret@db/play", "postgresql://ana@db/play"),
    ],
)
def test_the_text_of_an_address_has_no_password(text, shown):
    place = parse_database(text)
    assert str(place) == f"{place}" == shown
    assert "s3cret" not in repr(place)
    assert isinstance(place, PostgresAddress)
    assert place.url.partition(":")[2] == text.partition(":")[2]
    check_database(place)


@pytest.mark.parametrize("text", ["play.db", "~/play.db", "a:b.db", r"C:\play.db", "postgres.db", "postgresql/play"])
def test_what_is_no_url_is_a_file(text):
    assert parse_database(text) == Path(text).expanduser()


@pytest.mark.parametrize(
    "text",
    ["postgresql:/db", "postgres:play", "postgresql://ana:s3cret@db:port/x", "postgresql://ana:s3cret@[::1/x",
     "postgresql://ana:s3cret@db:99999/x", "postgresql://ana:s3cret @db/x", "postgresql://ana:12#s3cret@db/x",
     "postgresql://ana:12?s3cret@db/x", "postgresql://ana:12/s3cret@db/x", "postgresql://ana:s3cret\n@db/x"],
)  # fmt: skip
def test_an_address_that_cannot_be_read_is_refused_without_its_password(text):
    with pytest.raises(DatabaseError, match=r"cannot be read. Write postgresql://USER:PASSWORD@") as caught:
        parse_database(text)
    assert "s3cret" not in str(caught.value)


def test_another_kind_of_database_is_refused_with_what_there_is():
    with pytest.raises(DatabaseError, match=r"begins with mysql://. Give .* a URL that begins with postgresql://") as caught:
        parse_database("mysql://ana:s3cret@db/x")
    assert "s3cret" not in str(caught.value)
    with pytest.raises(DatabaseError, match=r"begins with sqlite://. Give the path of the file itself, e.g. play.db."):
        parse_database("sqlite:///play.db")
    with pytest.raises(DatabaseError, match=r"postgresql\+psycopg://. Give .* postgresql://"):
        parse_database("postgresql+psycopg://db/x")


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch):
    monkeypatch.setattr(address, "find_spec", lambda _: None)
    with pytest.raises(DatabaseError, match="Start with `uv run --extra postgres playground`"):
        check_database(parse_database(URL))


def test_a_server_may_have_something_and_a_missing_file_has_nothing(tmp_path):
    assert is_stored(parse_database(URL))
    assert not is_stored(tmp_path / "play.db")
    (tmp_path / "play.db").touch()
    assert is_stored(tmp_path / "play.db")


def test_the_environment_names_the_database_and_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYGROUND_DB", URL)
    assert default_database() == parse_database(URL)
    monkeypatch.delenv("PLAYGROUND_DATA", raising=False)
    assert folder_beside(tmp_path / "play.db") == tmp_path
    assert folder_beside(parse_database(URL)) == config.data_folder()
    monkeypatch.delenv("PLAYGROUND_DB")
    monkeypatch.setenv("PLAYGROUND_DATA", str(tmp_path / "data"))
    assert default_database() == tmp_path / "data" / "playground.db"
    assert folder_beside(tmp_path / "play.db") == folder_beside(parse_database(URL)) == tmp_path / "data"
