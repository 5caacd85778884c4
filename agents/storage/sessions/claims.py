"""Claims: who runs which session, and what becomes of a run whose process died or stood still.

A claim is a lease: the service that holds it renews it, see `Heartbeat`. Each claim of a session has a higher epoch, and
what a run appends is stored only while the session has the epoch of its claim. A claim also names its process by id and
start time, because ids are reused: a process that died needs no waiting for.

Called inside a write transaction, which makes looking and taking one step.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from agents.errors import RunEndedError
from agents.log import LogEntry
from agents.session import Session
from agents.storage.processes import is_running, this_process
from agents.storage.sessions.columns import Name
from agents.storage.sessions.incoming import prepare, run_in_progress, run_taken_over
from agents.storage.sessions.run_status import ended_run, goes_on, interrupted
from agents.storage.sessions.statements import NAMED, SessionRow, append, find
from agents.storage.sqlite.heartbeat import Heartbeat

LEASE_SECONDS = 15.0
"""Seconds after which another process may take over a session whose process lives and does not renew its claim."""

_LAST_RUN = (
    "SELECT seq, kind, body FROM log WHERE session = :session AND kind IN ('run_started', 'model_started', "
    "'model_finished') AND seq >= (SELECT max(seq) FROM log WHERE session = :session AND kind = 'run_started') "
    "ORDER BY seq"
)
_PAUSE = "SELECT seq, kind, body FROM log WHERE session = ? AND kind = 'run_finished' AND seq < ? ORDER BY seq DESC LIMIT 1"

_CLAIMS = "SELECT session, owner, epoch, expires, invocation_id, pid, process_started FROM runs WHERE owner != ''"
_TAKE = (
    "INSERT INTO runs (session, owner, epoch, expires, invocation_id, pid, process_started) VALUES (?, ?, 1, ?, ?, ?, ?) "
    "ON CONFLICT (session) DO UPDATE SET (owner, epoch, expires, invocation_id, pid, process_started) = "
    "(excluded.owner, epoch + 1, excluded.expires, excluded.invocation_id, excluded.pid, excluded.process_started) "
    "RETURNING epoch"
)
_RENEW = "UPDATE runs SET expires = ? WHERE owner = ?"
_IS_HELD = "SELECT 1 FROM runs WHERE session = ? AND owner = ? AND epoch = ?"
_RELEASE = "UPDATE runs SET owner = '' WHERE session = ? AND owner = ? AND epoch = ?"


@dataclass(eq=False, slots=True)
class Claim:
    """The right of a service to run a session.

    Attributes:
        name: The session.
        owner: The service; see `Claims`.
        invocation_id: The run.
        key: The session's key; 0 until it is claimed.
        epoch: Which claim of the session this is; 0 until it is claimed.
        lost: Makes the error of what is still done under it; None while it holds.
    """

    name: Name
    owner: str
    invocation_id: str
    key: int = 0
    epoch: int = 0
    lost: Callable[[Session], RunEndedError] | None = None

    @property
    def place(self) -> tuple[int, str, int]:
        """What tells it from all other claims of a database."""
        return self.key, self.owner, self.epoch


class _Holder(NamedTuple):
    """A claim as it is stored. `expires` is a time of `time.monotonic`, which all processes of a machine share."""

    session: int
    owner: str
    epoch: int
    expires: float
    invocation_id: str
    pid: int
    process_started: float


class Claims:
    """The claims that one service holds."""

    def __init__(self, path: Path) -> None:
        self._owner = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._held: dict[tuple[int, str, int], Claim] = {}
        self._heartbeat = Heartbeat(path, LEASE_SECONDS / 3, _renewal(self._owner))

    def new(self, session: Session, invocation_id: str) -> Claim:
        """A claim to `take`."""
        return Claim((session.app_name, session.user_id, session.id), self._owner, invocation_id)

    def of(self, name: Name) -> Claim | None:
        """The claim on a session that this service holds."""
        with self._lock:
            return next((claim for claim in self._held.values() if claim.name == name), None)

    def hold(self, claim: Claim) -> None:
        """Counts a claim as held and renews it, until `let_go`. It is called in the transaction that stores the claim."""
        with self._lock:
            self._held[claim.place] = claim
            self._heartbeat.start()

    def let_go(self, claim: Claim) -> bool:
        """Counts a claim as held no longer, whether or not that could be stored; False if it was not held."""
        with self._lock:
            was_held = self._held.pop(claim.place, None) is not None
            if not self._held:
                self._heartbeat.pause()
            return was_held

    def close(self) -> None:
        """Ends the thread that renews claims."""
        self._heartbeat.close()

    def keeps_out(self, holder: _Holder) -> bool:
        """Whether a stored claim keeps others from the session: it is live, and its lease is not over unless it is own."""
        return self.is_live(holder) and (holder.owner == self._owner or holder.expires > time.monotonic())

    def is_live(self, holder: _Holder) -> bool:
        """Whether a stored claim's process runs and, if it is this service's own, it has not let go of it."""
        is_own = holder.owner == self._owner
        return is_running(holder.pid, holder.process_started) and (not is_own or holder[:3] in self._held)


def _renewal(owner: str) -> Callable[[sqlite3.Connection], object]:
    return lambda conn: conn.execute(_RENEW, (_expiry(), owner))


def _expiry() -> float:
    return time.monotonic() + LEASE_SECONDS


def check(conn: sqlite3.Connection, session: Session) -> None:
    """Checks in the transaction of an append that the claim that it is made under, if any, is the session's last one.

    Raises:
        RunEndedError: It was revoked, or another process took over.
    """
    check_lost(session)
    claim = session.claim
    if isinstance(claim, Claim) and conn.execute(_IS_HELD, claim.place).fetchone() is None:
        claim.lost = run_taken_over
        raise claim.lost(session)


def check_lost(session: Session) -> None:
    """Checks the same as far as this process knows, without the database.

    Raises:
        RunEndedError: See `check`.
    """
    if isinstance(claim := session.claim, Claim) and claim.lost is not None:
        raise claim.lost(session)


def take(conn: sqlite3.Connection, session: Session, claim: Claim, claims: Claims, *, goes_on: bool = False) -> int | None:
    """Claims a session.

    Args:
        conn: In a write transaction.
        session: The session.
        claim: A new claim; it is filled in.
        claims: Those of its service.
        goes_on: Whether the claim's run is left without an end if it is found so.

    Returns:
        The session's new `last_seq` if a run was found and marked whose process died or stood still, else None.

    Raises:
        SessionNotFoundError: There is no such session.
        RunInProgressError: A living process holds it.
    """
    row = find(conn, claim.name)
    held = conn.execute(f"{_CLAIMS} AND session = ?", (row.key,)).fetchone()
    if held is not None and claims.keeps_out(holder := _Holder(*held)):
        where = "this process" if holder.pid == os.getpid() else f"process {holder.pid}"
        raise run_in_progress(session, holder.invocation_id, where)
    finished = finish_orphan(conn, claim.name, row, unless=claim.invocation_id if goes_on else None)
    values = (row.key, claim.owner, _expiry(), claim.invocation_id, *this_process())
    claim.key, claim.epoch = row.key, conn.execute(_TAKE, values).fetchone()[0]
    claims.hold(claim)
    return finished


def release(conn: sqlite3.Connection, claim: Claim) -> bool:
    """Releases a claim; one that was taken over meanwhile is left alone, and False."""
    return bool(conn.execute(_RELEASE, claim.place).rowcount)


def has_orphans(conn: sqlite3.Connection, claims: Claims) -> bool:
    """Whether `sweep` has something to do. Reads only."""
    holders = [_Holder(*row) for row in conn.execute(_CLAIMS)]
    live = {holder.session for holder in holders if claims.is_live(holder)}
    running = {key for (key,) in conn.execute("SELECT key FROM sessions WHERE status = 'running'")}
    return len(live) < len(holders) or not running <= live


def sweep(conn: sqlite3.Connection, claims: Claims) -> list[tuple[Name, int]]:
    """Marks every run that no living process runs, and releases the claims of dead processes.

    A process that stands still keeps its claim until another one wants the session: it may go on.

    Returns:
        The sessions that had such a run, with their new `last_seq`.
    """
    live: set[int] = set()
    for holder in [_Holder(*row) for row in conn.execute(_CLAIMS)]:
        if claims.is_live(holder):
            live.add(holder.session)
        else:
            conn.execute(_RELEASE, holder[:3])
    running = conn.execute(f"{NAMED} WHERE status = 'running' ORDER BY key").fetchall()
    marked: list[tuple[Name, int]] = []
    for app_name, user_id, session_id, _created, *fields in running:
        name, row = (app_name, user_id, session_id), SessionRow(*fields)
        if row.key not in live and (seq := finish_orphan(conn, name, row)) is not None:
            marked.append((name, seq))
    return marked


def revoke(conn: sqlite3.Connection, claim: Claim, ending: Mapping[str, str]) -> int | None:
    """Releases a claim, and ends its run; the `seq` of that record, or None."""
    if not release(conn, claim):  # the run has just ended by itself
        return None
    return finish_orphan(conn, claim.name, find(conn, claim.name), ending)


def stored_claim(conn: sqlite3.Connection, name: Name, invocation_id: str) -> Claim | None:
    """The claim on a session that any process holds for a run; None if there is none."""
    row = find(conn, name)
    held = conn.execute(f"{_CLAIMS} AND session = ? AND invocation_id = ?", (row.key, invocation_id)).fetchone()
    return None if held is None else Claim(name, held[1], invocation_id, row.key, held[2])


def finish_orphan(
    conn: sqlite3.Connection,
    name: Name,
    row: SessionRow,
    ending: Mapping[str, str] | None = None,
    *,
    unless: str | None = None,
) -> int | None:
    """Ends the last run in the log unless it has ended, as "interrupted" or as `ending` says; the `seq` of that, or None.

    Run `unless` is left as it is.
    """
    if row.status != "running":
        return None
    run = [LogEntry(*fields) for fields in conn.execute(_LAST_RUN, {"session": row.key})]
    if run[0].fields().get("invocation_id") == unless:
        return None
    if goes_on(run):
        run = [*(LogEntry(*fields) for fields in conn.execute(_PAUSE, (row.key, run[0].seq))), *run]
    record = ended_run(run, ending) if ending else interrupted(run, row.updated_at)
    [ended] = prepare([record])
    assert ended is not None
    ended.write_out()
    append(conn, name, row, [ended])
    return row.last_seq
