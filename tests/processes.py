"""Processes of their own for tests that need several at once: each begins in the time of a fork, not of an interpreter.

A clean process has imported what they need; they are forks of it, and share no thread and no connection with the tests.
"""

from __future__ import annotations

import multiprocessing

CLEAN = multiprocessing.get_context("forkserver")
CLEAN.set_forkserver_preload(
    [
        "tests.agents.ace.test_processes",
        "tests.agents.runs.servers.server",
        "tests.agents.storage.artifacts.test_sqlite",
        "tests.agents.storage.sessions.test_processes",
    ]
)
