"""`PostgresSessionService`: sessions in a PostgreSQL database, shared by any number of servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.session import Leases, Session, SessionListener
from agents.storage.postgres.append import PostgresAppend, Rows
from agents.storage.postgres.beating import PostgresBeating
from agents.storage.postgres.pool import Pool
from agents.storage.postgres.search import PostgresSearchIndex
from agents.storage.postgres.session_database import PostgresSessionDatabase
from agents.storage.sessions import claims
from agents.storage.sessions.incoming import Incoming
from agents.storage.sessions.service import StoredSessionService


class PostgresSessionService(StoredSessionService):
    """Keeps sessions in a PostgreSQL database. May be used from several threads and event loops at once.

    It connects when it is first needed; `open` does it sooner. Every method may raise `DatabaseError`; the service works
    again once the cause is gone. Unlike others it reports the commits of other servers to its listeners, too, a moment
    after they were made.

    Attributes:
        reducers: Apply the operations of keys with a reducer.
        collection: The sessions as a collection.

    Args:
        pool: The connections to the database.
        leases: How long its claims hold; None for the usual time.
    """

    def __init__(self, pool: Pool, *, leases: Leases | None = None) -> None:
        self.address = pool.address
        pool.waiting = self._notify_waiting
        self._rows = Rows()
        self._stored = PostgresSessionDatabase(pool, changed=self._notify)
        held = claims.Claims(PostgresBeating(pool), by_lease=True, leases=leases or Leases())
        super().__init__(self._stored, held, PostgresSearchIndex())

    def add_listener(self, listener: SessionListener) -> None:
        super().add_listener(listener)
        self._stored.watch()

    def _append(self, session: Session, incoming: Sequence[Incoming | None], texts: Mapping[str, str]) -> PostgresAppend:
        return PostgresAppend(session, incoming, texts, self.reducers, self._rows)
