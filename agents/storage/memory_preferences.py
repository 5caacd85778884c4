"""`InMemoryPreferenceStore`: the user's preferences until the process ends."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from agents.storage.preferences import Preferences, PreferenceStore


class InMemoryPreferenceStore(PreferenceStore):
    """Keeps the preferences in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._preferences = Preferences()

    def read(self) -> Preferences:
        return self._preferences

    def change(self, changes: Mapping[str, Any]) -> Preferences:
        with self._lock:
            self._preferences = Preferences.model_validate({**self._preferences.model_dump(), **changes})
            return self._preferences
