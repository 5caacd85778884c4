"""`RunLimits`: what a run of another user than the owner may use, and how the settings write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from agents.errors import PersonError

VARIABLE = "PLAYGROUND_RUN_LIMITS"
_LIMIT = re.compile(r"([a-z]{1,20})=([0-9]{1,12})(?:(MB|GB))?\Z")
_UNITS = {None: 1, "MB": 1024**2, "GB": 1024**3}
_LEAST = {"memory": 256 * 1024**2}
"""A worker holds about 100 MB before it does anything."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of a run. Memory and processes are those of a worker process and of all that it starts.

    Attributes:
        memory: Bytes of memory.
        seconds: Seconds from its start to its end. A pipeline's card may set less.
        events: Events that it stores. A card may set less.
        processes: Processes that its code has started and that have not ended.
    """

    memory: int = 2 * 1024**3
    seconds: int = 3600
    events: int = 20_000
    processes: int = 64

    def of(self, card: Mapping[str, Any]) -> dict[str, Any]:
        """The limits of a run whose pipeline sets some itself, by the names of `RunConfig`; 0 there means none."""
        most = {"max_seconds": self.seconds, "max_events": self.events}
        return {name: min(limit, own) if (own := card.get(name, limit)) > 0 else limit for name, limit in most.items()}


def read_run_limits(text: str) -> RunLimits:
    """The limits in the text of `PLAYGROUND_RUN_LIMITS`, e.g. "memory=1GB seconds=600"; the others are the usual ones.

    Raises:
        PersonError: It is not of that form.
    """
    given: dict[str, int] = {}
    names = [one.name for one in fields(RunLimits)]
    for part in text.split():
        found = _LIMIT.match(part)
        if found is None or found[1] not in names or (found[3] and found[1] != "memory"):
            raise PersonError(
                f"{VARIABLE} has {part[:60]!r}, which is no limit. Write e.g. memory=1GB seconds=600 events=5000 "
                f"processes=16, with blanks between them; there are {', '.join(names)}."
            )
        given[found[1]] = int(found[2]) * _UNITS[found[3]]
        if given[found[1]] < _LEAST.get(found[1], 1):
            raise PersonError(
                f"{VARIABLE} has {part!r}, too little for any run. Write at least memory=256MB, and 1 of the others."
            )
    return RunLimits(**given)
