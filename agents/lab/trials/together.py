"""`together`: several pieces of work at once; the first error ends them all and is raised as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def together(work: Sequence[Awaitable[T]]) -> list[T]:
    """The results in the order of the work. If this is cancelled, so is the work."""
    try:
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(_awaited(one)) for one in work]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [one.result() for one in running]


async def _awaited(work: Awaitable[T]) -> T:
    return await work
