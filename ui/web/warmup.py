"""Does slow things early: makes the run manager, and imports what the first page and the first run need, in a thread.

The port answers first; a page that is asked for meanwhile waits for what it needs and no longer. Knows nothing of pages
but their modules' names.
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
"""Seconds after start-up: the first answers are not to compete with imports for the interpreter."""

PATIENCE = 1.0
"""Seconds that a server which is told to end waits for this: a package may hang while it is imported."""

PAGES = (
    "ui.state.places",
    "ui.playground.header",
    "ui.playground.session_list",
    "ui.playground.conversation",
    "ui.demo.bar",
    "ui.gallery.overview",
    "ui.gallery.lesson",
    "ui.playbook.page",
    "ui.settings.page",
)


def start() -> threading.Thread:
    """Begins; returns the thread, which is to be waited for before the process ends."""
    thread = threading.Thread(target=warm, name="playground-warmup", daemon=True)
    thread.start()
    return thread


def warm() -> None:
    """Makes the manager, then loads what will be wanted next. What fails here fails again where it is shown."""
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
    gc.freeze()  # Streamlit collects garbage after each rerun: no more among half a million things that stay
