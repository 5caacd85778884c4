"""`playground demo ace --figures`: measures the effect of a playbook and prints the figures as plain text."""

from __future__ import annotations

import asyncio
import sys

from ui.demo.measure import measure

SEED, QUERIES = 1, 240


def print_figures(*, seed: int | None, queries: int | None) -> int:
    """Measures and prints the figures; progress goes to standard error.

    Args:
        seed: Seed of the questions; None for the default.
        queries: Number of questions; None for the default.

    Returns:
        The exit code.
    """

    def tell(what: str) -> None:
        print(f"{what} …", file=sys.stderr, flush=True)

    figures = asyncio.run(measure(SEED if seed is None else seed, queries or QUERIES, tell=tell))
    print("\n".join(figures.lines()))
    return 0
