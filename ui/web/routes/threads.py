"""Threads for what routes must not do in the server's event loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

import anyio
import anyio.to_thread

MOST = 16
"""Threads at once. They are the routes' own: AnyIO's forty also send Streamlit's files, which must not wait for viewers."""

T = TypeVar("T")


async def in_thread(function: Callable[..., T], *args: object) -> T:
    """Runs a function in a thread and returns its result."""
    return await anyio.to_thread.run_sync(function, *args, limiter=_limiter())


@cache
def _limiter() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(MOST)
