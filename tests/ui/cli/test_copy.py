"""`playground copy`: what it prints, and that it goes on after Ctrl-C."""

from __future__ import annotations

from agents.storage import stores
from tests.ui.cli.test_main import database, lines, playground, run  # noqa: F401  fixtures


def test_a_database_is_copied_and_used(playground, run, database, tmp_path):  # noqa: F811
    run("talk 2")
    target = str(tmp_path / "copy.db")
    code, output, errors = playground("copy", str(database), target)
    assert (code, errors) == (0, "")
    assert output.startswith(f"Copied {database} to {target}:\n    texts ")
    assert "    sessions             1 copied         0 there before\nEach of them has the same SHA-256 in both.\n" in output
    assert output.endswith(f"\n    playground --db {target}\n")
    assert lines(playground("sessions", "--json", "--db", target)[1]) == lines(playground("sessions", "--json")[1])


def test_an_interrupted_copy_says_how_to_go_on(playground, run, database, tmp_path, monkeypatch):  # noqa: F811
    run("talk 2")
    command = ("copy", str(database), str(tmp_path / "copy.db"))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(stores, "copy_archive", interrupt)
        assert playground(*command) == (130, "", "Interrupted. What was copied is whole; the same command goes on.\n")
    assert playground(*command)[0] == 0


def test_what_cannot_be_copied_is_an_error_in_words(playground, tmp_path):  # noqa: F811
    code, output, errors = playground("copy", str(tmp_path / "no.db"), str(tmp_path / "copy.db"))
    assert (code, output) == (2, "")
    assert errors == f"playground: There is no session database {tmp_path / 'no.db'} to copy. Check the path.\n"
