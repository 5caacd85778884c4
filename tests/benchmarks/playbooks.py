"""What is done to a playbook in a SQLite file: small deltas, one after the other, and reading it in a fresh process.

Each side keeps it as it is kept there: ours as a log of deltas below the state key, google-adk as one dictionary that is the
state key's value, as playbooks built upon it do. Either way a delta is committed with the event that carries it.
"""

from __future__ import annotations

import gc
import json
import random
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from tests.benchmarks.imports import ROOT, environment
from tests.benchmarks.sides import Name, Side, load
from tests.benchmarks.workloads import APP, USER

KEY = "app:playbook"
SESSION = {"app_name": APP, "user_id": USER, "session_id": "playbook"}
SECTIONS = ("STRATEGIES AND INSIGHTS", "FORMULAS", "UNITS", "COMMON MISTAKES", "CONVENTIONS")
SLUGS = ("sai", "formu", "units", "cm", "conve")
_WORDS = (
    "amount asset balance base before between capital cash change check compare compute convert cost count currency date "
    "day debt decimal deduct denominator digit divide dividend equity expense figure final first formula gross growth "
    "income interest inventory ledger liability list loan loss margin month multiply negative net note number order "
    "payment percent period position price profit quantity quarter rate ratio read receipt report return revenue round "
    "sale second section share sign state stock subtract sum table tax term total turnover unit value volume year yield"
)


def sentences(count: int, seed: int = 7) -> list[str]:
    """So many texts of bullets, 12 to 22 words each; one in fifty is another one with a word changed."""
    chance, known = random.Random(seed), _WORDS.split()
    made: list[str] = []
    for _ in range(count):
        words = chance.choices(known, k=chance.randint(12, 22))
        if made and chance.random() < 1 / 50:
            words = made[chance.randrange(len(made))].removesuffix(".").lower().split()
            words[chance.randrange(len(words))] = chance.choice(known)
        made.append(" ".join(words).capitalize() + ".")
    return made


def id_of(number: int) -> str:
    """The id of bullet `number`, from 1."""
    return f"{SLUGS[number % len(SLUGS)]}-{number:05d}"


class _Keeping(Protocol):
    """How a side keeps a playbook."""

    async def fill(self, side: Side, path: Path, service: Any, bullets: int, *, pending: bool) -> None: ...

    def delta(self, session: Any, tagged: int, section: int, text: str) -> Any:
        """What the state key is set to: one bullet counted as helpful, one added."""
        ...


class _AsDeltas:
    async def fill(self, side: Side, path: Path, service: Any, bullets: int, *, pending: bool) -> None:
        from agents.ace import Playbook, PlaybookStore
        from agents.ace.bullet import StoredBullet

        made = [
            StoredBullet(id_of(n), SECTIONS[n % len(SECTIONS)], text, created_at=1.7e9 + n, updated_at=1.7e9 + n)
            for n, text in enumerate(sentences(bullets), start=1)
        ]
        with PlaybookStore(path, APP) as store:
            store.import_playbook(Playbook(made))
            if pending:
                _add_deltas(store, bullets)
        # An operation that holds nothing: from then on, the state key is there.
        await service.append_event(await service.get_session(**SESSION), carrying(side, {}))

    def delta(self, session: Any, tagged: int, section: int, text: str) -> Any:
        return {
            "reasoning": "The formula was used and the answer was right.",
            "operations": [
                {"type": "TAG", "bullet_id": id_of(tagged), "tag": "helpful"},
                {"type": "ADD", "section": SECTIONS[section % len(SECTIONS)], "content": text},
            ],
        }


def _add_deltas(store: Any, bullets: int) -> None:
    """As many as may follow a snapshot before there is another one; in one transaction, as they are not measured."""
    from agents.ace import DeltaBatch
    from agents.ace.store.ledger import SNAPSHOT_EVERY
    from agents.storage.reducer import Origin

    deltas = 0
    while 2 * (deltas + 1) < SNAPSHOT_EVERY + (bullets + deltas + 1) // 4:  # two changes each, one of them a new bullet
        deltas += 1
    chance, texts = random.Random(5), sentences(deltas, seed=3)
    with store._repository.writing() as playbooks:
        for number, text in enumerate(texts):
            batch = KEEPING["ours"].delta(None, chance.randint(1, bullets), number, text)
            store.ledger.commit(playbooks, APP, DeltaBatch.model_validate(batch), Origin("", "", "", 0, 0.0))
    assert len(store.playbook()) == bullets + deltas


