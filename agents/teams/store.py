"""The teams of a workspace: one folder each, in ADK's form, with all its revisions.

A team's files are what others read: this project as it reads `--agents`, and `adk web`. They may also be changed in an
editor; the next look at the team makes a revision of that. A process that is killed while it saves loses nothing: a
revision is written first, then the files, and the next look finishes what was begun.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.access import OWNER, Action, Activity, User, permits, require
from agents.access import note as audited
from agents.errors import TeamChangedError, TeamError, known
from agents.teams.adk_form import from_adk, to_adk
from agents.teams.edit import outline, rename_code
from agents.teams.stored.files import STARTS, checked, files_in, replace_file
from agents.teams.stored.owner import give, owner_of, sees_team
from agents.teams.stored.revisions import FOLDER, Revisions, TeamRevision, hashes_of
from agents.teams.stored.zip_file import packed, unpacked

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


TEAMS_FOLDER = "teams"
_DELETED, _LOCK = ".deleted", ".lock"
_LONGEST = 60
_MOST_NAMED = 5
_FOUND, _OUTSIDE = "As it was found in the folder", "Changed outside of the playground"


@dataclass(frozen=True, slots=True)
class TeamDraft:
    """The files of a team at a revision, to be changed and saved.

    Attributes:
        name: The team's name.
        revision: The revision's number.
        files: Path below the team's folder, with slashes → text.
    """

    name: str
    revision: int
    files: dict[str, str]


class TeamStore:
    """The teams of one folder. May be used from several threads and processes.

    Any call may raise a `TeamError` that says what is wrong, and what changes a team a `NotPermittedError`.

    Attributes:
        folder: The folder of teams; made when the first team is.

    Args:
        folder: The folder.
        user: Who asks.
        reserved: Gives names that no team can have, those of other pipelines. It is not called while the lock is held.
    """

    def __init__(
        self, folder: Path, *, user: User = OWNER, reserved: Callable[[], Collection[str]] = frozenset[str]
    ) -> None:
        self.folder, self._user, self._reserved = folder, user, reserved

    def names(self) -> list[str]:
        """The names of the user's teams and the owner's, in order; also of those that cannot be read."""
        return sorted(one.name for one in self._all() if sees_team(self._user, one))

    def _all(self) -> list[Path]:
        """The folders of everybody's teams."""
        if not self.folder.is_dir():
            return []
        with _told("The teams cannot be read"):
            return [one for one in self.folder.iterdir() if _is_team(one)]

    def may_change(self, name: str) -> bool:
        """Whether the user may change a team: their own, the owner any."""
        return permits(self._user, Action.EDIT_TEAM, of=owner_of(self.path(name)))

    def _change(self, name: str) -> Path:
        """The folder of a team that the user may change."""
        require(self._user, Action.EDIT_TEAM)
        require(self._user, Action.EDIT_TEAM, of=owner_of(folder := self.path(name)))
        return folder

    def path(self, name: str) -> Path:
        """The folder of a team, e.g. to be opened in an editor."""
        if name not in (names := self.names()):
            raise TeamError(f"There is no team {name[:_LONGEST]!r}. There are: {known(names)}.")
        return self.folder / name

    def read(self, name: str, revision: int | None = None) -> TeamDraft:
        """A team as it is now, or as it was at a revision."""
        with self._held(f"The team {name!r} cannot be read"):
            folder = self.path(name)
            newest, files = self._settled(folder)
            if revision is None or revision == newest:
                return TeamDraft(name, newest, files)
            kept = Revisions(folder)
            found = kept.at(revision)
            return TeamDraft(name, found.number, kept.files(found))

    def create(self, name: str, files: Mapping[str, str], *, note: str = "Created") -> TeamDraft:
        """Makes a new team."""
        require(self._user, Action.EDIT_TEAM)
        files, reserved = checked(files), self._reserved()
        with self._held(f"The team {name[:_LONGEST]!r} cannot be made"):
            self._check_name(name, reserved)
            with TemporaryDirectory(dir=self.folder, prefix=".new-") as made:
                draft = self._saved(Path(made) / name, files, {}, note)
                give(Path(made) / name, self._user)
                (Path(made) / name).rename(self.folder / name)
            audited(self._user, Activity.TEAM, f"made {name}")
            return draft

    def save(self, draft: TeamDraft, files: Mapping[str, str], *, note: str) -> TeamDraft:
        """Saves changed files as a new revision; files that are the same make none.

        Raises:
            TeamChangedError: The team has a newer revision than the draft's.
        """
        require(self._user, Action.EDIT_TEAM)
        files = checked(files)
        with self._held(f"The team {draft.name!r} cannot be saved"):
            folder = self._change(draft.name)
            newest, before = self._settled(folder)
            if newest != draft.revision:
                raise TeamChangedError(
                    f"{draft.name} was saved meanwhile in another tab or an editor, as revision {newest}; this change began "
                    f"with revision {draft.revision}. Nothing was overwritten. Open the team again, and change it there."
                )
            if files == before:
                return draft
            audited(self._user, Activity.TEAM, f"saved {draft.name}")
            return self._saved(folder, files, before, note)

    def revisions(self, name: str) -> list[TeamRevision]:
        """All revisions of a team, newest first."""
        with self._held(f"The revisions of {name!r} cannot be read"):
            self._settled(self.path(name))
            return Revisions(self.path(name)).all()

    def diff(self, name: str, before: int, after: int) -> str:
        """What changed between two revisions, as a unified diff; "" for nothing."""
        old, new = self.read(name, before).files, self.read(name, after).files
        lines = [
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for path in sorted({*old, *new})
            for line in unified_diff(
                old.get(path, "").splitlines(keepends=True),
                new.get(path, "").splitlines(keepends=True),
                f"{before}/{path}" if path in old else "/dev/null",
                f"{after}/{path}" if path in new else "/dev/null",
            )
        ]
        return "".join(lines)

    def restore(self, name: str, revision: int) -> TeamDraft:
        """Saves the files of a revision again, as the newest one."""
        return self.save(self.read(name), self.read(name, revision).files, note=f"Restored revision {revision}")

    def rename(self, name: str, to: str) -> TeamDraft:
        """Renames a team, and in its YAML files what they name of its own code. Its sessions stay under the old name."""
        require(self._user, Action.EDIT_TEAM)
        if name == to:
            return self.read(name)
        reserved = self._reserved()
        with self._held(f"The team {name!r} cannot be renamed"):
            folder = self._change(name)
            self._check_name(to, reserved, but=name)
            _, before = self._settled(folder)
            renamed = self._saved(folder, rename_code(before, name, to), before, f"Renamed from {name} to {to}")
            folder.rename(self.folder / to)
            audited(self._user, Activity.TEAM, f"renamed {name} to {to}")
            return TeamDraft(to, renamed.revision, renamed.files)

    def duplicate(self, name: str, to: str) -> TeamDraft:
        """Makes a new team of a copy."""
        draft = self.read(name)
        return self.create(to, rename_code(draft.files, name, to), note=f"Copy of {name}, revision {draft.revision}")

    def delete(self, name: str) -> None:
        """Deletes a team; `undelete` brings it back."""
        require(self._user, Action.EDIT_TEAM)
        with self._held(f"The team {name!r} cannot be deleted"):
            folder, gone = self._change(name), self.folder / _DELETED
            gone.mkdir(exist_ok=True)
            folder.rename(gone / f"{name}.{len(self._deleted(name)) + 1:06}")
            audited(self._user, Activity.DELETE, f"the team {name}")

    def undelete(self, name: str) -> TeamDraft:
        """Brings back the team of that name that was deleted last, with its revisions."""
        require(self._user, Action.EDIT_TEAM)
        reserved = self._reserved()
        with self._held(f"The team {name!r} cannot be brought back"):
            self._check_name(name, reserved)
            if not (deleted := self._deleted(name)):
                raise TeamError(f"No team {name!r} was deleted here.")
            own = [one for one in deleted if permits(self._user, Action.EDIT_TEAM, of=owner_of(one))]
            found = (own or deleted)[-1]
            require(self._user, Action.EDIT_TEAM, of=owner_of(found))
            audited(self._user, Activity.RESTORE, f"the team {name}")
            found.rename(self.folder / name)
            return TeamDraft(name, *self._settled(self.folder / name))

    def to_zip(self, name: str) -> bytes:
        """A zip file with the team's folder as `adk web` reads it, without its revisions."""
        return packed(name, to_adk(name, self.read(name).files))

    def in_zip(self, data: bytes) -> dict[str, str]:
        """The files of the team in a zip file, as `from_zip` takes them."""
        found = unpacked(data)
        return checked(from_adk(found.folder, found.files))

    def from_zip(self, data: bytes, *, name: str | None = None) -> TeamDraft:
        """Makes a new team from a zip file.

        Args:
            data: The file.
            name: The team's name; by default that of the folder in the file, or of its first agent, with a number if it is
                taken.
        """
        require(self._user, Action.EDIT_TEAM)
        folder, files, left_out = unpacked(data)
        if (made := name) is None:
            wanted = [one for one in (folder, outline(files).name, "team") if one and not _name_problem(one)]
            numbered = (wanted[0], *(f"{wanted[0]}_{number}" for number in range(2, len(self._all()) + 3)))
            reserved = self._reserved()
            made = next(one for one in numbered if not self._is_taken(one, reserved))
        note = f"From a zip file, without {', '.join(left_out[:_MOST_NAMED])}" if left_out else "From a zip file"
        return self.create(made, from_adk(folder, files), note=note)

    def _settled(self, folder: Path) -> tuple[int, dict[str, str]]:
        """The newest revision of a team and its files, which its folder then has.

        Files that were changed by others become a revision. A revision that was not written out, since the process ended,
        is written out now; what others changed since then stays.
        """
        kept, there = Revisions(folder), files_in(folder)
        newest = None
        with suppress(TeamError):
            newest = kept.newest()
        if newest is None:
            newest = kept.add(there, _FOUND)
        elif hashes_of(there) != newest.hashes:
            written = kept.written
            if written is None or written >= newest.number:
                newest = kept.add(there, _OUTSIDE)
            else:
                before, files = kept.at(written).hashes, kept.files(newest)
                known_hashes = {path: {before.get(path), newest.hashes.get(path)} for path in there}
                own = {path for path, hash_ in hashes_of(there).items() if hash_ not in known_hashes[path]}
                if own:
                    files |= {path: there[path] for path in own}
                    newest = kept.add(files, _OUTSIDE)
                _write_out(folder, files, there)
                there = files
        if kept.written != newest.number:
            kept.note_written(newest.number)
        return newest.number, there

    def _saved(self, folder: Path, files: Mapping[str, str], before: Mapping[str, str], note: str) -> TeamDraft:
        _check_links(folder, files)
        kept = Revisions(folder)
        revision = kept.add(files, note)
        _write_out(folder, files, before)
        kept.note_written(revision.number)
        return TeamDraft(folder.name, revision.number, dict(files))

    def _deleted(self, name: str) -> list[Path]:
        """The folders of deleted teams of a name, the last one last."""
        return sorted(one for one in (self.folder / _DELETED).glob("*") if one.name.rpartition(".")[0] == name)

    def _check_name(self, name: str, reserved: Collection[str], *, but: str = "") -> None:
        if problem := _name_problem(name):
            raise TeamError(problem)
        if name.casefold() != but.casefold() and self._is_taken(name, reserved):
            raise TeamError(f"There is a team or a pipeline called {name} already. Choose another name.")

    def _is_taken(self, name: str, reserved: Collection[str]) -> bool:
        return name.casefold() in {one.casefold() for one in (*(folder.name for folder in self._all()), *reserved)}

    @contextmanager
    def _held(self, problem: str) -> Generator[None]:
        """Holds the lock of all teams; other threads and processes wait for it."""
        with _told(problem):
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / _LOCK).open("ab") as file:
                _lock(file.fileno())
                yield


