"""Warms the process up in a thread: makes the run manager, and imports what the first page and the first run need.

The port is open before that. A page that is requested meanwhile waits only for what it needs.
"""

from __future__ import annotations

import gc
import importlib
import sys
import threading
from contextlib import suppress

from agents import PlaygroundError
from ui.state import runs
from ui.text.visible_text import visible

DELAY = 0.05
"""Seconds after start-up, so that imports do not slow the first responses."""

PATIENCE = 1.0
"""Seconds that an ending server waits for the warm-up: the import of a package may hang."""

PAGES = (
    "ui.state.places",
    "ui.playground.header",
    "ui.playground.session_list",
    "ui.playground.conversation",
    "ui.demo.bar",
    "ui.gallery.overview",
    "ui.gallery.lesson",
    "ui.lessons.page",
    "ui.build.page",
    "ui.playbook.page",
    "ui.sessions.page",
    "ui.lab.page",
    "ui.settings.page",
    "ui.help.page",
)


def start() -> threading.Thread:
    """Starts the warm-up; returns its thread, to be joined before the process ends."""
    thread = threading.Thread(target=warm, name="playground-warmup", daemon=True)
    thread.start()
    return thread


def warm() -> None:
    """Makes the manager, then imports what is needed next. Errors are ignored: they occur again where they are shown."""
    try:
        manager = runs.manager()
    except PlaygroundError as error:
        print(f"\n  {visible(str(error))}\n", file=sys.stderr, flush=True)
        return
    for name in manager.catalog.names():
        with suppress(PlaygroundError):
            manager.catalog.get(name)
    for module in PAGES:
        importlib.import_module(module)
    gc.freeze()  # Streamlit collects garbage after each rerun: exempt half a million permanent objects
