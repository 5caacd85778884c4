"""What the logs of sessions in a PostgreSQL database are searched with: texts, and, with pg_trgm, an index of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from agents.storage.sessions.collections.texts import lines_of, text_of
from agents.storage.tables.connection import Connection

BATCH_ENTRIES, BATCH_CHARACTERS = 500, 200_000
"""Most entries and, but for the last entry, characters that one transaction reads."""

_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(0x73656172)"  # any number of our own
_BEHIND = "FROM sessions LEFT JOIN session_sizes ON session = key WHERE last_seq > coalesce(read_seq, 0)"
_LEFT = f"SELECT CAST(coalesce(sum(last_seq - coalesce(read_seq, 0)), 0) AS BIGINT) {_BEHIND}"
_UNREAD = (
    "SELECT key, entry.seq, entry.kind, entry.body FROM "  # noqa: S608  constants
    f"(SELECT key, coalesce(read_seq, 0) AS read {_BEHIND} ORDER BY key LIMIT ?) AS behind, "
    "LATERAL (SELECT seq, kind, body FROM log WHERE session = key AND seq > read ORDER BY seq LIMIT ?) AS entry "
    "ORDER BY key, entry.seq LIMIT ?"
)
_HAS_READ = (
    "INSERT INTO session_sizes (session, read_seq, bytes) VALUES (?, ?, ?) ON CONFLICT (session) "
    "DO UPDATE SET (read_seq, bytes) = (excluded.read_seq, session_sizes.bytes + excluded.bytes)"
)
_WITH = (
    "SELECT DISTINCT session FROM session_texts WHERE text LIKE ? "
    "AND session IN (SELECT key FROM sessions WHERE user_id = ? AND deleted_at IS NULL)"
)


class PostgresSearchIndex:
    """See `SearchIndex`. It notes how far it has read the log of each session."""

    def unread(self, conn: Connection, /) -> int:
        return conn.execute(_LEFT).fetchone()[0]

    def read_more(self, conn: Connection, /) -> int:
        conn.execute(_ONE_AT_A_TIME)
        lines: dict[int, list[str]] = {}
        read: dict[int, list[int]] = {}
        characters = 0
        for session, seq, kind, body in conn.execute(_UNREAD, (BATCH_ENTRIES,) * 3):
            lines.setdefault(session, []).extend(lines_of(kind, json.loads(body)))
            so_far = read.setdefault(session, [0, 0])
            so_far[:] = seq, so_far[1] + len(body.encode())
            characters += len(body)
            if characters > BATCH_CHARACTERS:
                break
        texts = [(session, text_of(said)) for session, said in lines.items()]
        conn.executemany("INSERT INTO session_texts (session, text) VALUES (?, ?)", texts)
        conn.executemany(_HAS_READ, [(session, *so_far) for session, so_far in read.items()])
        return self.unread(conn) if read else 0

    def find(self, conn: Connection, user_id: str, words: Sequence[str], /) -> list[set[int]]:
        return [{key for (key,) in conn.execute(_WITH, (f"%{_escaped(word)}%", user_id))} for word in words]


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
