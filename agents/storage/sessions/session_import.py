"""Writes a session from outside into the session database, in one transaction."""

from __future__ import annotations

import sqlite3
import time

from agents.session import SessionImport
from agents.storage.sessions.columns import Name
from agents.storage.sessions.copies import copies_of
from agents.storage.sessions.incoming import as_title, checked_state, prepare
from agents.storage.sessions.statements import SessionRow, begin, last_seq, write_state, write_texts


def write_import(conn: sqlite3.Connection, name: Name, imported: SessionImport) -> SessionRow:
    """Adds the session with everything that belongs to it.

    Raises:
        SessionExistsError: The name is taken.
        StateValueError: JSON cannot hold a value of its state.
    """
    found = imported.log(last_seq(conn))
    more = [entry for entry in prepare(found.records) if entry is not None]
    for entry in more:
        entry.write_out()
    copies = copies_of(found.entries, found.timestamps)
    row = begin(conn, name, copies, more, title=as_title(imported.title), at=time.time())
    write_state(conn, name, row, checked_state(found.state))
    write_texts(conn, imported.texts)
    imported.beside(conn)
    return row
