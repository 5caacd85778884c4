"""An append to a session in a database, as `SessionTables.write` takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.event import Event
from agents.session import Session
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.reducer import Reducers
from agents.storage.sessions import claims, statements
from agents.storage.sessions.incoming import Incoming, apply, caught_up, touches_reduced
from agents.storage.tables.connection import Connection
from agents.storage.tables.session_tables import Change
from agents.storage.tables.worker import NotNowError

SHORT_ENTRIES, SHORT_CHARACTERS = 16, 50_000
"""Most entries, and most characters of them all, of an append that counts as short."""


class Appended(NamedTuple):
    """What an append stored, and what it found."""

    seqs: list[int]
    missed: list[Event]
    last_seq: int
    updated_at: float
    reduced: dict[str, Any] | None


class Append:
    """One append.

    Args:
        session: The session; brought up to date.
        entries: What to append; None where an entry is not stored.
        texts: Texts that trace records refer to.
        reducers: The service's.
    """

    def __init__(
        self, session: Session, entries: Sequence[Incoming | None], texts: Mapping[str, str], reducers: Reducers
    ) -> None:
        self._session = session
        self._name = (session.app_name, session.user_id, session.id)
        self._entries = entries
        self._texts = texts
        self._reducers = reducers
        self._row: statements.SessionRow | None = None
        self.is_short = _written_out(entries) and not texts
        """Whether it is short work for any session."""

    def store_at_once(self, conn: Connection) -> Appended:
        """The same as `store`, if it is short and the session object is up to date.

        Raises:
            NotNowError: It is not: how much was missed is unknown.
        """
        row = claims.find_for(conn, self._session)
        if row.last_seq > self._session.last_seq:
            raise NotNowError
        seqs = statements.append(conn, self._name, row, self._entries)
        return Appended(seqs, [], row.last_seq, row.updated_at, None)

    def store(self, conn: Connection) -> Appended:
        """Stores the entries; may be called again after an attempt that failed."""
        for entry in self._entries:
            if entry is not None and entry.reduced:
                entry.begin_again()
        row = claims.find_for(conn, self._session)
        missed = statements.missed_events(conn, row, self._session.last_seq)
        reducing = None
        if touches_reduced(missed, self._entries):
            reducing = statements.Reducing(self._reducers, caught_up(self._session, missed))
        if self._texts:
            statements.write_texts(conn, self._texts)
        seqs = statements.append(conn, self._name, row, self._entries, reducing)
        reduced = None
        if reducing is not None:
            playbooks = StoredPlaybookTransaction(conn)
            reduced = self._reducers.values(reducing.state, playbooks, self._session.app_name)
        self._row = row
        return Appended(seqs, missed, row.last_seq, row.updated_at, reduced)

    def committed(self, stored: Appended) -> Sequence[Change]:
        """Notes what is stored, before anything else is written.

        Not in `then`: the next append of this object may be next in line, and must not count these entries as missed.
        """
        self._session.note(stored.last_seq)
        return [(self._name, stored.last_seq)] if any(stored.seqs) else []

    def then(self, stored: Appended) -> None:
        """Brings the session object up to date."""
        apply(self._session, stored.missed, self._entries, stored.updated_at, stored.reduced)


def _written_out(entries: Sequence[Incoming | None]) -> bool:
    """Serialises the entries as far as possible now; whether storing them is short work for any session."""
    characters, is_plain = 0, True
    for entry in entries:
        if entry is not None:
            if not entry.reduced:
                entry.write_out()
            is_plain = is_plain and not entry.touching  # a reducer takes its time
            characters += len(entry.body)
    return is_plain and len(entries) <= SHORT_ENTRIES and characters <= SHORT_CHARACTERS
