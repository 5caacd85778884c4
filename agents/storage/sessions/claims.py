"""Claims: which process runs which session, and what becomes of a run whose process died.

A claim names a process by its id and start time, because ids are reused. Called inside a write transaction, which makes
looking and taking one step.
"""

from __future__ import annotations

import os
import sqlite3
import uuid

from agents.log import LogEntry
from agents.session import Session
from agents.storage.processes import is_running, this_process
from agents.storage.sessions.columns import Name
from agents.storage.sessions.incoming import prepare, run_ended, run_in_progress
from agents.storage.sessions.run_status import goes_on, interrupted, stopped_run
from agents.storage.sessions.statements import NAMED, SessionRow, append, find

_LAST_RUN = (
    "SELECT seq, kind, body FROM log WHERE session = :session AND kind IN ('run_started', 'model_started', "
    "'model_finished') AND seq >= (SELECT max(seq) FROM log WHERE session = :session AND kind = 'run_started') "
    "ORDER BY seq"
)
_PAUSE = "SELECT seq, kind, body FROM log WHERE session = ? AND kind = 'run_finished' AND seq < ? ORDER BY seq DESC LIMIT 1"

_held: set[str] = set()
"""Tokens of the claims that this process holds, for all its services."""


def new_token() -> str:
    """A token for one claim. It counts as held by this process until `let_go`, even before the claim is stored."""
    token = uuid.uuid4().hex
    _held.add(token)
    return token


def let_go(token: str) -> bool:
    """Records that this process no longer holds a claim, whether or not its row could be deleted; False if it did not."""
    try:
        _held.remove(token)
    except KeyError:  # it was revoked meanwhile
        return False
    return True


def check(session: Session) -> None:
    """Checks that the claim that a session object is written under, if any, is still held.

    In the transaction of an append this is as good as the claim's row, and cheaper: this process lets go of a claim in the
    transaction that revokes it, and its transactions follow each other.

    Raises:
        RunEndedError: It was revoked.
    """
    if session.claim is not None and session.claim not in _held:
        raise run_ended(session)


def take(conn: sqlite3.Connection, session: Session, invocation_id: str, token: str) -> int | None:
    """Claims a session for this process.

    Returns:
        The session's new `last_seq` if a dead process's run was found and marked, else None.

    Raises:
        SessionNotFoundError: There is no such session.
        RunInProgressError: A living process holds it.
    """
    name: Name = (session.app_name, session.user_id, session.id)
    row = find(conn, name)
    held = conn.execute("SELECT token, invocation_id, pid, process_started FROM claims WHERE session = ?", (row.key,))
    if (holder := held.fetchone()) is not None:
        holders_token, holders_invocation, pid, started = holder
        if _is_live(holders_token, pid, started):
            where = "this process" if pid == os.getpid() else f"process {pid}"
            raise run_in_progress(session, holders_invocation, where)
    finished = finish_orphan(conn, name, row)
    conn.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)", (row.key, token, invocation_id, *this_process()))
    return finished


def release(conn: sqlite3.Connection, token: str) -> bool:
    """Releases a claim; one that was taken over meanwhile is left alone, and False."""
    return bool(conn.execute("DELETE FROM claims WHERE token = ?", (token,)).rowcount)


def has_orphans(conn: sqlite3.Connection) -> bool:
    """Whether `sweep` has something to do. Reads only."""
    rows = conn.execute("SELECT session, token, pid, process_started FROM claims").fetchall()
    live = {key for key, token, pid, started in rows if _is_live(token, pid, started)}
    running = {key for (key,) in conn.execute("SELECT key FROM sessions WHERE status = 'running'")}
    return len(live) < len(rows) or not running <= live


def sweep(conn: sqlite3.Connection) -> list[tuple[Name, int]]:
    """Marks every run that no living process runs, and drops the claims of dead processes.

    Returns:
        The sessions that had such a run, with their new `last_seq`.
    """
    live: set[int] = set()
    for key, token, pid, started in conn.execute("SELECT session, token, pid, process_started FROM claims").fetchall():
        if _is_live(token, pid, started):
            live.add(key)
        else:
            conn.execute("DELETE FROM claims WHERE session = ?", (key,))
    running = conn.execute(f"{NAMED} WHERE status = 'running' ORDER BY key").fetchall()
    marked: list[tuple[Name, int]] = []
    for app_name, user_id, session_id, _created, *fields in running:
        name, row = (app_name, user_id, session_id), SessionRow(*fields)
        if row.key not in live and (seq := finish_orphan(conn, name, row)) is not None:
            marked.append((name, seq))
    return marked


def revoke(conn: sqlite3.Connection, name: Name, token: str) -> int | None:
    """Takes a claim of this process away, and ends its run as "stopped"; the `seq` of that record, or None."""
    let_go(token)
    if not release(conn, token):  # the run has just ended by itself
        return None
    return finish_orphan(conn, name, find(conn, name), stopped=True)


def finish_orphan(conn: sqlite3.Connection, name: Name, row: SessionRow, *, stopped: bool = False) -> int | None:
    """Ends the last run in the log as "interrupted" or "stopped" unless it has ended; the `seq` of that record, or None."""
    if row.status != "running":
        return None
    run = [LogEntry(*fields) for fields in conn.execute(_LAST_RUN, {"session": row.key})]
    if goes_on(run):
        run = [*(LogEntry(*fields) for fields in conn.execute(_PAUSE, (row.key, run[0].seq))), *run]
    record = stopped_run(run) if stopped else interrupted(run, row.updated_at)
    [ended] = prepare([record])
    assert ended is not None
    ended.write_out()
    append(conn, name, row, [ended])
    return row.last_seq


def _is_live(token: str, pid: int, started: float) -> bool:
    """Whether a claim's holder can still finish: its process runs and, if that is this one, has not let go of it."""
    return is_running(pid, started) and (pid != os.getpid() or token in _held)
