"""`playground demo ace --figures`: what a playbook is worth, measured and printed as plain text."""

from __future__ import annotations

import asyncio
import sys

from ui.demo.measure import measure

SEED, QUERIES = 1, 240


def print_figures(*, seed: int | None, queries: int | None) -> int:
    """Measures and prints; what is being done meanwhile goes to standard error.

    Args:
        seed: Of the questions; None for the usual one.
        queries: How many questions; None for the usual number.

    Returns:
        The exit code.
    """

    def tell(what: str) -> None:
        print(f"{what} …", file=sys.stderr, flush=True)

    figures = asyncio.run(measure(SEED if seed is None else seed, queries or QUERIES, tell=tell))
    print("\n".join(figures.lines()))
    return 0
