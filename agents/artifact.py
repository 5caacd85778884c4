"""Artifacts and the contract of the services that keep them: named files with versions, beside a session's log.

The log says which versions were saved (`EventActions.artifact_delta`). The files are kept apart from it, so that an
image of some megabytes is not part of every history.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from google.genai import types
from pydantic import BaseModel

from agents.errors import ArtifactError
from agents.playbook import PlaybookTransaction

MAX_ARTIFACT_BYTES = 20 * 1024 * 1024
"""Most bytes of one version: data as it is, text as UTF-8."""

MAX_FILENAME_BYTES = 255
"""In bytes of UTF-8, with the prefix. File systems take so many, so a download keeps its name."""

USER_PREFIX = "user:"
"""The prefix of files that all sessions of a user share."""

_UNFIT = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Path separators, control characters, bidirectional controls and surrogates."""

VersionWriter = Callable[[PlaybookTransaction, tuple[str, str, str, str], Mapping[int, types.Part]], None]
"""Saves versions under their numbers, none of which is taken, in the transaction that an import stores playbooks in.

Called with the transaction, the file's app, user, session and name, and the versions.
"""


class ArtifactVersion(BaseModel):
    """A version of a file.

    Attributes:
        version: Its number.
        canonical_uri: Names it.
        mime_type: Its media type; None if that is not known.
    """

    version: int
    canonical_uri: str
    mime_type: str | None = None


class BaseArtifactService(ABC):
    """Keeps artifacts. Every method is safe to call from several tasks at once.

    `app_name`, `user_id` and `session_id` name a session, which need not exist. A file whose name begins with `user:` is
    shared by all sessions of that user in that app; `session_id` is ignored then. An invalid name is an error when
    saving; when reading, nothing is found under it.
    """

    @abstractmethod
    async def save_artifact(
        self, *, app_name: str, user_id: str, filename: str, artifact: types.Part, session_id: str | None = None
    ) -> int:
        """Keeps `artifact` as the next version of a file.

        Args:
            app_name: The app.
            user_id: Whose file.
            filename: Its name; `user:` at its beginning shares it among sessions.
            artifact: A part with text, data or the address of a file; kept as a copy.
            session_id: The session; may be left out for a `user:` file.

        Returns:
            The version: 0, 1, 2 … A number is never reused, even after the file was deleted.

        Raises:
            ArtifactError: The name, the size or the kind of part cannot be kept, or the session is missing.
        """

    @abstractmethod
    async def load_artifact(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None, version: int | None = None
    ) -> types.Part | None:
        """A version of a file, the latest by default, as a copy; None if there is none."""

    @abstractmethod
    async def list_artifact_keys(self, *, app_name: str, user_id: str, session_id: str | None = None) -> list[str]:
        """The names of a session's files and of the user's shared ones, sorted; only the latter without a session."""

    @abstractmethod
    async def delete_artifact(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> None:
        """Deletes a file with all its versions; one that is not there is no error."""

    @abstractmethod
    async def list_versions(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> list[int]:
        """The stored versions of a file, oldest first."""

    async def list_artifact_versions(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None
    ) -> list[ArtifactVersion]:
        """The stored versions of a file with what is known of each, oldest first."""
        where: dict[str, Any] = {"app_name": app_name, "user_id": user_id, "filename": filename, "session_id": session_id}
        found = [await self.get_artifact_version(**where, version=number) for number in await self.list_versions(**where)]
        return [version for version in found if version is not None]

    async def get_artifact_version(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None, version: int | None = None
    ) -> ArtifactVersion | None:
        """What is known of a version of a file, the latest by default; None if there is none."""
        where: dict[str, Any] = {"app_name": app_name, "user_id": user_id, "filename": filename, "session_id": session_id}
        if version is None:
            version = max(await self.list_versions(**where), default=None)
        part = None if version is None else await self.load_artifact(**where, version=version)
        if part is None or version is None:
            return None
        place = "" if is_shared(filename) else f"/sessions/{session_id}"
        kind = part.inline_data or part.file_data
        return ArtifactVersion(
            version=version,
            canonical_uri=f"artifact://apps/{app_name}/users/{user_id}{place}/artifacts/{filename}/versions/{version}",
            mime_type=kind.mime_type if kind is not None else "text/plain",
        )

    def writer_beside(self, sessions: object) -> VersionWriter | None:
        """How to save files in a transaction of a session service; None if its sessions are in another database."""
        return None

    async def close(self) -> None:
        """Releases files and threads."""
        return


def is_shared(filename: str) -> bool:
    """Whether all sessions of a user have this file."""
    return filename.startswith(USER_PREFIX)


def problem_of(filename: str) -> str | None:
    """Why `filename` cannot name an artifact, None if it can."""
    name = filename.removeprefix(USER_PREFIX)
    if not name.strip():
        return "it is empty"
    if name in (".", ".."):
        return "it names a folder"
    if (unfit := _UNFIT.search(filename)) is not None:
        return f"it holds {unfit.group()!r}"
    if len(filename.encode()) > MAX_FILENAME_BYTES:
        return f"it is longer than {MAX_FILENAME_BYTES} bytes"
    return None


def check_filename(filename: str, session_id: str | None) -> None:
    """Raises `ArtifactError` unless a file of that name can be saved in that session, or without one."""
    if (problem := problem_of(filename)) is not None:
        raise ArtifactError(
            f"{filename[:MAX_FILENAME_BYTES]!r} cannot be an artifact's name: {problem}. Use a plain file name such as "
            "'notes.txt', or 'user:notes.txt' for a file that all sessions of a user share."
        )
    if not session_id and not is_shared(filename):
        raise ArtifactError(
            f"Artifact {filename!r} cannot be saved without a session_id. Give one, or share the file among the user's "
            f"sessions under the name {USER_PREFIX + filename!r}."
        )


def kept(filename: str, artifact: types.Part) -> types.Part:
    """A copy of `artifact` as services keep it; lone surrogates in its text become U+FFFD.

    Raises:
        ArtifactError: It is not text, data or a file, or it is too large.
    """
    blob, text = artifact.inline_data, artifact.text
    if text is not None:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        size = len(text.encode())
    elif blob is not None and blob.data is not None:
        size = len(blob.data)
    elif artifact.file_data is not None:
        size = 0
    else:
        held = ", ".join(artifact.model_dump(exclude_none=True)) or "nothing"
        raise ArtifactError(
            f"Artifact {filename!r} cannot be kept: the part holds {held}. "
            "Give one with text or data, e.g. types.Part.from_bytes(data=…, mime_type='image/png')."
        )
    if size > MAX_ARTIFACT_BYTES:
        raise ArtifactError(
            f"Artifact {filename!r} has {size:,} bytes, more than the {MAX_ARTIFACT_BYTES:,} that one may have. "
            "Save less of it, or cut it into several files."
        )
    return artifact.model_copy(update={"text": text}, deep=True)
