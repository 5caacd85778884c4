"""`StoredCollection`: the sessions in a database as a collection."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from agents.errors import DatabaseReadOnlyError
from agents.session_list import SessionSummary
from agents.storage.collection import SearchResult, SessionCollection, SessionKey, as_tag
from agents.storage.sessions import statements
from agents.storage.sessions.collections import listing
from agents.storage.sessions.collections.texts import excerpt, folded, words_of
from agents.storage.tables.connection import Connection
from agents.storage.tables.session_tables import Change, SessionTables

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
_ADD_TAG = "INSERT INTO session_tags VALUES (?, ?) ON CONFLICT (session, tag) DO NOTHING"
_SIZES = (
    "SELECT app_name, id, session_sizes.bytes + "
    "coalesce((SELECT CAST(sum(coalesce(length(data), 0) + coalesce(length(part), 0)) AS BIGINT) FROM artifacts AS f "
    "WHERE (f.app_name, f.user_id, session_id) = (sessions.app_name, sessions.user_id, id)), 0) "
    "FROM sessions JOIN session_sizes ON session = key WHERE user_id = ?"
)
_PURGED = (
    "SELECT key, app_name, user_id, id, coalesce((SELECT bytes FROM session_sizes WHERE session = key), 0) FROM sessions "
    "WHERE user_id = ? AND deleted_at IS NOT NULL AND key NOT IN (SELECT session FROM runs WHERE owner != '') LIMIT ?"
)


class SearchIndex(Protocol):
    """What the words in the logs of sessions are found with. It follows the logs when it is asked to."""

    def unread(self, conn: Connection, /) -> int:
        """About how many entries are not in it yet."""
        ...

    def read_more(self, conn: Connection, /) -> int:
        """Takes the next batch of entries in; see `unread` for the result."""
        ...

    def find(self, conn: Connection, user_id: str, words: Sequence[str], /) -> list[set[int]]:
        """For each word, folded, the keys of the user's sessions with it in their log; they may be of others, too."""
        ...


class StoredCollection(SessionCollection):
    """The sessions of a `StoredSessionService`; every method may raise `DatabaseError`."""

    def __init__(self, database: SessionTables, index: SearchIndex) -> None:
        self._database = database
        self._index = index

    async def users(self) -> list[str]:
        return await self._database.read(lambda conn: [user for (user,) in conn.execute(_USERS)])

    async def search(self, *, user_id: str, text: str) -> SearchResult:
        words = words_of(text)
        left = await self._catch_up()

        def job(conn: Connection) -> tuple[SessionKey, ...]:
            tags = _tags_by_key(conn) if words else {}
            found = [*zip(words, self._index.find(conn, user_id, words), strict=True)] if words else []
            return tuple(
                (app_name, session_id)
                for key, app_name, session_id, title in conn.execute(_VISIBLE, (user_id,))
                if not found or _has_all(found, key, (title, app_name, session_id, *tags.get(key, ())))
            )

        return SearchResult(await self._database.read(job), left)

    async def excerpts(self, *, user_id: str, text: str, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
        words = words_of(text)

        def job(conn: Connection) -> dict[SessionKey, str]:
            rows = ((each, statements.look_up(conn, (each[0], user_id, each[1]))) for each in sessions)
            said = ((each, _excerpt_of(conn, row.key, words)) for each, row in rows if row is not None)
            return {each: text for each, text in said if text}

        return await self._database.read(job) if words else {}

    async def tags(self, *, user_id: str) -> dict[SessionKey, tuple[str, ...]]:
        def job(conn: Connection) -> dict[SessionKey, tuple[str, ...]]:
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

        def job(conn: Connection) -> int:
            row = statements.find(conn, name)
            conn.executemany("DELETE FROM session_tags WHERE session = ? AND tag = ?", [(row.key, tag) for tag in removed])
            conn.executemany(_ADD_TAG, [(row.key, tag) for tag in added])
            return row.last_seq

        await self._database.write(job, lambda last_seq: [(name, last_seq)], of=name)

    async def sizes(self, *, user_id: str) -> dict[SessionKey, int]:
        await self._catch_up()
        return await self._database.read(
            lambda conn: {(app_name, session_id): size for app_name, session_id, size in conn.execute(_SIZES, (user_id,))}
        )

    async def set_deleted(self, *, user_id: str, sessions: Iterable[SessionKey], deleted: bool) -> list[SessionKey]:
        names = [(app_name, user_id, session_id) for app_name, session_id in sessions]

        def job(conn: Connection) -> list[Change]:
            done = ((name, statements.set_deleted(conn, name, deleted=deleted)) for name in names)
            return [(name, last_seq) for name, last_seq in done if last_seq is not None]

        changed = await self._database.write(job, lambda changed: changed)
        return [(app_name, session_id) for (app_name, _, session_id), _ in changed]

    async def deleted(self, *, user_id: str) -> list[SessionSummary]:
        return await self._database.read(lambda conn: listing.summaries(conn, None, user_id, deleted=True))

    async def purge(self, *, user_id: str) -> int:
        """See `SessionCollection`. The texts that trace records share stay: other sessions may refer to them."""

        def job(conn: Connection) -> int:
            done = size = 0
            for key, app_name, owner, session_id, its_size in conn.execute(
                _PURGED + conn.lock, (user_id, _AT_ONCE)
            ).fetchall():
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
        left, begun = await self._database.read(self._index.unread), time.monotonic()
        with suppress(DatabaseReadOnlyError):  # what the index holds can still be found
            while left and time.monotonic() - begun < READING_SECONDS:
                left = await self._database.write(self._index.read_more, lambda _: [])
        return left


def _has_all(found: Sequence[tuple[str, set[int]]], key: int, head: Iterable[str]) -> bool:
    """Whether a session has every word: in its log, or in what describes it."""
    missing = [word for word, keys in found if key not in keys]
    if not missing:
        return True
    described = folded("\n".join(head))
    return all(word in described for word in missing)


def _tags_by_key(conn: Connection) -> dict[int, list[str]]:
    tags: dict[int, list[str]] = {}
    for key, tag in conn.execute(_TAGS):
        tags.setdefault(key, []).append(tag)
    return tags


def _excerpt_of(conn: Connection, session: int, words: Sequence[str]) -> str:
    """The part of a session's log around a word; "" if none of them is there."""
    for (text,) in conn.execute("SELECT text FROM session_texts WHERE session = ? ORDER BY id", (session,)):
        if found := excerpt(text, words):
            return found
    return ""
