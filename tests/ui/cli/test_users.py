"""`playground users`: the file that a server lets users in by."""

from __future__ import annotations

import io
import sys

import pytest

from agents.access import UsersFile
from ui.cli.main import main


@pytest.fixture
def users(tmp_path, monkeypatch, capsys):
    """Does an action on one file, with a password on standard input; gives the exit code and what was printed."""
    monkeypatch.setattr("agents.access.users_file._COST", 4)
    file = tmp_path / "team.toml"

    def do(*words: str, password: str = "correct horse") -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{password}\n"))
        code = main(["users", *words, "--users", str(file)])
        told = capsys.readouterr()
        return code, told.out + told.err

    do.file = file
    return do


def test_a_user_is_added_listed_changed_and_removed(users):
    assert users("add", "山田 太郎", "--role", "author") == (0, "山田 太郎 may sign in, with the role author.\n")
    file = UsersFile(users.file)
    assert file.check("山田 太郎", "correct horse").role == "author"
    assert users.file.stat().st_mode & 0o077 == 0
    assert "correct horse" not in users.file.read_text()
    assert users("passwd", "山田 太郎", password="another one")[0] == 0
    assert file.check("山田 太郎", "correct horse") is None
    assert file.check("山田 太郎", "another one") is not None
    users("disable", "山田 太郎")
    assert users("list") == (0, "山田 太郎\tauthor  disabled\n")
    assert file.check("山田 太郎", "another one") is None
    users("enable", "山田 太郎")
    assert file.check("山田 太郎", "another one") is not None
    assert users("remove", "山田 太郎")[0] == 0
    assert users("list") == (0, "")


def test_what_a_hand_wrote_into_the_file_stays(users):
    users.file.write_text('# our team\n[openid]\nissuer = "https://id.example.org"\n')
    users("add", "ann")
    assert users.file.read_text().startswith('# our team\n[openid]\nissuer = "https://id.example.org"\n')


@pytest.mark.parametrize(
    ("words", "password", "said"),
    [
        (["add", "ann"], "short", "8 to 1000 characters"),
        (["add", "a\x07b"], "correct horse", "no name of 1 to 60"),
        (["add", "Ann"], "correct horse", "There is a user 'Ann' already"),
        (["remove", "bob"], "", "has no user 'bob'"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(users, words, password, said):
    if words[-1] in {"Ann", "bob"}:
        users("add", "ann")
    before = users.file.exists() and users.file.read_text()
    code, printed = users(*words, password=password)
    assert (code, said in printed) == (2, True), printed
    assert (users.file.exists() and users.file.read_text()) == before


@pytest.mark.parametrize(
    "text",
    [
        "[users.ann\n",
        'users = "ann"',
        "[users.ann]\nrole = 'boss'\npassword = 'x'\n",
        "[users.ann]\nrole = 'user'\n",
        "\udcff",
    ],
)
def test_a_file_that_is_none_ends_the_start_with_a_sentence(users, text):
    users.file.write_bytes(text.encode("utf-8", "surrogateescape"))
    code, printed = users("list")
    assert (code, "The users' file" in printed) == (2, True)


@pytest.mark.parametrize(
    "kept", ["plain text", "scrypt$99$8$1$AA==$AA==", "scrypt$15$8$1$AA==", "md5$1$1$1$AA==$AA==", "scrypt$x$8$1$a$b"]
)
def test_a_password_that_is_no_hash_is_nobodys(users, kept):
    users.file.write_text(f"[users.ann]\nrole = 'user'\npassword = '{kept}'\n")
    assert UsersFile(users.file).check("ann", kept) is None


def test_without_a_file_it_asks_for_one(capsys):
    assert main(["users", "list"]) == 2
    assert "--users FILE" in capsys.readouterr().err
