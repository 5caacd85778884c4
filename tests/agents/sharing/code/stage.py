"""Sessions that were run, and files that were written of them, loaded as modules."""

from __future__ import annotations

import asyncio
import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

from agents.runs import RunManager


async def _ended(manager: RunManager, pipeline: str, session: str) -> None:
    async for _ in manager.subscribe(pipeline, session):
        [last] = await manager.sessions.newest(pipeline, session, limit=1)
        if last.kind == "run_finished":
            return


def run(manager: RunManager, pipeline: str, message: str, **more: Any) -> str:
    """Runs a message to its end; the session's id."""
    session = manager.start(pipeline, message, **{"model": "simulated", **more}).session_id
    asyncio.run(_ended(manager, pipeline, session))
    return session


def answer(manager: RunManager, pipeline: str, session: str, response: dict[str, Any]) -> None:
    """Answers the first call that waits."""
    [call, *_] = manager.pending(pipeline)
    manager.answer(pipeline, session, call.call_id, response)
    asyncio.run(_ended(manager, pipeline, session))


def loaded(text: str, folder: Path, name: str = "written") -> ModuleType:
    """A written file as a module."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts_of(events: Any, *, inner: bool = True) -> list[tuple[str, str]]:
    """Who said what; without what agents said as tools, if `inner` is false."""
    found = [(one.author, one.text, one.branch or "") for one in events if one.author != "user"]
    return [(author, text) for author, text, branch in found if text and (inner or ":" not in branch)]


def stored(manager: RunManager, pipeline: str, session: str) -> list[Any]:
    """The events of a session."""
    return [entry.event() for entry in manager.sessions.log(pipeline, session) if entry.kind == "event"]


def run_again(module: ModuleType) -> list[Any]:
    """The events of a written file's run."""

    async def work() -> list[Any]:
        return [event async for event in module.run()]

    return asyncio.run(work())


def by_author(texts: list[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Texts without their order: of agents side by side, it is that of the clock."""
    return Counter(texts)