def _write_out(folder: Path, files: Mapping[str, str], before: Mapping[str, str]) -> None:
    """Brings a team's folder to files, from those that it has."""
    changed = [path for path, text in files.items() if before.get(path) != text]
    for path in sorted(changed, key=lambda path: path in before):  # what a new file is named by comes after it
        replace_file(folder / path, files[path], beside=folder / FOLDER)
    for path in before.keys() - files.keys():
        gone = folder / path
        same = [other for other in files if other.casefold() == path.casefold()]
        if gone.exists() and not any(gone.samefile(folder / other) for other in same):  # not all systems tell A from a
            gone.unlink()


def _check_links(folder: Path, files: Mapping[str, str]) -> None:
    for path in files:
        if not (folder / path).parent.resolve().is_relative_to(folder.resolve()):
            raise TeamError(f"{path} leads over a link out of the team's folder. Remove the link.")


def _is_team(folder: Path) -> bool:
    is_named = not folder.name.startswith(".") and not folder.is_symlink()
    return is_named and any((folder / name).exists() for name in (FOLDER, *STARTS))


def _name_problem(name: str) -> str:
    """Why no team can have a name; "" if one can."""
    if not name.isidentifier() or name.startswith("_") or unicodedata.normalize("NFKC", name) != name:
        return f"{name[:_LONGEST]!r} cannot name a team: use letters, digits and underscores, and begin with a letter."
    return f"The name of a team has at most {_LONGEST} characters." if len(name) > _LONGEST else ""


@contextmanager
def _told(problem: str) -> Generator[None]:
    """Turns an error of the disk into one that can be read."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TeamError(f"{problem}: {why}. Look at the folder {error.filename or ''}, and try again.") from error
