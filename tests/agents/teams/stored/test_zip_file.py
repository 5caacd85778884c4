"""Zip files of teams: what comes from anywhere is refused by name, unless it is a team."""

from __future__ import annotations

import io
import stat
import struct
import zipfile

import pytest

from agents.errors import TeamError
from agents.teams.stored.files import LARGEST, MOST_BYTES, MOST_FILES
from agents.teams.stored.zip_file import packed, unpacked

ROOT = "name: 挨拶\ninstruction: こんにちは。\n"


def zipped(files: dict[str, str | bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_a_packed_team_is_unpacked_as_it_was():
    files = {"root_agent.yaml": ROOT, "below/writer.yaml": "name: w\n", "tools.py": "x = 1\n"}
    assert unpacked(packed("team", files)) == ("team", files, [])


def test_a_team_is_found_at_the_top_or_in_a_folder_and_what_is_no_teams_is_left_out():
    assert unpacked(zipped({"root_agent.yaml": ROOT})).folder == ""
    found = unpacked(
        zipped(
            {
                "README.md": "about",
                "repo/teams/my_team/root_agent.yaml": ROOT.replace("\n", "\r\n"),
                "repo/teams/my_team/logo.png": b"\x89PNG\xff",
                "repo/teams/my_team/.env": "KEY=secret",
                "repo/teams/my_team/__pycache__/tools.cpython-311.pyc": b"\x00\xff",
                "__MACOSX/repo/teams/my_team/._root_agent.yaml": b"\x00\x05",
            }
        )
    )
    assert found == ("my_team", {"root_agent.yaml": ROOT}, ["logo.png"])


def linked() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("root_agent.yaml", ROOT)
        entry = zipfile.ZipInfo("tools.py")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    return made.getvalue()


def with_password() -> bytes:
    data = bytearray(zipped({"root_agent.yaml": ROOT}, method=zipfile.ZIP_STORED))
    data[6] |= 1  # the flag of an encrypted entry, in its own header and in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def lying() -> bytes:
    """A zip file whose directory says that a large file is small."""
    data = bytearray(zipped({"root_agent.yaml": "x" * (LARGEST + 10)}))
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 10)
    data[22:26] = struct.pack("<I", 10)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no zip file"),
        (b"PK\x03\x04 half", "no zip file"),
        (zipped({"root_agent.yaml": ROOT})[:-30], "no zip file"),
        (with_password(), "password"),
        (b"x" * (MOST_BYTES + 1), "larger than 10 MB"),
        (zipped({"writer.yaml": ROOT}), "no root_agent.yaml"),
        (zipped({"a/root_agent.yaml": ROOT, "b/root_agent.yaml": ROOT}), "several teams, in a/, b/"),
        (zipped({"root_agent.yaml": ROOT, "../evil.py": ""}), "outside of its folder"),
        (zipped({"root_agent.yaml": ROOT, "a/../../evil.py": ""}), "outside of its folder"),
        (zipped({"root_agent.yaml": ROOT, "/etc/evil.py": ""}), "outside of its folder"),
        (zipped({"root_agent.yaml": ROOT, "C:/evil.py": ""}), "outside of its folder"),
        (zipped({"root_agent.yaml": ROOT, "a\\evil.py": ""}), "outside of its folder"),
        (linked(), "is a link"),
        (zipped({"root_agent.yaml": ROOT, "big.csv": "0" * (LARGEST + 1)}), "big.csv has 1,000,001 bytes"),
        (zipped({"root_agent.yaml": ROOT, **{f"{n}.csv": "0" * 900_000 for n in range(12)}}), "10 MB together"),
        (zipped({f"{n}.csv": "" for n in range(MOST_FILES + 1)}), "at most 500 files"),
        (lying(), "cannot be read|has 1,000,001 bytes"),
        (zipped({"root_agent.yaml": "名前".encode("shift_jis")}), "not text in UTF-8"),
    ],
    ids=range(18),
)
def test_what_is_no_team_is_refused_with_a_sentence(data, says):
    with pytest.raises(TeamError, match=says):
        unpacked(data)


def test_a_file_that_is_there_twice_is_refused():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("root_agent.yaml", ROOT)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("root_agent.yaml", "name: other\n")
    with pytest.raises(TeamError, match=r"root_agent\.yaml twice"):
        unpacked(made.getvalue())
