"""The pace of models that have their answer at once: simulations and records."""

from __future__ import annotations

import asyncio
from collections import deque

from agents.config import simulated_words_per_second


class SpeechClock:
    """Lets time pass as words are said, without adding up the delays of the waits themselves.

    Args:
        words_per_second: The speed; 0 = at once; None = as `PLAYGROUND_SIMULATED_SPEED` says.

    Raises:
        ValueError: The environment's value is not a speed.
    """

    def __init__(self, words_per_second: float | None) -> None:
        self._speed = simulated_words_per_second() if words_per_second is None else words_per_second
        self._due = asyncio.get_running_loop().time()

    async def say(self, words: deque[str]) -> str:
        """Waits until the first words are said, those of `PIECE`, and takes them; words that are due by then come with them.

        So a busy event loop gives few large pieces instead of many small ones, which would make it later still.
        """
        count = min(len(words), max(1, int(self._speed * PIECE)))
        await self.say_words(count)
        said = "".join(words.popleft() for _ in range(count))
        if self._speed:
            now = asyncio.get_running_loop().time()
            while words and self._due + 1 / self._speed <= now:
                self._due += 1 / self._speed
                said += words.popleft()
        return said

    async def say_words(self, count: int) -> None:
        """Waits until `count` more words are said. With 0 it lets others work once, however fast it speaks."""
        if self._speed:
            self._due += count / self._speed
            await asyncio.sleep(max(0.0, self._due - asyncio.get_running_loop().time()))
        elif count == 0:
            await asyncio.sleep(0)  # even an instant answer can be cancelled before it is given

    async def make_calls(self, count: int) -> None:
        """Waits as long as it takes to write `count` tool calls."""
        await self.say_words(min(count * _WORDS_OF_A_CALL, _WORDS_OF_CALLS))


PIECE = 0.05
"""Seconds of speech that come in one piece, if that is more than a word: the eye sees no difference to single words."""
_WORDS_OF_A_CALL, _WORDS_OF_CALLS = 5, 20
