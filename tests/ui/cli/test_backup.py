"""`playground backup` and `restore`: what they print, and that the restored database has what the first one had."""

from __future__ import annotations

import json

from tests.ui.cli.test_main import database, lines, playground, run  # noqa: F401  fixtures


def test_a_backup_is_restored_and_used(playground, run, tmp_path):  # noqa: F811
    run("talk 2")
    file, place = tmp_path / "月曜.zip", tmp_path / "restored" / "play.db"
    code, output, errors = playground("backup", str(file))
    assert (code, errors) == (0, "")
    assert output.startswith(f"The backup is in {file} (")
    assert "    sessions             1\n" in output
    code, output, errors = playground("restore", str(file), "--db", str(place))
    assert (code, errors) == (0, "")
    assert output.endswith(f"    playground --db {place}\n")
    assert lines(playground("sessions", "--json", "--db", str(place))[1]) == lines(playground("sessions", "--json")[1])


def test_a_folder_gets_a_backup_named_by_the_time_and_json_says_which(playground, run, tmp_path):  # noqa: F811
    run("talk 2")
    folder = tmp_path / "backups"
    folder.mkdir()
    code, output, errors = playground("backup", str(folder), "--json")
    assert (code, errors) == (0, "")
    said = json.loads(output)
    assert [str(path) for path in folder.iterdir()] == [said["file"]]
    assert said["records"]["sessions"] == 1


def test_nothing_is_overwritten_and_what_is_no_backup_is_refused_in_words(playground, run, database, tmp_path):  # noqa: F811
    run("talk 2")
    file = tmp_path / "b.zip"
    assert playground("backup", str(file))[0] == 0
    before = database.read_bytes()
    code, output, errors = playground("restore", str(file))
    assert (code, output) == (2, "")
    assert str(database) in errors
    assert database.read_bytes() == before
    code, output, errors = playground("restore", str(tmp_path / "none.zip"), "--db", str(tmp_path / "new.db"))
    assert (code, output, errors) == (2, "", f"playground: There is no backup {tmp_path / 'none.zip'}. Check the path.\n")
    file.write_text("not a zip")
    code, output, errors = playground("restore", str(file), "--db", str(tmp_path / "new.db"))
    assert (code, output) == (2, "")
    assert not (tmp_path / "new.db").exists()
    assert str(file) in errors
