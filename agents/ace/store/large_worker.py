"""The process that makes a large change: reads and checks a file, or undoes a delta, and stores it in parts.

It has an interpreter of its own, so it does not block the server. Its input is lines of JSON, with the file's bytes after
the first one; its output is reports as lines of JSON. It ends when its input ends; unpublished parts do not count.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any

from agents.ace.formats.file import playbook_file_text
from agents.ace.operations import Commit
from agents.ace.playbook import Playbook
from agents.ace.store.large_commits import LargeCommits
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import PlaygroundError

SHOWN = 5
"""Bullets of a file in its preview."""
LONGEST = 300
"""Characters of a bullet in the preview."""
EVERY = 0.1
"""Seconds between two reports of progress."""
_CHUNK = 1 << 20
_INPUT = 0


def main() -> None:
    """Executes the first order."""
    gc.disable()  # all objects live until the end, which comes soon
    if hasattr(os, "nice"):
        os.nice(5)  # pages have priority
    order = json.loads(_line())
    try:
        done = _undo(order) if order["what"] == "undo" else _import(order)
    except PlaygroundError as error:
        _say("failed", message=str(error))
    except MemoryError:
        _say("failed", message="There is not enough memory for it. Close other programs, or import it in parts.")
    except ValueError as error:  # an invalid name of a playbook
        _say("failed", message=str(error))
    else:
        _say("done", playbook=done.playbook, revision=done.revision)


def _import(order: dict[str, Any]) -> Commit:
    content = _content(order["size"])
    orders: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    _say("checking")
    playbook = Playbook.read(playbook_file_text(content))
    del content
    _say("ready", preview=_preview(playbook))
    into = orders.get()
    with PlaybookStore(order["database"], into["playbook"]) as store:
        return LargeCommits(store, _Teller()).import_playbook(playbook, new=into["new"])


def _undo(order: dict[str, Any]) -> Commit:
    orders: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    with PlaybookStore(order["database"], order["playbook"]) as store:
        return LargeCommits(store, _Teller()).undo(order["revision"])


def _content(size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        chunk = os.read(_INPUT, min(_CHUNK, size - len(found)))
        if not chunk:
            os._exit(1)
        found += chunk
        _say("reading", done=len(found), of=size)
    return bytes(found)


def _listen(orders: SimpleQueue[dict[str, Any]]) -> None:
    """Passes orders on; ends the process at the end of its input."""
    while line := _line():
        orders.put(json.loads(line))
    os._exit(1)


def _line() -> bytes:
    """A line of the input. Read without a buffer: a thread that waits for one would keep the interpreter from ending."""
    found = b""
    while not found.endswith(b"\n") and (byte := os.read(_INPUT, 1)):
        found += byte
    return found


def _preview(playbook: Playbook) -> dict[str, Any]:
    first = [
        {"id": bullet.id, "content": bullet.content[:LONGEST]}
        for _, bullet in zip(range(SHOWN), playbook.bullets, strict=False)
    ]
    archived = sum(bullet.archived for bullet in playbook.bullets)
    return {"bullets": len(playbook), "sections": len(playbook.sections), "archived": archived, "first": first}


class _Teller:
    """Reports the progress, a few times a second."""

    def __init__(self) -> None:
        self._told = 0.0

    def __call__(self, doing: str, done: int, of: int) -> None:
        if doing == "began":
            _say("began", bundle=done)
        elif (now := time.monotonic()) - self._told >= EVERY:
            self._told = now
            _say(doing, done=done, of=of)


def _say(phase: str, **more: Any) -> None:
    sys.stdout.write(json.dumps({"phase": phase, **more}) + "\n")
    sys.stdout.flush()
