"""What users have set for themselves, besides the preferences of the owner, which hold for whoever has set nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from agents.storage.journal import Journal
from agents.storage.preferences import Preferences

OWN_NAMES = frozenset(Preferences.model_fields) - {"base_urls"}
"""The preferences that users may have of their own. Servers are the owner's: keys go to them, and what is asked."""


class OwnPreferences:
    """Keeps them, for any thread: a list in the journal for each user who has any. It checks no rights.

    Args:
        journal: Where they are kept.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, dict[str, Any]]] = {}

    def over(self, of_all: Preferences, user_id: str) -> Preferences:
        """The preferences of a user. Those that cannot be read, e.g. of a later version, are the owner's.

        Raises:
            DatabaseError: They cannot be read.
        """
        try:
            return Preferences.model_validate({**of_all.model_dump(), **self._own(user_id)})
        except ValidationError:
            return of_all

    def change(self, of_all: Preferences, user_id: str, changes: Mapping[str, Any]) -> Preferences:
        """Sets some of a user's preferences, all of them or none.

        Raises:
            ValidationError: A value is not valid for its preference.
            DatabaseError: They cannot be stored.
        """
        checked = Preferences.model_validate({**self.over(of_all, user_id).model_dump(), **changes})
        self._journal.append(_list_of(user_id), json.loads(checked.model_dump_json(include=set(changes))))
        return checked

    def _own(self, user_id: str) -> dict[str, Any]:
        with self._lock:
            seq, own = self._known.get(user_id, (0, {}))
            for entry in self._journal.entries(_list_of(user_id), after=seq):
                seq, own = entry.seq, {**own, **{name: entry.body[name] for name in OWN_NAMES & entry.body.keys()}}
            self._known[user_id] = seq, own
            return own


def _list_of(user_id: str) -> str:
    return f"preferences-{user_id}"
