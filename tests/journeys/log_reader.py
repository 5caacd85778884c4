"""What the database holds, read without the app: the journeys' judge of what was stored."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def entries(database: Path, session: str) -> list[dict[str, Any]]:
    """A session's log: `{"seq", "kind", **body}` in order."""
    with closing(sqlite3.connect(database)) as db:
        rows = db.execute(
            "select log.seq, log.kind, log.body from log join sessions on log.session = sessions.key "
            "where sessions.id = ? order by log.seq",
            [session],
        ).fetchall()
    return [{**json.loads(body), "seq": seq, "kind": kind} for seq, kind, body in rows]


def events(database: Path, session: str) -> list[dict[str, Any]]:
    """The session's events alone."""
    return [entry for entry in entries(database, session) if entry["kind"] == "event"]


def text_of(event: dict[str, Any]) -> str:
    """An event's text without its thoughts."""
    parts = event.get("content", {}).get("parts", [])
    return "".join(part["text"] for part in parts if part.get("text") and not part.get("thought"))
