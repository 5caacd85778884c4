"""Claims: who runs which session, and what becomes of a run whose process died or stood still.

A claim is a lease: the service that holds it renews it, see `Heartbeat`. Each claim of a session has a higher epoch, and
what a run appends is stored only while the session has the epoch of its claim. A claim also names its process by host, id
and start time, because ids are reused: a process of this host that died needs no waiting for. The time is the database's:
in SQLite that of the machine, which all its processes share.

Called inside a write transaction, which makes looking and taking one step.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from agents.errors import RunEndedError
from agents.log import LogEntry
from agents.session import Leases, Orphan, Session, session_not_found
from agents.storage.processes import is_running, this_host, this_process
from agents.storage.sessions.incoming import prepare, run_in_progress, run_taken_over
from agents.storage.sessions.run_status import ended_run, goes_on, interrupted
from agents.storage.sessions.statements import NAMED, SessionRow, append, find, look_up
from agents.storage.tables.connection import Connection
from agents.storage.tables.heartbeat import Beating, Heartbeat
from agents.storage.tables.session_tables import Name

LONGEST_LEASE = 60.0
"""Seconds; more are left only of a lease whose clock began anew since, as that of a machine does when it starts."""

PATIENCE = 8
"""Leases that servers have time to take over a run before it is marked as interrupted."""

_LAST_RUN = (
    "SELECT seq, kind, body FROM log WHERE session = ? AND kind IN ('run_started', 'model_started', 'model_finished') "
    "AND seq >= (SELECT max(seq) FROM log WHERE session = ? AND kind = 'run_started') ORDER BY seq"
)
_PAUSE = "SELECT seq, kind, body FROM log WHERE session = ? AND kind = 'run_finished' AND seq < ? ORDER BY seq DESC LIMIT 1"

_CLAIMS = (
    "SELECT session, owner, epoch, expires - lease_clock(), invocation_id, pid, process_started FROM runs WHERE owner != ''"
)
_ORPHANS = (
    "SELECT app_name, user_id, id, invocation_id FROM runs JOIN sessions ON sessions.key = runs.session WHERE owner NOT IN "
    "('', ?) AND (expires <= lease_clock() OR expires > lease_clock() + ?) AND deleted_at IS NULL ORDER BY expires"
)
_TAKE = (
    "INSERT INTO runs (session, owner, epoch, expires, invocation_id, pid, process_started) "
    "VALUES (?, ?, 1, lease_clock() + ?, ?, ?, ?) ON CONFLICT (session) DO UPDATE SET owner = excluded.owner, "
    "epoch = runs.epoch + 1, expires = excluded.expires, invocation_id = excluded.invocation_id, pid = excluded.pid, "
    "process_started = excluded.process_started RETURNING epoch"
)
_RENEW = "UPDATE runs SET expires = lease_clock() + ? WHERE owner = ? AND owner != ''"  # in the words of the index
_IS_HELD = "SELECT 1 FROM runs WHERE session = ? AND owner = ? AND epoch = ?"
_RELEASE = "UPDATE runs SET owner = '' WHERE session = ? AND owner = ? AND epoch = ?"
_RUNNING = "SELECT key FROM sessions WHERE status = 'running'"


@dataclass(eq=False, slots=True)
class Claim:
    """The right of a service to run a session.

    Attributes:
        name: The session.
        owner: The service: its host, ":", and a name of its own.
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
    def holder(self) -> str:
        """The same in one text, as a session's row has it in PostgreSQL."""
        return f"{self.owner}:{self.epoch}"

    @property
    def place(self) -> tuple[int, str, int]:
        """What tells it from all other claims of a database."""
        return self.key, self.owner, self.epoch


class _Holder(NamedTuple):
    """A claim as it is stored; `left` are the seconds that are left of its lease."""

    session: int
    owner: str
    epoch: int
    left: float
    invocation_id: str
    pid: int
    process_started: float

    @property
    def is_current(self) -> bool:
        """Whether its lease goes on."""
        return 0 < self.left <= LONGEST_LEASE


class Claims:
    """The claims that one service holds.

    Args:
        beating: What they are renewed with.
        by_lease: Whether a process that lives and does not renew its claim counts as dead once its lease is over, as one
            on another host does in any case. Otherwise it keeps the claim until another one wants the session.
        leases: How long they hold.
    """

    def __init__(self, beating: Beating, *, by_lease: bool, leases: Leases) -> None:
        self._owner = f"{this_host()}:{uuid.uuid4().hex}"
        self._by_lease = by_lease
        self.leases = leases
        self._lock = threading.Lock()
        self._held: dict[tuple[int, str, int], Claim] = {}
        self._heartbeat = Heartbeat(beating, leases.seconds / 3, _renewal(self._owner, leases))

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
        """Whether a stored claim keeps others from the session: its process runs, and its lease is not over."""
        is_held = holder[:3] in self._held if holder.owner == self._owner else holder.is_current
        return is_held and not _has_ended(holder)

    def is_live(self, holder: _Holder) -> bool:
        """Whether a stored claim's run is not to be marked: its process runs it, or another one has time to take it over."""
        if holder.owner == self._owner:
            return holder[:3] in self._held and not _has_ended(holder)
        if self.leases.taken_over:
            return -PATIENCE * self.leases.seconds < holder.left <= LONGEST_LEASE
        if _has_ended(holder):
            return False
        return holder.is_current or (_is_here(holder) and not self._by_lease)

    def orphans(self, conn: Connection) -> list[Orphan]:
        """See `BaseSessionService.orphans`."""
        return [Orphan(*row) for row in conn.execute(_ORPHANS, (self._owner, LONGEST_LEASE))]


