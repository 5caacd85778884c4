"""The two sides under the same names, so that every workload is written once.

The only place that knows what either side calls its modules. Imports a side when it is asked for: the other one is
not installed in its process.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

Name = Literal["ours", "adk"]
BATCH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What the workloads use of a framework; classes carry the names that they have there.

    Attributes:
        name: Which side.
        version: The version that is measured.
        fill: `await fill(service, path, session, events)` puts so many events into a session's database file, fast.
        imports: What a program writes at its top, by what it is measured as.
    """

    name: Name
    version: str
    LlmAgent: Any
    LoopAgent: Any
    ParallelAgent: Any
    workflow: Any
    Runner: Any
    BaseLlm: Any
    LlmResponse: Any
    Event: Any
    GetSessionConfig: Any
    InMemorySessionService: Any
    SqliteSessionService: Any
    types: Any
    fill: Callable[[Any, Path, Any, int], Awaitable[None]]
    imports: dict[str, str] = field(default_factory=dict)


IMPORTS: dict[Name, dict[str, str]] = {
    "ours": {"package": "import agents", "names": "from agents import LlmAgent, Runner"},
    "adk": {
        "package": "import google.adk",
        "names": "from google.adk.agents import LlmAgent; from google.adk.runners import Runner",
    },
}


def load(name: Name) -> Side:
    """Imports a side."""
    return _ours() if name == "ours" else _adk()


def _ours() -> Side:
    from google.genai import types

    import agents
    import agents.workflow

    return Side(
        name="ours",
        version=version("multi-agent-playground"),
        LlmAgent=agents.LlmAgent,
        LoopAgent=agents.LoopAgent,
        ParallelAgent=agents.ParallelAgent,
        workflow=agents.workflow,
        Runner=agents.Runner,
        BaseLlm=agents.BaseLlm,
        LlmResponse=agents.LlmResponse,
        Event=agents.Event,
        GetSessionConfig=agents.GetSessionConfig,
        InMemorySessionService=agents.InMemorySessionService,
        SqliteSessionService=agents.SqliteSessionService,
        types=types,
        fill=_fill_ours,
        imports=IMPORTS["ours"],
    )


def _adk() -> Side:
    from google.adk import workflow
    from google.adk.agents import LlmAgent, LoopAgent, ParallelAgent
    from google.adk.events.event import Event
    from google.adk.models import BaseLlm, LlmResponse
    from google.adk.runners import Runner
    from google.adk.sessions import InMemorySessionService
    from google.adk.sessions.base_session_service import GetSessionConfig
    from google.adk.sessions.sqlite_session_service import SqliteSessionService
    from google.genai import types

    return Side(
        name="adk",
        version=version("google-adk"),
        LlmAgent=LlmAgent,
        LoopAgent=LoopAgent,
        ParallelAgent=ParallelAgent,
        workflow=workflow,
        Runner=Runner,
        BaseLlm=BaseLlm,
        LlmResponse=LlmResponse,
        Event=Event,
        GetSessionConfig=GetSessionConfig,
        InMemorySessionService=InMemorySessionService,
        SqliteSessionService=SqliteSessionService,
        types=types,
        fill=_fill_adk,
        imports=IMPORTS["adk"],
    )


def said(side: Side, author: str, text: str, invocation_id: str = "history") -> Any:
    """An event in which somebody says something."""
    content = side.types.Content(role="user" if author == "user" else "model", parts=[side.types.Part(text=text)])
    return side.Event(author=author, invocation_id=invocation_id, content=content)


def history(side: Side, events: int, authors: Iterable[str] = ("user", "writer")) -> list[Any]:
    """So many events, the authors taking turns."""
    speakers = itertools.islice(itertools.cycle(authors), events)
    return [said(side, author, f"Turn {number}: {SENTENCE}") for number, author in enumerate(speakers)]


SENTENCE = (
    "The tide came in over the flats while the harbour was still dark, and the boats that had leaned on their keels "
    "all night began, one after another, to stand up."
)


async def _fill_ours(service: Any, path: Path, session: Any, events: int) -> None:
    side = load("ours")
    for first in range(0, events, BATCH):
        await service.append(session, history(side, min(BATCH, events - first)))


async def _fill_adk(service: Any, path: Path, session: Any, events: int) -> None:
    """Copies one stored event in SQL: one by one, 10,000 of them would take a minute.

    The copies are as the service would write them, each later than the one before it.
    """
    event = await service.append_event(session, said(load("adk"), "writer", SENTENCE))
    with closing(sqlite3.connect(path)) as database, database:
        columns = "app_name, user_id, session_id, invocation_id"
        (stored,) = database.execute("SELECT event_data FROM events").fetchone()
        database.executemany(
            f"INSERT INTO events (id, timestamp, event_data, {columns}) SELECT ?, ?, ?, {columns} FROM events LIMIT 1",
            (
                (f"copy-{n}", when, json.dumps(json.loads(stored) | {"id": f"copy-{n}", "timestamp": when}))
                for n in range(1, events)
                for when in (event.timestamp - (events - n) / 1000,)
            ),
        )
