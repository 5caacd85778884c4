"""The sessions in a SQLite file as a collection."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from agents.errors import DatabaseReadOnlyError
from agents.session_list import SessionSummary
from agents.storage.collection import SearchResult, SessionCollection, SessionKey, as_tag
from agents.storage.sessions import statements
from agents.storage.sessions.collections import listing
from agents.storage.sessions.collections.texts import excerpt, folded, lines_of, text_of, words_of
from agents.storage.sqlite.session_database import Change, SessionDatabase

READING_SECONDS = 0.25
"""Seconds after which a search answers although it has not read all of the log."""
_AT_ONCE, _BYTES_AT_ONCE = 20, 500_000
"""Most deleted sessions, and but for the last one their bytes, that one transaction removes."""

_VISIBLE = "SELECT key, app_name, id, title FROM sessions WHERE user_id = ? AND deleted_at IS NULL ORDER BY last_entry DESC"
_USERS = "SELECT DISTINCT user_id FROM sessions ORDER BY user_id"
_TAGS = "SELECT session, tag FROM session_tags ORDER BY session, tag"
_TAGS_OF_USER = (
    "SELECT app_name, id, tag FROM session_tags JOIN sessions ON key = session "
    "WHERE user_id = ? AND deleted_at IS NULL ORDER BY session, tag"
)
_SIZES = (
    "SELECT app_name, id, session_sizes.bytes + coalesce((SELECT sum(coalesce(length(data), 0) "
    "+ coalesce(length(part), 0)) FROM artifacts AS f "
    "WHERE (f.app_name, f.user_id, session_id) = (sessions.app_name, sessions.user_id, id)), 0) "
    "FROM sessions JOIN session_sizes ON session = key WHERE user_id = ?"
)
_PURGED = (
    "SELECT key, app_name, user_id, id, coalesce((SELECT bytes FROM session_sizes WHERE session = key), 0) FROM sessions "
    "WHERE user_id = ? AND deleted_at IS NOT NULL AND key NOT IN (SELECT session FROM runs WHERE owner != '') LIMIT ?"
)
BATCH_ENTRIES, BATCH_CHARACTERS = 500, 200_000
"""Most entries and, but for the last entry, characters that one transaction reads."""

SHORTEST = 3
"""Characters that the trigram index needs; shorter words are looked for in the texts themselves."""
_INDEXED = 48
"""Characters of a word that the index is asked for; the rest is compared. A phrase of thousands of terms takes seconds."""

_UNREAD = "SELECT id, session, kind, body, length(CAST(body AS BLOB)) FROM log WHERE id > ? ORDER BY id LIMIT ?"
_ADD_SIZE = (
    "INSERT INTO session_sizes (session, bytes) VALUES (?, ?) "
    "ON CONFLICT (session) DO UPDATE SET bytes = bytes + excluded.bytes"
)
_LONG = "SELECT rowid FROM session_texts_fts WHERE session_texts_fts MATCH ?"
_LONGER = f"SELECT id FROM session_texts WHERE id IN ({_LONG}) AND instr(text, ?)"  # noqa: S608  a constant
_SHORT = "SELECT DISTINCT session FROM session_texts WHERE instr(text, ?)"


class SqliteCollection(SessionCollection):
    """The sessions of a `SqliteSessionService`; every method may raise `DatabaseError`."""

    def __init__(self, database: SessionDatabase) -> None:
        self._database = database

    async def users(self) -> list[str]:
        return await self._database.read(lambda conn: [user for (user,) in conn.execute(_USERS)])

    async def search(self, *, user_id: str, text: str) -> SearchResult:
        words = words_of(text)
        left = await self._catch_up()

        def job(conn: sqlite3.Connection) -> tuple[SessionKey, ...]:
            tags = _tags_by_key(conn) if words else {}
            texts = sessions_of_texts(conn) if words else {}
            found = [(word, sessions_with(conn, word, texts)) for word in words]
            return tuple(
                (app_name, session_id)
                for key, app_name, session_id, title in conn.execute(_VISIBLE, (user_id,))
                if not found or _has_all(found, key, (title, app_name, session_id, *tags.get(key, ())))
            )

        return SearchResult(await self._database.read(job), left)

    async def excerpts(self, *, user_id: str, text: str, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
        words = words_of(text)

        def job(conn: sqlite3.Connection) -> dict[SessionKey, str]:
            rows = ((each, statements.look_up(conn, (each[0], user_id, each[1]))) for each in sessions)
            said = ((each, excerpt_of(conn, row.key, words)) for each, row in rows if row is not None)
            return {each: text for each, text in said if text}

        return await self._database.read(job) if words else {}

    async def tags(self, *, user_id: str) -> dict[SessionKey, tuple[str, ...]]:
        def job(conn: sqlite3.Connection) -> dict[SessionKey, tuple[str, ...]]:
            tags: dict[SessionKey, tuple[str, ...]] = {}
            for app_name, session_id, tag in conn.execute(_TAGS_OF_USER, (user_id,)):
                tags[app_name, session_id] = (*tags.get((app_name, session_id), ()), tag)
            return tags

        return await self._database.read(job)

    async def tag(
        self, *, app_name: str, user_id: str, session_id: str, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> None:
        name = (app_name, user_id, session_id)
        added, removed = [tag for text in add if (tag := as_tag(text))], list(map(as_tag, remove))

        def job(conn: sqlite3.Connection) -> int:
            row = statements.find(conn, name)
            conn.executemany("DELETE FROM session_tags WHERE session = ? AND tag = ?", [(row.key, tag) for tag in removed])
            conn.executemany("INSERT OR IGNORE INTO session_tags VALUES (?, ?)", [(row.key, tag) for tag in added])
            return row.last_seq

        await self._database.write(job, lambda last_seq: [(name, last_seq)])

    async def sizes(self, *, user_id: str) -> dict[SessionKey, int]:
        await self._catch_up()
        return await self._database.read(
            lambda conn: {(app_name, session_id): size for app_name, session_id, size in conn.execute(_SIZES, (user_id,))}
        )

    async def set_deleted(self, *, user_id: str, sessions: Iterable[SessionKey], deleted: bool) -> list[SessionKey]:
        names = [(app_name, user_id, session_id) for app_name, session_id in sessions]

        def job(conn: sqlite3.Connection) -> list[Change]:
            done = ((name, statements.set_deleted(conn, name, deleted=deleted)) for name in names)
            return [(name, last_seq) for name, last_seq in done if last_seq is not None]

        changed = await self._database.write(job, lambda changed: changed)
        return [(app_name, session_id) for (app_name, _, session_id), _ in changed]

    async def deleted(self, *, user_id: str) -> list[SessionSummary]:
        return await self._database.read(lambda conn: listing.summaries(conn, None, user_id, deleted=True))

    async def purge(self, *, user_id: str) -> int:
        """See `SessionCollection`. The texts that trace records share stay: other sessions may refer to them."""

        def job(conn: sqlite3.Connection) -> int:
            done = size = 0
            for key, app_name, owner, session_id, its_size in conn.execute(_PURGED, (user_id, _AT_ONCE)).fetchall():
                statements.purge(conn, (app_name, owner, session_id), key)
                done, size = done + 1, size + its_size
                if size > _BYTES_AT_ONCE:
                    break
            return done

        total = 0
        while done := await self._database.write(job, lambda _: []):
            total += done
        return total

    async def _catch_up(self) -> int:
        """Brings the index up to date, for a limited time; see `unread` for the result."""
        left, begun = await self._database.read(unread), time.monotonic()
        with suppress(DatabaseReadOnlyError):  # what the index holds can still be found
            while left and time.monotonic() - begun < READING_SECONDS:
                left = await self._database.write(read_more, lambda _: [])
        return left


def _has_all(found: Sequence[tuple[str, set[int]]], key: int, head: Iterable[str]) -> bool:
    """Whether a session has every word: in its log, or in what describes it."""
    missing = [word for word, keys in found if key not in keys]
    if not missing:
        return True
    described = folded("\n".join(head))
    return all(word in described for word in missing)


def _tags_by_key(conn: sqlite3.Connection) -> dict[int, list[str]]:
    tags: dict[int, list[str]] = {}
    for key, tag in conn.execute(_TAGS):
        tags.setdefault(key, []).append(tag)
    return tags


def unread(conn: sqlite3.Connection) -> int:
    """About how many entries are not in the index yet."""
    return conn.execute("SELECT coalesce((SELECT max(id) FROM log), 0) - entry FROM search_progress").fetchone()[0]


def read_more(conn: sqlite3.Connection) -> int:
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


def sessions_of_texts(conn: sqlite3.Connection) -> dict[int, int]:
    """The session of each indexed text, by key."""
    return dict(conn.execute("SELECT id, session FROM session_texts INDEXED BY texts_by_session"))


def sessions_with(conn: sqlite3.Connection, word: str, sessions: Mapping[int, int]) -> set[int]:
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


def excerpt_of(conn: sqlite3.Connection, session: int, words: Sequence[str]) -> str:
    """The part of a session's log around a word; "" if none of them is there."""
    for (text,) in conn.execute("SELECT text FROM session_texts WHERE session = ? ORDER BY id", (session,)):
        if found := excerpt(text, words):
            return found
    return ""