def _is_here(holder: _Holder) -> bool:
    return holder.owner.startswith(f"{this_host()}:")


def _has_ended(holder: _Holder) -> bool:
    """Whether a claim's process is known to have ended, which is known of those of this host."""
    return _is_here(holder) and not is_running(holder.pid, holder.process_started)


def _renewal(owner: str, leases: Leases) -> Callable[[Connection], object]:
    return lambda conn: conn.execute(_RENEW, (leases.seconds, owner))


def find_for(conn: Connection, session: Session) -> SessionRow:
    """The row of a session that is appended to, if the claim that this is done under, if any, is the session's last one.

    Raises:
        SessionNotFoundError: The session was deleted.
        RunEndedError: The claim was revoked, or another process took over.
    """
    check_lost(session)
    name = (session.app_name, session.user_id, session.id)
    row = look_up(conn, name)  # before the claim: nobody changes that while the row is locked
    claim = session.claim
    if isinstance(claim, Claim) and conn.execute(_IS_HELD, claim.place).fetchone() is None:
        claim.lost = run_taken_over
        raise claim.lost(session)
    if row is None:
        raise session_not_found(*name)
    return row


def check_lost(session: Session) -> None:
    """Checks the same as far as this process knows, without the database.

    Raises:
        RunEndedError: See `find_for`.
    """
    if isinstance(claim := session.claim, Claim) and claim.lost is not None:
        raise claim.lost(session)


def take(conn: Connection, session: Session, claim: Claim, claims: Claims, *, goes_on: bool = False) -> int | None:
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
    held = conn.execute(f"{_CLAIMS} AND session = ?{conn.lock}", (row.key,)).fetchone()
    if held is not None and claims.keeps_out(holder := _Holder(*held)):
        where = "this process" if holder.pid == os.getpid() else f"process {holder.pid}"
        raise run_in_progress(session, holder.invocation_id, where)
    finished = finish_orphan(conn, claim.name, row, unless=claim.invocation_id if goes_on else None)
    values = (row.key, claim.owner, claims.leases.seconds, claim.invocation_id, *this_process())
    claim.key, claim.epoch = row.key, conn.execute(_TAKE, values).fetchone()[0]
    claims.hold(claim)
    return finished


def release(conn: Connection, claim: Claim) -> bool:
    """Releases a claim; one that was taken over meanwhile is left alone, and False."""
    return bool(conn.execute(_RELEASE, claim.place).rowcount)


def has_orphans(conn: Connection, claims: Claims) -> bool:
    """Whether `sweep` has something to do. Reads only."""
    return bool(_orphaned(conn, claims))


def _orphaned(conn: Connection, claims: Claims) -> set[int]:
    """The sessions, by key, that are claimed or running and that no living process runs."""
    holders = [_Holder(*row) for row in conn.execute(_CLAIMS)]
    live = {holder.session for holder in holders if claims.is_live(holder)}
    return {holder.session for holder in holders}.union(key for (key,) in conn.execute(_RUNNING)) - live


def sweep(conn: Connection, claims: Claims) -> list[tuple[Name, int]]:
    """Marks every run that no living process runs, and releases the claims of dead ones; see `Claims` for which they are.

    Returns:
        The sessions that had such a run, with their new `last_seq`.
    """
    marked: list[tuple[Name, int]] = []
    for key in sorted(_orphaned(conn, claims)):
        found = conn.execute(f"{NAMED} WHERE key = ?{conn.lock}", (key,)).fetchone()
        held = conn.execute(f"{_CLAIMS} AND session = ?{conn.lock}", (key,)).fetchone()
        if found is None or (held is not None and claims.is_live(_Holder(*held))):  # it was removed or claimed meanwhile
            continue
        if held is not None:
            conn.execute(_RELEASE, held[:3])
        name, row = found[:3], SessionRow(*found[4:])
        if (seq := finish_orphan(conn, name, row)) is not None:
            marked.append((name, seq))
    return marked


def revoke(conn: Connection, claim: Claim, ending: Mapping[str, str]) -> int | None:
    """Releases a claim, and ends its run; the `seq` of that record, or None."""
    row = find(conn, claim.name)
    if not release(conn, claim):  # the run has just ended by itself
        return None
    return finish_orphan(conn, claim.name, row, ending)


def stored_claim(conn: Connection, name: Name, invocation_id: str) -> Claim | None:
    """The claim on a session that any process holds for a run; None if there is none."""
    row = find(conn, name)
    held = conn.execute(f"{_CLAIMS} AND session = ? AND invocation_id = ?", (row.key, invocation_id)).fetchone()
    return None if held is None else Claim(name, held[1], invocation_id, row.key, held[2])


def finish_orphan(
    conn: Connection,
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
    run = [LogEntry(*fields) for fields in conn.execute(_LAST_RUN, (row.key, row.key))]
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
