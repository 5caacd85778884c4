"""`InMemoryArtifactService`: artifacts that live as long as the process."""

from __future__ import annotations

import threading

from google.genai import types

from agents.artifact import BaseArtifactService, check_filename, is_shared, kept

Place = tuple[str, str, str | None]
"""app_name, user_id, session_id; no session for files that all sessions of the user share"""


class InMemoryArtifactService(BaseArtifactService):
    """Keeps artifacts in memory. May be used from several threads and event loops at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: dict[Place, dict[str, list[types.Part | None]]] = {}
        """Versions by name, None for a deleted one: its number is not reused."""

    async def save_artifact(
        self, *, app_name: str, user_id: str, filename: str, artifact: types.Part, session_id: str | None = None
    ) -> int:
        check_filename(filename, session_id)
        part = kept(filename, artifact)
        with self._lock:
            versions = self._files.setdefault(_place(app_name, user_id, session_id, filename), {}).setdefault(filename, [])
            versions.append(part)
            return len(versions) - 1

    async def load_artifact(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None, version: int | None = None
    ) -> types.Part | None:
        with self._lock:
            versions = self._versions(_place(app_name, user_id, session_id, filename), filename)
            number = len(versions) - 1 if version is None else version
            part = versions[number] if 0 <= number < len(versions) else None
        return None if part is None else part.model_copy(deep=True)

    async def list_artifact_keys(self, *, app_name: str, user_id: str, session_id: str | None = None) -> list[str]:
        with self._lock:
            places = {(app_name, user_id, None), (app_name, user_id, session_id)}
            files = [(name, versions) for place in places for name, versions in self._files.get(place, {}).items()]
            return sorted(name for name, versions in files if versions[-1] is not None)

    async def delete_artifact(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> None:
        with self._lock:
            versions = self._versions(_place(app_name, user_id, session_id, filename), filename)
            versions[:] = [None] * len(versions)

    async def list_versions(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> list[int]:
        with self._lock:
            versions = self._versions(_place(app_name, user_id, session_id, filename), filename)
            return [number for number, part in enumerate(versions) if part is not None]

    def _versions(self, place: Place, filename: str) -> list[types.Part | None]:
        return self._files.get(place, {}).get(filename, [])


def _place(app_name: str, user_id: str, session_id: str | None, filename: str) -> Place:
    return app_name, user_id, None if is_shared(filename) else session_id