class _AsOneValue:
    async def fill(self, side: Side, path: Path, service: Any, bullets: int, *, pending: bool) -> None:
        value: dict[str, Any] = {"bullets": {}, "sections": {name: [] for name in SECTIONS}, "next_id": bullets + 1}
        for number, text in enumerate(sentences(bullets), start=1):
            value["bullets"][id_of(number)] = _plain(id_of(number), number, text)
            value["sections"][SECTIONS[number % len(SECTIONS)]].append(id_of(number))
        session = await service.get_session(**SESSION)
        await service.append_event(session, carrying(side, value))

    def delta(self, session: Any, tagged: int, section: int, text: str) -> Any:
        value = session.state[KEY]
        value["bullets"][id_of(tagged)]["helpful"] += 1
        id_ = f"{SLUGS[section % len(SLUGS)]}-{value['next_id']:05d}"
        value["bullets"][id_] = _plain(id_, section, text)
        value["sections"][SECTIONS[section % len(SECTIONS)]].append(id_)
        value["next_id"] += 1
        return value


KEEPING: dict[Name, _Keeping] = {"ours": _AsDeltas(), "adk": _AsOneValue()}


def _plain(id_: str, section: int, text: str) -> dict[str, Any]:
    counted = {"helpful": 0, "harmful": 0, "neutral": 0}
    return {"id": id_, "section": SECTIONS[section % len(SECTIONS)], "content": text, **counted}


def carrying(side: Side, value: Any) -> Any:
    """An event that sets the state key."""
    return side.Event(author="curator", invocation_id="e-1", actions={"state_delta": {KEY: value}})


class Book:
    """A database file of one side with a playbook in it, and a session that goes on with it.

    Args:
        side: Whose.
        path: The file, not there yet.
    """

    def __init__(self, side: Side, path: Path) -> None:
        self._side = side
        self._path = path
        self._service = side.SqliteSessionService(str(path))
        self._session: Any = None
        self._bullets = 0
        self._done = 0

    async def fill(self, bullets: int, *, pending: bool = False) -> None:
        """Makes the playbook; with `pending`, where it is kept as deltas, so that as many as possible have to be folded."""
        await self._service.create_session(**SESSION)
        await KEEPING[self._side.name].fill(self._side, self._path, self._service, bullets, pending=pending)
        self._session = await self._service.get_session(**SESSION)
        self._bullets = bullets

    async def commit(self, count: int) -> float:
        """Commits so many deltas of two operations, one by one; returns the seconds that it took."""
        keeping, texts = KEEPING[self._side.name], sentences(count, seed=self._done)
        gc.collect()
        started = time.perf_counter()
        for number, text in enumerate(texts, start=self._done):
            value = keeping.delta(self._session, number * 37 % self._bullets + 1, number, text)
            await self._service.append_event(self._session, carrying(self._side, value))
        self._done += count
        return time.perf_counter() - started

    async def load(self) -> float:
        """Seconds until the playbook is in the memory of a process that has just started; importing is not in it."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.playbooks", self._side.name, str(self._path)],
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        seconds, bullets = json.loads(done.stdout)
        assert bullets >= self._bullets + self._done, bullets
        return seconds

    async def bullets(self) -> int:
        """How many bullets the playbook has, as it is stored."""
        return await count_bullets(self._service)

    async def close(self) -> None:
        """Closes the file."""
        with suppress(AttributeError):
            await self._service.close()


async def stored(service: Any) -> Any:
    """The playbook as a session has it that is read now; without events."""
    session = await service.get_session(**SESSION)
    return session.state[KEY]


async def count_bullets(service: Any) -> int:
    """How many bullets are stored."""
    found = await stored(service)
    return len(found["bullets"] if isinstance(found, dict) else found)


def _time_a_load(name: Name, path: str) -> tuple[float, int]:
    import asyncio

    side = load(name)
    if name == "ours":
        import_module("agents.ace.store.reducer")  # else it would be loaded with the first playbook
    no_events = side.GetSessionConfig(num_recent_events=0)

    async def work() -> tuple[float, int]:
        service = side.SqliteSessionService(path)
        started = time.perf_counter()
        session = await service.get_session(**SESSION, config=no_events)
        seconds = time.perf_counter() - started
        found = session.state[KEY]
        return seconds, len(found["bullets"] if isinstance(found, dict) else found)

    return asyncio.run(work())


if __name__ == "__main__":
    print(json.dumps(_time_a_load(sys.argv[1], sys.argv[2])))  # pyright: ignore[reportArgumentType]
