"""What the logs of sessions in a SQLite file are searched with: an index of every three characters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from agents.storage.sessions.collections.texts import lines_of, text_of
from agents.storage.tables.connection import Connection

BATCH_ENTRIES, BATCH_CHARACTERS = 500, 200_000
"""Most entries and, but for the last entry, characters that one transaction reads."""

SHORTEST = 3
"""Characters that the trigram index needs; shorter words are looked for in the texts themselves."""
_INDEXED = 48
"""Characters of a word that the index is asked for; the rest is compared. A phrase of thousands of terms takes seconds."""

_UNREAD = "SELECT id, session, kind, body, length(CAST(body AS BLOB)) FROM log WHERE id > ? ORDER BY id LIMIT ?"
_ADD_SIZE = (
    "INSERT INTO session_sizes (session, bytes) VALUES (?, ?) "
    "ON CONFLICT (session) DO UPDATE SET bytes = session_sizes.bytes + excluded.bytes"
)
_LONG = "SELECT rowid FROM session_texts_fts WHERE session_texts_fts MATCH ?"
_LONGER = f"SELECT id FROM session_texts WHERE id IN ({_LONG}) AND instr(text, ?)"  # noqa: S608  a constant
_SHORT = "SELECT DISTINCT session FROM session_texts WHERE instr(text, ?)"


class SqliteSearchIndex:
    """See `SearchIndex`. It notes how far it has read the log, by the number that an entry has over all sessions."""

    def unread(self, conn: Connection, /) -> int:
        return unread(conn)

    def read_more(self, conn: Connection, /) -> int:
        return read_more(conn)

    def find(self, conn: Connection, user_id: str, words: Sequence[str], /) -> list[set[int]]:
        sessions = sessions_of_texts(conn)
        return [sessions_with(conn, word, sessions) for word in words]


def unread(conn: Connection) -> int:
    """About how many entries are not in the index yet."""
    return conn.execute("SELECT coalesce((SELECT max(id) FROM log), 0) - entry FROM search_progress").fetchone()[0]


def read_more(conn: Connection) -> int:
    """Takes the next batch of the log into the index; see `unread` for the result."""
    after = conn.execute("SELECT entry FROM search_progress").fetchone()[0]
    lines: dict[int, list[str]] = {}
    sizes: dict[int, int] = {}
    characters = 0
    for entry, session, kind, body, size in conn.execute(_UNREAD, (after, BATCH_ENTRIES)):
        lines.setdefault(session, []).extend(lines_of(kind, json.loads(body)))
        sizes[session] = sizes.get(session, 0) + size
        after, characters = entry, characters + len(body)
        if characters > BATCH_CHARACTERS:
            break
    texts = ((session, text_of(said)) for session, said in lines.items())
    conn.executemany("INSERT INTO session_texts (session, text) VALUES (?, ?)", texts)
    conn.executemany(_ADD_SIZE, sizes.items())
    conn.execute("UPDATE search_progress SET entry = ?", (after,))
    return unread(conn) if sizes else 0


def sessions_of_texts(conn: Connection) -> dict[int, int]:
    """The session of each indexed text, by key."""
    return dict(conn.execute("SELECT id, session FROM session_texts INDEXED BY texts_by_session").fetchall())


def sessions_with(conn: Connection, word: str, sessions: Mapping[int, int]) -> set[int]:
    """The keys of the sessions with a word in the log.

    Args:
        conn: The database.
        word: The word, folded.
        sessions: See `sessions_of_texts`.
    """
    if len(word) < SHORTEST:
        return {key for (key,) in conn.execute(_SHORT, (word,))}
    phrase = '"' + word[:_INDEXED].replace('"', '""') + '"'
    texts = conn.execute(_LONG, (phrase,)) if len(word) <= _INDEXED else conn.execute(_LONGER, (phrase, word))
    return {sessions[text] for (text,) in texts}
