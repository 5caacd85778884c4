"""A team as a zip file, and a zip file from anywhere as the files of a team."""

from __future__ import annotations

import io
import posixpath
import stat
import zipfile
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from agents.errors import TeamError
from agents.teams.stored.files import ENDINGS, LARGEST, MOST_BYTES, STARTS, check_size, check_total, decoded, is_hidden
from agents.teams.team_files import ROOT


def packed(name: str, files: Mapping[str, str]) -> bytes:
    """A zip file with the team's folder."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{name}/{path}", (1980, 1, 1, 0, 0, 0)), text)
    return made.getvalue()


class Unpacked(NamedTuple):
    """What is in a zip file.

    Attributes:
        folder: The name of the folder that has the team; "" for none.
        files: The team's files.
        left_out: Paths of other files in the folder.
    """

    folder: str
    files: dict[str, str]
    left_out: list[str]


def unpacked(data: bytes) -> Unpacked:
    """The team in a zip file. Hidden files and caches are not looked at; more is checked by `files.checked`.

    Raises:
        TeamError: It is no zip file, has no team or several, is too large, or holds what no team has.
    """
    if len(data) > MOST_BYTES:
        raise TeamError(f"The zip file is larger than {MOST_BYTES // 1_000_000} MB, which no team is.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _team_in(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError, ValueError) as error:
        reason = "it has a password" if "password" in str(error) else "it is no zip file, or a damaged one"
        raise TeamError(f"The zip file cannot be read: {reason}. Pack the team's folder again.") from None


def _team_in(archive: zipfile.ZipFile) -> Unpacked:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    for entry in entries:
        _check(entry)
    entries = [entry for entry in entries if not is_hidden(entry.filename)]
    check_total(len(entries), sum(entry.file_size for entry in entries))
    top = _top_of([entry.filename for entry in entries])
    files: dict[str, str] = {}
    left_out: list[str] = []
    for entry in entries:
        path = entry.filename.removeprefix(top)
        if path in files:
            raise TeamError(f"The zip file has {path} twice.")
        if entry.filename.startswith(top) and path.endswith(ENDINGS):
            files[path] = _text(archive, entry, path)
        elif entry.filename.startswith(top):
            left_out.append(path)
    return Unpacked(posixpath.basename(top.removesuffix("/")), files, left_out)


def _top_of(paths: list[str]) -> str:
    """The folder that has the team, with the slash at its end."""
    starts = [path for path in paths if posixpath.basename(path) in STARTS]
    tops = {path[: len(path) - len(posixpath.basename(path))] for path in starts}
    tops = {top for top in tops if not any(other != top and top.startswith(other) for other in tops)}
    if not tops:
        raise TeamError(f"The zip file has no {ROOT}, so there is no team in it.")
    if len(tops) > 1:
        raise TeamError(f"The zip file has several teams, in {', '.join(sorted(tops))}. Pack one folder alone.")
    return tops.pop()


def _check(entry: zipfile.ZipInfo) -> None:
    """Refuses what would lie outside of the folder it is unpacked into."""
    path = entry.filename
    if path.startswith("/") or "\\" in path or ":" in path or ".." in path.split("/"):
        raise TeamError(f"The zip file has {path[:100]!r}, which lies outside of its folder. Pack the team's folder again.")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise TeamError(f"{path[:100]!r} in the zip file is a link. Pack the file itself.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise TeamError("The zip file is not packed as usual. Pack the team's folder again, with Deflate.")


def _text(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str) -> str:
    check_size(path, entry.file_size)
    with archive.open(entry) as opened:
        content = opened.read(LARGEST + 1)  # what the entry says of its size need not be true
    check_size(path, len(content))
    return decoded(path, content)
