"""`Watch`: tells the other servers of a database which sessions were changed, and hears it from them.

A notice is sent outside of the transactions that it is about, since PostgreSQL commits those one after the other that send
one; and only now and then, with all sessions that were changed meanwhile. A notice may be lost with a connection or the
server that sends it, so the number of the newest entry is looked at as well.
"""

from __future__ import annotations

import json
import selectors
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg

from agents.errors import DatabaseError
from agents.session import SessionListener
from agents.storage.postgres.connection import Connection
from agents.storage.postgres.pool import Pool
from agents.storage.tables.session_tables import Name

NOTICE_SECONDS = 0.03
"""Seconds between two notices of a server, at least."""
LOOK_SECONDS = 1.0
"""Seconds between two looks at the newest entry, which find what no notice has told."""

_CHANNEL = "playground_sessions"
_LONGEST = 7900
"""Bytes of a notice, at most: PostgreSQL allows 7,999."""


class Watch:
    """Notices of one service.

    Args:
        pool: The connections.
        changed: Called with each session that another server has changed, in a thread of its own.
    """

    def __init__(self, pool: Pool, changed: SessionListener) -> None:
        self._pool, self._changed = pool, changed
        self._me = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._changes: dict[Name, int] = {}
        self._wanted, self._closed = threading.Event(), threading.Event()
        self._sender: threading.Thread | None = None
        self._listener: threading.Thread | None = None
        self._bell: socket.socket | None = None
        self._mark = 0
        self._newest: Any = None

    def tell(self, name: Name, last_seq: int) -> None:
        """Tells the others of a change soon. Does not wait."""
        with self._lock:
            self._mark += 1
            self._changes[name] = max(last_seq, self._changes.get(name, 0))
            if self._sender is None and not self._closed.is_set():
                self._sender = threading.Thread(target=self._send, name="sessions-tell", daemon=True)
                self._sender.start()
        self._wanted.set()

    def start(self) -> None:
        """Listens from now on."""
        with self._lock:
            if self._listener is None and not self._closed.is_set():
                self._bell, woken = socket.socketpair()
                self._listener = threading.Thread(target=self._listen, args=(woken,), name="sessions-watch", daemon=True)
                self._listener.start()

    def mark(self) -> int:
        """A number that differs after a session may have been changed."""
        self.start()
        return self._mark

    def close(self) -> None:
        """Sends what is left and ends the threads."""
        with self._lock:
            self._closed.set()
            threads = (self._sender, self._listener)
            if self._bell is not None:
                self._bell.close()  # wakes the listener
        self._wanted.set()
        for thread in threads:
            if thread is not None:
                thread.join()

    def _send(self) -> None:
        is_last = False
        while not is_last:
            self._wanted.wait()
            self._wanted.clear()
            is_last = self._closed.wait(NOTICE_SECONDS)
            with self._lock:
                changes, self._changes = self._changes, {}
            with suppress(DatabaseError):  # the others look for themselves
                for notice in self._notices(changes):
                    self._pool.notify(_CHANNEL, notice)

    def _notices(self, changes: dict[Name, int]) -> Iterator[str]:
        """The changes in as few notices as hold them; a session whose name is too long is left to be looked for."""
        texts, size = list[str](), 0
        for name, last_seq in changes.items():
            text = json.dumps([*name, last_seq])
            if size and size + len(text) + 1 > _LONGEST - 50:
                yield f'["{self._me}",{",".join(texts)}]'
                texts, size = [], 0
            if len(text) < _LONGEST - 50:
                texts.append(text)
                size += len(text) + 1
        if texts:
            yield f'["{self._me}",{",".join(texts)}]'

    def _listen(self, woken: socket.socket) -> None:
        with woken:
            while not self._closed.is_set():
                with suppress(DatabaseError, psycopg.Error):
                    conn = self._pool.connect()
                    try:
                        conn.raw.execute(f"LISTEN {_CHANNEL}")
                        self._hear(conn, woken)
                    finally:
                        conn.raw.close()
                self._mark += 1  # what was told meanwhile is unknown
                self._closed.wait(LOOK_SECONDS)

    def _hear(self, conn: Connection, woken: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(conn.raw.fileno(), selectors.EVENT_READ)
            selector.register(woken, selectors.EVENT_READ)
            while not self._closed.is_set():
                self._look(conn)
                for notice in conn.raw.notifies(timeout=0):
                    self._take(notice.payload)
                selector.select(LOOK_SECONDS)

    def _look(self, conn: Connection) -> None:
        newest = conn.raw.execute("SELECT last_value, is_called FROM entries").fetchone()
        if newest != self._newest:
            self._newest = newest
            self._mark += 1

    def _take(self, payload: str) -> None:
        self._mark += 1
        with suppress(ValueError, TypeError, RecursionError):  # other users of the database may send what they like
            sender, *changes = json.loads(payload)
            for app_name, user_id, session_id, last_seq in changes if sender != self._me else ():
                self._changed(str(app_name), str(user_id), str(session_id), int(last_seq))
